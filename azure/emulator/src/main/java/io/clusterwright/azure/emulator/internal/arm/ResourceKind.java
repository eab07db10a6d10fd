package io.clusterwright.azure.emulator.internal.arm;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.clusterwright.core.internal.http.Call;
import io.clusterwright.core.internal.http.Reply;
import io.clusterwright.core.internal.json.Json;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** Base of the types of resources; a type adds its checks, its defaults and its durations. */
public abstract class ResourceKind implements Handler {
    protected static final CompletableFuture<?> NO_MACHINES = CompletableFuture.completedFuture(null);

    protected final Cloud cloud;
    private final String type;

    protected ResourceKind(Cloud cloud, String type) {
        this.cloud = cloud;
        this.type = type;
    }

    public final String type() {
        return type;
    }

    /** Whether its body has a {@code location}; others live in the region of their parent. */
    protected boolean hasLocation() {
        return true;
    }

    /** Refuses what is not allowed and adds what only the server knows. */
    protected abstract void fill(Call call, ArmId id, ObjectNode body, @Nullable Resource before);

    /** The work of creating or changing it; null when that is done at once. */
    protected @Nullable Work work(ObjectNode body, @Nullable Resource before) {
        return null;
    }

    /** Work of machines that must end before it is created; started when the request was accepted. */
    protected CompletableFuture<?> machines(Call call, Resource resource, boolean created) {
        return NO_MACHINES;
    }

    /** Called when it was created, or could not be. */
    protected void finished(Resource resource, @Nullable ArmException failure) {}

    protected void checkDelete(Call call, Resource resource) {}

    protected @Nullable Work deleteWork(Call call, Resource resource) {
        return null;
    }

    /** Work of machines that must end before it is deleted. */
    protected CompletableFuture<?> unmaking(Resource resource) {
        return NO_MACHINES;
    }

    /** Called before it is removed from the store. */
    protected void removed(Resource resource) {}

    /** As a client sees it, with what follows from other resources. */
    public ObjectNode view(Call call, Resource resource) {
        return resource.body().deepCopy();
    }

    protected String stateWhile(boolean creating) {
        return creating ? "Creating" : "Updating";
    }

    /** Refuses a request while another operation on the same resource runs. */
    protected void checkIdle(Call call, Resource resource) {
        if (resource.runningOperation().isPresent() && !call.method().equals("DELETE")) {
            throw ArmException.conflict(
                    "Conflict",
                    "The request failed due to conflict with a concurrent request on " + resource.id()
                            + ". To resolve it, please wait until that has ended.");
        }
    }

    @Override
    public Reply put(Call call, ArmId id) {
        return write(call, id, call.object().deepCopy());
    }

    @Override
    public Reply patch(Call call, ArmId id) {
        ObjectNode body = cloud.store().require(id).body().deepCopy();
        Bodies.merge(body, call.object());
        if (call.object().has("tags")) {
            body.set("tags", call.object().get("tags").deepCopy());
        }
        return write(call, id, body);
    }

    /** Creates or replaces it. */
    public final Reply write(Call call, ArmId id, ObjectNode body) {
        cloud.store().requireParent(id);
        Optional<Resource> before = cloud.store().find(id);
        checkConditions(call, before.map(Resource::body));
        before.ifPresent(resource -> {
            if (resource.state().equals("Deleting")) {
                throw ArmException.conflict("ResourceBeingDeleted", "The resource " + id + " is being deleted.");
            }
            checkIdle(call, resource);
        });
        ArmId written = before.map(Resource::id).orElse(id);
        ObjectNode filled = head(written, body, before.orElse(null));
        fill(call, written, filled, before.orElse(null));
        Resource resource =
                before.orElseGet(() -> cloud.store().add(written, cloud.clock().now(), filled));
        resource.body(filled);
        return begin(call, resource, before.isEmpty(), work(filled, before.orElse(null)));
    }

    private Reply begin(Call call, Resource resource, boolean created, @Nullable Work work) {
        // The published description of availability sets knows no other answer than 200.
        boolean known = resource.id().type().equalsIgnoreCase("Microsoft.Compute/availabilitySets");
        int status = created && !known ? 201 : 200;
        if (work == null) {
            resource.state("Succeeded");
            finished(resource, null);
            return answer(status, call, resource);
        }
        resource.state(stateWhile(created));
        ArmException failure = cloud.faults().failure(call).orElse(null);
        Operation operation = cloud.start(work, failure, machines(call, resource, created), failed -> {
            resource.state(failed == null ? "Succeeded" : "Failed");
            finished(resource, failed);
            return null;
        });
        resource.operation(operation);
        return cloud.linked(
                answer(status, call, resource), call, resource.id().namespace(), region(resource), operation);
    }

    private Reply answer(int status, Call call, Resource resource) {
        ObjectNode view = view(call, resource);
        Reply answer = Reply.of(status, view);
        String etag = Bodies.text(view, "etag");
        return etag.isEmpty() ? answer : answer.with("ETag", etag);
    }

