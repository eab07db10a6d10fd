package io.clusterwright.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.clusterwright.core.internal.planning.ComputedPlan;
import io.clusterwright.core.plan.Plan;
import io.clusterwright.core.plan.PlanStep;
import io.clusterwright.core.plan.Step;
import io.clusterwright.core.spec.ClusterSpec;
import io.clusterwright.core.spec.Customization.Updates;
import io.clusterwright.core.type.ClusterwrightException;
import io.clusterwright.core.type.NodeName;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

/** An image counts when one machine booted from it was proven, and not before. */
class BootTestTest extends LifecycleFixture {
    private static final NodeName TEST = new NodeName("demo-boottest");

    private static ComputedPlan.ImagePlan image(Plan plan) {
        return ((ComputedPlan) plan).image();
    }

    private static ClusterSpec spec() {
        return ClusterSpec.builder("demo")
                .region("westeurope")
                .nodes(n -> n.count(2).prefix("demo").size("Standard_A9").deadline(Duration.ofMillis(200)))
                .build();
    }

    private void create() {
        ClusterManager manager = manager();
        manager.create(spec(), options()).close();
    }

    @Test
    void planHasTheBootTestAsAStepWithOneMachine() {
        assertThat(manager().plan(spec()).steps())
                .filteredOn(step -> step.step() == Step.BOOT_TEST)
                .singleElement()
                .satisfies(step -> assertThat(step.creates()).isNotEmpty())
                .extracting(PlanStep::description)
                .asString()
                .contains("from the image and test it");
        create();
        assertThat(manager().plan(spec()).steps()).noneMatch(step -> step.step() == Step.BOOT_TEST);
    }

    @Test
    void runsBeforeTheNodesAndDeletesItsMachine() {
        create();
        assertThat(MemoryBackend.CALLS.indexOf("join demo-boottest of 1"))
                .isBetween(0, MemoryBackend.CALLS.indexOf("join demo1 of 2") - 1);
        assertThat(provider.proven).containsExactlyElementsOf(provider.images);
        assertThat(provider.machines).hasSize(2).doesNotContainKey(TEST);
    }

    @Test
    void deletesTheImageOfASilentMachineAndReportsItsConsole() {
        MemoryBackend.SILENT.add(TEST);
        assertThatThrownBy(this::create)
                .isInstanceOf(CreateFailedException.class)
                .hasMessageMatching(
                        "(?s).*image image-[0-9a-f]+ did not pass its boot test; it was deleted.*demo-boottest was not"
                                + " ready within 0 s.*customisation.*everything created for it was deleted.*");
        assertThat(provider.images).isEmpty();
        assertThat(provider.existing).isEmpty();
        assertThat(MemoryBackend.CALLS).noneMatch(call -> call.startsWith("join demo1"));

        MemoryBackend.reset();
        create();
        assertThat(MemoryBackend.CALLS).contains("customize");
    }

    @Test
    void rebuildsAnImageWhoseTestWasCutShort() {
        create();
        manager().destroy(DEMO, events::add);
        provider.proven.clear();
        MemoryBackend.reset();

        assertThat(image(manager().plan(spec())).exists()).isFalse();
        create();
        assertThat(MemoryBackend.CALLS).contains("customize", "join demo-boottest of 1");
    }

    @Test
    void runsChecksOfTheImageOnTheTestMachine() {
        ForeignImageCheck.answer = CheckReport.Status.FAILED;
        assertThatThrownBy(this::create).hasMessageContaining("check foreign-image: on demo-boottest");
        assertThat(provider.images).isEmpty();

        ForeignImageCheck.answer = CheckReport.Status.NOT_CHECKED;
        assertThatThrownBy(this::create).hasMessageContaining("check foreign-image: on demo-boottest");
        assertThat(provider.images).isEmpty();

        ForeignImageCheck.answer = CheckReport.Status.PASSED;
        create();
        assertThat(provider.images).hasSize(1);
    }

    @Test
    void theBuildOfAnImageLeavesAClusterThatAnotherProcessMadeMeanwhile() {
        AtomicBoolean made = new AtomicBoolean();
        StateStore racing = (StateStore) Proxy.newProxyInstance(
                getClass().getClassLoader(), new Class<?>[] {StateStore.class}, (proxy, method, arguments) -> {
                    if (method.getName().equals("open") && !made.getAndSet(true)) {
                        create();
                    }
                    return method.invoke(store(), arguments);
                });
        ClusterManager manager =
                ClusterManager.builder(provider).stateStore(racing).build();

        assertThatThrownBy(() -> manager.buildImage(spec()))
                .isInstanceOf(ClusterwrightException.class)
                .hasMessageContaining("cluster demo already exists");

        assertThat(provider.machines).hasSize(2);
        assertThat(manager().list())
                .singleElement()
                .hasFieldOrPropertyWithValue("phase", ClusterSummary.ClusterPhase.READY);
    }

    @Test
    void bootOfTheTemplateTestsTheUpdatedBase() {
        ClusterSpec updated = spec().toBuilder()
                .image(i -> i.customize(c -> c.updates(Updates.securityHoldingKernel())))
                .build();
        MemoryBackend.SILENT.add(new NodeName("demo-template"));
        ClusterManager manager = manager();
        assertThatThrownBy(() -> manager.buildUpdatedBase(updated, options()));
        assertThat(provider.images).isEmpty();

        MemoryBackend.SILENT.clear();
        manager.buildUpdatedBase(updated, options());
        assertThat(provider.images)
                .singleElement()
                .satisfies(image -> assertThat(provider.proven).contains(image));
        assertThat(image(manager.plan(updated)).updatesExist()).isTrue();
        assertThat(provider.existing).isEmpty();
    }
}
