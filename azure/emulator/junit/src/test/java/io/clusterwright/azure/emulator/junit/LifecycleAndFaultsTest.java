package io.clusterwright.azure.emulator.junit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.azure.core.http.HttpPipeline;
import com.azure.core.management.Region;
import com.azure.core.management.profile.AzureProfile;
import com.azure.resourcemanager.network.NetworkManager;
import com.azure.resourcemanager.network.models.Network;
import com.azure.resourcemanager.resources.ResourceManager;
import io.clusterwright.azure.emulator.ArmEmulator;
import io.clusterwright.azure.emulator.Fault;
import io.clusterwright.core.ClusterManager;
import io.clusterwright.core.CreateFailedException;
import io.clusterwright.core.spec.ClusterSpec;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.discovery.DiscoverySelectors;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.core.LauncherConfig;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;

class LifecycleAndFaultsTest {
    private static final List<String> USED = new CopyOnWriteArrayList<>();

    @BeforeEach
    void forget() {
        USED.clear();
    }

    private static Fault missed() {
        return Fault.of(Fault.Kind.ALLOCATION_FAILED, "PUT", "**/virtualMachines/demo2");
    }

    private static List<Throwable> run(Class<?> tests) {
        List<Throwable> errors = new ArrayList<>();
        LauncherConfig config = LauncherConfig.builder()
                .enableTestExecutionListenerAutoRegistration(false)
                .build();
        LauncherFactory.create(config)
                .execute(
                        LauncherDiscoveryRequestBuilder.request()
                                .selectors(DiscoverySelectors.selectClass(tests))
                                .build(),
                        new TestExecutionListener() {
                            @Override
                            public void executionFinished(TestIdentifier test, TestExecutionResult result) {
                                result.getThrowable().ifPresent(errors::add);
                            }
                        });
        return errors;
    }

    @Test
    void eachTestHasANewAzure() {
        assertThat(run(Renewed.class)).isEmpty();
        assertThat(USED).hasSize(3).doesNotHaveDuplicates();
    }

    @Test
    void aConstructorHasNoAzureOfOneTest() {
        assertThat(run(RenewedInConstructor.class))
                .singleElement()
                .asString()
                .contains(RenewedInConstructor.class.getName()
                        + ": an emulator of @EmulatedAzure(lifecycle = PER_METHOD) belongs to one test; move the");
    }

    @Test
    void aFaultThatATestSetsMustFire() {
        assertThat(run(Missed.class))
                .singleElement()
                .isInstanceOf(AssertionError.class)
                .asString()
                .contains(
                        "setsAFault(ClusterManager, ArmEmulator): a fault did not fire; compare the path",
                        "\n  AllocationFailed on PUT **/virtualMachines/demo2\n    sent: PUT /subscriptions/",
                        "/virtualMachineScaleSets/demo-vmss");
    }

    @Test
    void aFaultOfTheSetupMustFireInOneTest() {
        assertThat(run(MissedSetup.class))
                .singleElement()
                .asString()
                .contains(
                        MissedSetup.class.getName() + ": a fault did not fire",
                        "\n  AllocationFailed on PUT **/virtualMachines/demo2\n    no PUT request was sent");
        assertThat(run(MissedSetupOfEachTest.class)).hasSize(2);
    }

    @Test
    void aFailureOfATestHidesNothing() {
        assertThat(run(FailedBefore.class)).singleElement().asString().contains("the failure of the test");
    }

    @Test
    void pendingFaultsCanBeAllowed() {
        assertThat(run(Allowed.class)).isEmpty();
    }

    @EmulatedAzure(lifecycle = EmulatedAzure.Lifecycle.PER_METHOD)
    static class Renewed {
        @RepeatedTest(2)
        void test(ArmEmulator emulator) {
            USED.add(emulator.subscriptionId());
        }

        @Nested
        class InANestedClass {
            @Test
            void test(ArmEmulator emulator) {
                USED.add(emulator.subscriptionId());
            }
        }
    }

