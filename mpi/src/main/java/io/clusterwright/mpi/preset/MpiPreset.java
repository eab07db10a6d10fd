package io.clusterwright.mpi.preset;

import io.clusterwright.core.spec.MpiFlavour;
import io.clusterwright.core.type.Interconnect;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
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

    /** Every variable it sets for some version or network: its name and its value. */
    public List<Setting> variables() {
        return details.variables;
    }

    /** Every option it gives the launcher for some version: the option and its values, each a separate argument. */
    public List<Setting> arguments() {
        return details.arguments;
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
    public List<Setting> variables(String version, Interconnect interconnect) {
        return details.variables.stream()
                .filter(variable -> variable.versions().contains(version)
                        && variable.interconnects().contains(interconnect))
                .toList();
    }

    /**
     * The variables for one version and network, in the order they are given in.
     *
     * @param version of the MPI, such as {@code 2018.4}
     */
    public Map<String, String> environment(String version, Interconnect interconnect) {
        Map<String, String> environment = new LinkedHashMap<>();
        variables(version, interconnect)
                .forEach(variable ->
                        environment.put(variable.words().get(0), variable.words().get(1)));
        return environment;
    }

    /** The options for the launcher of one version. */
    public List<String> launcherArguments(String version) {
        return details.arguments.stream()
                .filter(argument -> argument.versions().contains(version))
                .flatMap(argument -> argument.words().stream())
                .toList();
    }

    /** Whether it is for an MPI of this flavour. */
    public boolean isFor(MpiFlavour other) {
        return flavour == other || isOpenMpi(flavour) && isOpenMpi(other);
    }

    private static boolean isOpenMpi(MpiFlavour flavour) {
        return flavour == MpiFlavour.OPEN_MPI || flavour == MpiFlavour.HPC_X;
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
            List<Setting> variables,
            List<Setting> arguments,
            List<String> notes) {}

    /**
     * A variable or an option of the launcher that a preset sets.
     *
     * @param words the variable's name and its value; or the option and its values, each a separate argument
     * @param versions the versions of the MPI it is for
     * @param interconnects the networks it is for
     * @param reason why it is set, for people
     * @param source the source of that knowledge
     */
    public record Setting(
            List<String> words,
            VersionRange versions,
            Set<Interconnect> interconnects,
            String reason,
            String source) {
        /** Copies the collections. */
        public Setting {
            words = List.copyOf(words);
            interconnects = Set.copyOf(interconnects);
        }
    }
}
