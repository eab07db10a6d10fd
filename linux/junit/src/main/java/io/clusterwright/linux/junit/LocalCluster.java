package io.clusterwright.linux.junit;

import io.clusterwright.core.ClusterEvent;
import io.clusterwright.core.spec.ClusterSpec;
import io.clusterwright.linux.local.LocalMachines;
import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Gives the tests of a class a running cluster of real Linux nodes on this machine, as parameters of a
 * constructor, a test or a life-cycle method. Use it to test code that needs several nodes. Without this annotation
 * JUnit says {@code No ParameterResolver registered} for these parameters:
 *
 * <ul>
 *   <li>{@link io.clusterwright.core.Cluster}: the cluster, with the nodes that it has when the parameter is made;
 *   <li>{@link io.clusterwright.core.ClusterManager}: the manager that made the cluster, to stop, start or resize it. The
 *       extension closes it.
 * </ul>
 *
 * <pre>{@code
 * @LocalCluster(nodes = 4, otherwise = LocalCluster.Otherwise.SKIP)
 * class SolverTest {
 *     @Test
 *     void runsOnFourNodes(Cluster cluster) {
 *         JobResult result = MpiJob.of("hostname").ranksPerNode(1).on(cluster).run(Duration.ofMinutes(1));
 *         assertTrue(result.succeeded(), result::summary);
 *     }
 * }
 * }</pre>
 *
 * <p>By default the cluster is made before the first test of the class, shared by all of them and by nested classes, and
 * destroyed after the last, also when tests fail or the process is asked to end; {@link #lifecycle()} changes this. Its
 * name and its addresses are unique, so that classes and processes may run side by side. Clusters that a killed
 * process left are destroyed by the next one.
 *
 * <p>At a parameter of type {@code Cluster}, the annotation gives this parameter a separate cluster, for tests that need
 * several clusters. A parameter of a test or of a {@code @BeforeEach} method has its cluster for this one test, and a
 * parameter of a constructor or of a {@code @BeforeAll} method for the class:
 *
 * <pre>{@code
 * class CopyTest {
 *     @Test
 *     void copiesFromOneClusterToAnother(@LocalCluster(nodes = 1) Cluster from, @LocalCluster(nodes = 2) Cluster to) {
 *         assertEquals(3, from.nodes().size() + to.nodes().size());
 *     }
 * }
 * }</pre>
 *
 * <p>Needs root on Linux, or a user with a range of ids; where this machine lacks something, the tests fail and name
 * it, or are {@linkplain #otherwise() skipped}. {@code @LocalCluster(nodes = 4, spec = "cluster.yaml")} takes the spec from a file.
 */
@Target({ElementType.TYPE, ElementType.PARAMETER})
@Retention(RetentionPolicy.RUNTIME)
@Documented
@Inherited
@ExtendWith(LocalClusterExtension.class)
public @interface LocalCluster {

    /** The number of nodes, 1 to 200: one number at most. Default: the number in {@link #spec()}, else 2. */
    int[] nodes() default {};

    /**
     * The file of the cluster's spec: a resource beside the test class, or a path from the working directory. The cluster gets its own
     * name and free addresses in place of the file's. Default: nodes that start as copies of this system.
     */
    String[] spec() default {};

    /** The tests that use one cluster. Default: the tests of the class; at a parameter, see above. */
    Lifecycle lifecycle() default Lifecycle.PER_CLASS;

    /** The result of the tests where this machine lacks a {@linkplain LocalMachines#requirements() requirement}. Default: they fail. */
    Otherwise otherwise() default Otherwise.FAIL;

    /** Changes to the spec, the machines and the listener: a class with a constructor without parameters. */
    Class<? extends Description> description() default Description.Plain.class;

    /** The tests that use one cluster. */
    enum Lifecycle {
        /** The tests of one class and of its nested classes. A nested class with its own annotation has a separate cluster. */
        PER_CLASS,
        /** One test: each test, and each repetition, has a new cluster. Not for parameters. */
        PER_METHOD,
        /**
         * All tests of one test plan whose annotations say {@code SHARED} and lead to the same spec with the same description
         * class, also of different classes and at the same time. The cluster is made for the first test class that needs it, and
         * destroyed at the end of the plan, which is the end of the run in Maven Surefire with one fork. No test may change it:
         * such classes get no {@code ClusterManager}.
         */
        SHARED
    }

    /** Results of the tests on a machine that cannot host nodes. */
    enum Otherwise {
        /** The tests fail, with the missing requirements as the message. */
        FAIL,
        /** The tests are skipped, with the missing requirements as the reason. */
        SKIP
    }

    /** Changes the spec of a cluster, and settings of its creation. */
    @FunctionalInterface
    interface Description {

        /**
         * Changes the spec.
         *
         * @param spec the spec so far, with name, addresses and nodes
         */
        void describe(ClusterSpec.Builder spec);

        /** Changes the settings of the local machines, such as the folder of images. Default: no changes. */
        default void machines(LocalMachines.Builder machines) {}

        /** Receives the events of the creation, as {@link io.clusterwright.core.ClusterListener} does. Default: ignores them. */
        default void onEvent(ClusterEvent event) {}

        /** No changes. */
        final class Plain implements Description {
            /** Made by the extension. */
            public Plain() {}

            @Override
            public void describe(ClusterSpec.Builder spec) {}
        }
    }
}
