package io.clusterwright.linux.junit;

import io.clusterwright.core.Cluster;
import io.clusterwright.core.ClusterManager;
import io.clusterwright.core.ClusterSummary;
import io.clusterwright.core.CreateFailedException;
import io.clusterwright.core.CreateOptions;
import io.clusterwright.core.Node;
import io.clusterwright.core.TemporaryCluster;
import io.clusterwright.core.plan.Plan;
import io.clusterwright.core.spec.ClusterSpec;
import io.clusterwright.core.spec.SpecReader;
import io.clusterwright.core.type.AddressRange;
import io.clusterwright.core.type.ClusterName;
import io.clusterwright.core.type.ClusterwrightException;
import io.clusterwright.linux.local.LocalMachines;
import java.io.IOException;
import java.io.InputStream;
import java.net.URISyntaxException;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Collectors;
import org.junit.jupiter.api.extension.ExtensionConfigurationException;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A cluster for tests, with its manager. JUnit closes it with the store that has it. */
@SuppressWarnings("deprecation") // JUnit before 5.13 closes nothing else
final class TestCluster implements ExtensionContext.Store.CloseableResource, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(TestCluster.class);
    private static final int FIRST_ADDRESS = 11;
    private static final int DEFAULT_NODES = 2;
    private static final int MOST_NODES = 200;
    private static final int TRIES = 64;
    private static final String ANY_SPACE = "10.128.0.0/24";
    private static final String ADDRESS_IN_USE = "CW-LOCAL-005";
    private static final AtomicBoolean PREPARED = new AtomicBoolean();

    private final Class<?> test;
    private final LocalMachines machines;
    private final ClusterManager manager;
    private final TemporaryCluster temporary;
    private final List<Cluster> reopened = new ArrayList<>();
    private Cluster cluster;

    private TestCluster(Class<?> test, LocalMachines machines, ClusterManager manager, TemporaryCluster temporary) {
        this.test = test;
        this.machines = machines;
        this.manager = manager;
        this.temporary = temporary;
        this.cluster = temporary.cluster();
    }

    /**
     * What classes must have in common to share a cluster: the spec except for its name and addresses, the folder that its files are
     * found in, and the description.
     */
    static Object sharingKey(LocalCluster wanted, Class<?> test) {
        ClusterSpec.Builder builder = spec(ClusterName.of("junit"), AddressRange.of(ANY_SPACE), wanted, test);
        description(wanted).describe(builder);
        ClusterSpec spec = builder.build();
        return List.of(spec, spec.baseFolder(), wanted.description());
    }

    static TestCluster create(LocalCluster wanted, Class<?> test) {
        LocalCluster.Description description = description(wanted);
        LocalMachines.Builder builder = LocalMachines.builder();
        description.machines(builder);
        LocalMachines machines = builder.build();
        ClusterManager manager = ClusterManager.on(machines);
        try {
            if (PREPARED.compareAndSet(false, true)) {
                destroyAbandoned(manager);
            }
            return new TestCluster(test, machines, manager, create(manager, wanted, description, test));
        } catch (RuntimeException | Error e) {
            manager.close();
            throw e;
        }
    }

    /** Creates the cluster, with other addresses when the addresses of the plan were free and another process has them now. */
    private static TemporaryCluster create(
            ClusterManager manager, LocalCluster wanted, LocalCluster.Description description, Class<?> test) {
        AtomicBoolean created = new AtomicBoolean();
        CreateOptions options = CreateOptions.standard().listener(event -> {
            if (!created.get()) {
                description.onEvent(event);
            }
        });
        for (int i = 1; ; i++) {
            Plan plan = plan(manager, wanted, description, test);
            try {
                TemporaryCluster made = manager.createTemporary(plan, options);
                created.set(true);
                return made;
            } catch (CreateFailedException e) {
                if (i == TRIES || !e.left().isEmpty() || !addressesAreInUse(manager.plan(plan.spec()))) {
                    throw e;
                }
                LOG.info("cluster {} gets other addresses: {}", plan.spec().name(), e.getMessage());
            }
        }
    }

    /** A plan whose addresses are free on this machine; the last one tried when none is. */
    private static Plan plan(
            ClusterManager manager, LocalCluster wanted, LocalCluster.Description description, Class<?> test) {
        ForkIdentity fork = ForkIdentity.current();
        Plan plan = null;
        for (int i = 0; i < TRIES; i++) {
            AddressRange free = AddressRange.of(fork.nextAddressSpace());
            ClusterSpec.Builder spec = spec(fork.nextName(), free, wanted, test);
            description.describe(spec);
            plan = manager.plan(spec.build());
            if (!plan.spec().network().addressSpace().equals(free) || !addressesAreInUse(plan)) {
                break;
            }
        }
        if (plan == null) {
            throw new IllegalStateException("no plan was tried");
        }
        return plan;
    }

    private static boolean addressesAreInUse(Plan plan) {
        return plan.findings().stream().anyMatch(finding -> finding.code().equals(ADDRESS_IN_USE));
    }

    private static ClusterSpec.Builder spec(ClusterName name, AddressRange free, LocalCluster wanted, Class<?> test) {
        ClusterSpec.Builder spec = start(wanted, test, free).name(name);
        if (wanted.nodes().length > 0) {
            int count = one("nodes", wanted.nodes().length, wanted.nodes()[0], test);
            if (count < 1 || count > MOST_NODES) {
                throw new ExtensionConfigurationException(
                        test.getName() + ": invalid number of nodes in @LocalCluster(nodes = " + count + "): use 1 to "
                                + MOST_NODES + " (example: @LocalCluster(nodes = 2))");
            }
            spec.nodes(nodes -> nodes.count(count));
        }
        return spec;
    }

    private static ClusterSpec.Builder start(LocalCluster wanted, Class<?> test, AddressRange free) {
        if (wanted.spec().length > 0) {
            ClusterSpec file = read(one("spec", wanted.spec().length, wanted.spec()[0], test), test);
            ClusterSpec.Builder spec = file.toBuilder()
                    .network(network -> network.addressSpace(free)
                            .subnet(subnet -> subnet.range(free))
                            .firstAddress(free.network().plus(FIRST_ADDRESS)));
            // The cluster is renamed, and its nodes keep the names of the file.
            return file.nodes().namePattern().isPresent()
                    ? spec
                    : spec.nodes(nodes -> nodes.prefix(file.nodes().prefix())
                            .firstIndex(file.nodes().firstIndex()));
        }
        return ClusterSpec.builder("test")
                .network(network -> network.addressSpace(free))
                .nodes(nodes -> nodes.count(DEFAULT_NODES).prefix("node").firstIndex(1))
                .image(image -> image.capture(false));
    }

    private static ClusterSpec read(String spec, Class<?> test) {
        URL resource = test.getResource(spec);
        if (resource == null) {
            Path file = Path.of(spec);
            if (!Files.exists(file)) {
                String folder = test.getPackageName().replace('.', '/');
                throw new ExtensionConfigurationException(test.getName() + ": @LocalCluster(spec = \"" + spec
                        + "\"): there is no such resource in the package " + test.getPackageName()
                        + " of the class path, and no such file " + file.toAbsolutePath()
                        + "; put the spec into src/test/resources/" + folder + ", or correct its name");
            }
            return SpecReader.read(file);
        }
        try {
            if (resource.getProtocol().equals("file")) {
                return SpecReader.read(Path.of(resource.toURI()));
            }
            try (InputStream stream = resource.openStream()) {
                return SpecReader.read(stream, spec);
            }
        } catch (IOException | URISyntaxException e) {
            throw new ExtensionConfigurationException("cannot read the spec " + spec + " of " + test.getName(), e);
        }
    }

    private static <T> T one(String element, int given, T value, Class<?> test) {
        if (given > 1) {
            throw new ExtensionConfigurationException(
                    test.getName() + ": @LocalCluster takes one value for " + element + " and has " + given);
        }
        return value;
    }

    private static LocalCluster.Description description(LocalCluster wanted) {
        try {
            var constructor = wanted.description().getDeclaredConstructor();
            constructor.setAccessible(true);
            return constructor.newInstance();
        } catch (ReflectiveOperationException e) {
            throw new ExtensionConfigurationException(
                    wanted.description().getName() + " needs a constructor without parameters", e);
        }
    }

    ClusterManager manager() {
        return manager;
    }

    /** The cluster with the nodes of its record: opened again after a test changed its nodes. */
    synchronized Cluster cluster() {
        Set<Node> recorded = manager.list().stream()
                .filter(summary -> summary.name().equals(cluster.name()))
                .flatMap(summary -> summary.nodes().stream())
                .collect(Collectors.toSet());
        if (!recorded.equals(Set.copyOf(cluster.nodes()))) {
            cluster = manager.open(cluster.name());
            reopened.add(cluster);
        }
        return cluster;
    }

    @Override
    public synchronized void close() {
        reopened.forEach(Cluster::close);
        try (manager) {
            temporary.close();
        } catch (ClusterwrightException e) {
            if (!(e.getCause() instanceof IllegalStateException)) {
                throw e;
            }
            try (ClusterManager open = ClusterManager.on(machines)) {
                open.destroy(cluster.name());
            }
            throw new ExtensionConfigurationException(
                    test.getName() + ": a test closed the ClusterManager of @LocalCluster; remove the call of close()"
                            + " or the try block, because the extension closes the manager after the last test",
                    e);
        }
    }

    /** Destroys clusters of processes that have ended; one that cannot be destroyed now is left to the next process. */
    static void destroyAbandoned(ClusterManager manager) {
        for (ClusterSummary summary : manager.list()) {
            if (ForkIdentity.isAbandoned(summary.name())) {
                try {
                    manager.destroy(summary.name());
                } catch (ClusterwrightException e) {
                    // Another test process may be destroying it.
                    LOG.warn("cluster {} of a killed test still exists: {}", summary.name(), e.getMessage());
                }
            }
        }
    }
}
