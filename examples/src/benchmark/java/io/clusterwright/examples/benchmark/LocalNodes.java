package io.clusterwright.examples.benchmark;

import io.clusterwright.core.Cluster;
import io.clusterwright.core.ClusterManager;
import io.clusterwright.core.Command;
import io.clusterwright.core.spec.ClusterSpec;
import io.clusterwright.core.spec.SpecReader;
import io.clusterwright.linux.SshClientConfig;
import io.clusterwright.linux.local.LocalMachines;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** A local cluster for one benchmark; closing it destroys it, interrupted or not. */
final class LocalNodes implements AutoCloseable {
    private final ClusterManager manager;
    private final ClusterSpec spec;
    private final Path folder;
    private final Cluster cluster;

    LocalNodes(String group, Settings settings) {
        this(group, settings, "");
    }

    /** Nodes of a spec with further lines. */
    LocalNodes(String group, Settings settings, String more) {
        this.spec = spec(group, settings.nodes(), more);
        this.folder = settings.folder();
        this.manager = ClusterManager.on(LocalMachines.create());
        try {
            this.cluster = manager.create(spec);
        } catch (RuntimeException e) {
            manager.close();
            throw e;
        }
    }

    /** A spec of this number of nodes, with further lines. */
    static ClusterSpec spec(String group, int nodes, String more) {
        return SpecReader.read("""
                name: bench-%s
                region: westus
                timeToLive: 1h
                nodes: {count: %d, firstIndex: 1, prefix: bench, size: Standard_A9}
                network: {addressSpace: 10.94.0.0/17, subnet: {name: Subnet-1, range: 10.94.0.0/22}}
                %s""".formatted(group, nodes, more), "benchmark.yaml");
    }

    ClusterManager manager() {
        return manager;
    }

    Cluster cluster() {
        return cluster;
    }

    String name() {
        return spec.name().value();
    }

    String user() {
        return cluster.loginUser().value();
    }

    List<String> nodes() {
        return cluster.nodes().stream().map(node -> node.name().value()).toList();
    }

    /** The configuration by which ssh reaches these nodes, with the same key and pinned host keys as the library. */
    Path sshConfig() throws IOException {
        return Files.writeString(
                folder.resolve("ssh_config"),
                SshClientConfig.reaching(manager.sshAccess(spec.name())).text());
    }

    Peers peers() throws IOException {
        return new Peers(folder, Map.of("PDSH_SSH_ARGS_APPEND", "-F " + sshConfig(), "ANSIBLE_FORCE_COLOR", "0"));
    }

    static void hostname(Cluster cluster) {
        cluster.run(Command.of("hostname")).orThrow();
    }

    @Override
    public void close() {
        cluster.close();
        destroy(manager, spec);
        manager.close();
    }

    static void destroy(ClusterManager manager, ClusterSpec spec) {
        boolean interrupted = Thread.interrupted();
        try {
            manager.destroy(spec.name());
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
