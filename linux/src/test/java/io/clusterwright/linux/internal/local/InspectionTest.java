package io.clusterwright.linux.internal.local;

import static org.assertj.core.api.Assertions.assertThat;

import io.clusterwright.core.plan.Finding;
import io.clusterwright.core.plan.Severity;
import io.clusterwright.core.spec.ClusterSpec;
import io.clusterwright.core.spi.MachineProvider;
import io.clusterwright.core.spi.MachineProvider.Inspection;
import io.clusterwright.core.type.MemlockLimit;
import io.clusterwright.linux.local.LocalMachines;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("breadth")
class InspectionTest {
    private final MachineProvider machines = LocalMachines.create().open();

    @Test
    void reportsSubstitutedParts() {
        ClusterSpec spec = Lab.spec("lm-inspect", "10.126.0.0/16").toBuilder()
                .image(i -> i.base("microsoft-dsvm:ubuntu-hpc:2204:latest")
                        .customize(c -> c.memlock(List.of(
                                io.clusterwright.core.spec.Customization.MemlockRule.of("*", "unlimited"),
                                io.clusterwright.core.spec.Customization.MemlockRule.of("root", "64")))))
                .build();
        Inspection inspection = machines.inspect(spec);
        HostFacts facts = new HostFacts();

        assertThat(inspection.findings())
                .filteredOn(finding -> finding.severity() == Severity.ERROR)
                .isEmpty();
        assertThat(inspection.findings()).extracting(Finding::path).contains("image.base", "nodes.size");
        assertThat(inspection.findings())
                .extracting(Finding::message)
                .anyMatch(message -> message.startsWith(
                        "microsoft-dsvm:ubuntu-hpc:2204:latest is ignored: local nodes run this machine's system"));
        Optional<MemlockLimit> highest = facts.highestMemlock();
        assertThat(inspection.findings())
                .filteredOn(finding -> finding.code().equals("CW-LOCAL-006"))
                .hasSize(highest.isEmpty() ? 0 : 1)
                .allSatisfy(finding -> assertThat(finding.message())
                        .contains("above " + highest.orElseThrow() + " KiB")
                        .contains("* unlimited")
                        .doesNotContain("root 64"));
        assertThat(inspection.baseFingerprint())
                .matches("[0-9a-f]{64}")
                .isEqualTo(BaseSystem.THIS_MACHINE.fingerprint());
    }

    @Test
    void changesNothing() throws Exception {
        Lab lab = new Lab("lm-looked", "10.74.0.0/16");
        MachineSnapshot before = lab.snapshot();
        lab.machines.inspect(lab.spec);
        assertThat(lab.snapshot()).isEqualTo(before);
        assertThat(lab.folders.store()).doesNotExist();
        lab.close();
    }

    @Test
    void namesThePackagesOfMissingPrograms() {
        assertThat(new HostFacts().installLine(List.of("sshd", "ip", "unshare", "nsenter")))
                .isEqualTo("run: apt-get install iproute2 openssh-server util-linux");
    }
}
