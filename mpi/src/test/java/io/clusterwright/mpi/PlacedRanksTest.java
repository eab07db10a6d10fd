package io.clusterwright.mpi;

import static org.assertj.core.api.Assertions.assertThat;

import io.clusterwright.core.spec.Binding;
import io.clusterwright.core.spec.MpiFlavour;
import io.clusterwright.mpi.internal.launch.HydraLauncher;
import io.clusterwright.mpi.internal.launch.OpenMpiLauncher;
import io.clusterwright.mpi.job.MpiInstallation;
import io.clusterwright.mpi.spi.LaunchCommand;
import io.clusterwright.mpi.spi.LaunchRequest;
import io.clusterwright.mpi.spi.Launcher;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The cores at which the launchers of this system would put ranks, on two nodes of 2 sockets x 2 NUMA domains x 4 cores. */
@Tag("breadth")
@Timeout(120)
class PlacedRanksTest {
    private static final String TOPOLOGY = "pack:2 numa:2 l3:1 core:4 pu:1";
    private static final MpiInstallation OPEN_MPI =
            new MpiInstallation(MpiFlavour.OPEN_MPI, "4.1.4", "/usr/bin/mpirun.openmpi");
    private static final List<String> MAP = List.of("--allow-run-as-root", "--do-not-launch", "--display-devel-map");
    private static final Pattern MAPPED = Pattern.compile("App rank: (\\d+)\\s+.*?Binding: (\\S+)", Pattern.DOTALL);
    private static final Pattern HYDRA = Pattern.compile("process (\\d+) binding: ([01]+)");

    /** Runs the command of ssh on this machine. */
    private static final String HERE = "#!/bin/sh\nwhile [ $# -gt 0 ]; do case $1 in -*) shift ;; *) break ;; esac;"
            + " done\nshift\nexec /bin/sh -c \"$*\"\n";

    @TempDir
    private Path folder;

    @ParameterizedTest
    @CsvSource({
        "NUMA, 2, CORE, 2, 0-1 2-3 4-5 6-7 8-9 10-11 12-13 14-15",
        "NUMA, 1, CORE, 2, 0-1 4-5 8-9 12-13",
        "SOCKET, 2, CORE, 2, 0-1 2-3 8-9 10-11",
        "L3, 1, CORE, 4, 0-3 4-7 8-11 12-15",
        "DEFAULT, 1, CORE, 4, 0-3 4-7 8-11 12-15",
    })
    void openMpiFillsOneDomainAfterTheOther(Binding domain, int ranks, Binding binding, int threads, String cores)
            throws IOException {
        String output = run(
                new OpenMpiLauncher(), PlacementTest.request(OPEN_MPI, domain, ranks, binding, threads), MAP, "", "");

        assertThat(placesOfOpenMpi(output)).as(output).containsExactly((cores + " " + cores).split(" "));
    }

    /** Its map shows the binding to domains for the launch node only. */
    @Test
    void openMpiBindsRanksToTheirNumaDomain() throws IOException {
        LaunchRequest request = PlacementTest.request(OPEN_MPI, Binding.NUMA, 2, Binding.NUMA, 0)
                .ranks(8);
        String output = run(new OpenMpiLauncher(), request, MAP, "127.0.0.2", "localhost");

        assertThat(placesOfOpenMpi(output))
                .as(output)
                .containsExactly("0-3", "0-3", "4-7", "4-7", "8-11", "8-11", "12-15", "12-15");
    }

    @ParameterizedTest
    @CsvSource({
        "NUMA, 2, CORE, 2, 0-1 4-5 8-9 12-13 2-3 6-7 10-11 14-15",
        "NUMA, 1, CORE, 2, 0-1 4-5 8-9 12-13",
        "NUMA, 2, NUMA, 0, 0-3 4-7 8-11 12-15 0-3 4-7 8-11 12-15",
        "SOCKET, 2, CORE, 2, 0-1 8-9 2-3 10-11",
        "L3, 1, CORE, 4, 0-3 4-7 8-11 12-15",
        "DEFAULT, 1, CORE, 4, 0-3 4-7 8-11 12-15",
    })
    void mpichTakesDomainsInTurn(Binding domain, int ranks, Binding binding, int threads, String cores)
            throws IOException {
        MpiInstallation mpi = new MpiInstallation(MpiFlavour.MPICH, "4.0.2", "/usr/bin/mpirun.mpich");
        String output = run(
                new HydraLauncher(), PlacementTest.request(mpi, domain, ranks, binding, threads), List.of(), "", "");

        List<String> places = new ArrayList<>();
        Matcher rank = HYDRA.matcher(output);
        while (rank.find()) {
            places.add(rank.group(1) + ": " + cores(rank.group(2)));
        }
        List<String> expected = new ArrayList<>();
        String[] each = cores.split(" ");
        for (int local = 0; local < each.length; local++) {
            expected.addAll(Collections.nCopies(2, local + ": " + each[local]));
        }
        assertThat(places).as(output).containsExactlyInAnyOrderElementsOf(expected);
    }

    private static List<String> placesOfOpenMpi(String output) {
        Map<Integer, String> places = new TreeMap<>();
        Matcher rank = MAPPED.matcher(output);
        while (rank.find()) {
            String mask = rank.group(2).replaceAll("[^B.]", "").replace('B', '1');
            places.put(Integer.parseInt(rank.group(1)), cores(mask));
        }
        return List.copyOf(places.values());
    }

    private String run(Launcher launcher, LaunchRequest request, List<String> more, String host, String other)
            throws IOException {
        LaunchCommand command = launcher.command(request);
        for (Map.Entry<String, String> file : command.files().entrySet()) {
            Files.writeString(folder.resolve(file.getKey()), file.getValue().replace(host, other));
        }
        for (String program : command.programs().keySet()) {
            Path path = Files.writeString(folder.resolve(program), HERE);
            Files.setPosixFilePermissions(path, PosixFilePermissions.fromString("rwx------"));
        }
        List<String> argv = new ArrayList<>(List.of("env", "HWLOC_SYNTHETIC=" + TOPOLOGY, "HYDRA_TOPO_DEBUG=1"));
        command.arguments()
                .forEach(word -> argv.add(word.replace(request.folder().path(), folder.toString())));
        argv.addAll(argv.indexOf(request.mpi().mpirun()) + 1, more);
        return launcher instanceof HydraLauncher
                ? Tool.runHydra(argv).output()
                : Tool.run(argv).output();
    }

    /** The cores of a mask, as {@code 4-7}. */
    private static String cores(String mask) {
        return mask.indexOf('1') + "-" + mask.lastIndexOf('1');
    }
}
