package io.clusterwright.azure.emulator.internal.http;

import io.clusterwright.azure.emulator.internal.arm.ArmException;
import io.clusterwright.azure.emulator.internal.arm.BackingMachines;
import io.clusterwright.azure.emulator.internal.arm.ChildHandler;
import io.clusterwright.azure.emulator.internal.arm.Cloud;
import io.clusterwright.azure.emulator.internal.arm.Handler;
import io.clusterwright.azure.emulator.internal.arm.LongOperation;
import io.clusterwright.azure.emulator.internal.arm.ResourceHandler;
import io.clusterwright.azure.emulator.internal.arm.ResourcePath;
import io.clusterwright.azure.emulator.internal.arm.Versions;
import io.clusterwright.azure.emulator.internal.compute.Compute;
import io.clusterwright.azure.emulator.internal.deployments.Deployments;
import io.clusterwright.azure.emulator.internal.deployments.TemplateExport;
import io.clusterwright.azure.emulator.internal.network.NetworkTypes;
import io.clusterwright.azure.emulator.internal.network.NetworkUsages;
import io.clusterwright.azure.emulator.internal.resources.Groups;
import io.clusterwright.azure.emulator.internal.resources.Locks;
import io.clusterwright.azure.emulator.internal.resources.Providers;
import io.clusterwright.azure.emulator.internal.resources.TagNames;
import io.clusterwright.azure.emulator.internal.resources.TagsAtScope;
import io.clusterwright.azure.emulator.internal.services.KeyVaults;
import io.clusterwright.azure.emulator.internal.services.StorageAccounts;
import io.clusterwright.emulator.internal.http.Call;
import io.clusterwright.emulator.internal.http.Reply;
import io.clusterwright.emulator.internal.http.RequestTable;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Finds the handler of a request. Called with the cloud's lock held. */
final class Router {
    private static final Pattern GUID = Pattern.compile("[0-9A-Fa-f]{8}(-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}");
    private static final String READ = "GET|HEAD";
    private static final String ANY = "GET|HEAD|PUT|PATCH|POST|DELETE";

    private final Cloud cloud;
    private final HandlerTable types = new HandlerTable();
    private final RequestTable<List<String>> requests = new RequestTable<>();
    private final Providers providers;
    private final Locks locks;

    /** @param observer gets the requests within deployments, which come over no connection */
    Router(Cloud cloud, BackingMachines machines, BiConsumer<Call, Reply> observer) {
        this.cloud = cloud;
        this.providers = new Providers(cloud, types.names());
        this.locks = new Locks(cloud);
        Groups groups = new Groups(cloud, types::ofResource);
        Compute compute = new Compute(cloud, machines);
        Deployments deployments = new Deployments(
                cloud, types::require, providers::subscription, observer, id -> locks.require("DELETE", id.segments()));
        Stream.of(
                        NetworkTypes.all(cloud, machines),
                        compute.types(),
                        List.of(groups.type(), new StorageAccounts(cloud).type()),
                        new KeyVaults(cloud).types())
                .flatMap(List::stream)
                .map(type -> new ResourceHandler(cloud, type))
                .forEach(handler -> {
                    types.add(handler);
                    ChildHandler.of(cloud, handler).forEach(types::add);
                });
        types.add(deployments);
        types.add(new Deployments.Statuses(cloud));

        requests.on(READ + " tenants", (call, words) -> providers.tenants(call))
                .on(READ + " subscriptions", (call, words) -> providers.subscriptions(call))
                .on(READ + " subscriptions/*", (call, words) -> Reply.ok(providers.subscription()));
        new TagsAtScope(cloud).addTo(requests);
        new TagNames(cloud).addTo(requests);
        subscription(READ, "locations", (call, words) -> providers.regions(call));
        subscription(READ, "resources", (call, words) -> groups.resources(call, subscription(words)));
        subscription(READ, "operationResults/*", (call, words) -> result(call, words.get(3)));
        groups(groups, types.require(Groups.TYPE));
        subscription(READ, "providers", (call, words) -> providers.list(call));
        subscription(READ, "providers/*", (call, words) -> providers.get(words.get(3)));
        subscription("POST", "providers/*/register", (call, words) -> providers.register(words.get(3), true));
        subscription("POST", "providers/*/unregister", (call, words) -> providers.register(words.get(3), false));
        provider(ANY, "Microsoft.Resources/deployments/**", (call, words) -> {
            Versions.requireOfResources(cloud.settings(), call.query("api-version"));
            return deployments.ofSubscription(call, words.subList(5, words.size()));
        });
        provider(
                ANY,
                "Microsoft.MarketplaceOrdering/*/**",
                (call, words) -> compute.agreements().answer(call, words.subList(4, words.size())));
        regions(compute);
        provider(READ, "Microsoft.Compute/skus", (call, words) -> {
            Versions.require(cloud.settings(), words.get(3) + "/skus", "", call.query("api-version"));
            return compute.skus(call);
        });
        provider(READ, "*/*", (call, words) -> {
            Handler handler = types.require(words.get(3) + "/" + words.get(4));
            Versions.require(cloud.settings(), handler.name(), "", call.query("api-version"));
            return handler.list(call, subscription(words));
        });
    }

