package io.clusterwright.azure.emulator.internal.resources;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.clusterwright.azure.emulator.internal.arm.ArmException;
import io.clusterwright.azure.emulator.internal.arm.Cloud;
import io.clusterwright.azure.emulator.internal.arm.Draft;
import io.clusterwright.azure.emulator.internal.arm.Pages;
import io.clusterwright.azure.emulator.internal.arm.Resource;
import io.clusterwright.azure.emulator.internal.arm.ResourceHandler;
import io.clusterwright.azure.emulator.internal.arm.ResourcePath;
import io.clusterwright.azure.emulator.internal.arm.ResourceType;
import io.clusterwright.azure.emulator.internal.arm.Work;
import io.clusterwright.core.internal.json.Json;
import io.clusterwright.emulator.internal.http.Call;
import io.clusterwright.emulator.internal.http.Reply;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Resource groups. */
public final class Groups {
    public static final String TYPE = "Microsoft.Resources/resourceGroups";

    private static final int FIRST_NAME = 7;
    private static final Set<String> LISTED_PARTS =
            Set.of(ResourceType.MACHINES + "/extensions", ResourceType.GALLERY_IMAGES, ResourceType.GALLERY_VERSIONS);
    private static final List<String> EXPANDED = List.of("createdTime", "changedTime", "provisioningState");
    private static final Pattern NAME = Pattern.compile("[-\\w._()]{1,90}(?<!\\.)", Pattern.UNICODE_CHARACTER_CLASS);

    private final Cloud cloud;
    private final Function<ResourcePath, Optional<ResourceHandler>> handlers;

    /** @param handlers finds the handler of a resource, which removes it with its group */
    public Groups(Cloud cloud, Function<ResourcePath, Optional<ResourceHandler>> handlers) {
        this.cloud = cloud;
        this.handlers = handlers;
    }

    public ResourceType type() {
        return ResourceType.of(TYPE)
                .rows(Groups::checkName)
                .takes(draft -> null, Work.GROUP_DELETE)
                .filter(call -> ListFilter.ofGroups(call.query("filter")).test())
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
        ArmException.refuse(
                !NAME.matcher(group.id().name()).matches(),
                "InvalidResourceGroup",
                group.id().name());
    }

    /** Everything in the group, or in the subscription. */
    public Reply resources(Call call, ResourcePath container) {
        ListFilter filter = ListFilter.ofResources(call.query("filter"));
        List<String> more = expanded(call);
        List<ObjectNode> views = Pages.visible(call, cloud)
                .filter(resource -> !resource.id().isGroup())
                .filter(resource -> !resource.id().isChild()
                        || LISTED_PARTS.contains(resource.id().type()))
                .filter(resource -> filter.lists(resource, container))
                .map(resource -> summary(resource, filter.byTag(), more))
                .toList();
        return Pages.of(call, cloud, views);
    }

    private static List<String> expanded(Call call) {
        List<String> names = new ArrayList<>();
        for (String name : call.query("expand").split(",")) {
            if (!name.isBlank()) {
                names.add(EXPANDED.stream()
                        .filter(name.trim()::equalsIgnoreCase)
                        .findFirst()
                        .orElseThrow(() -> ArmException.of("InvalidExpandInQueryString", call.query("expand"))));
            }
        }
        return names;
    }

    private static ObjectNode summary(Resource resource, boolean byTag, List<String> more) {
        ObjectNode summary = Json.object();
        for (String name : List.of("id", "name", "type", "location", "managedBy", "tags", "sku", "kind", "zones")) {
            if (resource.body().has(name) && !(byTag && name.equals("tags"))) {
                summary.set(name, resource.body().get(name).deepCopy());
            }
        }
        if (resource.id().isChild()) {
            List<String> words = resource.id().segments();
            summary.put(
                    "name",
                    IntStream.range(FIRST_NAME, words.size())
                            .filter(i -> i % 2 == 1)
                            .mapToObj(words::get)
                            .collect(Collectors.joining("/")));
        }
        for (String name : more) {
            summary.put(
                    name,
                    name.equals("provisioningState")
                            ? resource.state()
                            : resource.created().toString());
        }
        return summary;
    }
}
