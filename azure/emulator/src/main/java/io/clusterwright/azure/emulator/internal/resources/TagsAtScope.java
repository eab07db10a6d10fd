package io.clusterwright.azure.emulator.internal.resources;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.clusterwright.azure.emulator.internal.arm.ArmException;
import io.clusterwright.azure.emulator.internal.arm.Bodies;
import io.clusterwright.azure.emulator.internal.arm.Cloud;
import io.clusterwright.azure.emulator.internal.arm.ResourcePath;
import io.clusterwright.azure.emulator.internal.arm.TagRules;
import io.clusterwright.core.internal.json.Json;
import io.clusterwright.emulator.internal.http.Call;
import io.clusterwright.emulator.internal.http.Reply;
import io.clusterwright.emulator.internal.http.RequestTable;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;

/** The tags of the subscription, a group or a resource, read and written without the rest of it: {@code SCOPE/providers/Microsoft.Resources/tags/default}. */
public final class TagsAtScope {
    private static final List<String> KNOWN = List.of("id", "name", "type", "operation", "properties");
    private static final String PATH = " **/providers/Microsoft.Resources/tags/default";
    private static final int PATH_WORDS = 4;

    private final Cloud cloud;
    private final ObjectNode subscription = Json.object();

    public TagsAtScope(Cloud cloud) {
        this.cloud = cloud;
    }

    /** Adds the requests about tags, with the words of their paths. */
    public void addTo(RequestTable<List<String>> requests) {
        requests.on("GET" + PATH, (call, words) -> view(call, words, body -> {}))
                .on("PUT" + PATH, (call, words) -> view(call, words, body -> change(body, "Replace", call)))
                .on(
                        "PATCH" + PATH,
                        (call, words) ->
                                view(call, words, body -> change(body, Bodies.text(call.object(), "operation"), call)))
                .on("DELETE" + PATH, (call, words) -> {
                    body(call, words).remove("tags");
                    return Reply.empty(200);
                });
    }

    private static String scope(List<String> words) {
        return "/" + String.join("/", words.subList(0, words.size() - PATH_WORDS));
    }

    private ObjectNode body(Call call, List<String> words) {
        if (words.size() - PATH_WORDS == 2) {
            return subscription;
        }
        ArmException.refuse(!ResourcePath.isResource(scope(words)), "NotImplemented.path", call.path());
        return cloud.store().require(ResourcePath.of(scope(words))).body();
    }

    private static void change(ObjectNode body, String operation, Call call) {
        ArmException.refuse(
                !call.object().path("properties").path("tags").isObject(),
                "InvalidRequestContent",
                "Required property 'properties.tags' not found in JSON");
        call.object().fieldNames().forEachRemaining(name -> {
            ArmException.refuse(
                    !KNOWN.contains(name.toLowerCase(Locale.ROOT)),
                    "InvalidRequestContent",
                    "Could not find member '" + name + "' on object of type 'ResourceTagsDefinition'");
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

    private Reply view(Call call, List<String> words, Consumer<ObjectNode> change) {
        ObjectNode body = body(call, words);
        change.accept(body);
        ObjectNode view = Json.object()
                .put("id", scope(words) + "/providers/Microsoft.Resources/tags/default")
                .put("name", "default")
                .put("type", "Microsoft.Resources/tags");
        view.putObject("properties").set("tags", body.withObject("/tags").deepCopy());
        return Reply.ok(view);
    }
}
