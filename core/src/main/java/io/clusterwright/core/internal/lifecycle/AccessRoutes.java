package io.clusterwright.core.internal.lifecycle;

import io.clusterwright.core.SshAccess;
import io.clusterwright.core.StateStore.SecretStore;
import io.clusterwright.core.internal.session.Sessions;
import io.clusterwright.core.internal.state.ClusterState;
import io.clusterwright.core.spec.OperatingSystem;
import io.clusterwright.core.spi.Endpoint;
import io.clusterwright.core.spi.Machine;
import io.clusterwright.core.spi.MachineProvider;
import io.clusterwright.core.type.ClusterwrightException;
import io.clusterwright.core.type.NodeName;
import io.clusterwright.core.type.Secret;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** Finds the way of an SSH client to the nodes of a cluster, and keeps their host keys in a file beside its keys. */
final class AccessRoutes {
    private static final String KNOWN_HOSTS = "known_hosts";

    private AccessRoutes() {}

    static SshAccess of(ClusterState state, MachineProvider provider, SecretStore secrets) {
        if (state.spec().operatingSystem() != OperatingSystem.LINUX || provider.relays(state.spec())) {
            throw new ClusterwrightException("cluster " + state.spec().name() + " has no SSH access: " + provider.name()
                    + " runs commands on its nodes as scripts; use clusterwright run");
        }
        List<SshAccess.Route> routes = new ArrayList<>();
        StringBuilder known = new StringBuilder();
        List<Machine> machines = state.allMachines().stream()
                .sorted(Comparator.comparing((Machine machine) -> !state.spec().isSeparateHead(machine.name()))
                        .thenComparing(Machine::name))
                .toList();
        for (Machine machine : machines) {
            Optional<NodeName> gateway = provider.gateway(state.spec(), machine.name());
            Endpoint dialled = Sessions.endpoint(provider, state.id(), machine, gateway);
            routes.add(new SshAccess.Route(
                    machine.name(),
                    machine.address(),
                    dialled.host(),
                    dialled.port(),
                    machine.hostKey(),
                    gateway.orElse(null)));
            known.append(machine.name()).append(' ').append(machine.hostKey()).append('\n');
        }
        secrets.put(KNOWN_HOSTS, Secret.of(known.toString()));
        return new SshAccess(
                state.spec().login().user(), file(secrets, ClusterKeys.LOGIN), file(secrets, KNOWN_HOSTS), routes);
    }

    private static Path file(SecretStore secrets, String name) {
        return secrets.file(name)
                .map(Path::toAbsolutePath)
                .orElseThrow(() -> new ClusterwrightException("an SSH client needs the file " + name
                        + " of this cluster, and the state store is not a folder; use StateStore.inFolder(folder)"));
    }
}
