package io.clusterwright.azure.emulator.internal.deployments;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.clusterwright.azure.emulator.Fault;
import io.clusterwright.azure.emulator.internal.arm.ArmException;
import io.clusterwright.azure.emulator.internal.arm.Bodies;
import io.clusterwright.azure.emulator.internal.arm.Cloud;
import io.clusterwright.azure.emulator.internal.arm.FaultCounter;
import io.clusterwright.azure.emulator.internal.arm.Handler;
import io.clusterwright.azure.emulator.internal.arm.LongOperation;
import io.clusterwright.azure.emulator.internal.arm.Resource;
import io.clusterwright.azure.emulator.internal.arm.ResourcePath;
import io.clusterwright.core.internal.json.Json;
import io.clusterwright.emulator.internal.http.Call;
import io.clusterwright.emulator.internal.http.Reply;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Function;

/** A deployment that runs or ran: starts each resource when those before it are there. Guarded by the cloud's lock. */
final class Deployment {
    private final Cloud cloud;
    private final ResourcePath id;
    private final Call call;
    private final Template template;
    private final Function<String, Handler> handlers;
    private final BiConsumer<Call, Reply> observer;
    private final String correlation = UUID.randomUUID().toString();
    private final Instant started;
    private final CompletableFuture<Void> end = new CompletableFuture<>();
    private final List<Template.Planned> waiting;
    private final List<ResourcePath> leaving = new ArrayList<>();
    private final Set<ResourcePath> asked = new HashSet<>();
    private final Consumer<ResourcePath> locks;
    private boolean cleaning;
    private final Map<ResourcePath, Step> steps = new LinkedHashMap<>();
    private Instant ended = Instant.MAX;
    private String state = "Running";
    private ObjectNode outputs = Json.object();
    private ObjectNode error = Json.object();

    /** Progress of a resource. */
    private static final class Step {
        private final String operation =
                UUID.randomUUID().toString().replace("-", "").substring(0, 16).toUpperCase(Locale.ROOT);
        private final Instant started;
        private Instant ended = Instant.MAX;
        private String state = "Running";
        private ObjectNode message = Json.object();

        private Step(Instant started) {
            this.started = started;
        }
    }

    /**
     * Makes a deployment that has not begun.
     *
     * @param observer is shown each resource's request and its answer
     * @param locks refuses to delete what is locked
     */
    Deployment(
            Cloud cloud,
            ResourcePath id,
            Call call,
            Template template,
            Function<String, Handler> handlers,
            BiConsumer<Call, Reply> observer,
            Consumer<ResourcePath> locks) {
        this.observer = observer;
        this.locks = locks;
        this.cloud = cloud;
        this.id = id;
        this.call = call;
        this.template = template;
        this.handlers = handlers;
        this.started = cloud.clock().now();
        this.waiting = new ArrayList<>(template.resources());
    }

    CompletableFuture<Void> end() {
        return end;
    }

    boolean isRunning() {
        return !end.isDone();
    }

    /** Goes on as far as it can; called whenever something may have ended. */
    void advance() {
        if (!isRunning()) {
            return;
        }
        steps.forEach(this::settle);
        boolean going = true;
        while (going && !has("Failed")) {
            List<Template.Planned> ready = waiting.stream()
                    .filter(resource -> resource.before().stream().allMatch(this::isMade))
                    .toList();
            waiting.removeAll(ready);
            ready.forEach(this::start);
            going = !ready.isEmpty();
        }
        if (has("Failed") && !has("Running")) {
            fail();
        } else if (!has("Running")) {
            cleanUp();
        }
    }

    private boolean has(String outcome) {
        return steps.values().stream().anyMatch(step -> step.state.equals(outcome));
    }

    /** What a deployment of mode Complete deletes: the resources of the group that its template does not have, unless they are locked. */
    static List<ResourcePath> unwanted(
            Cloud cloud, ResourcePath group, Call call, Template template, Consumer<ResourcePath> locks) {
        if (!mode(call).equals("Complete")) {
            return List.of();
        }
        return cloud.store().inside(group).stream()
                .map(Resource::id)
                .filter(id -> !id.isChild())
                .filter(id -> !template.has(id, call.query("api-version")))
                .filter(id -> {
                    try {
                        locks.accept(id);
                        return true;
                    } catch (ArmException locked) {
                        return false;
                    }
                })
                .toList();
    }

    /** The mode that a request asks for, in the spelling of the service. */
    static String mode(Call call) {
        return call.object().at("/properties/mode").asText().equalsIgnoreCase("Complete") ? "Complete" : "Incremental";
    }

    /** Deletes what the template does not have; what is in use is tried again when something else is gone. */
    private void cleanUp() {
        if (!cleaning) {
            cleaning = true;
            leaving.addAll(unwanted(cloud, id.groupId(), call, template, locks));
        }
        List<ObjectNode> refused = new ArrayList<>();
        boolean runs = true;
        while (!leaving.isEmpty() && runs) {
            int before = leaving.size();
            runs = false;
            refused.clear();
            for (ResourcePath each : List.copyOf(leaving)) {
                refusal(each).ifPresent(e -> refused.add(e.error()));
                Optional<Resource> there = cloud.store().find(each);
                if (there.isEmpty()) {
                    leaving.remove(each);
                } else if (there.get().runningOperation().isPresent()) {
                    runs = true;
                }
            }
            if (leaving.size() == before && runs) {
                return;
            }
            runs |= leaving.size() < before;
        }
        if (leaving.isEmpty()) {
            succeed();
        } else {
            conclude(
                    "Failed",
                    ArmException.of("DeploymentFailedCleanUp", leaving.size()).because(refused));
        }
    }

