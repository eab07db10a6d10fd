package io.clusterwright.linux.junit;

import io.clusterwright.core.Cluster;
import io.clusterwright.core.ClusterManager;
import io.clusterwright.core.DestroyReport;
import io.clusterwright.core.plan.Plan;
import io.clusterwright.core.spec.ClusterSpec;
import io.clusterwright.core.type.ClusterName;
import io.clusterwright.linux.local.LocalMachines;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;

/** A cluster for one test class, with a manager of its own. */
final class TestCluster {
    private static final int FIRST_ADDRESS = 11;
    private static final int TRIES = 64;
    private static final String ADDRESS_IN_USE = "CW-LOCAL-005";
    private static final AtomicBoolean PREPARED = new AtomicBoolean();
    private static final Set<TestCluster> OPEN = ConcurrentHashMap.newKeySet();

    private final ClusterManager manager;
    private final Cluster cluster;

    private TestCluster(ClusterManager manager, Cluster cluster) {
        this.manager = manager;
        this.cluster = cluster;
    }

    static TestCluster create(LocalCluster wanted) {
        ClusterManager manager = ClusterManager.on(LocalMachines.create());
        try {
            if (PREPARED.compareAndSet(false, true)) {
                destroyAbandoned(manager);
                Runtime.getRuntime().addShutdownHook(new Thread(TestCluster::destroyOpen, "clusterwright-junit-end"));
            }
            Plan plan = plan(manager, wanted);
            TestCluster made = new TestCluster(manager, manager.create(plan));
            OPEN.add(made);
            return made;
        } catch (RuntimeException | Error e) {
            manager.close();
            throw e;
        }
    }

    /** A plan whose addresses are free on this machine; the last one tried when none is. */
    private static Plan plan(ClusterManager manager, LocalCluster wanted) {
        ForkIdentity fork = ForkIdentity.current();
        Plan plan = null;
        for (int i = 0; i < TRIES; i++) {
            plan = manager.plan(spec(fork.nextName(), fork.nextAddressSpace(), wanted));
            if (plan.findings().stream().noneMatch(finding -> finding.code().equals(ADDRESS_IN_USE))) {
                break;
            }
        }
        if (plan == null) {
            throw new IllegalStateException("no plan was tried");
        }
        return plan;
    }

    private static ClusterSpec spec(ClusterName name, String addressSpace, LocalCluster wanted) {
        ClusterSpec.Builder spec = ClusterSpec.builder(name)
                .region("local")
                .nodes(nodes ->
                        nodes.count(wanted.nodes()).prefix("node").firstIndex(1).size("local"))
                .network(network -> network.addressSpace(addressSpace)
                        .subnet("test", addressSpace)
                        .firstAddress(addressSpace.replaceFirst("0/24$", Integer.toString(FIRST_ADDRESS))))
                .image(image -> image.capture(false));
        description(wanted).describe(spec);
        return spec.build();
    }

    private static LocalCluster.Description description(LocalCluster wanted) {
        try {
            var constructor = wanted.description().getDeclaredConstructor();
            constructor.setAccessible(true);
            return constructor.newInstance();
        } catch (ReflectiveOperationException e) {
            throw new IllegalArgumentException(
                    wanted.description().getName() + " needs a constructor without parameters", e);
        }
    }

    Cluster cluster() {
        return cluster;
    }

    void destroy() {
        if (!OPEN.remove(this)) {
            return;
        }
        try {
            cluster.close();
            DestroyReport report = manager.destroy(cluster.name());
            if (!report.left().isEmpty()) {
                throw new IllegalStateException("of cluster " + cluster.name() + " there is left: " + report.left());
            }
        } finally {
            manager.close();
        }
    }

    private static void destroyOpen() {
        OPEN.forEach(TestCluster::destroy);
    }

    private static void destroyAbandoned(ClusterManager manager) {
        manager.list().stream()
                .map(summary -> summary.name())
                .filter(ForkIdentity::isAbandoned)
                .forEach(name -> manager.destroy(name));
    }
}
