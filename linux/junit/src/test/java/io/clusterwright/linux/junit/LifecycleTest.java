package io.clusterwright.linux.junit;

import static org.assertj.core.api.Assertions.assertThat;

import io.clusterwright.core.Cluster;
import io.clusterwright.core.ClusterManager;
import io.clusterwright.core.ClusterSummary;
import io.clusterwright.core.Command;
import io.clusterwright.core.StateStore;
import io.clusterwright.core.type.ClusterName;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Which tests use one cluster. */
@Tag("breadth")
class LifecycleTest {
    private static final List<ClusterName> USED = new CopyOnWriteArrayList<>();

    @BeforeEach
    void forget() {
        USED.clear();
    }

    private static void use(Cluster cluster) {
        cluster.run(Command.of("true")).orThrow();
        USED.add(cluster.name());
    }

    private static void everyClusterIsDestroyed() {
        assertThat(ClusterManager.list(StateStore.standard()))
                .extracting(ClusterSummary::name)
                .doesNotContainAnyElementsOf(USED);
    }

    @Test
    void classesOfOneRunShareTheClusterOfOneSpec() {
        assertThat(TestRun.of(Shared.class, SharedToo.class, SharedByParameter.class, SharedByOtherSpec.class))
                .isEmpty();

        assertThat(USED).hasSize(4);
        assertThat(USED.subList(0, 3)).containsOnly(USED.get(0));
        assertThat(USED.get(3)).isNotEqualTo(USED.get(0));
        everyClusterIsDestroyed();
    }

    @Test
    void aSharedClusterHasNoManager() {
        assertThat(TestRun.of(SharedWithManager.class))
                .singleElement()
                .asString()
                .contains(SharedWithManager.class.getName()
                        + ": @LocalCluster(lifecycle = SHARED) gives no ClusterManager, because other classes use");
    }

    @Test
    void eachTestHasANewCluster() {
        assertThat(TestRun.of(New.class)).isEmpty();

        assertThat(USED).hasSize(3).doesNotHaveDuplicates();
        everyClusterIsDestroyed();
    }

    @Test
    void aConstructorHasNoClusterOfOneTest() {
        assertThat(TestRun.of(NewInConstructor.class))
                .singleElement()
                .asString()
                .contains(
                        NewInConstructor.class.getName()
                                + ": a cluster of @LocalCluster(lifecycle = PER_METHOD) belongs to one test; move the parameter");
    }

    @Test
    void parametersHaveClustersOfTheirOwn() {
        assertThat(TestRun.of(Several.class)).isEmpty();

        assertThat(USED).hasSize(5);
        assertThat(USED.get(0)).as("of @BeforeAll").isEqualTo(USED.get(4));
        assertThat(USED.subList(0, 4)).doesNotHaveDuplicates();
        everyClusterIsDestroyed();
    }

    @Test
    void aNestedClassMayHaveAClusterOfItsOwn() {
        assertThat(TestRun.of(Outer.class)).isEmpty();

        assertThat(USED).hasSize(2).doesNotHaveDuplicates();
        everyClusterIsDestroyed();
    }

    @Test
    void wrongParametersAreNamed() {
        assertThat(TestRun.of(WrongType.class))
                .singleElement()
                .asString()
                .contains(WrongType.class.getName(), "of test: use a parameter of type Cluster (example:");
        assertThat(TestRun.of(WrongLifecycle.class))
                .singleElement()
                .asString()
                .contains(
                        WrongLifecycle.class.getName(), "of test: remove lifecycle = PER_METHOD; the cluster belongs");
        assertThat(TestRun.of(NoAnnotation.class))
                .singleElement()
                .asString()
                .contains(
                        NoAnnotation.class.getName() + " has no @LocalCluster for the parameter",
                        "; put @LocalCluster on the class or at this parameter");
    }

    @LocalCluster(nodes = 1, lifecycle = LocalCluster.Lifecycle.SHARED)
    static class Shared {
        @Test
        void test(Cluster cluster) {
            use(cluster);
        }
    }

    @LocalCluster(nodes = 1, lifecycle = LocalCluster.Lifecycle.SHARED)
    static class SharedToo {
        @Test
        void test(Cluster cluster) {
            use(cluster);
        }
    }

    static class SharedByParameter {
        @Test
        void test(@LocalCluster(nodes = 1, lifecycle = LocalCluster.Lifecycle.SHARED) Cluster cluster) {
            use(cluster);
        }
    }

    @LocalCluster(spec = "cluster.yaml", lifecycle = LocalCluster.Lifecycle.SHARED)
    static class SharedByOtherSpec {
        @Test
        void test(Cluster cluster) {
            use(cluster);
        }
    }

    @LocalCluster(nodes = 1, lifecycle = LocalCluster.Lifecycle.SHARED)
    static class SharedWithManager {
        @Test
        void test(ClusterManager clusters) {}
    }

    @LocalCluster(nodes = 1, lifecycle = LocalCluster.Lifecycle.PER_METHOD)
    static class New {
        @RepeatedTest(2)
        void mayDestroyItsCluster(Cluster cluster, ClusterManager clusters) {
            use(cluster);
            clusters.destroy(cluster.name());
        }

        @Nested
        class InANestedClass {
            @Test
            void test(Cluster cluster) {
                use(cluster);
            }
        }
    }

    @LocalCluster(nodes = 1, lifecycle = LocalCluster.Lifecycle.PER_METHOD)
    static class NewInConstructor {
        NewInConstructor(Cluster cluster) {
            use(cluster);
        }

        @Test
        void test() {}
    }

    @LocalCluster(nodes = 1)
    static class Several {
        private static ClusterName ofClass = ClusterName.of("none");

        @BeforeAll
        static void another(@LocalCluster(nodes = 1) Cluster cluster) {
            use(cluster);
            ofClass = cluster.name();
        }

        @Test
        void test(Cluster cluster, @LocalCluster(nodes = 1) Cluster second, @LocalCluster(nodes = 2) Cluster third) {
            assertThat(third.nodes()).hasSize(2);
            use(cluster);
            use(second);
            use(third);
            USED.add(ofClass);
        }
    }

    @LocalCluster(nodes = 1)
    static class Outer {
        @Test
        void test(Cluster cluster) {
            use(cluster);
        }

        @Nested
        @LocalCluster(nodes = 2)
        class Inner {
            @Test
            void test(Cluster cluster) {
                assertThat(cluster.nodes()).hasSize(2);
                use(cluster);
            }
        }
    }

    static class WrongType {
        @Test
        void test(@LocalCluster String cluster) {}
    }

    static class WrongLifecycle {
        @Test
        void test(@LocalCluster(lifecycle = LocalCluster.Lifecycle.PER_METHOD) Cluster cluster) {}
    }

    static class NoAnnotation {
        @Test
        void test(Cluster other, @LocalCluster(nodes = 1) Cluster cluster) {}
    }
}