    private ObjectNode head(ArmId id, ObjectNode body, @Nullable Resource before) {
        ObjectNode filled =
                Json.object().put("name", id.name()).put("id", id.toString()).put("type", id.type());
        if (hasLocation()) {
            String location = Bodies.text(body, "location");
            if (location.isEmpty()) {
                throw ArmException.badRequest(
                        "LocationRequired", "The location property is required for this definition.");
            }
            String region = cloud.region(location);
            if (before != null && !before.location().equals(region)) {
                throw ArmException.conflict(
                        "InvalidResourceLocation",
                        "The resource '" + id.name() + "' already exists in location '" + before.location()
                                + "' in resource group '" + id.group()
                                + "'. A resource with the same name cannot be created in location '" + region
                                + "'. Please select a new resource name.");
            }
            filled.put("location", region);
        }
        body.properties().forEach(entry -> {
            if (!filled.has(entry.getKey()) && !entry.getKey().equals("etag")) {
                filled.set(entry.getKey(), entry.getValue());
            }
        });
        Bodies.properties(filled).remove("provisioningState");
        return filled;
    }

    private String region(Resource resource) {
        return resource.location().isEmpty() ? cloud.store().location(resource.id()) : resource.location();
    }

    @Override
    public Reply get(Call call, ArmId id) {
        Resource resource = cloud.store().require(id);
        resource.runningOperation().ifPresent(operation -> cloud.operations().asked(operation));
        return answer(200, call, cloud.store().require(id));
    }

    @Override
    public Reply list(Call call, ArmId parent) {
        List<ObjectNode> views = Pages.visible(call, cloud, cloud.store().ofType(type))
                .filter(resource -> resource.id().isInside(parent))
                .map(resource -> view(call, resource))
                .toList();
        return Pages.of(call, cloud, views);
    }

    @Override
    public Reply delete(Call call, ArmId id) {
        Optional<Resource> found = cloud.store().find(id);
        if (found.isEmpty()) {
            cloud.store().requireGroup(id);
            return Reply.empty(204);
        }
        Resource resource = found.get();
        checkConditions(call, Optional.of(resource.body()));
        checkDelete(call, resource);
        checkIdle(call, resource);
        Work work = deleteWork(call, resource);
        if (work == null) {
            removed(resource);
            cloud.store().remove(resource.id());
            return Reply.empty(200);
        }
        if (!resource.state().equals("Deleting")) {
            resource.runningOperation()
                    .ifPresent(running -> running.preempt(cloud.clock().now()));
            resource.operation(startDelete(call, resource, work));
        }
        Operation operation = resource.operation().orElseThrow();
        return cloud.linked(Reply.empty(202), call, resource.id().namespace(), region(resource), operation);
    }

    private Operation startDelete(Call call, Resource resource, Work work) {
        String stateBefore = resource.state();
        resource.state("Deleting");
        ArmException failure = cloud.faults().failure(call).orElse(null);
        return cloud.start(work, failure, failure == null ? unmaking(resource) : NO_MACHINES, failed -> {
            if (failed == null) {
                removed(resource);
                cloud.store().remove(resource.id());
            } else {
                resource.state(stateBefore);
            }
            return null;
        });
    }

    /** Removes it at once, as a part of deleting its container. */
    public final CompletableFuture<?> discard(Resource resource) {
        return unmaking(resource).thenRun(() -> {});
    }

    /** Called when it is removed with its container. */
    public final void discarded(Resource resource) {
        removed(resource);
    }

    @Override
    public Reply act(Call call, ArmId id, String action) {
        throw ArmException.badRequest(
                "InvalidRequest",
                "The operation '" + action + "' is not supported by the resource type '" + type + "'.");
    }

    /** Starts the operation of a POST. */
    protected final Reply accept(
            Call call, Resource resource, Work work, CompletableFuture<?> machines, Operation.Ending ending) {
        ArmException failure = cloud.faults().failure(call).orElse(null);
        Operation operation = cloud.start(work, failure, machines, ending);
        resource.operation(operation);
        return cloud.linked(Reply.empty(202), call, resource.id().namespace(), region(resource), operation);
    }

    /** Refuses a request whose {@code If-Match} or {@code If-None-Match} does not hold. */
    private static void checkConditions(Call call, Optional<ObjectNode> existing) {
        String match = call.header("if-match").orElse("");
        String none = call.header("if-none-match").orElse("");
        boolean failed = existing.map(body -> {
                    String etag = Bodies.text(body, "etag");
                    return none.equals("*")
                            || (!match.isEmpty() && !match.equals("*") && !etag.isEmpty() && !match.equals(etag));
                })
                .orElse(!match.isEmpty());
        if (failed) {
            throw ArmException.of(
                    412,
                    "PreconditionFailed",
                    "Precondition failed. The condition '"
                            + (none.isEmpty() ? "If-Match: " + match : "If-None-Match: " + none)
                            + "' does not hold for the resource as it is now.");
        }
    }
}
