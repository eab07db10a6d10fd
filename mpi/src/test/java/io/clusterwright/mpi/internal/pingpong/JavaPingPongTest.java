package io.clusterwright.mpi.internal.pingpong;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.clusterwright.mpi.bench.BenchmarkReport;
import io.clusterwright.mpi.bench.BenchmarkReport.BenchmarkFormat;
import io.clusterwright.mpi.bench.BenchmarkRow;
import io.clusterwright.mpi.bench.Benchmarks;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.jar.JarEntry;
import java.util.jar.JarInputStream;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The program over the real MPI libraries of this machine, with the files that a node would get. */
@Tag("breadth")
@Timeout(120)
class JavaPingPongTest {
    @TempDir
    private Path folder;

    @ParameterizedTest
    @CsvSource({"mpich, MPICH Version: 4", "openmpi, Open MPI v4"})
    void measuresOverTheLibraryOfItsLauncher(String mpi, String library) throws IOException, InterruptedException {
        Ended ended = run(mpi, 2, "--max", "65536", "--time", "10");

        assertThat(ended.status).as(ended.output).isZero();
        assertThat(ended.output).contains("# Clusterwright Java ping-pong over " + library);
        List<BenchmarkReport> reports = Benchmarks.parse(ended.output).reports();
        assertThat(reports).hasSize(1);
        BenchmarkReport report = reports.get(0);
        assertThat(report.format()).isEqualTo(BenchmarkFormat.NETPIPE);
        assertThat(report.tool()).isEqualTo("Clusterwright Java ping-pong");
        assertThat(report.findings()).isEmpty();
        assertThat(report.rows())
                .extracting(row -> row.bytes().orElseThrow())
                .containsExactly(
                        1L, 2L, 4L, 8L, 16L, 32L, 64L, 128L, 256L, 512L, 1024L, 2048L, 4096L, 8192L, 16384L, 32768L,
                        65536L);
        assertThat(report.rows()).extracting(BenchmarkRow::latencyMicros).allMatch(micros -> micros.orElseThrow() > 0);
    }

    @ParameterizedTest
    @CsvSource({"mpich", "openmpi"})
    void refusesAJobThatHasNotTwoRanks(String mpi) throws IOException, InterruptedException {
        Ended ended = run(mpi, 1);

        assertThat(ended.status).isEqualTo(3);
        assertThat(ended.output).contains("a ping-pong has 2 ranks and this job has 1", "start it with -n 2");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "openmpi | libmpich.so.12 | this job has 1 (MPICH Version: 4 | with the launcher of the same MPI",
                "mpich | libnone.so | no MPI library could be loaded; tried libnone.so: install MPI on this node | --library FILE",
                "mpich | libm.so.6 | libm.so.6 is not a library of MPI 3 or later | --library FILE",
            })
    void saysWhyALibraryCannotBeUsed(String mpi, String library, String reason, String remedy) throws Exception {
        Ended ended = run(mpi, 2, "--library", library);

        assertThat(ended.status).isEqualTo(3);
        assertThat(ended.output).contains(reason, remedy);
    }

    @Test
    void saysWhatAnOptionMayBe() throws IOException, InterruptedException {
        Ended ended = run("mpich", 2, "--max", "4MB");

        assertThat(ended.status).isEqualTo(2);
        assertThat(ended.output)
                .contains("--max takes a whole number from 1 to 1073741824, not '4MB'", "usage: JavaPingPong");
    }

    @Test
    void refusesOptionsThatContradictEachOther() {
        assertThatThrownBy(() -> PingPongOptions.parse(List.of("--min", "8", "--max", "4")))
                .hasMessage("--min 8 is greater than --max 4");
        assertThatThrownBy(() -> PingPongOptions.parse(List.of("--quick"))).hasMessage("unknown option '--quick'");
    }

    @Test
    void looksForTheLibraryOfTheLauncher() {
        assertThat(MpiLibrary.candidates(Map.of("OMPI_COMM_WORLD_SIZE", "2"))).startsWith("libmpi.so.40");
        assertThat(MpiLibrary.candidates(Map.of("PMI_SIZE", "2"))).startsWith("libmpich.so.12");
    }

    @Test
    void takesAllItsClassesAlong() throws IOException {
        Path classes = Path.of("target/classes/io/clusterwright/mpi/internal/pingpong");
        List<String> packed = new ArrayList<>();
        try (JarInputStream jar = new JarInputStream(new ByteArrayInputStream(PingPongJars.ownClasses()))) {
            for (JarEntry entry = jar.getNextJarEntry(); entry != null; entry = jar.getNextJarEntry()) {
                packed.add(entry.getName());
            }
        }
        try (Stream<Path> compiled = Files.list(classes)) {
            assertThat(packed)
                    .containsExactlyInAnyOrderElementsOf(
                            compiled.map(file -> "io/clusterwright/mpi/internal/pingpong/" + file.getFileName())
                                    .filter(name -> !name.contains("package-info") && !name.contains("PingPongJars"))
                                    .toList());
        }
    }

    private Ended run(String mpi, int ranks, String... arguments) throws IOException, InterruptedException {
        Path own = Files.write(folder.resolve("pingpong.jar"), PingPongJars.ownClasses());
        String path = Stream.concat(Stream.of(own), PingPongJars.files().values().stream())
                .map(Path::toString)
                .collect(Collectors.joining(":"));
        String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        List<String> argv = new ArrayList<>(List.of("mpirun." + mpi, "-n", Integer.toString(ranks)));
        argv.addAll(List.of(java, "-XX:+UseSerialGC", "-cp", path, JavaPingPong.class.getName()));
        argv.addAll(List.of(arguments));
        Path output = folder.resolve("output");
        ProcessBuilder builder = new ProcessBuilder(argv)
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .redirectInput(Path.of("/dev/null").toFile());
        builder.environment().put("OMPI_ALLOW_RUN_AS_ROOT", "1");
        builder.environment().put("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1");
        builder.environment().put("OMPI_MCA_rmaps_base_oversubscribe", "1");
        Process process = builder.start();
        if (!process.waitFor(60, TimeUnit.SECONDS)) {
            process.destroy();
            throw new AssertionError(argv + " did not end within 60 s: " + Files.readString(output));
        }
        return new Ended(process.exitValue(), Files.readString(output, StandardCharsets.UTF_8));
    }

    private record Ended(int status, String output) {}
}
