package io.clusterwright.mpi.preset;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.entry;

import io.clusterwright.core.catalog.Images;
import io.clusterwright.core.catalog.VmSizeFacts;
import io.clusterwright.core.catalog.VmSizes;
import io.clusterwright.core.spec.MpiFlavour;
import io.clusterwright.core.spec.MpiInstall;
import io.clusterwright.core.spec.MpiInstall.MpiSource;
import io.clusterwright.core.type.Interconnect;
import io.clusterwright.core.type.InvalidValueException;
import io.clusterwright.core.type.VmSize;
import io.clusterwright.mpi.internal.rules.MpiVariables;
import io.clusterwright.mpi.preset.MpiPresets.PresetChoice;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

class MpiPresetsTest {

    static List<MpiPreset> presets() {
        return MpiPresets.all();
    }

    @Test
    void allNamesOfTheContractAreThere() {
        assertThat(MpiPresets.names())
                .containsExactlyInAnyOrder(
                        "intel-mpi/network-direct",
                        "intel-mpi/mlx",
                        "intel-mpi/ucx",
                        "intel-mpi/tcp",
                        "open-mpi/ucx",
                        "open-mpi/tcp",
                        "hpc-x/ucx",
                        "mpich/ucx",
                        "mpich/ofi",
                        "mpich/tcp",
                        "mvapich2/rdma",
                        "ms-mpi/network-direct",
                        "ms-mpi/tcp");
    }

    @ParameterizedTest
    @MethodSource("presets")
    void aPresetDoesNotContradictItself(MpiPreset preset) {
        assertThat(preset.versions().contains(preset.assumedVersion())).isTrue();
        for (Interconnect interconnect : preset.interconnects()) {
            Map<String, String> environment = preset.environment(preset.assumedVersion(), interconnect);
            assertThat(MpiVariables.check(preset, preset.assumedVersion(), environment))
                    .as("%s over %s", preset, interconnect)
                    .isEmpty();
        }
    }

    @ParameterizedTest
    @MethodSource("presets")
    void everyPartHasAReasonAndASource(MpiPreset preset) {
        assertThat(preset.title()).isNotBlank();
        assertThat(preset.source()).isNotBlank();
        assertThat(preset.variables()).allSatisfy(variable -> {
            assertThat(variable.reason()).isNotBlank();
            assertThat(variable.source()).isNotBlank();
        });
        assertThat(preset.arguments())
                .allSatisfy(argument -> assertThat(argument.source()).isNotBlank());
    }

    @ParameterizedTest
    @CsvSource({
        "intel-mpi/mlx,            2018.4,  I_MPI_FABRICS, shm:ofa",
        "intel-mpi/mlx,            2018 Update 4, I_MPI_FALLBACK_DEVICE, 0",
        "intel-mpi/mlx,            2019.5,  I_MPI_FABRICS, shm:ofi",
        "intel-mpi/mlx,            2021.18, FI_PROVIDER,   mlx",
        "intel-mpi/ucx,            2021.19, FI_PROVIDER,   ucx",
        "open-mpi/ucx,             4.1.4,   OMPI_MCA_btl,  '^vader,tcp,openib'",
        "open-mpi/ucx,             5.0.10,  OMPI_MCA_btl,  ^tcp",
    })
    void aVariableFollowsTheVersion(String preset, String version, String name, String value) {
        assertThat(MpiPresets.named(preset).environment(version, Interconnect.SRIOV_INFINIBAND))
                .containsEntry(name, value);
    }

    @Test
    void theArticlesPresetIsTheArticles() {
        MpiPreset preset = MpiPresets.named("intel-mpi/network-direct");

        assertThat(preset.environment("5.0.3.048", Interconnect.NETWORK_DIRECT))
                .containsExactly(
                        entry("I_MPI_FABRICS", "shm:dapl"),
                        entry("I_MPI_DAPL_PROVIDER", "ofa-v2-ib0"),
                        entry("I_MPI_DYNAMIC_CONNECTION", "0"));
        assertThat(preset.launcherArguments("5.0.3.048")).isEmpty();
    }

    @Test
    void aVariableFollowsTheNetwork() {
        assertThat(MpiPresets.named("ms-mpi/network-direct").environment("10.1", Interconnect.NETWORK_DIRECT))
                .containsEntry("MPICH_NETMASK", "172.16.0.0/255.255.0.0");
        assertThat(MpiPresets.named("ms-mpi/network-direct").environment("10.1", Interconnect.SRIOV_INFINIBAND))
                .doesNotContainKey("MPICH_NETMASK")
                .containsEntry("MSMPI_DISABLE_SOCK", "1");
        assertThat(MpiPresets.named("mvapich2/rdma").environment("2.3.7", Interconnect.ROCE))
                .containsExactly(entry("MV2_USE_RoCE", "1"));
    }

