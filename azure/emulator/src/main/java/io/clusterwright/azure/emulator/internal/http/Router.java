package io.clusterwright.azure.emulator.internal.http;

import io.clusterwright.azure.emulator.internal.arm.ArmException;
import io.clusterwright.azure.emulator.internal.arm.ArmId;
import io.clusterwright.azure.emulator.internal.arm.ChildHandler;
import io.clusterwright.azure.emulator.internal.arm.Cloud;
import io.clusterwright.azure.emulator.internal.arm.Handler;
import io.clusterwright.azure.emulator.internal.arm.Operation;
import io.clusterwright.azure.emulator.internal.arm.Versions;
import io.clusterwright.azure.emulator.internal.compute.Agreements;
import io.clusterwright.azure.emulator.internal.compute.Compute;
import io.clusterwright.azure.emulator.internal.deployments.Deployments;
import io.clusterwright.azure.emulator.internal.deployments.TemplateExport;
import io.clusterwright.azure.emulator.internal.network.NetworkUsages;
import io.clusterwright.azure.emulator.internal.resources.Groups;
import io.clusterwright.azure.emulator.internal.resources.Locks;
import io.clusterwright.azure.emulator.internal.resources.Providers;
import io.clusterwright.azure.emulator.internal.resources.TagNames;
import io.clusterwright.azure.emulator.internal.resources.TagsAtScope;
import io.clusterwright.emulator.internal.http.Call;
import io.clusterwright.emulator.internal.http.Reply;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/** Finds the handler of a request. Called with the cloud's lock held. */
final class Router {
    private static final Pattern GUID = Pattern.compile("[0-9A-Fa-f]{8}(-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}");

    private static final Set<String> LISTED_BY_REGION = Set.of("virtualmachines", "virtualmachinescalesets");

    private final Cloud cloud;
    private final HandlerTable table;
    private final Providers providers;
    private final Groups groups;
    private final Compute compute;
    private final TagsAtScope tags;
    private final Locks locks;
    private final TagNames tagNames;

    Router(Cloud cloud, HandlerTable table) {
        this.cloud = cloud;
        this.table = table;
        this.providers = table.providers();
        this.groups = table.groups();
        this.compute = table.compute();
        this.tags = new TagsAtScope(cloud);
        this.locks = table.locks();
        this.tagNames = new TagNames(cloud);
    }

    Reply answer(Call call) {
        requireJson(call);
        requireVersion(call);
        List<String> words = ArmId.of(call.path()).segments();
        String first = words.get(0).toLowerCase(Locale.ROOT);
        if (first.equals("tenants") && words.size() == 1) {
            requireReading(call);
            return providers.tenants(call);
        }
        if (!first.equals("subscriptions")) {
            throw missing(call);
        }
        if (words.size() == 1) {
            requireReading(call);
            return providers.subscriptions(call);
        }
        if (!words.get(1).equalsIgnoreCase(cloud.settings().subscription())) {
            throw ArmException.of(
                    GUID.matcher(words.get(1)).matches() ? "SubscriptionNotFound" : "InvalidSubscriptionId",
                    words.get(1));
        }
        if (!isReading(call)
                && !call.method().equals("DELETE")
                && words.size() > 3
                && words.get(2).equalsIgnoreCase("resourceGroups")) {
            cloud.store().requireStaying(ArmId.group(words.get(1), words.get(3)));
        }
        if (Locks.isMeant(words)) {
            return locks.answer(call, words);
        }
        if (!isReading(call)) {
            locks.require(call.method(), words);
        }
        if (TagsAtScope.isMeant(words)) {
            return tags.answer(call, words);
        }
        if (words.size() == 2) {
            requireReading(call);
            return Reply.ok(providers.subscription());
        }
        return inSubscription(call, words);
    }

    private static void requireJson(Call call) {
        String type = call.header("content-type").orElse("<null>");
        if (!call.text().isEmpty() && !type.toLowerCase(Locale.ROOT).matches("application/json\\s*(;.*)?")) {
            throw ArmException.of("UnsupportedMediaType", type.replaceFirst("\\s*;.*", ""));
        }
    }

    private static boolean isReading(Call call) {
        return call.method().equals("GET") || call.method().equals("HEAD");
    }

    /** Refuses to change what can only be read, such as a list. */
    private static void requireReading(Call call) {
        if (!isReading(call)) {
            throw ArmException.of("MethodNotAllowed", call.method(), call.path());
        }
    }

