package io.clusterwright.mpi.preset;

import io.clusterwright.core.spec.MpiFlavour;
import io.clusterwright.core.type.Interconnect;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The settings of one MPI for one kind of network: variables and options, by version, each with its reason. Immutable. */
public final class MpiPreset {
    private final String name;
    private final MpiFlavour flavour;
    private final Details details;

    MpiPreset(String name, MpiFlavour flavour, Details details) {
        this.name = name;
        this.flavour = flavour;
        this.details = details;
    }

    /** The name as it stands in a description, such as {@code open-mpi/ucx}: the flavour, and what carries the messages. */
    public String name() {
        return name;
    }

    /** The MPI it is for; HPC-X and Open MPI take each other's presets. */
    public MpiFlavour flavour() {
        return flavour;
    }

    /** The title for people. */
    public String title() {
        return details.title;
    }

    /** The networks that can carry it. */
    public Set<Interconnect> interconnects() {
        return details.interconnects;
    }

    /** Whether it uses RDMA: it then needs a network that has it. */
    public boolean isRdma() {
        return !details.interconnects.contains(Interconnect.NONE);
    }

    /** The versions of the MPI it is for. */
    public VersionRange versions() {
        return details.versions;
    }

    /** The version that is assumed where the installed one is not known. */
    public String assumedVersion() {
        return details.assumedVersion;
    }

    /** The source of the preset. */
    public String source() {
        return details.source;
    }

    /** Every variable it sets for some version or network. */
    public List<PresetVariable> variables() {
        return details.variables;
    }

    /** Every option it gives the launcher for some version. */
    public List<PresetArgument> arguments() {
        return details.arguments;
    }

    /** The ways to put the MPI on the search paths, for each version. */
    public List<PresetSetup> setups() {
        return details.setups;
    }

    /** Notes for people; may be empty. */
    public List<String> notes() {
        return details.notes;
    }

    /**
     * The variables for one version and network, each with its reason, in the order they are given in.
     *
     * @param version of the MPI, such as {@code 2018.4}
     */
    public List<PresetVariable> variables(String version, Interconnect interconnect) {
        return details.variables.stream()
                .filter(variable -> variable.appliesTo(version, interconnect))
                .toList();
    }

    /**
     * The variables for one version and network, in the order they are given in.
     *
     * @param version of the MPI, such as {@code 2018.4}
     */
    public Map<String, String> environment(String version, Interconnect interconnect) {
        Map<String, String> environment = new LinkedHashMap<>();
        variables(version, interconnect).forEach(variable -> environment.put(variable.name(), variable.value()));
        return environment;
    }

    /** The options for the launcher of one version. */
    public List<String> launcherArguments(String version) {
        List<String> words = new ArrayList<>();
        details.arguments.stream()
                .filter(argument -> argument.versions().contains(version))
                .forEach(argument -> words.addAll(argument.words()));
        return List.copyOf(words);
    }

    /** The way to put this version on the search paths; empty when nothing needs to be done. */
    public Optional<PresetSetup> setup(String version) {
        return details.setups.stream()
                .filter(setup -> setup.versions().contains(version))
                .findFirst();
    }

    /** Whether it is for an MPI of this flavour. */
    public boolean isFor(MpiFlavour other) {
        return flavour == other || Flavours.ompi(flavour) && Flavours.ompi(other);
    }

    /** Presets are the same when their names are. */
    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof MpiPreset that && name.equals(that.name);
    }

    @Override
    public int hashCode() {
        return name.hashCode();
    }

    /** The name. */
    @Override
    public String toString() {
        return name;
    }

    record Details(
            String title,
            Set<Interconnect> interconnects,
            VersionRange versions,
            String assumedVersion,
            String source,
            List<PresetVariable> variables,
            List<PresetArgument> arguments,
            List<PresetSetup> setups,
            List<String> notes) {}

    /** Questions about flavours of MPI. */
    static final class Flavours {
        private Flavours() {}

        /** Whether it is Open MPI, under this name or as HPC-X. */
        static boolean ompi(MpiFlavour flavour) {
            return flavour == MpiFlavour.OPEN_MPI || flavour == MpiFlavour.HPC_X;
        }

        static boolean linuxOnly(MpiFlavour flavour) {
            return flavour != MpiFlavour.MS_MPI && flavour != MpiFlavour.INTEL_MPI;
        }

        static Optional<MpiFlavour> find(String name) {
            return Arrays.stream(MpiFlavour.values())
                    .filter(flavour -> flavour.toString().equals(name))
                    .findFirst();
        }
    }

    /**
     * An option that a preset gives the launcher.
     *
     * @param words the option and its values, each a separate argument
     * @param versions the versions of the MPI it is for
     * @param reason why it is given, for people
     * @param source where that is known from
     */
    public record PresetArgument(List<String> words, VersionRange versions, String reason, String source) {
        /** Copies the words. */
        public PresetArgument {
            words = List.copyOf(words);
        }
    }

    /**
     * An environment variable that a preset sets.
     *
     * @param name its name
     * @param value its value
     * @param versions the versions of the MPI it is for
     * @param interconnects the networks it is for
     * @param reason why it is set, for people
     * @param source where that is known from
     */
    public record PresetVariable(
            String name,
            String value,
            VersionRange versions,
            Set<Interconnect> interconnects,
            String reason,
            String source) {
        /** Copies the networks. */
        public PresetVariable {
            interconnects = Set.copyOf(interconnects);
        }

        boolean appliesTo(String version, Interconnect interconnect) {
            return versions.contains(version) && interconnects.contains(interconnect);
        }
    }

    /**
     * The way to put an MPI on the search paths of a shell: the first script that is there is sourced; where there is none, the first module
     * that can be loaded is loaded; and where the launcher is then not found by its own name, the first folder that holds one goes onto the
     * path.
     *
     * @param versions the versions of the MPI it is for
     * @param unless the variable that is set where nothing is left to do; empty for none
     * @param scripts the absolute paths of scripts, best first; may hold {@code *}
     * @param arguments what the script is given
     * @param call the command that the script defines and that must be called; empty for none
     * @param modules environment modules, best first
     * @param launcher the launcher's own name, such as {@code mpirun.openmpi}; empty where scripts do everything
     * @param folders where launchers lie that are not on the path, best first; may hold {@code *}
     * @param source where that is known from
     */
    public record PresetSetup(
            VersionRange versions,
            String unless,
            List<String> scripts,
            List<String> arguments,
            String call,
            List<String> modules,
            String launcher,
            List<String> folders,
            String source) {
        /** Copies the lists. */
        public PresetSetup {
            scripts = List.copyOf(scripts);
            arguments = List.copyOf(arguments);
            modules = List.copyOf(modules);
            folders = List.copyOf(folders);
        }
    }
}
