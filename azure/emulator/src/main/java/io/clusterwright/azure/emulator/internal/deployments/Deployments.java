package io.clusterwright.azure.emulator.internal.deployments;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.clusterwright.azure.emulator.internal.arm.ArmException;
import io.clusterwright.azure.emulator.internal.arm.Bodies;
import io.clusterwright.azure.emulator.internal.arm.BodyCheck;
import io.clusterwright.azure.emulator.internal.arm.Cloud;
import io.clusterwright.azure.emulator.internal.arm.Handler;
import io.clusterwright.azure.emulator.internal.arm.LongOperation;
import io.clusterwright.azure.emulator.internal.arm.Pages;
import io.clusterwright.azure.emulator.internal.arm.ResourcePath;
import io.clusterwright.azure.emulator.internal.arm.TagRules;
import io.clusterwright.azure.emulator.internal.arm.Work;
import io.clusterwright.core.internal.json.Json;
import io.clusterwright.emulator.internal.http.Call;
import io.clusterwright.emulator.internal.http.Reply;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.regex.Pattern;

/** {@code Microsoft.Resources/deployments}: templates for one resource group, added to what is there, or in the place of it. */
public final class Deployments implements Handler {
    public static final String TYPE = "Microsoft.Resources/deployments";

    /** Refusals that come before the providers are asked. */
    private static final Set<String> OF_RESOURCE_MANAGER =
            Set.of(("NoRegisteredProviderFound LocationRequired LocationNotAvailableForResourceType"
                            + " InvalidResourceLocation InvalidTagCount InvalidTagName InvalidTagNameCharacters"
                            + " InvalidTagValueLength InvalidRequestContent")
                    .split(" "));

    private static final int MOST_REMEMBERED = 100;
    private static final int LONGEST_NAME = 64;
    private static final Pattern NAME = Pattern.compile("[-\\w._()]+");

    private final Cloud cloud;
    private final Function<String, Handler> handlers;
    private final Supplier<ObjectNode> subscription;
    private final BiConsumer<Call, Reply> observer;
    private final Consumer<ResourcePath> locks;
    private final Map<String, Deployment> all = new LinkedHashMap<>();

    /**
     * Makes the handler.
     *
     * @param handlers finds who makes resources of a type
     * @param subscription gives the subscription's body
     * @param observer is shown the request for each resource of a deployment, and its answer
     * @param locks refuses to delete what is locked
     */
    public Deployments(
            Cloud cloud,
            Function<String, Handler> handlers,
            Supplier<ObjectNode> subscription,
            BiConsumer<Call, Reply> observer,
            Consumer<ResourcePath> locks) {
        this.observer = observer;
        this.locks = locks;
        this.cloud = cloud;
        this.handlers = handlers;
        this.subscription = subscription;
        cloud.operations().whenSettled(() -> List.copyOf(all.values()).forEach(Deployment::advance));
    }

    @Override
    public String name() {
        return TYPE;
    }

    @Override
    public Reply put(Call call, ResourcePath id) {
        ArmException.refuse(
                id.name().length() > LONGEST_NAME,
                "DeploymentNameLengthLimitExceeded",
                id.name(),
                id.name().length(),
                LONGEST_NAME);
        ArmException.refuse(!NAME.matcher(id.name()).matches(), "InvalidDeploymentName", id.name());
        Template template = template(call, id);
        Deployment before = all.get(id.key());
        if (before != null && before.isRunning()) {
            throw ArmException.of("DeploymentActive", id.name());
        }
        Deployment deployment = new Deployment(cloud, id, call, template, handlers, observer, locks);
        all.put(id.key(), deployment);
        all.values().stream()
                .filter(old -> !old.isRunning())
                .limit(Math.max(0, all.size() - MOST_REMEMBERED))
                .toList()
                .forEach(all.values()::remove);
        deployment.advance();
        LongOperation operation = cloud.start(Work.DEPLOYMENT, null, deployment.end(), failure -> null);
        return cloud.operations()
                .timed(Reply.of(201, deployment.view()))
                .with(
                        "Azure-AsyncOperation",
                        call.base() + id + "/operationStatuses/" + operation.id() + "?api-version="
                                + call.query("api-version"));
    }

    private Template template(Call call, ResourcePath id) {
        BodyCheck.run(TYPE, call.query("api-version"), call.object().deepCopy(), false);
        TagRules.check(call.object().path("tags"));
        ArmException.refuse(call.object().hasNonNull("location"), "InvalidDeployment.location", id.name());
        JsonNode properties = call.object().path("properties");
        ArmException.refuse(
                !Deployment.mode(call).equalsIgnoreCase(properties.path("mode").asText()),
                "InvalidRequestContent.deploymentMode",
                properties.path("mode").asText());
        ArmException.refuse(
                properties.has("template") && properties.has("templateLink"), "InvalidRequestContent.bothTemplates");
        if (!(properties.path("template") instanceof ObjectNode tree)) {
            throw ArmException.of("InvalidRequestContent.noTemplate");
        }
        ObjectNode group = cloud.store().require(id.groupId()).body();
        try {
            Template template = new Template(
                    tree,
                    properties.path("parameters"),
                    group,
                    subscription.get(),
                    id.name(),
                    new ExpressionEvaluator.Lookup(cloud, handlers, false));
            for (Template.Planned resource : template.resources()) {
                preflight(call, id, resource);
            }
            template.outputs(new ExpressionEvaluator.Lookup(cloud, handlers, false));
            return template;
        } catch (TemplateException e) {
            throw e.answer();
        }
    }