    private void requireVersion(Call call) {
        if (call.query("api-version").isEmpty()) {
            throw ArmException.of("MissingApiVersionParameter");
        }
        List<String> words = ArmId.of(call.path()).segments();
        int provider = words.size() > 2 && words.get(2).equalsIgnoreCase("resourceGroups") ? 4 : 2;
        if (words.size() < provider + 3 || !words.get(provider).equalsIgnoreCase("providers")) {
            Versions.requireOfResources(cloud.settings(), call.query("api-version"));
        }
    }

    private void requireVersion(Call call, String type, ArmId id) {
        Versions.require(cloud.settings(), type, cloud.store().location(id), call.query("api-version"));
    }

    private Reply inSubscription(Call call, List<String> words) {
        String part = words.get(2).toLowerCase(Locale.ROOT);
        if (List.of("locations", "resources", "operationresults").contains(part)) {
            requireReading(call);
        }
        return switch (part) {
            case "locations" -> providers.regions(call);
            case "resources" -> groups.resources(call, subscription(words));
            case "operationresults" -> result(call, word(call, words, 3));
            case "tagnames" -> tagNames.answer(call, words.subList(3, words.size()));
            case "resourcegroups" -> inGroups(call, words);
            case "providers" -> inProviders(call, words);
            default -> throw missing(call);
        };
    }

    private static ArmId subscription(List<String> words) {
        return new ArmId(words.subList(0, 2));
    }

    private Reply inGroups(Call call, List<String> words) {
        Handler handler = table.require(Groups.TYPE);
        if (words.size() == 3) {
            requireReading(call);
            return handler.list(call, subscription(words));
        }
        ArmId group = ArmId.group(cloud.settings().subscription(), words.get(3));
        if (words.size() == 4) {
            return byMethod(call, handler, group);
        }
        return switch (words.get(4).toLowerCase(Locale.ROOT)) {
            case "exporttemplate" -> TemplateExport.answer(call, cloud, group);
            case "moveresources", "validatemoveresources" ->
                throw ArmException.of("NotImplemented.action", words.get(4), Groups.TYPE);
            case "resources" -> {
                requireReading(call);
                cloud.store().require(group);
                yield groups.resources(call, group);
            }
            case "providers" -> inGroup(call, group, words);
            case "deployments" -> {
                // The operations of a deployment are not below its provider.
                requireReading(call);
                ArmId deployment = group.resource(Deployments.TYPE, word(call, words, 5));
                yield table.require(Deployments.TYPE).act(call, deployment, word(call, words, 6));
            }
            default -> throw missing(call);
        };
    }

    private Reply inGroup(Call call, ArmId group, List<String> words) {
        if (words.size() < 7) {
            throw missing(call);
        }
        providers.requireRegistered(words.get(5));
        boolean whole = words.size() % 2 == 0;
        ArmId id = table.canonical(group, words.subList(5, whole ? words.size() : words.size() - 1));
        String last = words.get(words.size() - 1);
        boolean below = words.size() > 8
                && (call.method().equals("GET") || call.method().equals("POST"))
                && table.find(id.type()).isEmpty()
                && table.find(id.parent().type()).isPresent();
        if (whole && below) {
            requireVersion(call, id.parent().type(), id.parent());
            return table.require(id.parent().type()).act(call, id.parent(), words.get(words.size() - 2) + "/" + last);
        }
        if (whole) {
            Handler handler = table.require(id.type());
            if (!call.method().equals("PUT")) {
                requireVersion(call, id.type(), id);
            }
            return byMethod(call, handler, id);
        }
        String listed = words.size() == 7 ? words.get(5) + "/" + last : id.type() + "/" + last;
        Optional<Handler> children = table.find(listed);
        requireVersion(call, children.isPresent() ? listed : id.type(), words.size() == 7 ? group : id);
        if (children.isPresent() && call.method().equals("GET")) {
            requireHolder(call, words.size() == 7 ? group : id);
            return children.get().list(call, words.size() == 7 ? group : id);
        }
        if (children.isPresent()) {
            throw ArmException.of("MethodNotAllowed", call.method(), call.path());
        }
        if (words.size() == 7) {
            throw table.unknown(listed);
        }
        if (!call.method().equals("GET") && !call.method().equals("POST")) {
            throw ArmException.of("MethodNotAllowed", call.method(), call.path());
        }
        return table.require(id.type()).act(call, id, last);
    }

    /** Refuses the list of what is inside of something that does not exist. */
    private void requireHolder(Call call, ArmId holder) {
        Optional<Handler> entry = table.find(holder.type()).filter(ChildHandler.class::isInstance);
        if (entry.isPresent()) {
            entry.get().get(call, holder);
        } else {
            cloud.store().require(holder);
        }
    }

