package io.clusterwright.azure.emulator.internal.resources;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.clusterwright.azure.emulator.internal.arm.ArmException;
import io.clusterwright.azure.emulator.internal.arm.ArmId;
import io.clusterwright.azure.emulator.internal.arm.Bodies;
import io.clusterwright.azure.emulator.internal.arm.Cloud;
import io.clusterwright.azure.emulator.internal.arm.Pages;
import io.clusterwright.azure.emulator.internal.arm.Versions;
import io.clusterwright.core.internal.json.Json;
import io.clusterwright.emulator.internal.http.Call;
import io.clusterwright.emulator.internal.http.Reply;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/** Locks of the subscription, of groups and of resources: {@code SCOPE/providers/Microsoft.Authorization/locks/NAME}. */
public final class Locks {
    private static final int LONGEST_NOTES = 512;
    private static final String TYPE = "Microsoft.Authorization/locks";
    private static final List<String> END = List.of("providers", "microsoft.authorization", "locks");
    private static final Set<String> LEVELS = Set.of("CanNotDelete", "ReadOnly", "NotSpecified");

    private final Cloud cloud;
    private final Map<String, Lock> all = new LinkedHashMap<>();

    private record Lock(String scope, ObjectNode body) {
        boolean isReadOnly() {
            return Bodies.text(body, "properties.level").equals("ReadOnly");
        }
    }

    public Locks(Cloud cloud) {
        this.cloud = cloud;
    }

    /** Whether a request is about a lock, or a list of them. */
    public static boolean isMeant(List<String> words) {
        return start(words) >= 0;
    }

    /** The number of words of the scope; negative where there is no lock. */
    private static int start(List<String> words) {
        for (int start : new int[] {words.size() - END.size() - 1, words.size() - END.size()}) {
            if (start >= 2
                    && words.subList(start, start + END.size()).stream()
                            .map(word -> word.toLowerCase(Locale.ROOT))
                            .toList()
                            .equals(END)) {
                return start;
            }
        }
        return -1;
    }

    private static String scope(List<String> words) {
        return "/" + String.join("/", words);
    }

    /** @param words the whole path, for which {@link #isMeant} is true */
    public Reply answer(Call call, List<String> words) {
        Versions.require(cloud.settings(), TYPE, "", call.query("api-version"));
        String scope = scope(words.subList(0, start(words)));
        if (ArmId.isResource(scope) && !ArmId.of(scope).isOfType(TYPE)) {
            cloud.store().require(ArmId.of(scope).groupId());
        }
        boolean list = words.size() == start(words) + END.size();
        String id = scope + "/providers/" + TYPE + (list ? "" : "/" + words.get(words.size() - 1));
        if (list) {
            if (!call.method().equals("GET")) {
                throw ArmException.of("MethodNotAllowed", call.method(), call.path());
            }
            return Pages.of(
                    call,
                    cloud,
                    all.values().stream()
                            .filter(lock -> holds(scope, lock.scope()))
                            .map(Lock::body)
                            .toList());
        }
        Lock found = all.get(id.toLowerCase(Locale.ROOT));
        switch (call.method()) {
            case "PUT" -> {
                if (ArmId.isResource(scope)) {
                    cloud.store().require(ArmId.of(scope));
                }
                return put(call, scope, id, found == null ? 201 : 200);
            }
            case "GET" -> {
                if (found == null) {
                    throw ArmException.of("LockNotFound", words.get(words.size() - 1));
                }
                return Reply.ok(found.body());
            }
            case "DELETE" -> {
                return Reply.empty(all.remove(id.toLowerCase(Locale.ROOT)) == null ? 204 : 200);
            }
            default -> throw ArmException.of("MethodNotAllowed", call.method(), call.path());
        }
    }

    private Reply put(Call call, String scope, String id, int status) {
        String level = Bodies.text(call.object(), "properties.level");
        if (!LEVELS.contains(level)) {
            throw ArmException.of(
                    "InvalidRequestContent", "The level '" + level + "' of the lock is none of " + LEVELS);
        }
        ObjectNode body =
                Json.object().put("id", id).put("name", ArmId.of(id).name()).put("type", TYPE);
        ObjectNode properties = body.putObject("properties").put("level", level);
        String notes = Bodies.text(call.object(), "properties.notes");
        if (notes.length() > LONGEST_NOTES) {
            throw ArmException.of(
                    "InvalidRequestContent", "The notes of the lock are longer than " + LONGEST_NOTES + " characters");
        }
        if (!notes.isEmpty()) {
            properties.put("notes", notes);
        }
        all.put(id.toLowerCase(Locale.ROOT), new Lock(scope, body));
        return Reply.of(status, body);
    }

    /**
     * Refuses a change of what is locked, and to delete what is locked or has something locked inside.
     *
     * @param words the words of the path
     */
    public void require(String method, List<String> words) {
        String target = scope(words);
        boolean deletes = method.equals("DELETE");
        String locked = all.values().stream()
                .filter(lock -> deletes || lock.isReadOnly())
                .map(Lock::scope)
                .filter(scope -> holds(scope, target) || deletes && holds(target, scope))
                .distinct()
                .collect(Collectors.joining("','"));
        if (!locked.isEmpty()) {
            throw ArmException.of("ScopeLocked", target, deletes ? "delete" : "write", locked);
        }
    }

    private static boolean holds(String outer, String inner) {
        return (inner + "/").toLowerCase(Locale.ROOT).startsWith((outer + "/").toLowerCase(Locale.ROOT));
    }
}
