package io.clusterwright.core.catalog;

import static org.assertj.core.api.Assertions.assertThat;

import io.clusterwright.core.spec.ExtensionSpec;
import io.clusterwright.core.spec.MpiFlavour;
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
        assertThat(linux(VmSizes.HB120RS_V3).image()).isEqualTo(Images.UBUNTU_HPC_2204);
        assertThat(linux(VmSizes.HB120RS_V3).preset()).isEqualTo("hpc-x/ucx");
        assertThat(linux(VmSizes.D8S_V5).preset()).isEqualTo("open-mpi/tcp");
        assertThat(SizeDefaults.of(Interconnect.ROCE, OperatingSystem.LINUX).preset())
                .isEqualTo("open-mpi/tcp");
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
        List<String> rows = Files.readAllLines(Path.of("..", "docs", "defaults.md")).stream()
                .filter(line -> line.startsWith("| `"))
                .toList();
        assertThat(rows)
                .containsExactlyElementsOf(
                        SizeDefaults.table().stream().map(SizeDefaultsTest::row).toList());
    }

    private static String row(SizeDefaults row) {
        String extensions = row.extensions().stream()
                .map(ExtensionSpec::name)
                .flatMap(name -> name.stream())
                .map(name -> "`" + name + "`")
                .collect(Collectors.joining(", "));
        String mpi = row.mpi().flavour()
                + row.mpi().version().map(version -> " " + version).orElse("");
        return "| `%s` | `%s` | `%s` | `%s` | `%s` | %s |"
                .formatted(
                        row.interconnect(),
                        row.operatingSystem(),
                        row.image(),
                        mpi,
                        row.preset(),
                        extensions.isEmpty() ? "–" : extensions);
    }
}
