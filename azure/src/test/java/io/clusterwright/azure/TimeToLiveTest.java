package io.clusterwright.azure;

import static org.assertj.core.api.Assertions.assertThat;

import io.clusterwright.azure.emulator.ArmEmulator;
import io.clusterwright.azure.emulator.Fault;
import io.clusterwright.azure.emulator.SeenRequest;
import io.clusterwright.core.MachineState;
import io.clusterwright.core.plan.Finding;
import io.clusterwright.core.plan.Severity;
import io.clusterwright.core.spec.ClusterSpec;
import io.clusterwright.core.spec.NetworkSpec.SshAccess;
import io.clusterwright.core.spec.Placement;
import io.clusterwright.core.spi.Machine;
import io.clusterwright.core.type.NodeName;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Clusters whose client does not come back before their time to live is over. */
class TimeToLiveTest extends ScaleSetFixture {
    static ClusterSpec spec(Placement.Kind kind, Duration time) {
        return ClusterSpec.builder("cluster")
                .region("westeurope")
                .timeToLive(time)
                .nodes(n ->
                        n.count(2).firstIndex(11).size("Standard_HB120rs_v3").deadline(Duration.ofMillis(500)))
                .network(n -> n.addressSpace("10.42.0.0/16")
                        .subnet("Subnet-1", "10.42.0.0/22")
                        .ssh(ssh -> ssh.external(SshAccess.External.NONE)))
                .image(i -> i.base("microsoft-dsvm:ubuntu-hpc:2204:latest"))
                .placement(p -> p.kind(kind))
                .build();
    }

    private Map<NodeName, Machine> make(AzureProvider azure, ClusterSpec spec) {
        log.end = spec.timeToLive().map(Instant.now()::plus);
        Map<NodeName, Machine> made = made(create(azure, spec, spec.nodes().names()));
        assertThat(made).hasSize(spec.nodes().count());
        return made;
    }

    /** The states that a client finds which comes back after this time. */
    private static List<MachineState> statesAfter(
            Duration time, ArmEmulator emulator, Map<NodeName, Machine> machines) {
        emulator.advance(time);
        emulator.advance(Duration.ofMinutes(1));
        AzureProvider back = connect(emulator, new FirstContact());
        return machines.values().stream()
                .map(machine -> back.state(ID, machine))
                .distinct()
                .toList();
    }