    private void groups(Groups groups, Handler handler) {
        subscription(READ, "resourceGroups", (call, words) -> handler.list(call, subscription(words)));
        subscription(ANY, "resourceGroups/*", (call, words) -> byMethod(call, handler, group(words)));
        subscription(
                "POST",
                "resourceGroups/*/exportTemplate",
                (call, words) -> TemplateExport.answer(call, cloud, group(words)));
        for (String move : List.of("moveResources", "validateMoveResources")) {
            subscription(ANY, "resourceGroups/*/" + move, (call, words) -> {
                throw ArmException.of("NotImplemented.action", words.get(4), Groups.TYPE);
            });
        }
        subscription(READ, "resourceGroups/*/resources", (call, words) -> {
            cloud.store().require(group(words));
            return groups.resources(call, group(words));
        });
        // The operations of a deployment are not below its provider.
        subscription(
                READ,
                "resourceGroups/*/deployments/*/*/**",
                (call, words) -> types.require(Deployments.TYPE)
                        .act(call, group(words).resource(Deployments.TYPE, words.get(5)), words.get(6)));
        subscription(ANY, "resourceGroups/*/providers/*/*/**", this::inGroup);
    }

    /** The requests about a region, of each provider. */
    private void regions(Compute compute) {
        region(
                "*",
                "operations/*",
                (call, words) -> call.parameter("monitor").isPresent()
                        ? result(call, words.get(7))
                        : cloud.operations().status(words.get(7)));
        region("*", "operationResults/*", (call, words) -> result(call, words.get(7)));
        region("Microsoft.Network", "usages", (call, words) -> NetworkUsages.list(call, cloud, words.get(5)));
        region("Microsoft.Network", "serviceTags", (call, words) -> NetworkUsages.tags(cloud, words.get(5)));
        region(
                "Microsoft.Network",
                "checkDnsNameAvailability",
                (call, words) -> NetworkUsages.name(call, cloud, words.get(5)));
        for (String type : List.of("virtualMachines", "virtualMachineScaleSets")) {
            region("Microsoft.Compute", type, (call, words) -> {
                cloud.region(words.get(5));
                return types.require("Microsoft.Compute/" + type).list(call, subscription(words));
            });
        }
        region(
                "Microsoft.Compute",
                "*/**",
                (call, words) -> compute.get(call, words.get(5), words.subList(6, words.size())));
    }

    private void region(String namespace, String path, RequestTable.Handler<List<String>> handler) {
        provider(READ, namespace + "/locations/*/" + path, (call, words) -> {
            Versions.requireOfProvider(
                    cloud.settings(),
                    words.get(3),
                    "locations/" + words.get(6),
                    words.get(5),
                    call.query("api-version"));
            return handler.answer(call, words);
        });
    }

    /** Adds requests to a provider, which must be registered. */
    private void provider(String methods, String path, RequestTable.Handler<List<String>> handler) {
        subscription(methods, "providers/" + path, (call, words) -> {
            providers.requireRegistered(words.get(3));
            return handler.answer(call, words);
        });
    }

    private void subscription(String methods, String path, RequestTable.Handler<List<String>> handler) {
        requests.on(methods + " subscriptions/*/" + path, handler);
    }

    Reply answer(Call call) {
        requireJson(call);
        requireVersion(call);
        List<String> words = ResourcePath.of(call.path()).segments();
        boolean reads = call.method().equals("GET") || call.method().equals("HEAD");
        if (words.size() > 1 && words.get(0).equalsIgnoreCase("subscriptions")) {
            requireSubscription(words.get(1));
        }
        if (!reads
                && !call.method().equals("DELETE")
                && words.size() > 3
                && words.get(2).equalsIgnoreCase("resourceGroups")) {
            cloud.store().requireStaying(group(words));
        }
        Optional<Reply> lock = locks.answer(call);
        if (lock.isPresent()) {
            return lock.get();
        }
        if (!reads) {
            locks.require(call.method(), words);
        }
        return requests.answer(call, words)
                .orElseThrow(() -> requests.hasPath(call)
                        ? ArmException.of("MethodNotAllowed", call.method(), call.path())
                        : ArmException.of("NotImplemented.path", call.path()));
    }

