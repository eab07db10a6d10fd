package io.clusterwright.azure.emulator.junit;

import io.clusterwright.azure.emulator.ArmEmulator;
import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Gives the tests of a class a separate emulated Azure on this machine, without an account and without a network, as
 * parameters of a constructor, a test or a life-cycle method. Use it to test code that plans or creates clusters on
 * Azure. Without this annotation JUnit says {@code No ParameterResolver registered} for these parameters:
 *
 * <ul>
 *   <li>{@link ArmEmulator}: its endpoint, the requests it got, its clock; any client of Resource Manager may be pointed at it;
 *   <li>{@link io.clusterwright.core.ClusterManager}: clusters on it, remembered in a folder that is deleted afterwards;
 *   <li>{@link com.azure.core.http.HttpPipeline} and {@link com.azure.core.management.profile.AzureProfile}: for a client of
 *       the Azure SDK, such as {@code ComputeManager.authenticate(pipeline, profile)}.
 * </ul>
 *
 * <pre>{@code
 * @EmulatedAzure // without an account, root and nodes
 * class QuotaTest {
 *     @Test
 *     void refusesMoreCoresThanTheQuota(ClusterManager clusters, ArmEmulator azure) {
 *         ClusterSpec spec = ClusterSpec.builder("demo")
 *                 .region("westeurope")
 *                 .nodes(nodes -> nodes.count(100).size("Standard_HB120rs_v3"))
 *                 .build();
 *         assertThat(clusters.plan(spec).isFeasible()).isFalse();
 *         assertThat(azure.resources()).isEmpty();
 *     }
 * }
 * }</pre>
 *
 * <p>It is started before the first test of the class, shared by all of them and by nested classes, and ended after the last, with every
 * machine it made; with {@link Lifecycle#PER_METHOD} each test has a separate one. A fault that did not fire fails the test, unless
 * {@link #pendingFaults()} allows it. Classes and processes may run side by side, as long as the address spaces of real machines differ. The next
 * process removes what a killed one left.
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@Documented
@Inherited
@ExtendWith(EmulatedAzureExtension.class)
public @interface EmulatedAzure {

    /** The machines behind its virtual machines. */
    Machines machines() default Machines.RECORDS;

    /** Further settings, such as quotas and faults; a class with a constructor without parameters. */
    Class<? extends Setup> setup() default Setup.Plain.class;

    /** The tests that use one emulator. Default: the tests of the class. */
    Lifecycle lifecycle() default Lifecycle.PER_CLASS;

    /**
     * The result of a test that sets a fault which does not fire. Default: the test fails, and a fault of the {@linkplain #setup() setup}
     * that did not fire in any test fails the class.
     */
    PendingFaults pendingFaults() default PendingFaults.FAIL;

    /** The tests that use one emulator. */
    enum Lifecycle {
        /** The tests of one class and of its nested classes. */
        PER_CLASS,
        /** One test: each test, and each repetition, has a new emulator without resources, and the faults of the setup again. */
        PER_METHOD
    }

    /** Results of tests whose faults did not fire, see {@link ArmEmulator#pendingFaults()}. */
    enum PendingFaults {
        /** The test fails, and names the faults and the requests that were sent in the place of the expected requests. */
        FAIL,
        /** The test passes. */
        ALLOW
    }

    /** Kinds of machines behind virtual machines. */
    enum Machines {
        /**
         * An entry in the emulator: clusters can be planned, Resource Manager's answers tested, and failures of creations. A creation
         * that Azure would not refuse fails when it opens the first session to a node. Needs nothing.
         */
        RECORDS,
        /** A real Linux node on this machine: clusters can be created and used. Needs root on Linux. */
        LOCAL_NODES
    }

    /** Sets up an emulator. */
    @FunctionalInterface
    interface Setup {

        /** Changes what differs from the default, which is fast, generous and free of faults. */
        void set(ArmEmulator.Builder emulator);

        /** Nothing else. */
        final class Plain implements Setup {
            /** Made by the extension. */
            public Plain() {}

            @Override
            public void set(ArmEmulator.Builder emulator) {}
        }
    }
}