    private Reply byMethod(Call call, Handler handler, ArmId id) {
        return switch (call.method()) {
            case "GET" -> handler.get(call, id);
            case "HEAD" -> Reply.empty(handler.get(call, id).status() == 200 ? 204 : 404);
            case "PUT" -> handler.put(call, id);
            case "PATCH" -> handler.patch(call, id);
            case "DELETE" -> handler.delete(call, id);
            default -> throw ArmException.of("MethodNotAllowed", call.method(), call.path());
        };
    }

    private Reply inProviders(Call call, List<String> words) {
        if (words.size() == 3) {
            requireReading(call);
            return providers.list(call);
        }
        String namespace = words.get(3);
        if (words.size() == 4) {
            requireReading(call);
            return providers.get(namespace);
        }
        String what = words.get(4).toLowerCase(Locale.ROOT);
        if (call.method().equals("POST") && (what.equals("register") || what.equals("unregister"))) {
            return providers.register(namespace, what.equals("register"));
        }
        providers.requireRegistered(namespace);
        if ((namespace + "/" + what).equalsIgnoreCase(Deployments.TYPE)) {
            Versions.requireOfResources(cloud.settings(), call.query("api-version"));
            return table.deployments().ofSubscription(call, words.subList(5, words.size()));
        }
        if (namespace.equalsIgnoreCase(Agreements.NAMESPACE)) {
            return compute.agreements().answer(call, words.subList(4, words.size()));
        }
        requireReading(call);
        if (what.equals("locations") && words.size() > 6) {
            String kind = words.get(6).toLowerCase(Locale.ROOT);
            Versions.requireOfProvider(
                    cloud.settings(), namespace, "locations/" + words.get(6), words.get(5), call.query("api-version"));
            if (kind.equals("operations") || kind.equals("operationresults")) {
                return status(call, word(call, words, 7), kind);
            }
            if (kind.equals("usages") && namespace.equalsIgnoreCase("Microsoft.Network") && words.size() == 7) {
                return NetworkUsages.list(call, cloud, words.get(5));
            }
            if (kind.equals("servicetags") && namespace.equalsIgnoreCase("Microsoft.Network")) {
                return NetworkUsages.tags(cloud, words.get(5));
            }
            if (kind.equals("checkdnsnameavailability") && namespace.equalsIgnoreCase("Microsoft.Network")) {
                return NetworkUsages.name(call, cloud, words.get(5));
            }
            if (namespace.equalsIgnoreCase("Microsoft.Compute")
                    && LISTED_BY_REGION.contains(kind)
                    && words.size() == 7) {
                cloud.region(words.get(5));
                return table.require(namespace + "/" + kind).list(call, subscription(words));
            }
            if (namespace.equalsIgnoreCase("Microsoft.Compute")) {
                return compute.get(call, words.get(5), words.subList(6, words.size()));
            }
        }
        if (what.equals("skus") && namespace.equalsIgnoreCase("Microsoft.Compute")) {
            Versions.require(cloud.settings(), namespace + "/skus", "", call.query("api-version"));
            return compute.skus(call);
        }
        if (words.size() == 5) {
            Handler handler = table.require(namespace + "/" + words.get(4));
            Versions.require(cloud.settings(), handler.name(), "", call.query("api-version"));
            return handler.list(call, subscription(words));
        }
        throw missing(call);
    }

    private static String word(Call call, List<String> words, int index) {
        if (words.size() <= index) {
            throw missing(call);
        }
        return words.get(index);
    }

    /** A path that Resource Manager may have, and the emulator has not. */
    private static ArmException missing(Call call) {
        return ArmException.of("NotImplemented.path", call.path());
    }

    /** The status of an operation, or its result where the client wants that. */
    private Reply status(Call call, String id, String kind) {
        return kind.equals("operationresults") || call.parameter("monitor").isPresent()
                ? result(call, id)
                : cloud.operations().status(id);
    }

    private Reply result(Call call, String id) {
        Operation operation = cloud.operations().asked(id);
        if (operation.isRunning()) {
            return cloud.operations()
                    .timed(Reply.empty(202))
                    .with("Location", call.base() + call.path() + "?" + query(call));
        }
        if (operation.failure() != null) {
            throw operation.failure();
        }
        return operation.result() == null ? Reply.empty(200) : Reply.ok(operation.result());
    }

    private static String query(Call call) {
        return call.parameter("monitor").map(value -> "monitor=" + value + "&").orElse("") + "api-version="
                + call.query("api-version");
    }
}
