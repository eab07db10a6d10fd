package io.clusterwright.azure.emulator.internal.http;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.clusterwright.azure.emulator.internal.arm.ArmException;
import io.clusterwright.azure.emulator.internal.arm.ArmId;
import io.clusterwright.azure.emulator.internal.arm.BackingMachines;
import io.clusterwright.azure.emulator.internal.arm.ChildHandler;
import io.clusterwright.azure.emulator.internal.arm.Cloud;
import io.clusterwright.azure.emulator.internal.arm.Handler;
import io.clusterwright.azure.emulator.internal.arm.ResourceHandler;
import io.clusterwright.azure.emulator.internal.compute.Compute;
import io.clusterwright.azure.emulator.internal.deployments.Deployments;
import io.clusterwright.azure.emulator.internal.network.NetworkTypes;
import io.clusterwright.azure.emulator.internal.resources.Groups;
import io.clusterwright.azure.emulator.internal.resources.Locks;
import io.clusterwright.azure.emulator.internal.resources.Providers;
import io.clusterwright.azure.emulator.internal.services.KeyVaults;
import io.clusterwright.azure.emulator.internal.services.StorageAccounts;
import io.clusterwright.emulator.internal.http.Call;
import io.clusterwright.emulator.internal.http.Reply;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.stream.Stream;

/** Every type of resource with its handler. */
final class HandlerTable {
    private final Map<String, Handler> handlers = new LinkedHashMap<>();
    private final Map<String, String> spelling = new LinkedHashMap<>();
    private final Groups groups;
    private final Providers providers;
    private final Compute compute;
    private final Locks locks;
    private final Deployments deployments;

    /** @param observer gets the requests within deployments, which come over no connection */
    HandlerTable(Cloud cloud, BackingMachines machines, BiConsumer<Call, Reply> observer) {
        this.groups = new Groups(cloud, this::handler);
        this.compute = new Compute(cloud, machines);
        Stream.of(
                        NetworkTypes.all(cloud, machines),
                        compute.types(),
                        List.of(groups.type(), new StorageAccounts(cloud).type()),
                        new KeyVaults(cloud).types())
                .flatMap(List::stream)
                .map(type -> new ResourceHandler(cloud, type))
                .forEach(handler -> {
                    add(handler);
                    ChildHandler.of(cloud, handler).forEach(this::add);
                });
        this.locks = new Locks(cloud);
        this.deployments = new Deployments(
                cloud, this::require, this::subscription, observer, id -> locks.require("DELETE", id.segments()));
        add(deployments);
        add(new Deployments.Statuses(cloud));
        this.providers = new Providers(cloud, List.copyOf(spelling.values()));
    }

    private void add(Handler handler) {
        handlers.put(handler.name().toLowerCase(Locale.ROOT), handler);
        spelling.put(handler.name().toLowerCase(Locale.ROOT), handler.name());
    }

    private ObjectNode subscription() {
        return providers.subscription();
    }

    Groups groups() {
        return groups;
    }

    Providers providers() {
        return providers;
    }

    Locks locks() {
        return locks;
    }

    Deployments deployments() {
        return deployments;
    }

    Compute compute() {
        return compute;
    }

    Optional<Handler> find(String type) {
        return Optional.ofNullable(handlers.get(type.toLowerCase(Locale.ROOT)));
    }

    Handler require(String type) {
        return find(type).orElseThrow(() -> unknown(type));
    }

    private Optional<ResourceHandler> handler(ArmId id) {
        return find(id.type()).filter(ResourceHandler.class::isInstance).map(ResourceHandler.class::cast);
    }

    ArmException unknown(String type) {
        int slash = type.indexOf('/');
        String namespace = slash < 0 ? type : type.substring(0, slash);
        boolean known =
                spelling.keySet().stream().anyMatch(each -> each.startsWith(namespace.toLowerCase(Locale.ROOT) + "/"));
        return known
                ? ArmException.of("InvalidResourceType", type.substring(slash + 1), namespace)
                : ArmException.of("InvalidResourceNamespace", namespace);
    }

    /**
     * An id in the spelling that answers use.
     *
     * @param words the namespace, then pairs of type and name
     */
    ArmId canonical(ArmId group, List<String> words) {
        StringBuilder type = new StringBuilder(words.get(0));
        for (int i = 1; i < words.size(); i += 2) {
            type.append('/').append(words.get(i));
        }
        String known = spelling.getOrDefault(type.toString().toLowerCase(Locale.ROOT), type.toString());
        String[] parts = known.split("/");
        List<String> segments = new ArrayList<>(group.segments());
        segments.add("providers");
        segments.add(parts[0]);
        for (int i = 1; i < words.size(); i += 2) {
            segments.add(parts[(i + 1) / 2]);
            segments.add(words.get(i + 1));
        }
        return new ArmId(segments);
    }
}
