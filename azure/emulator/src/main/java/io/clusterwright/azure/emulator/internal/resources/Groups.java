package io.clusterwright.azure.emulator.internal.resources;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.clusterwright.azure.emulator.internal.arm.ArmException;
import io.clusterwright.azure.emulator.internal.arm.ArmId;
import io.clusterwright.azure.emulator.internal.arm.Cloud;
import io.clusterwright.azure.emulator.internal.arm.Draft;
import io.clusterwright.azure.emulator.internal.arm.Pages;
import io.clusterwright.azure.emulator.internal.arm.Resource;
import io.clusterwright.azure.emulator.internal.arm.ResourceHandler;
import io.clusterwright.azure.emulator.internal.arm.ResourceType;
import io.clusterwright.azure.emulator.internal.arm.Work;
import io.clusterwright.core.internal.http.Call;
import io.clusterwright.core.internal.http.Reply;
import io.clusterwright.core.internal.json.Json;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Resource groups. */
public final class Groups {
    public static final String TYPE = "Microsoft.Resources/resourceGroups";

    private static final Pattern NAME = Pattern.compile("[-\\w._()]{1,90}(?<!\\.)");

    private final Cloud cloud;
    private final Function<ArmId, Optional<ResourceHandler>> handlers;

    /** @param handlers finds the handler of a resource, which removes it with its group */
    public Groups(Cloud cloud, Function<ArmId, Optional<ResourceHandler>> handlers) {
        this.cloud = cloud;
        this.handlers = handlers;
    }

    public ResourceType type() {
        return ResourceType.of(TYPE)
                .rows(Groups::checkName)
                .takes(draft -> null, Work.GROUP_DELETE)
                .filter(TagFilter::of)
                .unmaking(group -> CompletableFuture.allOf(cloud.store().inside(group.id()).stream()
                        .flatMap(resource ->
                                handlers.apply(resource.id()).stream().map(handler -> handler.discard(resource)))
                        .toArray(CompletableFuture[]::new)))
                .removed(group -> cloud.store()
                        .inside(group.id())
                        .forEach(resource ->
                                handlers.apply(resource.id()).ifPresent(handler -> handler.discarded(resource))));
    }

    private static void checkName(Draft group) {
        if (!NAME.matcher(group.id().name()).matches()) {
            throw ArmException.of("InvalidResourceGroup", group.id().name());
        }
    }

    /** Everything in the group, or in the subscription. */
    public Reply resources(Call call, ArmId container) {
        List<ObjectNode> views = Pages.visible(call, cloud)
                .filter(resource -> !resource.id().isGroup() && !resource.id().isChild())
                .filter(resource -> resource.id().isInside(container))
                .filter(TagFilter.of(call))
                .map(Groups::summary)
                .toList();
        return Pages.of(call, cloud, views);
    }

    private static ObjectNode summary(Resource resource) {
        ObjectNode summary = Json.object();
        for (String name : List.of("id", "name", "type", "location", "managedBy", "tags", "sku", "kind")) {
            if (resource.body().has(name)) {
                summary.set(name, resource.body().get(name).deepCopy());
            }
        }
        return summary;
    }

    /** The filters that lists of resources and groups understand: terms joined by {@code and}. */
    private static final class TagFilter {
        private static final Pattern TERM = Pattern.compile(
                "(tagName|tagValue|resourceType|location|name)\\s+eq\\s+'((?:[^']|'')*)'", Pattern.CASE_INSENSITIVE);

        static Predicate<Resource> of(Call call) {
            String text = call.query("filter");
            String tag = "";
            Predicate<Resource> all = resource -> true;
            for (String term : text.isBlank() ? new String[0] : text.split("(?i)\\s+and\\s+")) {
                Matcher matcher = TERM.matcher(term.trim());
                if (!matcher.matches()) {
                    throw ArmException.of("InvalidFilterInQueryString", text);
                }
                String value = matcher.group(2).replace("''", "'");
                if (matcher.group(1).equals("tagName")) {
                    tag = value;
                }
                all = all.and(term(matcher.group(1), tag, value));
            }
            return all;
        }

        private static Predicate<Resource> term(String what, String tag, String value) {
            return switch (what) {
                case "tagName" -> resource -> !tag(resource, tag).isMissingNode();
                case "tagValue" -> resource -> tag(resource, tag).asText().equals(value);
                case "resourceType" -> resource -> resource.id().isOfType(value);
                case "location" -> resource -> resource.location().equalsIgnoreCase(value);
                default -> resource -> resource.id().name().equalsIgnoreCase(value);
            };
        }

        private static JsonNode tag(Resource resource, String name) {
            return resource.body().path("tags").path(name);
        }
    }
}
