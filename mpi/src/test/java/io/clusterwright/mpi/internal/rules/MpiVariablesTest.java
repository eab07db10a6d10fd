package io.clusterwright.mpi.internal.rules;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.clusterwright.core.plan.Finding;
import io.clusterwright.core.plan.Severity;
import io.clusterwright.core.spec.MpiFlavour;
import io.clusterwright.mpi.preset.MpiPreset;
import io.clusterwright.mpi.preset.MpiPresets;
import java.util.Locale;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MpiVariablesTest {

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '"', textBlock = """
                    intel-mpi | 2019.5  | I_MPI_DAPL_UD        | on          | CW-ENV-002
                    intel-mpi | 2021    | I_MPI_FABRICS_LIST   | dapl        | CW-ENV-002
                    intel-mpi | 2021    | I_MPI_FABRICS        | shm:dapl    | CW-ENV-002
                    intel-mpi | 2021    | I_MPI_FABRICS        | tcp         | CW-ENV-002
                    intel-mpi | 2019.1  | I_MPI_FALLBACK_DEVICE | 0          | CW-ENV-002
                    intel-mpi | 2021.19 | FI_PROVIDER          | psm3        | CW-ENV-002
                    intel-mpi | 2021.19 | FI_PROVIDER          | mlx         | CW-ENV-006
                    intel-mpi | 2021.2  | FI_PROVIDER          | verbs;ofi_rxm | CW-ENV-006
                    open-mpi  | 5.0.1   | OMPI_MCA_btl         | openib,self | CW-ENV-002
                    hpc-x     | 5.0.1   | OMPI_MCA_btl_openib_allow_ib | 1   | CW-ENV-002
                    open-mpi  | 4.1.4   | OMPI_MCA_btl         | openib,self | CW-ENV-006
                    open-mpi  | 5.0.1   | OMPI_MCA_plm_rsh_agent | ssh       | CW-ENV-005
                    open-mpi  | 4.1.4   | PRTE_MCA_plm_ssh_agent | ssh       | CW-ENV-005
                    open-mpi  | 4.1.4   | I_MPI_DEBUG          | 5           | CW-ENV-003
                    mpich     | 4.0.2   | OMPI_MCA_pml         | ucx         | CW-ENV-003
                    mpich     | 4.0.2   | MPICH_NEMESIS_NETMOD | tcp         | CW-ENV-005
                    ms-mpi    | 10.1    | MPICH_DISABLE_SOCK   | 1           | CW-ENV-006
                    """)
    void oneVariableIsFound(String flavour, String version, String name, String value, String code) {
        assertThat(MpiVariables.check(flavour(flavour), version, Map.of(name, value)))
                .singleElement()
                .satisfies(finding -> {
                    assertThat(finding.code()).isEqualTo(code);
                    assertThat(finding.severity()).isEqualTo(Severity.WARNING);
                    assertThat(finding.path()).isEqualTo("mpi.env." + name);
                    assertThat(finding.message() + finding.remedy()).doesNotContain("{");
                });
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    intel-mpi | 5.1.3   | I_MPI_DAPL_PROVIDER  | ofa-v2-ib0
                    intel-mpi | 2018.4  | I_MPI_FABRICS        | shm:ofa
                    intel-mpi | 2021    | I_MPI_FABRICS        | shm:ofi
                    intel-mpi | 2021.9  | FI_PROVIDER          | mlx
                    intel-mpi |         | I_MPI_FABRICS        | shm:dapl
                    open-mpi  | 5.0.1   | OMPI_MCA_btl         | ^openib
                    open-mpi  | 4.1.4   | OMPI_MCA_btl         | ^vader,tcp,openib
                    ms-mpi    | 10.1    | MPICH_NETMASK        | 10.0.0.0/16
                    mpich     | 4.0.2   | UCX_TLS              | rc,sm,self
                    mpich     | 4.0.2   | MY_OWN               | I_MPI_DAPL
                    """)
    void whatIsRightIsNotFound(String flavour, String version, String name, String value) {
        assertThat(MpiVariables.check(flavour(flavour), version == null ? "" : version, Map.of(name, value)))
                .isEmpty();
    }

    @Test
    void openibIsFineWhereItIsAllowed() {
        assertThat(MpiVariables.check(
                        MpiFlavour.OPEN_MPI,
                        "4.1.4",
                        Map.of("OMPI_MCA_btl", "openib,self", "OMPI_MCA_btl_openib_allow_ib", "1")))
                .isEmpty();
    }

    @Test
    void twoVariablesThatContradictEachOtherAreFound() {
        assertThat(MpiVariables.check(Map.of("FI_PROVIDER", "tcp", "I_MPI_OFI_PROVIDER", "mlx")))
                .extracting(Finding::code, Finding::message)
                .containsExactly(tuple("CW-ENV-004", "FI_PROVIDER=tcp and I_MPI_OFI_PROVIDER=mlx name two providers"));
        assertThat(MpiVariables.check(Map.of("FI_PROVIDER", "mlx", "I_MPI_OFI_PROVIDER", "mlx")))
                .isEmpty();
        assertThat(MpiVariables.check(Map.of("MSMPI_DISABLE_SOCK", "yes", "MSMPI_DISABLE_ND", "1")))
                .hasSize(1);
        assertThat(MpiVariables.check(Map.of("OMPI_MCA_pml", "ob1", "UCX_NET_DEVICES", "mlx5_0:1")))
                .hasSize(1);
    }

    @Test
    void aVariableThatUndoesThePresetIsFound() {
        MpiPreset preset = MpiPresets.named("open-mpi/ucx");

        assertThat(MpiVariables.check(preset, "4.1.4", Map.of("OMPI_MCA_pml", "ob1")))
                .extracting(Finding::code, Finding::message)
                .containsExactly(tuple("CW-ENV-001", "OMPI_MCA_pml=ob1 contradicts the preset open-mpi/ucx"));
        assertThat(MpiVariables.check(preset, "4.1.4", Map.of("OMPI_MCA_opal_common_ucx_tls", "any")))
                .extracting(Finding::message)
                .containsExactly("OMPI_MCA_opal_common_ucx_tls=any contradicts the preset open-mpi/ucx");
        assertThat(MpiVariables.check(preset, "4.1.4", Map.of("UCX_TLS", "^tcp")))
                .isEmpty();
        assertThat(MpiVariables.check(preset, "4.1.4", Map.of("UCX_TLS", "rc,ud,sm,self")))
                .isEmpty();
    }

    private static MpiFlavour flavour(String name) {
        return MpiFlavour.valueOf(name.replace('-', '_').toUpperCase(Locale.ROOT));
    }
}
