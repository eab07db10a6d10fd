package io.clusterwright.azure.emulator.internal.resources;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.clusterwright.azure.emulator.internal.arm.ArmException;
import io.clusterwright.azure.emulator.internal.arm.Bodies;
import io.clusterwright.azure.emulator.internal.arm.Cloud;
import io.clusterwright.azure.emulator.internal.arm.Pages;
import io.clusterwright.azure.emulator.internal.arm.ResourcePath;
import io.clusterwright.azure.emulator.internal.arm.Versions;
import io.clusterwright.core.internal.json.Json;
import io.clusterwright.emulator.internal.http.Call;
import io.clusterwright.emulator.internal.http.Reply;
import io.clusterwright.emulator.internal.http.RequestTable;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** Locks of the subscription, of groups and of resources: {@code SCOPE/providers/Microsoft.Authorization/locks/NAME}. */
public final class Locks {
    private static final int LONGEST_NOTES = 512;
    private static final String TYPE = "Microsoft.Authorization/locks";
    private static final String PATH = "**/providers/" + TYPE;
    private static final Set<String> LEVELS = Set.of("CanNotDelete", "ReadOnly", "NotSpecified");

    private final Cloud cloud;
    private final Map<String, Lock> all = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
    private final RequestTable<String> requests = new RequestTable<>();

    private record Lock(String scope, ObjectNode body) {
        boolean isReadOnly() {
            return Bodies.text(body, "properties.level").equals("ReadOnly");
        }
    }

    public Locks(Cloud cloud) {
        this.cloud = cloud;
        requests.on("GET " + PATH, this::list)
                .on("GET " + PATH + "/*", this::get)
                .on("PUT " + PATH + "/*", this::put)
                .on("DELETE " + PATH + "/*", this::delete);
    }

    /** The answer to a request about a lock, or a list of them; empty for other requests. */
    public Optional<Reply> answer(Call call) {
        if (!requests.hasPath(call)) {
            return Optional.empty();
        }
        Versions.require(cloud.settings(), TYPE, "", call.query("api-version"));
        List<String> words = call.segments();
        boolean one = !words.get(words.size() - 1).equalsIgnoreCase("locks");
        String scope = "/" + String.join("/", words.subList(0, words.size() - (one ? 4 : 3)));
        if (ResourcePath.isResource(scope) && !ResourcePath.of(scope).isOfType(TYPE)) {
            cloud.store().require(ResourcePath.of(scope).groupId());
        }
        return Optional.of(requests.answer(call, scope)
                .orElseThrow(() -> ArmException.of("MethodNotAllowed", call.method(), call.path())));
    }

    private Reply list(Call call, String scope) {
        return Pages.of(
                call,
                cloud,
                all.values().stream()
                        .filter(lock -> holds(scope, lock.scope()))
                        .map(Lock::body)
                        .toList());
    }

    private static String id(Call call, String scope) {
        List<String> words = call.segments();
        return scope + "/providers/" + TYPE + "/" + words.get(words.size() - 1);
    }

    private Reply get(Call call, String scope) {
        Lock found = all.get(id(call, scope));
        if (found == null) {
            throw ArmException.of("LockNotFound", ResourcePath.of(call.path()).name());
        }
        return Reply.ok(found.body());
    }

    private Reply delete(Call call, String scope) {
        return Reply.empty(all.remove(id(call, scope)) == null ? 204 : 200);
    }

    private Reply put(Call call, String scope) {
        if (ResourcePath.isResource(scope)) {
            cloud.store().require(ResourcePath.of(scope));
        }
        String id = id(call, scope);
        String level = Bodies.text(call.object(), "properties.level");
        ArmException.refuse(
                !LEVELS.contains(level),
                "InvalidRequestContent",
                "The level '" + level + "' of the lock is not one of " + LEVELS);
        ObjectNode body = Json.object()
                .put("id", id)
                .put("name", ResourcePath.of(id).name())
                .put("type", TYPE);
        ObjectNode properties = body.putObject("properties").put("level", level);
        String notes = Bodies.text(call.object(), "properties.notes");
        ArmException.refuse(
                notes.length() > LONGEST_NOTES,
                "InvalidRequestContent",
                "The notes of the lock are longer than " + LONGEST_NOTES + " characters");
        if (!notes.isEmpty()) {
            properties.put("notes", notes);
        }
        return Reply.of(all.put(id, new Lock(scope, body)) == null ? 201 : 200, body);
    }

    /**
     * Refuses a change of what is locked, and to delete what is locked or has something locked inside.
     *
     * @param words the words of the path
     */
    public void require(String method, List<String> words) {
        String target = "/" + String.join("/", words);
        boolean deletes = method.equals("DELETE");
        String locked = all.values().stream()
                .filter(lock -> deletes || lock.isReadOnly())
                .map(Lock::scope)
                .filter(scope -> holds(scope, target) || deletes && holds(target, scope))
                .distinct()
                .collect(Collectors.joining("','"));
        ArmException.refuse(!locked.isEmpty(), "ScopeLocked", target, deletes ? "delete" : "write", locked);
    }

    private static boolean holds(String outer, String inner) {
        return (inner + "/").toLowerCase(Locale.ROOT).startsWith((outer + "/").toLowerCase(Locale.ROOT));
    }
}