    private static void requireJson(Call call) {
        String type = call.header("content-type").orElse("<null>");
        ArmException.refuse(
                !call.text().isEmpty() && !type.toLowerCase(Locale.ROOT).matches("application/json\\s*(;.*)?"),
                "UnsupportedMediaType",
                type.replaceFirst("\\s*;.*", ""));
    }

    private void requireSubscription(String id) {
        if (!id.equalsIgnoreCase(cloud.settings().subscription())) {
            throw ArmException.of(GUID.matcher(id).matches() ? "SubscriptionNotFound" : "InvalidSubscriptionId", id);
        }
    }

    private void requireVersion(Call call) {
        ArmException.refuse(call.query("api-version").isEmpty(), "MissingApiVersionParameter");
        List<String> words = ResourcePath.of(call.path()).segments();
        int provider = words.size() > 2 && words.get(2).equalsIgnoreCase("resourceGroups") ? 4 : 2;
        if (words.size() < provider + 3 || !words.get(provider).equalsIgnoreCase("providers")) {
            Versions.requireOfResources(cloud.settings(), call.query("api-version"));
        }
    }

    private void requireVersion(Call call, String type, ResourcePath id) {
        Versions.require(cloud.settings(), type, cloud.store().location(id), call.query("api-version"));
    }

    private static ResourcePath subscription(List<String> words) {
        return new ResourcePath(words.subList(0, 2));
    }

    private ResourcePath group(List<String> words) {
        return ResourcePath.group(cloud.settings().subscription(), words.get(3));
    }

    /** A resource, the list of a type, or an action on a resource. */
    private Reply inGroup(Call call, List<String> words) {
        providers.requireRegistered(words.get(5));
        boolean acts = call.method().equals("GET") || call.method().equals("POST");
        int size = words.size();
        if (size % 2 == 0) {
            ResourcePath id = types.canonical(group(words), words.subList(5, size));
            boolean below = size > 8
                    && acts
                    && types.find(id.type()).isEmpty()
                    && types.find(id.parent().type()).isPresent();
            if (below) {
                requireVersion(call, id.parent().type(), id.parent());
                String action = words.get(size - 2) + "/" + words.get(size - 1);
                return types.require(id.parent().type()).act(call, id.parent(), action);
            }
            Handler handler = types.require(id.type());
            if (!call.method().equals("PUT")) {
                requireVersion(call, id.type(), id);
            }
            return byMethod(call, handler, id);
        }
        ResourcePath holder = size == 7 ? group(words) : types.canonical(group(words), words.subList(5, size - 1));
        String last = words.get(size - 1);
        String listed = (size == 7 ? words.get(5) : holder.type()) + "/" + last;
        Optional<Handler> children = types.find(listed);
        requireVersion(call, children.isPresent() ? listed : holder.type(), holder);
        if (children.isPresent() && call.method().equals("GET")) {
            requireHolder(call, holder);
            return children.get().list(call, holder);
        }
        if (children.isEmpty() && size == 7) {
            throw types.unknown(listed);
        }
        ArmException.refuse(children.isPresent() || !acts, "MethodNotAllowed", call.method(), call.path());
        return types.require(holder.type()).act(call, holder, last);
    }

    /** Refuses the list of what is inside of something that does not exist. */
    private void requireHolder(Call call, ResourcePath holder) {
        Optional<Handler> entry = types.find(holder.type()).filter(ChildHandler.class::isInstance);
        if (entry.isPresent()) {
            entry.get().get(call, holder);
        } else {
            cloud.store().require(holder);
        }
    }

    private static Reply byMethod(Call call, Handler handler, ResourcePath id) {
        return switch (call.method()) {
            case "GET" -> handler.get(call, id);
            case "HEAD" -> Reply.empty(handler.get(call, id).status() == 200 ? 204 : 404);
            case "PUT" -> handler.put(call, id);
            case "PATCH" -> handler.patch(call, id);
            case "DELETE" -> handler.delete(call, id);
            default -> throw ArmException.of("MethodNotAllowed", call.method(), call.path());
        };
    }

    private Reply result(Call call, String id) {
        LongOperation operation = cloud.operations().asked(id);
        if (operation.isRunning()) {
            String monitor = call.parameter("monitor")
                    .map(value -> "monitor=" + value + "&")
                    .orElse("");
            String link = call.base() + call.path() + "?" + monitor + "api-version=" + call.query("api-version");
            return cloud.operations().timed(Reply.empty(202)).with("Location", link);
        }
        if (operation.failure() != null) {
            throw operation.failure();
        }
        return operation.result() == null ? Reply.empty(200) : Reply.ok(operation.result());
    }
}