    @Test
    void aNameThatIsNotKnownIsRefusedWithTheNearest() {
        assertThatThrownBy(() -> MpiPresets.named("opn-mpi/ucx"))
                .isInstanceOf(InvalidValueException.class)
                .hasMessageStartingWith("invalid MPI preset \"opn-mpi/ucx\": use one of intel-mpi/")
                .hasMessageEndingWith("(example: open-mpi/ucx)");
    }

    @Nested
    class Choosing {
        @ParameterizedTest
        @CsvSource({
            "Standard_A9,          intel-mpi, 5.1.3,   intel-mpi/network-direct",
            "Standard_A9,          intel-mpi, '',      intel-mpi/network-direct",
            "Standard_A9,          intel-mpi, 2019.5,  intel-mpi/tcp",
            "Standard_A9,          open-mpi,  4.1,     open-mpi/tcp",
            "Standard_HB120rs_v3,  intel-mpi, 2018.4,  intel-mpi/mlx",
            "Standard_HB120rs_v3,  intel-mpi, 2021.16, intel-mpi/mlx",
            "Standard_HB120rs_v3,  intel-mpi, 2021.19, intel-mpi/ucx",
            "Standard_HB120rs_v3,  intel-mpi, 5.1,     intel-mpi/tcp",
            "Standard_HB120rs_v3,  open-mpi,  5.0.10,  open-mpi/ucx",
            "Standard_HB120rs_v3,  hpc-x,     '',      hpc-x/ucx",
            "Standard_HB120rs_v3,  mpich,     4.0.2,   mpich/ucx",
            "Standard_HB120rs_v3,  mvapich2,  2.3.7,   mvapich2/rdma",
            "Standard_D8s_v5,      mpich,     4.0.2,   mpich/tcp",
            "Standard_D8s_v5,      hpc-x,     '',      open-mpi/tcp",
            "Standard_A9,          ms-mpi,    '',      ms-mpi/network-direct",
        })
        void followsSizeAndVersion(String size, String flavour, String version, String preset) {
            MpiInstall.Builder mpi =
                    MpiInstall.builder().flavour(flavour(flavour)).install(MpiSource.image());
            if (!version.isEmpty()) {
                mpi.version(version);
            }

            PresetChoice choice = MpiPresets.choose(size(size), Images.UBUNTU_HPC_2204, mpi.build());

            assertThat(choice.preset().name()).isEqualTo(preset);
            assertThat(choice.reason()).startsWith(size + ": ");
        }

        @Test
        void saysWhatStaysUnused() {
            PresetChoice choice = MpiPresets.choose(Interconnect.NETWORK_DIRECT, MpiFlavour.INTEL_MPI, "2021.9");

            assertThat(choice.reason())
                    .isEqualTo("intel-mpi 2021.9 cannot use network-direct, so it runs over Ethernet");
            assertThat(choice.cautions()).singleElement().asString().contains("takes versions <2019");
        }

        @Test
        void saysWhatTheImageLacks() {
            PresetChoice choice = MpiPresets.choose(
                    size("Standard_HB120rs_v3"),
                    Images.UBUNTU_2204,
                    MpiInstall.builder().flavour(MpiFlavour.OPEN_MPI).build());

            assertThat(choice.preset().name()).isEqualTo("open-mpi/ucx");
            assertThat(choice.cautions())
                    .singleElement()
                    .asString()
                    .startsWith("the catalog knows of no driver for sriov-infiniband on Canonical:");
        }

        @Test
        void refusesAnMpiThatHasNoWay() {
            assertThatThrownBy(() -> MpiPresets.choose(Interconnect.NONE, MpiFlavour.MVAPICH2, ""))
                    .isInstanceOf(InvalidValueException.class)
                    .hasMessageContaining("mvapich2 cannot run over TCP");
        }

        private static VmSizeFacts size(String name) {
            return VmSizes.standard().find(VmSize.of(name)).orElseThrow();
        }
    }

    private static MpiFlavour flavour(String name) {
        return MpiFlavour.valueOf(name.replace('-', '_').toUpperCase(Locale.ROOT));
    }
}
