package io.clusterwright.azure.emulator.internal.resources;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.clusterwright.azure.emulator.internal.arm.ArmException;
import io.clusterwright.azure.emulator.internal.arm.ArmId;
import io.clusterwright.azure.emulator.internal.arm.Cloud;
import io.clusterwright.azure.emulator.internal.arm.Pages;
import io.clusterwright.azure.emulator.internal.arm.Resource;
import io.clusterwright.azure.emulator.internal.arm.ResourceKind;
import io.clusterwright.azure.emulator.internal.arm.Work;
import io.clusterwright.core.internal.http.Call;
import io.clusterwright.core.internal.http.Reply;
import io.clusterwright.core.internal.json.Json;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Resource groups. */
public final class Groups extends ResourceKind {
    private static final Pattern NAME = Pattern.compile("[-\\w._()]{1,90}(?<!\\.)");

    private final Function<ArmId, Optional<ResourceKind>> kinds;

    /** @param kinds finds the type of a resource, which removes it with its group */
    public Groups(Cloud cloud, Function<ArmId, Optional<ResourceKind>> kinds) {
        super(cloud, "Microsoft.Resources/resourceGroups");
        this.kinds = kinds;
    }

    @Override
    protected void fill(Call call, ArmId id, ObjectNode body, @Nullable Resource before) {
        if (!NAME.matcher(id.name()).matches()) {
            throw ArmException.badRequest(
                    "InvalidResourceGroup",
                    "The provided resource group name '" + id.name()
                            + "' has these invalid characters or is too long. The name can only be a letter, digit, '-',"
                            + " '.', '(', ')' or '_', at most 90 of them, and cannot end with a '.'.");
        }
    }

    @Override
    public Reply list(Call call, ArmId parent) {
        List<ObjectNode> views = Pages.visible(call, cloud, cloud.store().ofType(type()))
                .filter(resource -> TagFilter.of(call).matches(resource))
                .map(resource -> view(call, resource))
                .toList();
        return Pages.of(call, cloud, views);
    }

    /** Everything in the group, or in the subscription. */
    public Reply resources(Call call, Optional<ArmId> group) {
        TagFilter filter = TagFilter.of(call);
        List<ObjectNode> views = Pages.visible(call, cloud, cloud.store().all())
                .filter(resource -> !resource.id().isGroup() && !resource.id().isChild())
                .filter(resource -> group.map(resource.id()::isInside).orElse(true))
                .filter(filter::matches)
                .map(Groups::summary)
                .toList();
        return Pages.of(call, cloud, views);
    }

    private static ObjectNode summary(Resource resource) {
        ObjectNode summary = Json.object();
        for (String name : List.of("id", "name", "type", "location", "tags", "sku", "kind")) {
            if (resource.body().has(name)) {
                summary.set(name, resource.body().get(name).deepCopy());
            }
        }
        return summary;
    }

    @Override
    public Reply delete(Call call, ArmId id) {
        if (cloud.store().find(id).isEmpty()) {
            throw ArmException.notFound(id);
        }
        return super.delete(call, id);
    }

    @Override
    protected Work deleteWork(Call call, Resource resource) {
        return Work.GROUP_DELETE;
    }

    @Override
    protected CompletableFuture<?> unmaking(Resource group) {
        List<CompletableFuture<?>> all = cloud.store().inside(group.id()).stream()
                .<CompletableFuture<?>>map(resource -> {
                    resource.runningOperation()
                            .ifPresent(running -> running.preempt(cloud.clock().now()));
                    return kinds.apply(resource.id())
                            .<CompletableFuture<?>>map(kind -> kind.discard(resource))
                            .orElse(NO_MACHINES);
                })
                .toList();
        return CompletableFuture.allOf(all.toArray(CompletableFuture[]::new));
    }

    @Override
    protected void removed(Resource group) {
        cloud.store()
                .inside(group.id())
                .forEach(resource -> kinds.apply(resource.id()).ifPresent(kind -> kind.discarded(resource)));
    }

    /** The filters that lists of resources and groups understand: terms joined by {@code and}. */
    private static final class TagFilter {
        private static final Pattern TERM = Pattern.compile(
                "(tagName|tagValue|resourceType|location|name)\\s+eq\\s+'((?:[^']|'')*)'", Pattern.CASE_INSENSITIVE);

        private final List<Predicate<Resource>> terms = new ArrayList<>();

        private TagFilter() {}

        static TagFilter of(Call call) {
            TagFilter filter = new TagFilter();
            String text = call.parameter("filter").orElse("");
            String tag = "";
            for (String term : text.isBlank() ? new String[0] : text.split("(?i)\\s+and\\s+")) {
                Matcher matcher = TERM.matcher(term.trim());
                if (!matcher.matches()) {
                    throw ArmException.badRequest(
                            "InvalidFilterInQueryString",
                            "Invalid $filter '" + text + "' specified in the query string.");
                }
                String value = matcher.group(2).replace("''", "'");
                switch (matcher.group(1)) {
                    case "tagName" -> {
                        tag = value;
                        String name = value;
                        filter.terms.add(resource -> !tag(resource, name).isMissingNode());
                    }
                    case "tagValue" -> {
                        String name = tag;
                        filter.terms.add(
                                resource -> tag(resource, name).asText().equals(value));
                    }
                    case "resourceType" ->
                        filter.terms.add(resource -> resource.id().isOfType(value));
                    case "location" ->
                        filter.terms.add(resource -> resource.location().equalsIgnoreCase(value));
                    default -> filter.terms.add(resource -> resource.id().name().equalsIgnoreCase(value));
                }
            }
            return filter;
        }

        private static JsonNode tag(Resource resource, String name) {
            return resource.body().path("tags").path(name);
        }

        boolean matches(Resource resource) {
            return terms.stream().allMatch(term -> term.test(resource));
        }
    }
}
