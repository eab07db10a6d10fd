package io.clusterwright.mpi.internal.render;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.clusterwright.core.Planner;
import io.clusterwright.core.plan.RenderedFile;
import io.clusterwright.core.plan.RenderedFiles;
import io.clusterwright.core.spec.InvalidSpecException;
import io.clusterwright.core.spec.SpecReader;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class MpiRendererTest {
    private static final String FIXED = "network: {firstAddress: 10.32.0.11}\n";

    @TempDir
    Path folder;

    private static RenderedFiles files(String size, String more) {
        return Planner.offline().render(SpecReader.read(spec(size, more), "wing.yaml"));
    }

    private static String spec(String size, String more) {
        return "name: wing\nregion: westus2\nnodes: {count: 2, size: " + size + ", firstIndex: 9}\n" + more;
    }

    private static String text(RenderedFiles files, String name) {
        return files.find(name).orElseThrow().text();
    }

    private static String mpi(String flavour, String version) {
        return "image: {customize: {mpi: {flavour: " + flavour
                + (version.isEmpty() ? "" : ", version: '" + version + "'") + ", install: image}}}\n";
    }

    private String run(List<String> command) throws IOException {
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        process.getOutputStream().close();
        return new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    }

    @Nested
    class Hostfiles {
        @Test
        void hostfilesHaveOneLinePerNode() {
            RenderedFiles files = files("Standard_HB120rs_v3", FIXED + "mpi: {ranksPerNode: 96}\n");
            assertThat(text(files, "hostfile.hydra")).isEqualTo("10.32.0.11:96\n10.32.0.12:96\n");
            assertThat(text(files, "hostfile.openmpi")).isEqualTo("10.32.0.11 slots=96\n10.32.0.12 slots=96\n");
            assertThat(text(files, "hostfile.mvapich2")).isEqualTo("10.32.0.11:96\n10.32.0.12:96\n");
            assertThat(text(files, "hostfile.slurm")).isEqualTo("wing9\nwing10\n");
        }

        @Test
        void hostfilesNameNodesWithoutFixedAddresses() {
            RenderedFiles files = files("Standard_HB120rs_v3", "");
            assertThat(text(files, "hostfile.hydra")).isEqualTo("wing9:120\nwing10:120\n");
            assertThat(text(files, "hostfile.openmpi")).isEqualTo("wing9 slots=120\nwing10 slots=120\n");
        }

        @Test
        void hostfilesLeaveOutTheHeadNode() {
            RenderedFiles files = files(
                    "Standard_HB120rs_v3", "network: {firstAddress: 10.32.0.11}\nheadNode: {size: Standard_D8s_v5}\n");
            assertThat(text(files, "hostfile.hydra")).isEqualTo("10.32.0.11:120\n10.32.0.12:120\n");
        }

        @ParameterizedTest
        @CsvSource({"Standard_A9,16", "Standard_HB120-16rs_v3,16", "Standard_D8s_v5,8"})
        void hostfilesGiveARankPerCore(String size, int cores) {
            assertThat(text(files(size, ""), "hostfile.hydra")).startsWith("wing9:" + cores + "\n");
        }

        @Test
        void hostfilesSayThatCoresAreUnknown() {
            RenderedFile unknown =
                    files("Standard_X99", "").find("hostfile.openmpi").orElseThrow();
            assertThat(unknown.text()).startsWith("wing9 slots=1\n");
            assertThat(unknown.notes()).singleElement().asString().endsWith("write mpi.ranksPerNode");
        }
    }

    @Test
    void hostfilesNameThePartsThatAreUnknown() {
        RenderedFile hosts = files("Standard_D8s_v5", "mpi: {ranksPerL3: 2}\n")
                .find("hostfile.openmpi")
                .orElseThrow();
        assertThat(hosts.text()).startsWith("wing9 slots=8\n");
        assertThat(hosts.notes())
                .containsExactly("8 ranks for each node, because the number of level 3 caches of Standard_D8s_v5 is not"
                        + " known; write mpi.ranksPerNode");
    }

    @Nested
    class Environment {
        @ParameterizedTest
        @CsvSource(
                delimiter = ';',
                value = {
                    "Standard_A9; ''; ''; intel-mpi/network-direct; I_MPI_DAPL_PROVIDER=ofa-v2-ib0"
                            + " I_MPI_DYNAMIC_CONNECTION=0 I_MPI_FABRICS=shm:dapl",
                    "Standard_A9; intel-mpi; 5.0.3.048; intel-mpi/network-direct; I_MPI_DAPL_PROVIDER=ofa-v2-ib0"
                            + " I_MPI_DYNAMIC_CONNECTION=0 I_MPI_FABRICS=shm:dapl",
                    "Standard_HB120rs_v3; ''; ''; hpc-x/ucx; OMPI_MCA_btl=^vader,tcp,openib"
                            + " OMPI_MCA_opal_common_ucx_tls=rc_verbs,ud_verbs,rc_mlx5,dc_mlx5,ud_mlx5 OMPI_MCA_pml=ucx",
                    "Standard_HB120rs_v3; open-mpi; ''; open-mpi/ucx; OMPI_MCA_btl=^vader,tcp,openib"
                            + " OMPI_MCA_opal_common_ucx_tls=rc_verbs,ud_verbs,rc_mlx5,dc_mlx5,ud_mlx5 OMPI_MCA_pml=ucx",
                    "Standard_HB120rs_v3; intel-mpi; 2018.4; intel-mpi/mlx; I_MPI_FABRICS=shm:ofa"
                            + " I_MPI_FALLBACK_DEVICE=0",
                    "Standard_HB120rs_v3; intel-mpi; 2021.12; intel-mpi/mlx; FI_PROVIDER=mlx I_MPI_FABRICS=shm:ofi",
                    "Standard_HB120rs_v3; intel-mpi; 2021.19; intel-mpi/ucx; FI_PROVIDER=ucx I_MPI_FABRICS=shm:ofi",
                    "Standard_HB120rs_v3; mpich; ''; mpich/ucx; MPIR_CVAR_CH4_NETMOD=ucx UCX_TLS=^tcp",
                    "Standard_D8s_v5; ''; ''; open-mpi/tcp; OMPI_MCA_btl=self,vader,tcp"
                            + " OMPI_MCA_btl_tcp_if_include=10.32.0.0/24 OMPI_MCA_oob_tcp_if_include=10.32.0.0/24"
                            + " OMPI_MCA_pml=ob1",
                    "Standard_D8s_v5; intel-mpi; 2018; intel-mpi/tcp; I_MPI_FABRICS=shm:tcp",
                    "Standard_D8s_v5; intel-mpi; 2021.5; intel-mpi/tcp; FI_PROVIDER=tcp I_MPI_FABRICS=shm:ofi",
                    "Standard_D8s_v5; mpich; ''; mpich/tcp; FI_PROVIDER=tcp UCX_TLS=tcp,sm,self",
                })
        void followsSizeFlavourAndVersion(String size, String flavour, String version, String preset, String variables)
                throws IOException {
            RenderedFiles files = files(size, flavour.isEmpty() ? "" : mpi(flavour, version));
            assertThat(text(files, "mpi.env")).startsWith("# MPI with preset " + preset + ",");
            assertThat(String.join(" ", sourced(text(files, "mpi.env")))).isEqualTo(variables);
        }

        @Test
        void specOverridesThePreset() throws IOException {
            String env = "mpi: {preset: mpich/tcp, env: {UCX_TLS: 'tcp,self', CW_NOTE: \"it's $HOME\"}}\n";
            assertThat(sourced(text(files("Standard_D8s_v5", mpi("mpich", "") + env), "mpi.env")))
                    .containsExactly("CW_NOTE=it's $HOME", "FI_PROVIDER=tcp", "UCX_TLS=tcp,self");
        }

        @ParameterizedTest
        @CsvSource(
                delimiter = ';',
                value = {
                    "mpich; threadsPerRank: 2; OMP_NUM_THREADS=2 OMP_PLACES=cores OMP_PROC_BIND=close",
                    "mpich; 'threadsPerRank: 2, env: {OMP_NUM_THREADS: \"8\"}'"
                            + "; OMP_NUM_THREADS=8 OMP_PLACES=cores OMP_PROC_BIND=close",
                    "open-mpi; 'threadsPerRank: 2, binding: none'; OMP_NUM_THREADS=2",
                    "intel-mpi; 'ranksPerNuma: 5, threadsPerRank: 2'; I_MPI_PIN_CELL=core I_MPI_PIN_DOMAIN=6:compact"
                            + " OMP_NUM_THREADS=2 OMP_PLACES=cores OMP_PROC_BIND=close",
                    "mvapich2; 'binding: numa'; MV2_CPU_BINDING_LEVEL=numanode",
                })
        void placesRanksAndThreadsAsTheSpecSays(String flavour, String settings, String variables) throws IOException {
            String env = text(files("Standard_HB120rs_v3", mpi(flavour, "") + "mpi: {" + settings + "}\n"), "mpi.env");
            assertThat(sourced(env)).containsSubsequence(variables.split(" "));
        }

        @Test
        void namesTheScriptsOfTheVersionOnly() {
            assertThat(text(files("Standard_A9", mpi("intel-mpi", "5")), "mpi.env"))
                    .contains("/opt/intel/impi_latest/bin64/mpivars.sh /opt/intel/impi/*/bin64/mpivars.sh")
                    .doesNotContain("oneapi");
            assertThat(text(files("Standard_HB120rs_v3", mpi("intel-mpi", "2021.12")), "mpi.env"))
                    .contains("/opt/intel/oneapi/mpi/latest/env/vars.sh")
                    .doesNotContain("impi/");
        }

        /** What a shell that had nothing has after sourcing the file. */
        private List<String> sourced(String text) throws IOException {
            Path file = Files.writeString(folder.resolve("mpi.env"), text);
            Map<String, String> found = new TreeMap<>();
            String printed = run(List.of(
                    "env", "-i", "PATH=/usr/bin:/bin", "bash", "-euc", ". \"$1\"; env -0", "bash", file.toString()));
            for (String pair : printed.split("\0")) {
                int equals = pair.indexOf('=');
                found.put(pair.substring(0, equals), pair.substring(equals + 1));
            }
            List.of("PATH", "PWD", "SHLVL", "_").forEach(found::remove);
            List<String> pairs = new ArrayList<>();
            found.forEach((name, value) -> pairs.add(name + "=" + value));
            return pairs;
        }
    }

    @Nested
    class Script {
        @ParameterizedTest
        @ValueSource(strings = {"mpich", "intel-mpi", "open-mpi", "hpc-x", "mvapich2"})
        @Tag("breadth")
        void passesShellcheckWithItsEnvironment(String flavour) throws IOException {
            RenderedFiles files = files("Standard_HB120rs_v3", mpi(flavour, ""));
            files.writeTo(folder);
            assertThat(run(List.of(
                            "shellcheck",
                            "--shell=bash",
                            "--exclude=SC1090,SC1091",
                            folder.resolve("mpirun.sh").toString(),
                            folder.resolve("mpi.env").toString())))
                    .isEmpty();
            assertThat(files.find("mpirun.sh").orElseThrow().executable()).isTrue();
            assertThat(text(files, "mpirun.sh")).doesNotContainPattern("@[A-Z]+@");
        }

        @ParameterizedTest
        @ValueSource(strings = {"mpich", "intel-mpi", "open-mpi"})
        void matchesTheGoldenFile(String flavour) throws IOException {
            RenderedFiles files = files("Standard_HB120rs_v3", mpi(flavour, ""));
            assertThat(text(files, "mpirun.sh")).isEqualTo(golden("mpirun-" + flavour + ".golden"));
        }

        /** Every command on 2 nodes that the editions of 2016 and 2017 print, their hosts named; dapl alone is one field of the spec. */
        @ParameterizedTest
        @CsvSource(
                delimiter = ';',
                value = {
                    "2016-hostname; {archive: https://example.org/impi.tgz, sha256: '%s'}; shm:dapl"
                            + "; -ppn 1 -n 2 -hosts 10.32.0.11,10.32.0.12 hostname",
                    "2016-pingpong; {archive: https://example.org/impi.tgz, sha256: '%s'}; dapl"
                            + "; -hosts 10.32.0.11,10.32.0.12 -ppn 1 -n 2 /opt/intel/impi_latest/bin64/IMB-MPI1 pingpong",
                    "2017-hostname; {packages: /opt/intelMPI/intel_mpi_packages/*.rpm}; shm:dapl; -ppn 1 -n 2 hostname",
                    "2017-pingpong; {packages: /opt/intelMPI/intel_mpi_packages/*.rpm}; shm:dapl"
                            + "; -hosts 10.32.0.11,10.32.0.12 -ppn 1 -n 2 IMB-MPI1 pingpong",
                })
        void printsTheCommandsOfTheLinuxArticle(String command, String install, String fabrics, String words)
                throws IOException {
            String spec = FIXED + "mpi: {env: {I_MPI_FABRICS: '" + fabrics + "'}}\n"
                    + "image: {customize: {mpi: {flavour: intel-mpi, version: 5.0.3.048, install: "
                    + install.formatted("0".repeat(64)) + "}}}\n";
            files("Standard_A9", spec).writeTo(folder);
            List<String> line =
                    new ArrayList<>(List.of(folder.resolve("mpirun.sh").toString(), "--print"));
            line.addAll(List.of(words.split(" ")));

            assertThat(run(line)).isEqualTo(golden("article-" + command + ".golden"));
        }

        @ParameterizedTest
        @CsvSource(
                delimiter = ';',
                value = {
                    "10.32.0.11/10.32.0.12; ''; -n 2 -machinefile hosts",
                    "node1/node2; -n 32; -n 32 -hostfile hosts",
                    "# my hosts:9/node1//  # two/node2; -ppn 2; -n 4 -ppn 2 -hostfile hosts",
                    "node1:4/node2 slots=3 max_slots=9/node3 # four:4; ''; -n 8 -machinefile hosts",
                    "# none; ''; the host file hosts names no node",
                })
        void countsTheSlotsOfAnyHostFile(String lines, String options, String words) throws IOException {
            files("Standard_HB120rs_v3", mpi("intel-mpi", "")).writeTo(folder);
            Files.writeString(folder.resolve("hosts"), lines.replace('/', '\n') + "\n");
            String printed = run(List.of(
                    "bash",
                    "-c",
                    "cd \"$1\" && ./mpirun.sh --print " + options + " -hostfile hosts hostname",
                    "bash",
                    "" + folder));
            assertThat(printed).contains(words);
        }

        /** The launcher's stand-in starts the program with its variables, as mpirun of Open MPI does with exported ones. */
        @Test
        void takesNoVariableOfTheSpecForItsOwn() throws IOException {
            String env =
                    "mpi: {env: {ranks: '9', launcher: /bin/false, variable: z, here: /x, hostfile: h, slots: s}}\n";
            files("Standard_D8s_v5", mpi("open-mpi", "4.1.4") + env).writeTo(folder);
            Path stub = Files.writeString(folder.resolve("mpirun.openmpi"), """
                    #!/bin/sh
                    [ "$1" != --version ] || exec echo 'mpirun (Open MPI) 4.1.4'
                    echo "$ranks $launcher $variable $here $hostfile $slots"
                    """);
            assertThat(stub.toFile().setExecutable(true)).isTrue();
            assertThat(run(List.of(
                            "env",
                            "PATH=" + folder + ":/usr/bin:/bin",
                            folder.resolve("mpirun.sh").toString(),
                            "hostname")))
                    .isEqualTo("9 /bin/false z /x h s\n");
        }

        /** What {@code mpi} writes for jobs of such a spec. */
        @ParameterizedTest
        @CsvSource(
                delimiter = ';',
                value = {
                    "open-mpi; ranksPerNuma: 4, threadsPerRank: 2; --map-by 'ppr:4:numa:pe=2' --rank-by slot --bind-to core"
                            + "; --map-by \"ppr:$cw_per_node:node:pe=2\" --bind-to core",
                    "hpc-x; binding: socket; --map-by ppr:120:node --bind-to socket"
                            + "; --map-by \"ppr:$cw_per_node:node\" --bind-to socket",
                    "mpich; ranksPerNuma: 4, threadsPerRank: 2; -bind-to core:2 -map-by numa"
                            + "; -ppn \"$cw_per_node\" -bind-to core:2",
                    "mpich; binding: none; -bind-to none; -ppn \"$cw_per_node\" -bind-to none",
                })
        void placesRanksAsTheSpecSays(String flavour, String settings, String words, String perNode) {
            String script =
                    text(files("Standard_HB120rs_v3", mpi(flavour, "") + "mpi: {" + settings + "}\n"), "mpirun.sh");
            assertThat(script)
                    .contains("    cw_arguments+=(" + perNode + ")\nelse\n    cw_arguments+=(" + words + ")\nfi\n");
        }

        @Test
        void saysWhereALauncherCannotPlaceRanks() {
            RenderedFiles files =
                    files("Standard_HB120rs_v3", mpi("intel-mpi", "") + "mpi: {ranksPerNuma: 4, threadsPerRank: 2}\n");
            assertThat(files.find("mpirun.sh").orElseThrow().notes())
                    .containsExactly(
                            "it does not place ranks as the spec says: Intel MPI cannot place 4 ranks by numa: each"
                                    + " numa has 30 cores, and ranks share them evenly: use a number of ranks that divides 30, or"
                                    + " do not bind ranks (example: --bind none)");
            assertThat(text(files, "mpi.env"))
                    .contains("OMP_NUM_THREADS=2")
                    .doesNotContain("OMP_PLACES", "I_MPI_PIN_DOMAIN");
        }

        @Test
        void refusesAnMpiOfWindows() {
            assertThatThrownBy(() -> files("Standard_D8s_v5", "mpi: {preset: ms-mpi/tcp}\nsuppress: [CW-OS-001]\n"))
                    .isInstanceOf(InvalidSpecException.class)
                    .hasMessageContaining("mpi.preset: ms-mpi/tcp does not run on linux");
        }

        @Test
        void saysHowItIsUsed() throws IOException {
            files("Standard_HB120rs_v3", mpi("mpich", "")).writeTo(folder);
            String script = folder.resolve("mpirun.sh").toString();
            assertThat(run(List.of(script))).startsWith("usage: mpirun.sh [-n RANKS]");
            assertThat(run(List.of(script, "-n", "x", "hostname")))
                    .isEqualTo("mpirun.sh: -n needs a number from 1 on, not \"x\"\n");
            assertThat(run(List.of(script, "--np", "2", "hostname")))
                    .isEqualTo("mpirun.sh: there is no option --np; see --help\n");
            Files.delete(folder.resolve("hostfile.hydra"));
            assertThat(run(List.of(script, "hostname"))).contains("hostfile.hydra is not there or empty");
        }

        private static String golden(String name) throws IOException {
            try (InputStream in = MpiRendererTest.class.getResourceAsStream(name)) {
                return in == null ? "" : new String(in.readAllBytes(), StandardCharsets.UTF_8);
            }
        }
    }
}