    /** Deletes a resource, where nothing else is done with it; the refusal, or the failure of the deletion before. */
    private Optional<ArmException> refusal(ResourcePath each) {
        Resource there = cloud.store().find(each).orElse(null);
        if (there == null || there.runningOperation().isPresent()) {
            return Optional.empty();
        }
        if (asked.contains(each)) {
            return there.operation().map(LongOperation::failure);
        }
        try {
            Call delete = Call.of("DELETE", call.base(), each.toString(), Map.of(), Json.object());
            observer.accept(delete, handlers.apply(each.type()).delete(delete, each));
            asked.add(each);
            return Optional.empty();
        } catch (ArmException e) {
            return Optional.of(e);
        }
    }

    private boolean isMade(ResourcePath needed) {
        return steps.entrySet().stream()
                .anyMatch(entry -> entry.getKey().key().equals(needed.key())
                        && entry.getValue().state.equals("Succeeded"));
    }

    private void start(Template.Planned resource) {
        Step step = new Step(cloud.clock().now());
        steps.put(resource.id(), step);
        try {
            Call put = resource.put(call, new ExpressionEvaluator.Lookup(cloud, handlers, true));
            cloud.faults().take(put, FaultCounter.OF_REQUESTS).ifPresent(fault -> {
                Fault.Kind kind = fault.kind();
                throw ArmException.of(Math.max(kind.status(), 500), kind.code(), kind.message());
            });
            observer.accept(put, handlers.apply(resource.id().type()).put(put, resource.id()));
            settle(resource.id(), step);
        } catch (ArmException e) {
            end(step, "Failed", e);
        } catch (TemplateException e) {
            end(step, "Failed", e.answer());
        }
    }

    private void settle(ResourcePath resource, Step step) {
        if (!step.state.equals("Running")) {
            return;
        }
        Resource made = cloud.store().find(resource).orElse(null);
        if (made == null) {
            end(step, "Failed", ArmException.notFound(resource));
        } else if (made.state().equals("Failed") || made.state().equals("Canceled")) {
            ArmException why = made.operation().map(LongOperation::failure).orElse(null);
            end(step, "Failed", why != null ? why : ArmException.of("ResourceDeploymentFailure", resource.toString()));
        } else if (made.runningOperation().isEmpty()) {
            step.state = "Succeeded";
            step.ended = cloud.clock().now();
        }
    }

    private void end(Step step, String outcome, ArmException why) {
        step.state = outcome;
        step.ended = cloud.clock().now();
        step.message.set("error", why.error());
    }

    private void fail() {
        List<ObjectNode> why = steps.values().stream()
                .filter(step -> step.state.equals("Failed"))
                .map(step -> (ObjectNode) step.message.path("error"))
                .toList();
        conclude("Failed", ArmException.of("DeploymentFailed").because(why));
    }

    private void succeed() {
        try {
            outputs = template.outputs(new ExpressionEvaluator.Lookup(cloud, handlers, true));
            state = "Succeeded";
            ended = cloud.clock().now();
            end.complete(null);
        } catch (TemplateException e) {
            conclude("Failed", e.answer());
        }
    }

    /** Starts nothing more; what runs goes on. */
    void cancel() {
        ArmException.refuse(!isRunning(), "DeploymentCannotBeCancelled", id.name(), state);
        conclude("Canceled", ArmException.of("DeploymentCanceled"));
    }

    private void conclude(String outcome, ArmException why) {
        state = outcome;
        error = why.error();
        ended = cloud.clock().now();
        waiting.clear();
        end.completeExceptionally(why);
    }

    ObjectNode view() {
        ObjectNode view = Json.object()
                .put("id", id.toString())
                .put("name", id.name())
                .put("type", "Microsoft.Resources/deployments");
        ObjectNode properties = view.putObject("properties")
                .put("templateHash", Integer.toUnsignedString(template.hashCode()))
                .put("mode", mode(call))
                .put("provisioningState", state)
                .put("timestamp", last().toString())
                .put("duration", Duration.between(started, last()).toString())
                .put("correlationId", correlation);
        properties.set("parameters", template.shownParameters());
        if (!error.isEmpty()) {
            properties.set("error", error);
        }
        if (state.equals("Succeeded")) {
            properties.set("outputs", outputs);
            ArrayNode resources = properties.putArray("outputResources");
            steps.keySet().forEach(each -> resources.add(Bodies.reference(each)));
        }
        return view;
    }

    private Instant last() {
        return ended.equals(Instant.MAX) ? cloud.clock().now() : ended;
    }

    /** The template as it was sent. */
    ObjectNode export() {
        ObjectNode answer = Json.object();
        answer.set("template", call.object().at("/properties/template").deepCopy());
        return answer;
    }

    List<ObjectNode> operations() {
        List<ObjectNode> all = new ArrayList<>();
        steps.forEach((resource, step) -> all.add(operation(resource, step)));
        return all;
    }

    private ObjectNode operation(ResourcePath resource, Step step) {
        Instant until = step.ended.equals(Instant.MAX) ? cloud.clock().now() : step.ended;
        ObjectNode operation =
                Json.object().put("id", id + "/operations/" + step.operation).put("operationId", step.operation);
        ObjectNode properties = operation
                .putObject("properties")
                .put("provisioningOperation", "Create")
                .put("provisioningState", step.state)
                .put("timestamp", until.toString())
                .put("duration", Duration.between(step.started, until).toString())
                .put("trackingId", correlation)
                .put(
                        "statusCode",
                        step.state.equals("Failed") ? "Conflict" : step.state.equals("Running") ? "Accepted" : "OK");
        if (!step.message.isEmpty()) {
            properties.set("statusMessage", step.message);
        }
        properties
                .putObject("targetResource")
                .put("id", resource.toString())
                .put("resourceType", resource.type())
                .put("resourceName", resource.name());
        return operation;
    }
}
