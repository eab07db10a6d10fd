package io.clusterwright.mpi;

import static org.assertj.core.api.Assertions.assertThat;

import io.clusterwright.core.Cluster;
import io.clusterwright.core.spec.ClusterSpec;
import io.clusterwright.core.spec.MpiFlavour;
import io.clusterwright.core.spec.MpiInstall.MpiSource;
import io.clusterwright.linux.junit.LocalCluster;
import io.clusterwright.mpi.job.JobResult;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A job under an MPI that is on no search path: its mpivars.sh, real and on every node, is what a rank's environment comes from. */
@Tag("breadth")
@LocalCluster(nodes = 2, description = SetUpJobTest.WithStandIn.class)
@Timeout(180)
class SetUpJobTest {
    private final Cluster cluster;

    SetUpJobTest(Cluster cluster) {
        this.cluster = cluster;
    }

    /** Intel MPI 5 as its silent installer leaves it, by the stand-in of the examples. */
    static final class WithStandIn implements LocalCluster.Description {
        @Override
        public void describe(ClusterSpec.Builder spec) {
            Path archive = Path.of(
                            System.getProperty("basedir", ""), "../examples/articles/stand-in/l_mpi_p_5.0.3.048.tar")
                    .toAbsolutePath()
                    .normalize();
            spec.image(image -> image.customize(customize -> customize.mpi(mpi -> mpi.flavour(MpiFlavour.INTEL_MPI)
                    .version("5.0.3.048")
                    .install(MpiSource.archive(archive.toString(), sha256(archive))))));
        }

        private static String sha256(Path file) {
            try {
                return HexFormat.of()
                        .formatHex(MessageDigest.getInstance("SHA-256").digest(Files.readAllBytes(file)));
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            } catch (NoSuchAlgorithmException e) {
                throw new IllegalStateException(e);
            }
        }
    }

    @Test
    void everyRankHasWhatTheScriptOfTheMpiSets() {
        List<String> lines = Collections.synchronizedList(new ArrayList<>());

        JobResult result = MpiJob.of("sh", "-c", "echo \"$I_MPI_ROOT $(command -v IMB-MPI1)\"")
                .ranksPerNode(1)
                .on(cluster)
                .onOutput(line -> lines.add(line.text()))
                .run(Duration.ofMinutes(1));

        assertThat(result.orThrow().mpi().flavour()).isEqualTo(MpiFlavour.INTEL_MPI);
        String root = "/opt/intel/impi/5.0.3.048";
        String rank = root + " " + root + "/intel64/bin/IMB-MPI1";
        assertThat(lines).containsExactly(rank, rank);
    }
}
