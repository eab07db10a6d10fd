package io.clusterwright.azure.emulator.internal.arm;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.clusterwright.core.internal.json.Json;
import io.clusterwright.emulator.internal.http.Call;
import io.clusterwright.emulator.internal.http.Reply;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** Answers the requests about the resources of one type by its table. */
public final class ResourceHandler implements Handler {
    private static final int GROUP_WORDS = 4;

    private final Cloud cloud;
    private final ResourceType type;

    public ResourceHandler(Cloud cloud, ResourceType type) {
        this.cloud = cloud;
        this.type = type;
    }

    ResourceType type() {
        return type;
    }

    @Override
    public String name() {
        return type.name;
    }

    @Override
    public Reply put(Call call, ResourcePath id) {
        return write(call, id, checked(call, id, cloud, true));
    }

    @Override
    public void preflight(Call call, ResourcePath id) {
        ObjectNode body = checked(call, id, cloud, true);
        Resource before = cloud.store().find(id).orElse(null);
        Draft draft = new Draft(cloud, id, head(id, body, before), before, call.query("api-version"));
        type.early.forEach(row -> row.apply(draft));
    }

    @Override
    public Reply patch(Call call, ResourcePath id) {
        ObjectNode body = cloud.store().require(id).body().deepCopy();
        ObjectNode change = checked(call, id, cloud, false);
        Bodies.merge(body, change);
        if (change.has("tags")) {
            body.set("tags", change.get("tags"));
        }
        return write(call, id, body);
    }

    /** The body of a request, held against the description of its type and version. */
    static ObjectNode checked(Call call, ResourcePath id, Cloud cloud, boolean whole) {
        ObjectNode body = call.object().deepCopy();
        String version = call.query("api-version");
        String location = Bodies.text(body, "location");
        Versions.require(
                cloud.settings(), id.type(), location.isEmpty() ? cloud.store().location(id) : location, version);
        BodyCheck.run(id.type(), version, body, whole);
        String name = Bodies.text(body, "name");
        ArmException.refuse(
                !name.isEmpty() && !id.isChild() && !name.equalsIgnoreCase(id.name()),
                "MismatchingResourceName",
                name,
                id.name());
        return body;
    }

    /** Creates or replaces it. */
    Reply write(Call call, ResourcePath id, ObjectNode body) {
        cloud.store().requireParent(id);
        Resource before = cloud.store().find(id).orElse(null);
        checkConditions(call, before);
        if (before != null) {
            if (before.state().equals("Deleting")) {
                throw id.isGroup()
                        ? ArmException.of("ResourceGroupBeingDeleted", id.group())
                        : ArmException.of("ResourceBeingDeleted", id);
            }
            checkIdle(call, before);
        }
        ResourcePath written = before == null ? id : before.id();
        Draft draft = new Draft(cloud, written, head(written, body, before), before, call.query("api-version"));
        type.rows.forEach(row -> row.apply(draft));
        Resource resource =
                before == null ? cloud.store().add(written, cloud.clock().now(), draft.body()) : before;
        Work work = type.work.apply(draft);
        resource.body(draft.body());
        return begin(call, resource, before == null, work);
    }

    private ObjectNode head(ResourcePath id, ObjectNode body, @Nullable Resource before) {
        TagRules.check(body.path("tags"));
        // An instance of a scale set is written with the part of it that changes.
        String location = type.inherits
                ? cloud.store().location(id)
                : Bodies.text(before != null && id.isOfType(ResourceType.INSTANCES) ? before.body() : body, "location");
        ArmException.refuse(location.isEmpty(), "LocationRequired");
        String region = cloud.region(location, id);
        String zone = Bodies.text(body, "extendedLocation.name");
        ArmException.refuse(
                body.path("extendedLocation").isObject(), "InvalidExtendedLocation", zone, region, id.type());
        if (before != null && !before.location().equals(region)) {
            ArmException.refuse(id.isGroup(), "InvalidResourceGroupLocation", region, before.location());
            throw ArmException.of("InvalidResourceLocation", id.name(), before.location(), id.group(), region);
        }
        ObjectNode filled = Json.object()
                .put("name", id.name())
                .put("id", id.toString())
                .put("type", id.type())
                .put("location", region);
        body.properties().forEach(entry -> {
            if (!filled.has(entry.getKey()) && !entry.getKey().equals("etag")) {
                filled.set(entry.getKey(), entry.getValue());
            }
        });
        Bodies.properties(filled).remove("provisioningState");
        return filled;
    }

    private Reply begin(Call call, Resource resource, boolean created, @Nullable Work work) {
        int status = created ? type.created : 200;
        if (work == null) {
            resource.state("Succeeded");
            type.finished.accept(resource, null);
            return answer(status, call, resource);
        }
        resource.state(created && !type.retryable ? "Creating" : "Updating");
        ArmException failure = cloud.faults().failure(call).orElse(null);
        CompletableFuture<?> machines;
        try {
            machines = type.machines.start(call, resource, created);
        } catch (ArmException refused) {
            if (created) {
                remove(resource);
            }
            throw refused;
        }
        LongOperation operation = cloud.start(work, failure, machines, failed -> {
            resource.state(failed == null ? "Succeeded" : "Failed");
            type.finished.accept(resource, failed);
            return null;
        });
        resource.operation(operation);
        return cloud.linked(answer(status, call, resource), call, resource.id(), operation);
    }