    private void requireClean(ArmEmulator emulator) {
        AzureProvider back = connect(emulator, new FirstContact());
        back.remaining(ID).forEach(resource -> back.delete(ID, resource));
        assertThat(back.remaining(ID)).isEmpty();
        assertThat(emulator.resources()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({"8, 7", "24, 23"})
    void separateMachinesAreDeallocatedWithoutTheirClient(int hours, int before) {
        try (ArmEmulator emulator = emulator()) {
            Map<NodeName, Machine> machines =
                    make(connect(emulator), spec(Placement.Kind.AVAILABILITY_SET, Duration.ofHours(hours)));

            assertThat(statesAfter(Duration.ofHours(before), emulator, machines))
                    .containsExactly(MachineState.RUNNING);
            assertThat(statesAfter(Duration.ofHours(1), emulator, machines)).containsExactly(MachineState.STOPPED);
            assertThat(emulator.requests()).noneMatch(request -> request.path().endsWith("/deallocate"));
            requireClean(emulator);
        }
    }

    @Test
    void aTimeOfMinutesEndsWithinTheHour() {
        try (ArmEmulator emulator = emulator()) {
            Map<NodeName, Machine> machines =
                    make(connect(emulator), spec(Placement.Kind.AVAILABILITY_SET, Duration.ofMinutes(5)));

            assertThat(statesAfter(Duration.ofMinutes(35), emulator, machines)).containsExactly(MachineState.STOPPED);
        }
    }

    @ParameterizedTest
    @CsvSource({"1, 0", "30, 29", "500, 499"})
    void theInstancesOfAScaleSetAreDeletedAtAnyDate(int hours, int before) {
        try (ArmEmulator emulator = emulator()) {
            Map<NodeName, Machine> machines =
                    make(connect(emulator), spec(Placement.Kind.SCALE_SET, Duration.ofHours(hours)));
            assertThat(log.announced).extracting(Object::toString).anyMatch(each -> each.contains("autoscale"));

            assertThat(statesAfter(Duration.ofHours(before), emulator, machines))
                    .containsExactly(MachineState.RUNNING);
            assertThat(statesAfter(Duration.ofHours(1), emulator, machines)).containsExactly(MachineState.ABSENT);
            requireClean(emulator);
        }
    }

    @Test
    void aClusterWithoutATimeToLiveIsNotEnded() {
        try (ArmEmulator emulator = emulator()) {
            ClusterSpec spec = spec(Placement.Kind.AVAILABILITY_SET, Duration.ofHours(1));
            Map<NodeName, Machine> machines =
                    made(create(connect(emulator), spec, spec.nodes().names()));

            assertThat(statesAfter(Duration.ofHours(48), emulator, machines)).containsExactly(MachineState.RUNNING);
            assertThat(emulator.resources()).noneMatch(id -> id.contains("DevTestLab"));
        }
    }

    @Test
    void deletedMachinesAndSetsLeaveNoScheduleAndNoSetting() {
        for (Placement.Kind kind : List.of(Placement.Kind.AVAILABILITY_SET, Placement.Kind.SCALE_SET)) {
            start();
            make(azure, spec(kind, Duration.ofHours(8)));
            assertThat(emulator.resources())
                    .anyMatch(id -> id.contains("shutdown-computevm-cluster11") || id.contains("cluster-autoscale"));

            log.reversed().stream()
                    .filter(resource -> !resource.kind().equals("resource group"))
                    .forEach(resource -> azure.delete(ID, resource));

            assertThat(emulator.resources()).hasSize(1);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "AVAILABILITY_SET, **/schedules/*, Microsoft.DevTestLab/schedules/write",
        "SCALE_SET, **/autoscaleSettings/*, Microsoft.Insights/autoscaleSettings/write"
    })
    void aRefusedEndIsOneNoticeThatNamesTheRight(Placement.Kind kind, String path, String right) {
        List<Finding> notices = new ArrayList<>();
        try (ArmEmulator emulator =
                emulator(Fault.of(Fault.Kind.AUTHORIZATION_FAILED, "PUT", path).always())) {
            AzureProvider azure = connect(emulator);
            azure.onNotice(notices::add);

            make(azure, spec(kind, Duration.ofHours(8)));

            assertThat(notices).hasSize(1);
            assertThat(notices.get(0).code()).isEqualTo("CW-AZURE-050");
            assertThat(notices.get(0).severity()).isEqualTo(Severity.WARNING);
            assertThat(notices.get(0).message()).contains("this needs the right " + right);
            log.reversed().forEach(resource -> azure.delete(ID, resource));
            assertThat(emulator.resources()).isEmpty();
        }
    }

    @Test
    void aScheduleThatIsRefusedWhileItsMachineIsMadeIsWrittenWhenItIsReady() {
        List<Finding> notices = new ArrayList<>();
        start(Fault.of(Fault.Kind.AUTHORIZATION_FAILED, "PUT", "**/schedules/*"));
        azure.onNotice(notices::add);
        Map<NodeName, Machine> machines = make(azure, spec(Placement.Kind.AVAILABILITY_SET, Duration.ofHours(8)));

        assertThat(notices).isEmpty();
        assertThat(emulator.requests())
                .filteredOn(request ->
                        request.method().equals("PUT") && request.path().contains("/schedules/"))
                .extracting(SeenRequest::status)
                .containsExactlyInAnyOrder(403, 201, 201);
        emulator.advance(Duration.ofHours(8));
        assertThat(statesAfter(Duration.ofMinutes(2), emulator, machines)).containsExactly(MachineState.STOPPED);
    }

    @Test
    void aSubscriptionWithoutTheServiceHasNodesWithoutAnEnd() {
        try (ArmEmulator emulator = ArmEmulator.builder()
                .addUnregisteredProvider("Microsoft.DevTestLab")
                .start()) {
            AzureProvider azure = connect(emulator);
            ClusterSpec spec = spec(Placement.Kind.AVAILABILITY_SET, Duration.ofHours(8));

            assertThat(azure.inspect(spec).findings())
                    .filteredOn(finding -> finding.code().equals("CW-AZURE-050"))
                    .singleElement()
                    .satisfies(finding -> {
                        assertThat(finding.message()).startsWith("Microsoft.DevTestLab is NotRegistered");
                        assertThat(finding.remedy())
                                .isEqualTo(
                                        "run: az provider register --namespace Microsoft.DevTestLab --wait --subscription "
                                                + emulator.subscriptionId());
                    });
            make(azure, spec);
            log.reversed().forEach(resource -> azure.delete(ID, resource));
            assertThat(emulator.resources()).isEmpty();
        }
    }

    @ParameterizedTest
    @CsvSource({
        "AVAILABILITY_SET, 24, false",
        "AVAILABILITY_SET, 30, true",
        "SCALE_SET, 30, false",
    })
    void thePlanTellsWhatAzureCannotEnd(Placement.Kind kind, int hours, boolean warned) {
        try (ArmEmulator emulator = emulator()) {
            Optional<Finding> finding =
                    connect(emulator).inspect(spec(kind, Duration.ofHours(hours))).findings().stream()
                            .filter(each -> each.code().equals("CW-AZURE-050"))
                            .findFirst();

            assertThat(finding.isPresent()).isEqualTo(warned);
            finding.ifPresent(each -> assertThat(each.message())
                    .isEqualTo(
                            "separate machines are stopped by a daily schedule of Azure, and timeToLive is 30 h, which is"
                                    + " more than a day"));
        }
    }
}
