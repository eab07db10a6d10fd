package io.clusterwright.mpi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.clusterwright.core.spec.Binding;
import io.clusterwright.core.spec.MpiFlavour;
import io.clusterwright.core.type.InvalidValueException;
import io.clusterwright.core.type.Ipv4Address;
import io.clusterwright.core.type.NodeName;
import io.clusterwright.mpi.internal.launch.HydraLauncher;
import io.clusterwright.mpi.internal.launch.MpirunRshLauncher;
import io.clusterwright.mpi.internal.launch.OpenMpiLauncher;
import io.clusterwright.mpi.job.MpiInstallation;
import io.clusterwright.mpi.spi.JobFolder;
import io.clusterwright.mpi.spi.LaunchNode;
import io.clusterwright.mpi.spi.LaunchRequest;
import io.clusterwright.mpi.spi.Launcher;
import io.clusterwright.mpi.spi.RanksPerDomain;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The words by which each launcher places ranks. */
class PlacementTest {
    /** Two nodes with four domains of 4 cores each. */
    static LaunchRequest request(MpiInstallation mpi, Binding domain, int ranks, Binding binding, int threads) {
        int slots = ranks * (domain == Binding.SOCKET ? 2 : 4);
        LaunchRequest plain = LaunchRequest.of(
                        mpi,
                        List.of(
                                new LaunchNode(NodeName.of("demo1"), Ipv4Address.of("127.0.0.2"), slots),
                                new LaunchNode(NodeName.of("demo2"), Ipv4Address.of("127.0.0.3"), slots)),
                        new JobFolder("cwjob-0123456789abcdef"),
                        List.of("/bin/true"))
                .binding(binding)
                .threadsPerRank(threads);
        return domain == Binding.DEFAULT
                ? plain
                : plain.ranksPerDomain(new RanksPerDomain(domain, ranks, domain == Binding.SOCKET ? 8 : 4));
    }

    private static String words(String mpi, Binding domain, int ranks, Binding binding, int threads) {
        String[] parts = mpi.split(" ");
        MpiFlavour flavour = MpiFlavour.valueOf(parts[0]);
        String path = parts.length > 2 ? "/opt/bin/" + parts[2] : "/opt/bin/mpirun";
        LaunchRequest request = request(new MpiInstallation(flavour, parts[1], path), domain, ranks, binding, threads);
        Launcher launcher = List.of(new HydraLauncher(), new OpenMpiLauncher(), new MpirunRshLauncher()).stream()
                .filter(each -> each.supports(request.mpi()))
                .findFirst()
                .orElseThrow();
        return String.join(" ", launcher.command(request).arguments());
    }

    @ParameterizedTest
    @CsvSource({
        "OPEN_MPI 4.1.4, NUMA, 2, CORE, 2, --map-by ppr:2:numa:pe=2 --rank-by slot --bind-to core",
        "OPEN_MPI 4.1.4, NUMA, 2, NUMA, 0, --map-by ppr:2:numa --rank-by slot --bind-to numa",
        "OPEN_MPI 4.1.4, L3, 4, CORE, 1, --map-by ppr:4:l3cache --rank-by slot --bind-to core",
        "OPEN_MPI 4.1.4, SOCKET, 2, CORE, 4, --map-by ppr:2:socket:pe=4 --rank-by slot --bind-to core",
        "OPEN_MPI 4.1.4, SOCKET, 2, NONE, 4, --map-by ppr:2:socket --rank-by slot --bind-to none",
        "OPEN_MPI 4.1.4, DEFAULT, 1, CORE, 4, --map-by ppr:4:node:pe=4 --bind-to core",
        "OPEN_MPI 5.0.7, SOCKET, 2, CORE, 4, --map-by ppr:2:package:pe=4 --rank-by slot --bind-to core",
        "HPC_X 4.1.7, L3, 2, L3, 0, --map-by ppr:2:l3cache --rank-by slot --bind-to l3cache",
        "MPICH 4.0.2, NUMA, 2, CORE, 2, -bind-to core:2 -map-by numa",
        "MPICH 4.0.2, NUMA, 2, NUMA, 2, -bind-to numa -map-by numa",
        "MPICH 4.0.2, SOCKET, 2, CORE, 1, -bind-to core -map-by socket",
        "MPICH 4.0.2, L3, 1, CORE, 4, -bind-to core:4 -map-by l3cache",
        "MPICH 4.0.2, DEFAULT, 1, CORE, 4, -bind-to core:4",
        "INTEL_MPI 2021.11, NUMA, 2, CORE, 2, -genv I_MPI_PIN_CELL core -genv I_MPI_PIN_DOMAIN 2:compact",
        "INTEL_MPI 2021.11, SOCKET, 2, CORE, 1, -genv I_MPI_PIN_CELL core -genv I_MPI_PIN_DOMAIN 4:compact",
        "INTEL_MPI 2021.11, DEFAULT, 1, CORE, 4, -genv I_MPI_PIN_CELL core -genv I_MPI_PIN_DOMAIN 4:compact",
        "INTEL_MPI 2021.11, NUMA, 4, NUMA, 0, -genv I_MPI_PIN_DOMAIN numa",
        "INTEL_MPI 2021.11, L3, 4, L3, 1, -genv I_MPI_PIN_DOMAIN cache3",
        "MVAPICH2 2.3.7 mpirun_rsh, DEFAULT, 1, CORE, 4, MV2_CPU_BINDING_POLICY=hybrid MV2_THREADS_PER_PROCESS=4",
        "MVAPICH2 2.3.7, DEFAULT, 1, CORE, 4, -genv MV2_CPU_BINDING_POLICY hybrid -genv MV2_THREADS_PER_PROCESS 4",
    })
    void hasTheWordsOfEachLauncher(
            String mpi, Binding domain, int ranks, Binding binding, int threads, String expected) {
        assertThat(words(mpi, domain, ranks, binding, threads)).contains(" " + expected + " ");
    }

    @Test
    void mapsNothingWhereMpichDoesNotBind() {
        assertThat(words("MPICH 4.0.2", Binding.NUMA, 2, Binding.NONE, 2))
                .contains(" -bind-to none ")
                .doesNotContain("-map-by");
    }

    @Test
    void refusesUnequalPiecesOfIntelMpi() {
        assertThatThrownBy(() -> words("INTEL_MPI 2021.11", Binding.NUMA, 3, Binding.CORE, 1))
                .isInstanceOf(InvalidValueException.class)
                .hasMessage(
                        "Intel MPI cannot place 3 ranks by numa: each numa has 4 cores, and ranks share them evenly:"
                                + " use a number of ranks that divides 4, or do not bind ranks (example: --bind none)");
    }

    @ParameterizedTest
    @CsvSource({"MVAPICH2 2.3.7", "MVAPICH2 2.3.7 mpirun_rsh"})
    void refusesDomainsOfMvapich2(String mpi) {
        assertThatThrownBy(() -> words(mpi, Binding.NUMA, 2, Binding.CORE, 2))
                .isInstanceOf(InvalidValueException.class)
                .hasMessage("MVAPICH2 cannot place ranks by numa: set the ranks of each node (example: --ppn 4, or"
                        + " ranksPerNode(4))");
    }

    @Test
    void refusesADomainThatIsNoPartOfANode() {
        assertThatThrownBy(() -> new RanksPerDomain(Binding.CORE, 1, 1))
                .isInstanceOf(InvalidValueException.class)
                .hasMessage("invalid domain of ranks \"core\": use socket, numa or l3 (example: numa)");
    }
}