    /** Holds a resource of a template against the rules that need nothing else of it. */
    private void preflight(Call call, ResourcePath id, Template.Planned resource) {
        Handler handler = handlers.apply(resource.id().type());
        Call put = resource.put(call, new ExpressionEvaluator.Lookup(cloud, handlers, false));
        if (ExpressionEvaluator.asksForResources(resource.source())) {
            return;
        }
        try {
            handler.preflight(put, resource.id());
        } catch (ArmException e) {
            if (OF_RESOURCE_MANAGER.contains(e.code())) {
                throw e;
            }
            throw ArmException.of("InvalidTemplateDeployment", id.name(), UUID.randomUUID())
                    .because(List.of(e.error()));
        }
    }

    @Override
    public ArmException refusal(Call call) {
        return ArmException.of("MethodNotAllowed.deployment");
    }

    @Override
    public Reply get(Call call, ResourcePath id) {
        return Reply.ok(require(id).view());
    }

    private Deployment require(ResourcePath id) {
        Deployment found = all.get(id.key());
        if (found == null || cloud.store().find(id.groupId()).isEmpty()) {
            throw ArmException.of("DeploymentNotFound", id.name());
        }
        return found;
    }

    @Override
    public Reply delete(Call call, ResourcePath id) {
        cloud.store().require(id.groupId());
        Deployment found = all.get(id.key());
        if (found != null && found.isRunning()) {
            throw ArmException.of("DeploymentActive.delete", id.name());
        }
        return Reply.empty(all.remove(id.key()) == null ? 204 : 200);
    }

    /** A request about deployments of the subscription, which are not emulated: the list is empty. */
    public Reply ofSubscription(Call call, List<String> names) {
        if (call.method().equals("GET") && names.isEmpty()) {
            return Pages.of(call, cloud, List.of());
        }
        if (call.method().equals("GET")) {
            throw ArmException.of("DeploymentNotFound", names.get(0));
        }
        if (!names.isEmpty() && !call.objectOrEmpty().hasNonNull("location")) {
            throw ArmException.of("InvalidDeployment.noLocation", names.get(0));
        }
        String mode = call.objectOrEmpty().at("/properties/mode").asText();
        ArmException.refuse(mode.equalsIgnoreCase("Complete"), "InvalidDeployment.mode", mode);
        throw ArmException.of("NotImplemented.subscriptionDeployment");
    }

    @Override
    public Reply list(Call call, ResourcePath parent) {
        return Pages.of(
                call,
                cloud,
                all.entrySet().stream()
                        .filter(entry -> entry.getKey().startsWith(parent.key() + "/"))
                        .map(entry -> entry.getValue().view())
                        .toList());
    }

    @Override
    public Reply act(Call call, ResourcePath id, String action) {
        ArmException.refuse(
                call.method().equals("GET") != action.equalsIgnoreCase("operations"),
                "MethodNotAllowed",
                call.method(),
                call.path());
        return switch (action.toLowerCase(Locale.ROOT)) {
            case "exporttemplate" -> Reply.ok(require(id).export());
            case "validate" -> validate(call, id);
            case "whatif" -> whatIf(call, id);
            case "operations" -> Pages.of(call, cloud, require(id).operations());
            case "cancel" -> {
                require(id).cancel();
                yield Reply.empty(204);
            }
            default -> throw ArmException.of("NotImplemented.action", action, TYPE);
        };
    }

    private Reply validate(Call call, ResourcePath id) {
        Template template = template(call, id);
        ObjectNode body =
                Json.object().put("id", id.toString()).put("name", id.name()).put("type", TYPE);
        ObjectNode properties =
                body.putObject("properties").put("mode", Deployment.mode(call)).put("provisioningState", "Succeeded");
        properties.set("parameters", template.shownParameters());
        ArrayNode resources = properties.putArray("validatedResources");
        template.resources().forEach(resource -> resources.add(Bodies.reference(resource.id())));
        return Reply.ok(body);
    }

    /** The resources that a deployment would make, those that it would write again, and those that it would delete. */
    private Reply whatIf(Call call, ResourcePath id) {
        ObjectNode body = Json.object().put("status", "Succeeded");
        ArrayNode changes = body.putObject("properties").putArray("changes");
        Template template = template(call, id);
        template.resources()
                .forEach(resource -> changes.addObject()
                        .put("resourceId", resource.id().toString())
                        .put("changeType", cloud.store().find(resource.id()).isPresent() ? "Deploy" : "Create"));
        Deployment.unwanted(cloud, id.groupId(), call, template, locks)
                .forEach(each ->
                        changes.addObject().put("resourceId", each.toString()).put("changeType", "Delete"));
        return Reply.ok(body);
    }

    /** Status of a whole deployment, for clients that follow {@code Azure-AsyncOperation}. */
    public record Statuses(Cloud cloud) implements Handler {
        @Override
        public String name() {
            return TYPE + "/operationStatuses";
        }

        @Override
        public Reply get(Call call, ResourcePath id) {
            return cloud.operations().status(id.name());
        }

        @Override
        public ArmException refusal(Call call) {
            return ArmException.of("MethodNotAllowed.deploymentStatus");
        }
    }
}
