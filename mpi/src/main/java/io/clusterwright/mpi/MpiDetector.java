package io.clusterwright.mpi;

import io.clusterwright.core.cluster.Command;
import io.clusterwright.core.cluster.NodeSession;
import io.clusterwright.core.spec.MpiFlavour;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Finds the MPI installations of a node by asking each launcher that is there who it is. */
public final class MpiDetector {
    private static final Pattern HYDRA = Pattern.compile("(?s)HYDRA build details:.*?Version:\\s+(\\S+).*");
    private static final Pattern INTEL = Pattern.compile("(?s).*Intel\\(R\\) MPI Library.*?Version (\\S+).*");
    private static final Pattern OPEN_MPI = Pattern.compile("(?s).*\\((?:Open MPI|OpenRTE)\\) (\\S+).*");
    private static final Pattern MVAPICH2 = Pattern.compile("(?si).*mvapich2-(\\S+).*");

    private MpiDetector() {}

    /**
     * The installations on a node, each once, those with a name of their own (such as {@code mpirun.openmpi}) before the one that
     * plain {@code mpirun} leads to.
     *
     * @throws io.clusterwright.core.cluster.NodeUnreachableException when the node cannot be reached
     */
    public static List<MpiInstallation> detect(NodeSession session) {
        Command command =
                Command.of("/bin/sh", "-s").input(Scripts.read("detect-mpi.sh")).timeout(Duration.ofMinutes(2));
        return parse(session.run(command).stdout());
    }

    static List<MpiInstallation> parse(String text) {
        List<MpiInstallation> found = new ArrayList<>();
        Set<String> seen = new HashSet<>();
        for (String section : text.split("(?m)^== ")) {
            String[] parts = section.split("\n", 3);
            if (parts.length == 3 && !seen.contains(parts[1])) {
                identify(parts[0].strip(), parts[1].strip(), parts[2]).ifPresent(mpi -> {
                    seen.add(parts[1]);
                    found.add(mpi);
                });
            }
        }
        return List.copyOf(found);
    }

    private static Optional<MpiInstallation> identify(String path, String realPath, String introduction) {
        Matcher intel = INTEL.matcher(introduction);
        Matcher openMpi = OPEN_MPI.matcher(introduction);
        Matcher mvapich = MVAPICH2.matcher(introduction);
        Matcher hydra = HYDRA.matcher(introduction);
        if (intel.matches()) {
            return Optional.of(new MpiInstallation(MpiFlavour.INTEL_MPI, intel.group(1), path));
        }
        if (openMpi.matches()) {
            MpiFlavour flavour = realPath.contains("hpcx") ? MpiFlavour.HPC_X : MpiFlavour.OPEN_MPI;
            return Optional.of(new MpiInstallation(flavour, openMpi.group(1), path));
        }
        if (path.endsWith("mpirun_rsh") && mvapich.matches()) {
            return Optional.of(new MpiInstallation(MpiFlavour.MVAPICH2, mvapich.group(1), path));
        }
        if (hydra.matches()) {
            return Optional.of(new MpiInstallation(MpiFlavour.MPICH, hydra.group(1), path));
        }
        return Optional.empty();
    }
}
