package io.clusterwright.linux.junit;

import io.clusterwright.core.spec.ClusterSpec;
import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Gives the tests of a class a running cluster of real Linux nodes on this machine: as a parameter of the type
 * {@link io.clusterwright.core.Cluster} of a constructor, a test or a life-cycle method.
 *
 * <p>The cluster is made before the first test of the class, shared by all of them and by nested classes, and destroyed after
 * the last, also when tests fail or the process is asked to end. Its name and its addresses are its own, so that classes
 * and processes may run side by side. What a killed process left is destroyed by the next one. Needs root on Linux; where
 * this machine lacks something, the tests fail and say what it is.
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@Documented
@Inherited
@ExtendWith(LocalClusterExtension.class)
public @interface LocalCluster {

    /** How many nodes: 1 to 200. */
    int nodes() default 2;

    /** What else the cluster's description says; a class with a constructor without parameters. */
    Class<? extends Description> description() default Description.Plain.class;

    /** Adds to the description of a cluster. */
    @FunctionalInterface
    interface Description {

        /**
         * Changes what differs from the default, which is nodes that start as copies of this system.
         *
         * @param spec the description so far, with name, addresses and nodes
         */
        void describe(ClusterSpec.Builder spec);

        /** Nothing else. */
        final class Plain implements Description {
            /** Made by the extension. */
            public Plain() {}

            @Override
            public void describe(ClusterSpec.Builder spec) {}
        }
    }
}
