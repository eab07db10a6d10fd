package io.clusterwright.core.catalog;

import static org.assertj.core.api.Assertions.assertThat;

import io.clusterwright.core.spec.ClusterSpec;
import io.clusterwright.core.spec.ExtensionSpec;
import io.clusterwright.core.spec.MpiFlavour;
import io.clusterwright.core.spec.MpiInstall;
import io.clusterwright.core.spec.OperatingSystem;
import io.clusterwright.core.type.Interconnect;
import io.clusterwright.core.type.VmSize;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

final class SizeDefaultsTest {
    private static SizeDefaults linux(VmSize size) {
        return SizeDefaults.of(VmSizes.standard().find(size).orElseThrow(), OperatingSystem.LINUX);
    }

    @Test
    void followTheInterconnectOfTheSize() {
        assertThat(linux(VmSizes.A9).image()).isEqualTo(Images.SLES_HPC_12);
        assertThat(linux(VmSizes.A9).mpi().flavour()).isEqualTo(MpiFlavour.INTEL_MPI);
        assertThat(linux(VmSizes.HB120RS_V3).image()).isEqualTo(Images.UBUNTU_HPC_2404);
        assertThat(linux(VmSizes.HB120RS_V3).preset()).isEqualTo("hpc-x/ucx");
        assertThat(linux(VmSizes.D8S_V5).preset()).isEqualTo("open-mpi/tcp");
        assertThat(SizeDefaults.of(Interconnect.ROCE, OperatingSystem.LINUX).preset())
                .isEqualTo("open-mpi/tcp");
    }

    @Test
    void followTheGpuTheProcessorsAndTheGeneration() {
        assertThat(image("Standard_ND40rs_v2")).isEqualTo("microsoft-dsvm:ubuntu-hpc:2204-v100:latest");
        assertThat(image("Standard_ND96isr_MI300X_v5")).isEqualTo("microsoft-dsvm:ubuntu-hpc:2204-rocm:latest");
        assertThat(image("Standard_ND96isr_H200_v5")).isEqualTo("microsoft-dsvm:ubuntu-hpc:2404:latest");
        assertThat(image("Standard_ND128isr_NDR_GB200_v6")).isEqualTo(Images.UBUNTU_2404_ARM64.toString());
        assertThat(image("Standard_ND128isr_GB300_v6")).isEqualTo(Images.UBUNTU_2404_ARM64.toString());
        assertThat(image("Standard_D8s_v5")).isEqualTo("Canonical:0001-com-ubuntu-server-jammy:22_04-lts-gen2:latest");
        assertThat(image("Standard_D3_v2")).isEqualTo("Canonical:0001-com-ubuntu-server-jammy:22_04-lts:latest");
    }

    @Test
    void areOfGeneration2ForASizeThatTheCatalogDoesNotHave() {
        ClusterSpec spec = spec("Standard_D8s_v6", "auto", "westus");
        assertThat(SizeDefaults.baseImage(spec, VmSizes.standard()))
                .hasToString("Canonical:0001-com-ubuntu-server-jammy:22_04-lts-gen2:latest");
    }

    @Test
    void nameAnImageThatEverySizeOfTheCatalogBoots() {
        assertThat(VmSizes.standard().all()).allSatisfy(size -> {
            for (OperatingSystem system : OperatingSystem.values()) {
                ImageFacts image = Images.standard()
                        .find(SizeDefaults.of(size, system).image())
                        .orElseThrow();
                int generation = image.generation().orElse(0);
                assertThat(generation == 1 && size.isGeneration2Only()).isFalse();
                assertThat(generation == 2 && size.isGeneration1Only()).isFalse();
                assertThat(system == OperatingSystem.LINUX && image.architecture() != size.architecture())
                        .isFalse();
            }
        });
    }

    @Test
    void addTheDriverWhereTheImageLacksItAndTheExtensionKnowsTheImage() {
        String ubuntu = "Canonical:0001-com-ubuntu-server-jammy:22_04-lts-gen2:latest";
        assertThat(driver(spec("Standard_HB120rs_v3", ubuntu, "westus"))).isEqualTo("InfiniBandDriverLinux");
        assertThat(driver(spec("Standard_HB120rs_v3", "RedHat:RHEL:79-gen2:latest", "westus")))
                .isEqualTo("InfiniBandDriverLinux");
        assertThat(driver(spec("Standard_HB120rs_v3", "auto", "westus"))).isEmpty();
        assertThat(driver(spec("Standard_HB120rs_v3", "RedHat:RHEL:95_gen2:latest", "westus")))
                .isEmpty();
        assertThat(driver(spec("Standard_D8s_v5", ubuntu, "westus"))).isEmpty();
        assertThat(driver(spec("Standard_ND128isr_GB300_v6", "auto", "westus"))).isEmpty();
    }