    @EmulatedAzure(lifecycle = EmulatedAzure.Lifecycle.PER_METHOD)
    static class RenewedInConstructor {
        RenewedInConstructor(ArmEmulator emulator) {
            USED.add(emulator.subscriptionId());
        }

        @Test
        void test() {}
    }

    /** The first fault of the page for a default cluster, which is a scale set. */
    @EmulatedAzure
    static class Missed {
        @Test
        void setsAFault(ClusterManager manager, ArmEmulator emulator) {
            emulator.faults(missed());
            assertThatThrownBy(() -> manager.create(spec())).isInstanceOf(CreateFailedException.class);
        }
    }

    static final class MissedFault implements EmulatedAzure.Setup {
        @Override
        public void set(ArmEmulator.Builder emulator) {
            emulator.faults(List.of(missed()));
        }
    }

    @EmulatedAzure(setup = MissedFault.class)
    static class MissedSetup {
        @Test
        void first() {}

        @Test
        void second() {}
    }

    @EmulatedAzure(setup = MissedFault.class, lifecycle = EmulatedAzure.Lifecycle.PER_METHOD)
    static class MissedSetupOfEachTest {
        @Test
        void first() {}

        @Test
        void second() {}
    }

    @EmulatedAzure(setup = MissedFault.class)
    static class FailedBefore {
        @Test
        void fails() {
            throw new IllegalStateException("the failure of the test");
        }
    }

    @EmulatedAzure(setup = MissedFault.class, pendingFaults = EmulatedAzure.PendingFaults.ALLOW)
    static class Allowed {
        @Test
        void test(ArmEmulator emulator) {
            emulator.faults(missed());
        }
    }

    private static ClusterSpec spec() {
        return ClusterSpec.builder("demo")
                .region("westeurope")
                .nodes(nodes -> nodes.count(2).size("Standard_HB120rs_v3"))
                .image(image -> image.capture(false))
                .build();
    }

    @Nested
    @EmulatedAzure
    class Records {
        /** Until the deadline of the nodes before: 10 minutes. */
        @Test
        void aCreationSaysAtOnceThatRecordsHaveNoSystem(ClusterManager manager, ArmEmulator emulator) {
            ClusterSpec separate = spec().toBuilder()
                    .nodes(nodes -> nodes.size("Standard_D4s_v5"))
                    .build();
            ClusterSpec captured =
                    spec().toBuilder().image(image -> image.capture(true)).build();

            for (ClusterSpec spec : List.of(spec(), separate, captured)) {
                assertThatThrownBy(() -> manager.create(spec))
                        .isInstanceOf(CreateFailedException.class)
                        .hasMessageContaining(
                                "the virtual machines of this emulated Azure are records without a system;"
                                        + " for clusters with nodes write"
                                        + " @EmulatedAzure(machines = EmulatedAzure.Machines.LOCAL_NODES), which needs root")
                        .hasMessageContaining("everything created for it was deleted");
                assertThat(manager.list()).isEmpty();
            }
            assertThat(emulator.resources()).noneMatch(id -> id.contains("/virtualMachine"));
        }

        @Test
        void aClientOfTheSdkIsThreeLines(HttpPipeline pipeline, AzureProfile profile) {
            ResourceManager groups =
                    ResourceManager.authenticate(pipeline, profile).withDefaultSubscription();
            groups.resourceGroups()
                    .define("mine")
                    .withRegion(Region.EUROPE_WEST)
                    .create();
            Network network = NetworkManager.authenticate(pipeline, profile)
                    .networks()
                    .define("net")
                    .withRegion(Region.EUROPE_WEST)
                    .withExistingResourceGroup("mine")
                    .withAddressSpace("10.4.0.0/16")
                    .create();

            assertThat(network.addressSpaces()).containsExactly("10.4.0.0/16");
            groups.resourceGroups().deleteByName("mine");
            assertThat(groups.resourceGroups().contain("mine")).isFalse();
        }
    }
}
