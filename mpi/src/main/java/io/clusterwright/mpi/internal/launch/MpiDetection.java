package io.clusterwright.mpi.internal.launch;

import io.clusterwright.core.Command;
import io.clusterwright.core.NodeSession;
import io.clusterwright.core.internal.session.SessionResources;
import io.clusterwright.core.internal.text.PosixShell;
import io.clusterwright.core.internal.text.TextResource;
import io.clusterwright.core.spec.MpiFlavour;
import io.clusterwright.mpi.internal.agent.NodeAgent;
import io.clusterwright.mpi.internal.agent.NodeAgents;
import io.clusterwright.mpi.internal.command.MpiSetups;
import io.clusterwright.mpi.job.MpiInstallation;
import io.clusterwright.mpi.spi.JobFolder;
import java.time.Duration;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The MPIs of a node, found by asking each launcher that is there for its name and version.
 *
 * @param installations each once, those whose launcher has a distinct name (such as {@code mpirun.openmpi}) first
 * @param plain the one that a plain {@code mpirun} leads to, where there is one
 */
public record MpiDetection(
        List<MpiInstallation> installations, @Nullable MpiInstallation plain) {
    private static final Pattern HYDRA = Pattern.compile("(?s)HYDRA build details:.*?Version:\\s+(\\S+).*");
    private static final Pattern INTEL = Pattern.compile("(?s).*Intel\\(R\\) MPI Library.*?Version (\\S+).*");
    private static final Pattern OPEN_MPI = Pattern.compile("(?s).*\\((?:Open MPI|OpenRTE)\\) (\\S+).*");
    private static final Pattern MVAPICH2 = Pattern.compile("(?si).*mvapich2-(\\S+).*");

    /** A launcher as it is called, and what it links to. */
    private static final Pattern SECTION = Pattern.compile("(?m)^== (.+)\n(/.*)$");

    private static final Pattern MVAPICH_NAME = Pattern.compile("(?i)mvapich");
    private static final JobFolder NO_JOB = new JobFolder("cwjob-0000000000000000");
    private static final Duration LIST = Duration.ofSeconds(20);

    /** The output of {@code mpiname} of MVAPICH, or the folder it is installed in; its Hydra tells the version of the MPICH it came from. */
    private static final Pattern MVAPICH_VERSION = Pattern.compile("(?i)mvapich2?[ -](\\d[\\w.]*)");

    /**
     * Searches a node. All is asked once for a session, and again when the list of launchers or what they are links to has changed; what the
     * ways to set up an MPI do, when there is an MPI that was not there before.
     *
     * @throws io.clusterwright.core.NodeUnreachableException when the node cannot be reached
     */
    public static MpiDetection of(NodeSession session) {
        Known known = SessionResources.kept(session, Known.class, Known::new);
        MpiDetection last = known.detection;
        if (last != null && unchanged(session, known.text)) {
            return last;
        }
        MpiDetection found = search(session, known);
        known.detection = found;
        return found;
    }

    /** A session's agent starts no program for that. */
    private static boolean unchanged(NodeSession session, String text) {
        StringBuilder script = new StringBuilder(resource("list-mpi.sh") + "list\n");
        StringBuilder expected = new StringBuilder();
        SECTION.matcher(text).results().forEach(section -> {
            expected.append(section.group(1)).append('\n');
            script.append("[ %s -ef %s ] || echo changed\n"
                    .formatted(PosixShell.quote(section.group(1)), PosixShell.quote(section.group(2))));
        });
        StringBuffer answer = new StringBuffer();
        NodeAgent agent = NodeAgents.of(session).take();
        try {
            agent.shell(
                    NO_JOB,
                    script.append(":").toString(),
                    line -> answer.append(line).append('\n'));
            return agent.status(LIST).equals(OptionalInt.of(0))
                    && expected.toString().contentEquals(answer);
        } finally {
            agent.giveBack();
        }
    }

    private static MpiDetection search(NodeSession session, Known known) {
        MpiSetups before = known.setups;
        String text = ask(session, before == null ? MpiSetups.script() : "    :\n");
        if (before != null && !known.folders.containsAll(folders(text))) {
            text = ask(session, MpiSetups.script());
            before = null;
        }
        if (before == null) {
            before = MpiSetups.read(text.lines());
            known.folders = folders(text);
            known.setups = before;
        }
        known.text = text;
        return read(text, before);
    }

    private static String resource(String name) {
        return TextResource.read(MpiDetection.class.getResourceAsStream(name), name);
    }

    private static String ask(NodeSession session, String setups) {
        Command command = Command.of("/bin/sh", "-s")
                .input(resource("detect-mpi.sh")
                        .replace("@LIST@\n", resource("list-mpi.sh"))
                        .replace("@SETUPS@\n", setups))
                .timeout(Duration.ofMinutes(2));
        return session.run(command).stdout();
    }

    /** The real folders of the launchers in an answer. */
    private static Set<String> folders(String text) {
        return SECTION.matcher(text)
                .results()
                .map(section -> MpiSetups.folder(section.group(2)))
                .collect(Collectors.toUnmodifiableSet());
    }

    static MpiDetection read(String text) {
        return read(text, MpiSetups.read(text.lines()));
    }

    private static MpiDetection read(String text, MpiSetups setups) {
        Map<String, MpiInstallation> byRealPath = new LinkedHashMap<>();
        MpiInstallation plain = null;
        for (String section : text.split("(?m)^== ")) {
            String[] parts = section.split("\n", 3);
            if (parts.length == 3) {
                String path = parts[0].strip();
                String realPath = parts[1].strip();
                if (!byRealPath.containsKey(realPath)) {
                    identify(path, realPath, parts[2])
                            .ifPresent(mpi -> byRealPath.put(realPath, with(setups, realPath, mpi)));
                }
                if (plain == null && path.endsWith("/mpirun")) {
                    plain = byRealPath.get(realPath);
                }
            }
        }
        List<MpiInstallation> found = withoutSpareHydra(byRealPath.values());
        return new MpiDetection(found, plain == null ? null : inSameFolder(found, plain));
    }

    /** The answer in one sentence, for people. */
    @Override
    public String toString() {
        String all = installations.stream()
                .map(mpi -> mpi + " (" + mpi.mpirun() + ")")
                .collect(Collectors.joining(", "));
        return switch (installations.size()) {
            case 0 -> "no MPI is installed";
            case 1 -> all + " is installed";
            default ->
                "several MPIs are installed: " + all
                        + (plain == null ? "; there is no plain mpirun" : "; plain mpirun is " + plain);
        };
    }

    /** The installations without the Hydra of an MVAPICH2 that has {@code mpirun_rsh}. */
    private static List<MpiInstallation> withoutSpareHydra(Collection<MpiInstallation> all) {
        return all.stream()
                .filter(mpi -> mpi.flavour() != MpiFlavour.MVAPICH2
                        || MpirunRshLauncher.isItsPath(mpi.mpirun())
                        || all.stream()
                                .noneMatch(other -> MpirunRshLauncher.isItsPath(other.mpirun())
                                        && other.folder().equals(mpi.folder())))
                .toList();
    }

    private static MpiInstallation inSameFolder(List<MpiInstallation> found, MpiInstallation plain) {
        return found.contains(plain)
                ? plain
                : found.stream()
                        .filter(other -> other.folder().equals(plain.folder()))
                        .findFirst()
                        .orElse(plain);
    }

    private static MpiInstallation with(MpiSetups setups, String realPath, MpiInstallation mpi) {
        return new MpiInstallation(
                mpi.flavour(), mpi.version(), mpi.mpirun(), mpi.library(), setups.environment(realPath, mpi.version()));
    }

    private static String mvapichVersion(String introduction, String otherwise) {
        Matcher version = MVAPICH_VERSION.matcher(introduction);
        return version.find() ? version.group(1) : otherwise;
    }

    private static Optional<MpiInstallation> identify(String path, String realPath, String introduction) {
        Matcher intel = INTEL.matcher(introduction);
        Matcher openMpi = OPEN_MPI.matcher(introduction);
        Matcher mvapich = MVAPICH2.matcher(introduction);
        Matcher hydra = HYDRA.matcher(introduction);
        if (intel.matches()) {
            return Optional.of(installation(MpiFlavour.INTEL_MPI, intel.group(1), path, introduction));
        }
        if (openMpi.matches()) {
            MpiFlavour flavour = realPath.contains("hpcx") ? MpiFlavour.HPC_X : MpiFlavour.OPEN_MPI;
            return Optional.of(installation(flavour, openMpi.group(1), path, introduction));
        }
        if (path.endsWith("mpirun_rsh") && mvapich.matches()) {
            return Optional.of(installation(MpiFlavour.MVAPICH2, mvapich.group(1), path, introduction));
        }
        if (hydra.matches() && MVAPICH_NAME.matcher(realPath + introduction).find()) {
            String version = mvapichVersion(realPath + "\n" + introduction, hydra.group(1));
            return Optional.of(installation(MpiFlavour.MVAPICH2, version, path, introduction));
        }
        if (hydra.matches()) {
            return Optional.of(installation(MpiFlavour.MPICH, hydra.group(1), path, introduction));
        }
        return Optional.empty();
    }

    /** Open MPI's library has had the ABI numbers 12 (1.x), 20 (2.x) and 40; the library of MPICH and its kin has 12. */
    private static MpiInstallation installation(MpiFlavour flavour, String version, String path, String introduction) {
        Pattern own = flavour == MpiFlavour.OPEN_MPI || flavour == MpiFlavour.HPC_X
                ? Pattern.compile(version.startsWith("1.") ? ".*/libmpi\\.so\\.\\d+" : ".*/libmpi\\.so\\.(?!12$)\\d+")
                : Pattern.compile(".*/(?:libmpich\\.so\\.\\d+|libmpi\\.so\\.12)");
        Optional<String> library = introduction
                .lines()
                .filter(line -> line.startsWith("-- "))
                .map(line -> line.substring(3))
                .filter(own.asMatchPredicate())
                .findFirst();
        return new MpiInstallation(flavour, version, path, library);
    }

    /** The facts about a session's node. */
    private static final class Known implements AutoCloseable {
        private volatile @Nullable MpiSetups setups;
        private volatile Set<String> folders = Set.of();
        private volatile String text = "";
        private volatile @Nullable MpiDetection detection;

        @Override
        public void close() {
            setups = null;
            detection = null;
        }
    }
}
