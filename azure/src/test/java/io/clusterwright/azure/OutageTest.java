package io.clusterwright.azure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.clusterwright.azure.emulator.ArmEmulator;
import io.clusterwright.azure.emulator.Fault;
import io.clusterwright.core.MachineState;
import io.clusterwright.core.ResourceId;
import io.clusterwright.core.plan.Finding;
import io.clusterwright.core.spec.ClusterSpec;
import io.clusterwright.core.spec.NetworkSpec.SshAccess;
import io.clusterwright.core.spec.Placement;
import io.clusterwright.core.spi.Machine;
import io.clusterwright.core.spi.MachineProvider.MachineOutcome;
import io.clusterwright.core.type.NodeName;
import io.clusterwright.core.type.OperationInterruptedException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The network, or Azure, is down in the middle of an operation. Pauses are over at once. */
@Tag("breadth")
class OutageTest extends ScaleSetFixture {
    private final List<Finding> notices = Collections.synchronizedList(new ArrayList<>());
    private ArmEmulator emulator;
    private AzureProvider azure;

    private static ClusterSpec spec() {
        return ClusterSpec.builder("cluster")
                .region("westeurope")
                .nodes(n -> n.count(2).firstIndex(11).size("Standard_HB120rs_v3"))
                .placement(p -> p.kind(Placement.Kind.AVAILABILITY_SET))
                .network(n -> n.addressSpace("10.42.0.0/16")
                        .subnet("Subnet-1", "10.42.0.0/22")
                        .ssh(ssh -> ssh.external(SshAccess.External.NONE)))
                .image(i -> i.base("microsoft-dsvm:ubuntu-hpc:2204:latest"))
                .build();
    }

    @BeforeEach
    void start() {
        emulator = ArmEmulator.builder()
                .realistic()
                .throttling(false)
                .coresPerFamily(60_000)
                .regionalCores(60_000)
                .start();
        azure = impatient(emulator, backend, leaps(emulator));
        azure.onNotice(notices::add);
    }

    @AfterEach
    void stop() {
        emulator.close();
    }

