package io.clusterwright.mpi.internal.render;

import io.clusterwright.core.catalog.VmSizeFacts;
import io.clusterwright.core.internal.text.PosixShell;
import io.clusterwright.core.internal.text.TextResource;
import io.clusterwright.core.plan.RenderedFile;
import io.clusterwright.core.spec.ClusterSpec;
import io.clusterwright.core.spec.MpiFlavour;
import io.clusterwright.core.spec.MpiInstall.MpiSource;
import io.clusterwright.core.spec.OperatingSystem;
import io.clusterwright.core.spi.RenderInput;
import io.clusterwright.core.spi.Renderer;
import io.clusterwright.mpi.internal.engine.NodeTopology;
import io.clusterwright.mpi.internal.launch.Hostfile;
import io.clusterwright.mpi.internal.launch.Hostfile.HostfileDialect;
import io.clusterwright.mpi.preset.MpiPreset;
import io.clusterwright.mpi.preset.VersionRange;
import io.clusterwright.mpi.spi.RanksPerDomain;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/** The files of a launcher on a Linux cluster: its list of hosts, its environment, and a script that puts both to use. */
public final class MpiRenderer implements Renderer {

    /** Creates the renderer; it has no state. */
    public MpiRenderer() {}

    @Override
    public String name() {
        return "mpi";
    }

    @Override
    public List<RenderedFile> render(RenderInput input) {
        if (input.spec().operatingSystem() != OperatingSystem.LINUX) {
            return List.of();
        }
        OptionalInt known = slots(input);
        Hostfile hostfile = new Hostfile(input.nodes().keySet().stream()
                .map(node -> new Hostfile.Host(node, input.reachedAt(node), known.orElse(1)))
                .toList());
        List<RenderedFile> files = new ArrayList<>();
        String note = note(input, known);
        files.add(hosts("hydra", HostfileDialect.HYDRA, hostfile, note));
        files.add(hosts("openmpi", HostfileDialect.OPEN_MPI, hostfile, note));
        files.add(hosts("mvapich2", HostfileDialect.MVAPICH2, hostfile, note));
        files.add(RenderedFile.text("hostfile.slurm", hostfile.text(HostfileDialect.SLURM)));
        JobEnvironment environment = JobEnvironment.of(input, known.orElse(1));
        files.add(RenderedFile.text("mpi.env", EnvironmentScript.text(environment)));
        RenderedFile script =
                RenderedFile.text("mpirun.sh", launchScript(environment, input)).asProgram();
        String problem = environment.placement().problem();
        files.add(problem.isEmpty() ? script : script.withNote("it does not place ranks as the spec says: " + problem));
        return files;
    }

    private static RenderedFile hosts(String name, HostfileDialect dialect, Hostfile hostfile, String note) {
        RenderedFile file = RenderedFile.text("hostfile." + name, hostfile.text(dialect));
        return note.isEmpty() ? file : file.withNote(note);
    }

    /** The reason for which hostfiles do not have the slots that the spec means; empty where they do. */
    private static String note(RenderInput input, OptionalInt known) {
        if (known.isEmpty()) {
            return "one rank for each node, because the number of its cores is not known; write mpi.ranksPerNode";
        }
        VmSizeFacts size = input.facts().size(input.spec()).orElse(null);
        RanksPerDomain ranks = RanksPerDomain.of(input.spec().mpi()).orElse(null);
        return ranks == null || size == null || size.count(ranks.domain()).isPresent()
                ? ""
                : known.getAsInt() + " ranks for each node, because the number of " + NodeTopology.word(ranks.domain())
                        + "s of " + size + " is not known; write mpi.ranksPerNode";
    }

    /** The ranks of a node: as the spec says, or one for each core of the size; nothing is known of this machine's nodes. */
    private static OptionalInt slots(RenderInput input) {
        ClusterSpec spec = input.spec();
        if (spec.mpi().ranksPerNode().isPresent()) {
            return spec.mpi().ranksPerNode();
        }
        Optional<VmSizeFacts> size = input.facts().size(spec);
        return size.isEmpty() || input.facts().local()
                ? OptionalInt.empty()
                : OptionalInt.of(size.get().ranks(spec.mpi()));
    }

    /** A script that runs a program over the hostfile beside it, in the environment beside it. */
    private static String launchScript(JobEnvironment environment, RenderInput input) {
        MpiPreset preset = environment.preset();
        String variables = String.join(" ", environment.variables().keySet());
        String arguments = PosixShell.quote(preset.launcherArguments(environment.version()));
        RenderedPlacement placement = environment.placement();
        String perNode = placement.quotedPerNode();
        String launcher = switch (environment.installed()) {
            case MPICH -> "mpich";
            case INTEL_MPI -> "intel";
            case OPEN_MPI, HPC_X -> "openmpi";
            case MVAPICH2 -> "mvapich2";
            case MS_MPI -> throw new IllegalStateException("MS-MPI has no shell script");
        };
        String hostfile = switch (environment.installed()) {
            case OPEN_MPI, HPC_X -> "hostfile.openmpi";
            case MVAPICH2 -> "hostfile.mvapich2";
            default -> "hostfile.hydra";
        };
        boolean intel = environment.installed() == MpiFlavour.INTEL_MPI;
        String mpirun = intelMpirun(input.spec(), environment.version());
        return (read("mpirun-start.sh") + read("mpirun-" + launcher + ".sh"))
                .replace("@OPTIONS@\n", read("mpirun-options.sh"))
                .replace("@CASES@\n", intel ? read("mpirun-intel-cases.sh") : "")
                .replace("@USAGE@", intel ? " [-hosts HOST,... | -hostfile FILE] [--print]" : "")
                .replace("@MPIRUN@", mpirun)
                .replace("@LAUNCHERS@", mpirun + (mpirun.startsWith("/") ? " mpirun" : "") + " mpiexec.hydra")
                .replace("in @NAMES@;", (variables.isEmpty() ? "in" : "in " + variables) + ";")
                .replace("@HOSTFILE@", hostfile)
                .replace("@CLUSTER@", input.spec().name().value())
                .replace("@PRESET@", preset.name())
                .replace(" @VARIABLES@", variables.isEmpty() ? "" : " " + variables)
                .replace(" @ARGUMENTS@", arguments.isEmpty() ? "" : " " + arguments)
                .replace("( @PER_NODE@", "(" + perNode)
                .replace(" @PER_NODE@", perNode.isEmpty() ? "" : " " + perNode)
                .replace("@OTHERWISE@\n", placement.otherwise());
    }

    /** The launcher of the article: by the link that the installer of Intel MPI 5 leaves, or by the search path that packages set. */
    private static String intelMpirun(ClusterSpec spec, String version) {
        return spec.image()
                .customize()
                .mpi()
                .filter(mpi -> mpi.install() instanceof MpiSource.Archive archive
                        && VersionRange.of("<2017").contains(version)
                        && !archive.answers().containsKey("PSET_INSTALL_DIR"))
                .map(mpi -> "/opt/intel/impi_latest/bin64/mpirun")
                .orElse("mpirun");
    }

    private static String read(String name) {
        return TextResource.read(MpiRenderer.class.getResourceAsStream(name), name);
    }
}