    private Reply answer(int status, Call call, Resource resource) {
        ObjectNode view = view(call, resource);
        Reply answer = Reply.of(status, view);
        String etag = Bodies.text(view, "etag");
        return etag.isEmpty() ? answer : answer.with("ETag", etag);
    }

    ObjectNode view(Call call, Resource resource) {
        ObjectNode view = resource.body().deepCopy();
        type.view.complete(call, resource, view);
        return view;
    }

    @Override
    public Reply get(Call call, ResourcePath id) {
        cloud.operations().asked(cloud.store().require(id));
        return answer(200, call, cloud.store().require(id));
    }

    @Override
    public Reply list(Call call, ResourcePath parent) {
        boolean part = parent.segments().size() > GROUP_WORDS;
        boolean group = type.name.startsWith("Microsoft.Resources/");
        List<ObjectNode> views = (part || group ? Pages.consistent(call, cloud) : Pages.visible(call, cloud))
                .filter(resource -> resource.id().isOfType(type.name))
                .filter(resource -> resource.id().isInside(parent))
                .filter(type.filter.apply(call))
                .map(resource -> cloud.store().holds(resource)
                        ? view(call, resource)
                        : resource.body().deepCopy())
                .toList();
        return Pages.of(call, cloud, views);
    }

    @Override
    public Reply delete(Call call, ResourcePath id) {
        Optional<Resource> found = cloud.store().find(id);
        if (found.isEmpty()) {
            cloud.store().require(id.groupId());
            return Reply.empty(204);
        }
        Resource resource = found.get();
        checkConditions(call, resource);
        type.deleteCheck.accept(resource);
        checkIdle(call, resource);
        Work work = type.deleteWork;
        if (work == null) {
            remove(resource);
            return Reply.empty(200);
        }
        if (!resource.state().equals("Deleting")) {
            resource.preempt(cloud.clock().now());
            resource.operation(startDelete(call, resource, work));
        }
        return cloud.linked(
                Reply.empty(202), call, resource.id(), resource.operation().orElseThrow());
    }

    private void remove(Resource resource) {
        type.removed.accept(resource);
        Instant now = cloud.clock().now();
        cloud.store()
                .remove(
                        resource.id(),
                        resource.operation()
                                .map(LongOperation::due)
                                .filter(now::isAfter)
                                .orElse(now));
    }

    private LongOperation startDelete(Call call, Resource resource, Work work) {
        String stateBefore = resource.state();
        resource.state("Deleting");
        ArmException failure = cloud.faults().failure(call).orElse(null);
        CompletableFuture<?> machines = failure == null ? type.unmaking.apply(resource) : ResourceType.NO_MACHINES;
        return cloud.start(work, failure, machines, failed -> {
            if (failed == null) {
                remove(resource);
            } else {
                resource.state(stateBefore);
            }
            return null;
        });
    }

    /** Stops its machines, because its container is deleted. */
    public CompletableFuture<?> discard(Resource resource) {
        resource.preempt(cloud.clock().now());
        return type.unmaking.apply(resource);
    }

    /** Releases what it holds, when it is removed with its container. */
    public void discarded(Resource resource) {
        type.removed.accept(resource);
    }

    @Override
    public Reply act(Call call, ResourcePath id, String action) {
        boolean reads = call.method().equals("GET");
        String path = action.toLowerCase(Locale.ROOT);
        Map<String, ResourceType.Action> all = reads ? type.reads : type.actions;
        ResourceType.Action known = all.getOrDefault(path, all.get(path.replaceFirst("/.*", "/*")));
        if (known != null) {
            Resource resource = cloud.store().require(id);
            if (!reads) {
                type.actionCheck.accept(resource);
            }
            return known.answer(call, resource);
        }
        boolean other = (reads ? type.actions : type.reads).containsKey(path);
        throw ArmException.of(other ? "InvalidRequest.action" : "NotImplemented.action", action, type.name);
    }

    /** Refuses a request while another operation on the same resource runs. */
    private void checkIdle(Call call, Resource resource) {
        if (resource.runningOperation().isEmpty()) {
            return;
        }
        if (type.retryable && !resource.state().equals("Deleting")) {
            throw ArmException.of("RetryableErrorDueToAnotherOperation", resource.id())
                    .retryAfter(cloud.operations().retryAfter());
        }
        if (!type.retryable && !call.method().equals("DELETE")) {
            throw ArmException.busy(resource.id());
        }
    }

    /** Refuses a request whose {@code If-Match} or {@code If-None-Match} does not hold. */
    private static void checkConditions(Call call, @Nullable Resource existing) {
        String match = call.header("if-match").orElse("");
        String none = call.header("if-none-match").orElse("");
        String etag = existing == null ? "" : Bodies.text(existing.body(), "etag");
        boolean failed = existing == null
                ? !match.isEmpty()
                : none.equals("*")
                        || (!match.isEmpty() && !match.equals("*") && !etag.isEmpty() && !match.equals(etag));
        ArmException.refuse(
                failed, "PreconditionFailed", none.isEmpty() ? "If-Match: " + match : "If-None-Match: " + none);
    }
}