    private Map<NodeName, Machine> create() {
        return made(create(azure, spec(), spec().nodes().names()));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "GET **/operations/*",
                "PUT **/virtualMachines/*",
                "GET **/virtualNetworks/*",
                "PUT **/cluster-nsg"
            })
    void aCreationOutlivesAnOutageOfTenMinutes(String where) {
        String[] words = where.split(" ", -1);
        emulator.faults(Fault.of(Fault.Kind.OUTAGE, words[0], words[1]).waiting(Duration.ofMinutes(10)));

        assertThat(create()).hasSize(2);
        assertThat(notices).isNotEmpty().allSatisfy(notice -> {
            assertThat(notice.code()).isEqualTo("CW-AZURE-017");
            assertThat(notice.message()).startsWith("no answer from Resource Manager");
        });
        assertThat(notices).as("one a minute, however many calls wait").hasSizeLessThan(15);
    }

    @Test
    void aDeletionOutlivesAnOutageOfTenMinutes() {
        create();
        emulator.faults(Fault.of(Fault.Kind.OUTAGE, "DELETE", "**").waiting(Duration.ofMinutes(10)));

        for (ResourceId resource : log.reversed()) {
            azure.delete(ID, resource);
        }
        assertThat(azure.remaining(ID)).isEmpty();
        assertThat(notices).isNotEmpty();
    }

    @ParameterizedTest
    @EnumSource(
            value = Fault.Kind.class,
            names = {"INTERNAL_SERVER_ERROR", "SERVICE_UNAVAILABLE", "CONNECTION_RESET", "LOST_ANSWER"})
    void anErrorOfTheServiceIsTriedAgain(Fault.Kind kind) {
        azure.inspect(spec());
        emulator.faults(
                Fault.of(kind, "PUT", "**").times(3),
                Fault.of(kind, "GET", "**/operations/*").skip(2).times(3),
                Fault.of(kind, "DELETE", "**").times(2));

        assertThat(create()).hasSize(2);
        for (ResourceId resource : log.reversed()) {
            azure.delete(ID, resource);
        }
        assertThat(azure.remaining(ID)).isEmpty();
    }

    @Test
    void theInterfaceOfAFailedMachineIsDeletedWhenItsReservationEnds() {
        azure.createNetwork(spec(), log);
        emulator.faults(
                Fault.of(Fault.Kind.ALLOCATION_FAILED, "PUT", "**/virtualMachines/cluster11"),
                Fault.of(Fault.Kind.NIC_RESERVED, "PUT", "**/virtualMachines/cluster11"));

        assertThat(create()).containsOnlyKeys(new NodeName("cluster12"));

        assertThat(emulator.resources()).noneMatch(id -> id.contains("cluster11"));
    }

    @Test
    void aSizeThatTheRegionDoesNotHaveIsReportedForItsNodeAlone() {
        emulator.faults(Fault.of(Fault.Kind.SKU_NOT_AVAILABLE, "PUT", "**/virtualMachines/cluster11"));

        Map<NodeName, MachineOutcome> outcomes =
                create(azure, spec(), spec().nodes().names());

        assertThat(made(outcomes)).containsOnlyKeys(new NodeName("cluster12"));
        assertThat(((MachineOutcome.Failed) outcomes.get(new NodeName("cluster11"))).cause())
                .satisfies(AzureFixture.is(AzureException.Reason.SIZE));
        assertThat(emulator.resources()).noneMatch(id -> id.contains("cluster11"));
    }

    @Test
    void aMachineThatNeverAnswersOverSshIsStillReportedAsRunning() {
        emulator.faults(Fault.of(Fault.Kind.SSH_NEVER_ANSWERS, "PUT", "**/virtualMachines/cluster11"));

        Map<NodeName, Machine> made = create();

        assertThat(azure.state(ID, made.get(new NodeName("cluster11")))).isEqualTo(MachineState.RUNNING);
    }

    @Test
    void anEndlessOutageIsReportedWithWhatWasBeingDone() {
        azure.inspect(spec());
        emulator.faults(Fault.of(Fault.Kind.CONNECTION_RESET, "*", "**").always());

        assertThatThrownBy(() -> azure.createNetwork(spec(), log))
                .satisfies(AzureFixture.is(AzureException.Reason.UNREACHABLE))
                .hasMessageContaining("look for resource group cluster-rg")
                .hasMessageContaining("no answer for 20 min");
    }

    @Test
    void aRequestThatAlwaysFailsIsGivenUpAfterTwoMinutes() {
        azure.inspect(spec());
        emulator.faults(Fault.of(Fault.Kind.INTERNAL_SERVER_ERROR, "PUT", "**/cluster-nsg")
                .always());
        Duration before = emulator.elapsed();

        assertThatThrownBy(() -> azure.createNetwork(spec(), log))
                .isInstanceOf(AzureException.class)
                .hasMessageContaining("create security group cluster-nsg")
                .hasMessageContaining("InternalServerError");
        assertThat(emulator.elapsed().minus(before)).isLessThan(Duration.ofMinutes(5));
    }

    @Test
    void anOutageIsMeasuredFromTheLastAnswerOn() {
        azure.inspect(spec());
        emulator.faults(
                Fault.of(Fault.Kind.CONNECTION_RESET, "PUT", "**/cluster-nsg"),
                Fault.of(Fault.Kind.TOO_MANY_REQUESTS, "PUT", "**/cluster-nsg")
                        .waiting(Duration.ofMinutes(5))
                        .times(5),
                Fault.of(Fault.Kind.CONNECTION_RESET, "PUT", "**/cluster-nsg"));

        azure.createNetwork(spec(), log);
        assertThat(emulator.resources()).anyMatch(id -> id.endsWith("/cluster-nsg"));
    }

    @Test
    void nothingIsWaitedForWhileNothingHasAnsweredYet() {
        emulator.faults(Fault.of(Fault.Kind.CONNECTION_RESET, "*", "**").always());
        Duration before = emulator.elapsed();

        assertThatThrownBy(() -> azure.createNetwork(spec(), log))
                .isInstanceOf(AzureException.class)
                .hasMessageContaining("check the network, the proxy settings and the endpoint");
        assertThat(emulator.elapsed().minus(before)).isLessThan(Duration.ofMinutes(1));
        assertThat(notices).isEmpty();
    }

    @Test
    void aWaitForTheEndOfAnOutageCanBeInterrupted() {
        azure.inspect(spec());
        azure.onNotice(notice -> Thread.currentThread().interrupt());
        emulator.faults(Fault.of(Fault.Kind.CONNECTION_RESET, "*", "**").always());

        assertThatThrownBy(() -> azure.createNetwork(spec(), log)).isInstanceOf(OperationInterruptedException.class);
        assertThat(Thread.interrupted()).isTrue();
    }
}