    @Test
    void addTheUpdateOfSles12ExceptInTheExemptRegions() {
        assertThat(driver(spec("Standard_A9", "auto", "eastus"))).isEqualTo("RDMAUpdateForLinux");
        assertThat(driver(spec("Standard_A9", "SUSE:SLES-HPC:12:1.0.0", "eastus")))
                .isEqualTo("RDMAUpdateForLinux");
        for (String region : List.of("westus", "westeurope", "japaneast")) {
            assertThat(driver(spec("Standard_A9", "auto", region))).isEmpty();
        }
    }

    @Test
    void ofAnImageHoldForItsClassicNameAndForItsTwinWithPaidSupport() {
        String prefix = "b4590d9e3ed742e4a1d46e5424aa335e__suse-sles-12-";
        for (String base : List.of(
                prefix + "hpc-v20150708", prefix + "hpc-priority-v20150708", "SUSE:SLES-HPC-Priority:12:latest")) {
            ClusterSpec spec = spec("Standard_A9", base, "eastus");
            assertThat(driver(spec)).isEqualTo("RDMAUpdateForLinux");
            assertThat(SizeDefaults.unnamedMpi(spec, VmSizes.standard()))
                    .map(MpiInstall::flavour)
                    .contains(MpiFlavour.INTEL_MPI);
        }
        assertThat(driver(spec("Standard_A9", prefix + "sp1-hpc-v20160824", "eastus")))
                .isEmpty();
    }

    @Test
    void addNoDriverTwice() {
        ClusterSpec named = spec("Standard_A9", "auto", "eastus").toBuilder()
                .addExtension(Extensions.rdmaUpdateForLinux())
                .build();
        assertThat(SizeDefaults.unnamedDriver(named, VmSizes.standard())).isEmpty();
    }

    private static String image(String size) {
        return linux(VmSize.of(size)).image().toString();
    }

    private static String driver(ClusterSpec spec) {
        return SizeDefaults.unnamedDriver(spec, VmSizes.standard())
                .flatMap(ExtensionSpec::name)
                .orElse("");
    }

    private static ClusterSpec spec(String size, String image, String region) {
        return ClusterSpec.builder("cluster")
                .region(region)
                .nodes(nodes -> nodes.count(2).size(size))
                .image(base -> base.base(image))
                .build();
    }

    @Test
    void haveARowForEveryInterconnectOfTheCatalogAndEverySystem() {
        for (VmSizeFacts size : VmSizes.standard().all()) {
            for (OperatingSystem system : OperatingSystem.values()) {
                SizeDefaults defaults = SizeDefaults.of(size, system);
                assertThat(defaults.interconnect()).isEqualTo(size.interconnect());
                assertThat(defaults.operatingSystem()).isEqualTo(system);
            }
        }
    }

    @Test
    void nameImagesWithDriversForTheSize() {
        assertThat(SizeDefaults.table()).allSatisfy(row -> {
            ImageFacts image = Images.standard().find(row.image()).orElseThrow();
            assertThat(image.operatingSystem()).isEqualTo(row.operatingSystem());
            if (row.machine().equals("arm64")) {
                return;
            }
            boolean byExtension = row.extensions().stream()
                    .flatMap(spec -> Extensions.standard().find(spec).stream())
                    .anyMatch(facts -> facts.driversFor().contains(row.interconnect()));
            assertThat(!row.interconnect().isRdma()
                            || byExtension
                            || image.driversFor().contains(row.interconnect()))
                    .isTrue();
        });
    }

    @Test
    void standInTheDocumentation() throws IOException {
        assertThat(Files.readString(Path.of("..", "docs", "defaults.md")))
                .contains(SizeDefaults.table().stream()
                        .map(SizeDefaultsTest::block)
                        .collect(Collectors.joining("", "```\n", "```\n")));
    }

    private static String block(SizeDefaults row) {
        String extensions = row.extensions().stream()
                .map(ExtensionSpec::name)
                .flatMap(name -> name.stream())
                .collect(Collectors.joining(", "));
        String mpi = row.mpi().flavour()
                + row.mpi().version().map(version -> " " + version).orElse("");
        return "%s, %s%s\n    image      %s\n    mpi        %s, preset %s\n%s"
                .formatted(
                        row.interconnect(),
                        row.operatingSystem(),
                        row.machine().isEmpty() ? "" : ", " + row.machine(),
                        row.image(),
                        mpi,
                        row.preset(),
                        extensions.isEmpty() ? "" : "    extension  " + extensions + "\n");
    }
}
