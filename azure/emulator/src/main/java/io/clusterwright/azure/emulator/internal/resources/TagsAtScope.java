package io.clusterwright.azure.emulator.internal.resources;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.clusterwright.azure.emulator.internal.arm.ArmException;
import io.clusterwright.azure.emulator.internal.arm.ArmId;
import io.clusterwright.azure.emulator.internal.arm.Bodies;
import io.clusterwright.azure.emulator.internal.arm.Cloud;
import io.clusterwright.azure.emulator.internal.arm.TagRules;
import io.clusterwright.core.internal.json.Json;
import io.clusterwright.emulator.internal.http.Call;
import io.clusterwright.emulator.internal.http.Reply;
import java.util.List;
import java.util.Locale;

/** The tags of the subscription, a group or a resource, read and written without the rest of it: {@code SCOPE/providers/Microsoft.Resources/tags/default}. */
public final class TagsAtScope {
    private static final List<String> KNOWN = List.of("id", "name", "type", "operation", "properties");
    private static final List<String> END = List.of("providers", "microsoft.resources", "tags", "default");

    private final Cloud cloud;
    private final ObjectNode subscription = Json.object();

    public TagsAtScope(Cloud cloud) {
        this.cloud = cloud;
    }

    /** Whether a request is about tags alone. */
    public static boolean isMeant(List<String> words) {
        int scope = words.size() - END.size();
        return scope >= 0
                && words.subList(scope, words.size()).stream()
                        .map(word -> word.toLowerCase(Locale.ROOT))
                        .toList()
                        .equals(END);
    }

    /** @param words the whole path, for which {@link #isMeant} is true */
    public Reply answer(Call call, List<String> words) {
        String scope = "/" + String.join("/", words.subList(0, words.size() - END.size()));
        boolean whole = words.size() - END.size() == 2;
        if (!whole && !ArmId.isResource(scope)) {
            throw ArmException.of("NotImplemented.path", call.path());
        }
        ObjectNode body =
                whole ? subscription : cloud.store().require(ArmId.of(scope)).body();
        switch (call.method()) {
            case "GET" -> {}
            case "PUT" -> change(body, "Replace", call);
            case "PATCH" -> change(body, Bodies.text(call.object(), "operation"), call);
            case "DELETE" -> body.remove("tags");
            default -> throw ArmException.of("MethodNotAllowed", call.method(), call.path());
        }
        return call.method().equals("DELETE") ? Reply.empty(200) : Reply.ok(view(scope, body));
    }

    private static void change(ObjectNode body, String operation, Call call) {
        if (!call.object().path("properties").path("tags").isObject()) {
            throw ArmException.of("InvalidRequestContent", "Required property 'properties.tags' not found in JSON");
        }
        call.object().fieldNames().forEachRemaining(name -> {
            if (!KNOWN.contains(name.toLowerCase(Locale.ROOT))) {
                throw ArmException.of(
                        "InvalidRequestContent",
                        "Could not find member '" + name + "' on object of type 'ResourceTagsDefinition'");
            }
        });
        ObjectNode given = Bodies.make(Bodies.properties(call.object()), "tags");
        ObjectNode tags = Bodies.make(body, "tags").deepCopy();
        switch (operation.toLowerCase(Locale.ROOT)) {
            case "merge" -> tags.setAll(given);
            case "replace" -> tags.removeAll().setAll(given.deepCopy());
            case "delete" ->
                given.properties().forEach(tag -> {
                    if (tags.path(tag.getKey()).asText().equals(tag.getValue().asText())) {
                        tags.remove(tag.getKey());
                    }
                });
            default -> throw ArmException.of("InvalidParameter.operation", operation);
        }
        TagRules.check(tags);
        body.set("tags", tags);
    }

    private static ObjectNode view(String scope, ObjectNode body) {
        ObjectNode view = Json.object()
                .put("id", scope + "/providers/Microsoft.Resources/tags/default")
                .put("name", "default")
                .put("type", "Microsoft.Resources/tags");
        view.putObject("properties").set("tags", body.withObject("/tags").deepCopy());
        return view;
    }
}
