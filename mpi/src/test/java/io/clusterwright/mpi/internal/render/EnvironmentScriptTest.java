package io.clusterwright.mpi.internal.render;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.clusterwright.core.type.Interconnect;
import io.clusterwright.core.type.InvalidValueException;
import io.clusterwright.mpi.internal.command.MpiSetups;
import io.clusterwright.mpi.internal.data.DataFile;
import io.clusterwright.mpi.internal.data.DataFile.DataRow;
import io.clusterwright.mpi.preset.MpiPreset;
import io.clusterwright.mpi.preset.MpiPresets;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class EnvironmentScriptTest {
    @TempDir
    private Path folder;

    @Test
    void isTheSetUpAndTheVariablesWithTheirReasons() {
        assertThat(script("intel-mpi/mlx", "2019.5", Map.of())).isEqualTo("""
            # MPI with preset intel-mpi/mlx, to be sourced by a shell.
            # A variable that is set already keeps its value.
            cw_set_up_mpi() {
                if [ -n "${I_MPI_ROOT:-}" ]; then
                    return 0
                fi
                for cw_script in /opt/intel/compilers_and_libraries_*/linux/mpi/intel64/bin/mpivars.sh; do
                    if [ -r "$cw_script" ]; then
                        set -- -ofi_internal
                        . "$cw_script"
                        return 0
                    fi
                done
            }
            cw_set_up_mpi
            unset -f cw_set_up_mpi
            unset cw_script cw_folder
            # Shared memory inside a node, libfabric between nodes; all other fabrics were removed in 2019 (AZ2).
            [ -n "${I_MPI_FABRICS+set}" ] ||
            export I_MPI_FABRICS=shm:ofi
            # UCX through libfabric; verbs is unstable and slower (AZ2; IN3).
            [ -n "${FI_PROVIDER+set}" ] ||
            export FI_PROVIDER=mlx
            """);
    }

    @Test
    void triesAScriptBeforeAModule() {
        assertThat(script("hpc-x/ucx", "4.1", Map.of("UCX_TLS", "rc"))).isEqualTo("""
            # MPI with preset hpc-x/ucx, to be sourced by a shell.
            # A variable that is set already keeps its value.
            cw_set_up_mpi() {
                if [ -n "${HPCX_DIR:-}" ]; then
                    return 0
                fi
                for cw_script in /opt/hpcx*/hpcx-init.sh; do
                    if [ -r "$cw_script" ]; then
                        . "$cw_script"
                        hpcx_load
                        return 0
                    fi
                done
                if command -v module > /dev/null 2>&1; then
                    module load mpi/hpcx 2> /dev/null || true
                fi
            }
            cw_set_up_mpi
            unset -f cw_set_up_mpi
            unset cw_script cw_folder
            # UCX, which chooses the transports: RC or DC, shared memory, CUDA (AZ2; open-mpi/ompi#9838).
            [ -n "${OMPI_MCA_pml+set}" ] ||
            export OMPI_MCA_pml=ucx
            # Fails if UCX has no InfiniBand, instead of running over TCP; the openmpi-mca-params.conf of HPC-X sets any (open-mpi/ompi#8496, #9889; measured with 4.1.4).
            [ -n "${OMPI_MCA_opal_common_ucx_tls+set}" ] ||
            export OMPI_MCA_opal_common_ucx_tls=rc_verbs,ud_verbs,rc_mlx5,dc_mlx5,ud_mlx5
            # Keeps one-sided traffic off TCP and off openib, which refuses InfiniBand from 4.0 on (AZ2; open-mpi/ompi#6517).
            [ -n "${OMPI_MCA_btl+set}" ] ||
            export OMPI_MCA_btl='^vader,tcp,openib'
            # From the spec.
            [ -n "${UCX_TLS+set}" ] ||
            export UCX_TLS=rc
            """);
    }

    @ParameterizedTest
    @ValueSource(strings = {"sh", "bash"})
    void aShellThatSourcesItHasEveryVariableAndItsOwnArguments(String shell) throws Exception {
        Map<String, String> odd = new LinkedHashMap<>();
        odd.put("ODD", "it's $HOME `x`\n\"two\" lines \u00e9");
        odd.put("EMPTY", "");
        Path file = folder.resolve("mpi.env");
        Files.writeString(file, script("intel-mpi/tcp", "2021.9", odd));

        String printed = run(
                shell,
                "-euc",
                ". \"$1\"; printf '%s|%s|%s|%s|%s' \"$I_MPI_FABRICS\" \"$FI_PROVIDER\" \"$ODD\" \"$EMPTY\" \"$#\"",
                "name",
                file.toString(),
                "second");

        assertThat(printed).isEqualTo("shm:ofi|tcp|" + odd.get("ODD") + "||2");
    }

    @ParameterizedTest
    @ValueSource(strings = {"sh", "bash"})
    void theFirstScriptThatIsThereIsSourcedWithItsArgumentsAndCalled(String shell) throws Exception {
        Path tools = Files.createDirectory(folder.resolve("tools 1"));
        Files.writeString(tools.resolve("vars.sh"), "FOUND=\"$# $1\"; called() { CALLED=yes; }\n");
        DataRow setup =
                row("{unless: CW_DONE, scripts: [%1$s/none/vars.sh, '%1$s/tools*/vars.sh'], arguments: ['-a b'], call:"
                        + " called}");
        Path file = folder.resolve("mpi.env");
        Files.writeString(file, MpiSetups.text(setup));

        String printed = run(
                shell, "-euc", ". \"$1\"; printf '%s|%s|%s' \"$FOUND\" \"$CALLED\" \"$#\"", "name", file.toString());

        assertThat(printed).isEqualTo("1 -a b|yes|1");
    }

    @Test
    void nothingIsSourcedWhereItWasBefore() throws Exception {
        Files.writeString(folder.resolve("vars.sh"), "FOUND=again\n");
        DataRow setup = row("{unless: CW_DONE, scripts: [%1$s/vars.sh]}");
        Path file = folder.resolve("mpi.env");
        Files.writeString(file, MpiSetups.text(setup));

        String script = "CW_DONE=1; . \"$1\"; printf '%s' \"${FOUND:-not}\"";
        assertThat(run("sh", "-euc", script, "name", file.toString())).isEqualTo("not");
    }

    @ParameterizedTest
    @ValueSource(strings = {"sh", "bash"})
    void aLauncherThatIsNotOnThePathIsPutThere(String shell) throws Exception {
        Path bin = Files.createDirectories(folder.resolve("mpi 4.1/bin"));
        assertThat(Files.createFile(bin.resolve("mpirun")).toFile().setExecutable(true))
                .isTrue();
        Files.createDirectories(folder.resolve("mpi 4.0/bin"));
        DataRow setup = row("{launcher: mpirun.nowhere, folders: ['%1$s/mpi*/bin']}");
        Path file = folder.resolve("mpi.env");
        Files.writeString(file, MpiSetups.text(setup));

        String script = ". \"$1\"; printf '%s' \"${PATH%%:*}\"";
        assertThat(run(shell, "-euc", script, "name", file.toString())).isEqualTo(bin.toString());
    }

    static List<MpiPreset> posixPresets() {
        return MpiPresets.all().stream()
                .filter(preset -> !preset.name().startsWith("ms-mpi/"))
                .toList();
    }

    @ParameterizedTest
    @MethodSource("posixPresets")
    void aShellUnderstandsEachAndItChangesNothingElse(MpiPreset preset) throws Exception {
        for (Interconnect interconnect : preset.interconnects()) {
            String version = preset.assumedVersion();
            Path file = folder.resolve("mpi.env");
            Files.writeString(file, text(preset, version, interconnect, Map.of()));

            StringBuilder wanted = new StringBuilder();
            preset.environment(version, interconnect)
                    .forEach((name, value) ->
                            wanted.append(name).append('=').append(value).append('\n'));
            String printed = run("sh", "-euc", "env -i sh -euc '. \"$1\"; env' x \"$1\"", "x", file.toString());
            assertThat(printed.lines().filter(line -> !line.matches("(PWD|SHLVL|_)=.*")))
                    .containsExactlyInAnyOrderElementsOf(
                            wanted.toString().lines().toList());
        }
    }

    @Test
    void refusesNamesThatAreNone() {
        assertThatThrownBy(() -> script("mpich/tcp", "4.0", Map.of("A;B", "1")))
                .isInstanceOf(InvalidValueException.class)
                .hasMessageContaining("invalid environment variable name \"A;B\"");
    }

    @ParameterizedTest
    @MethodSource("posixPresets")
    void everyWayToPutAnMpiOnTheSearchPathsHasASource(MpiPreset preset) {
        assertThat(MpiSetups.of(preset.name(), preset.assumedVersion()))
                .hasValueSatisfying(row -> assertThat(row.text("source")).isNotBlank());
    }

    private static String script(String preset, String version, Map<String, String> more) {
        return text(MpiPresets.named(preset), version, Interconnect.SRIOV_INFINIBAND, more);
    }

    private static String text(MpiPreset preset, String version, Interconnect network, Map<String, String> more) {
        RenderedPlacement open = new RenderedPlacement(List.of(), List.of(), Map.of(), "");
        return EnvironmentScript.text(new JobEnvironment(preset, preset.flavour(), version, network, more, open));
    }

    private DataRow row(String yaml) {
        return DataFile.parse("[" + yaml.formatted(folder) + "]").get(0);
    }

    private static String run(String... command) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        process.getOutputStream().close();
        String printed = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(printed).isZero();
        return printed;
    }
}
