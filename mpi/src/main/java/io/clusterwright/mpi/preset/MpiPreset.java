package io.clusterwright.mpi.preset;

import io.clusterwright.core.spec.MpiFlavour;
import io.clusterwright.core.type.Interconnect;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The settings of one MPI for one kind of network: variables and options, by version, each with its reason. Use it to
 * see the settings that a job gets, and why. Immutable.
 *
 * @see MpiPresets
 */
public sealed interface MpiPreset permits MpiPresets.PresetRow {

    /** The name as it stands in a spec, such as {@code open-mpi/ucx}: the flavour, and what carries the messages. */
    String name();

    /** The MPI it is for; HPC-X and Open MPI take each other's presets. */
    MpiFlavour flavour();

    /** The title for people. */
    String title();

    /** The networks that can carry it. */
    Set<Interconnect> interconnects();

    /** Whether it uses RDMA: it then needs a network that has it. */
    default boolean isRdma() {
        return !interconnects().contains(Interconnect.NONE);
    }

    /** The versions of the MPI it is for. */
    VersionRange versions();

    /** The version that is assumed where the installed one is not known. */
    String assumedVersion();

    /** The source of the preset. */
    String source();

    /** Every variable it sets for some version or network: its name and its value. */
    List<Setting> variables();

    /** Every option it gives the launcher for some version: the option and its values, each a separate argument. */
    List<Setting> arguments();

    /** Notes for people; may be empty. */
    List<String> notes();

    /**
     * The variables for one version and network, each with its reason, in the order they are given in.
     *
     * @param version of the MPI, such as {@code 2018.4}
     */
    default List<Setting> variables(String version, Interconnect interconnect) {
        return variables().stream()
                .filter(variable -> variable.versions().contains(version)
                        && variable.interconnects().contains(interconnect))
                .toList();
    }

    /**
     * The variables for one version and network, in the order they are given in.
     *
     * @param version of the MPI, such as {@code 2018.4}
     */
    default Map<String, String> environment(String version, Interconnect interconnect) {
        Map<String, String> environment = new LinkedHashMap<>();
        variables(version, interconnect)
                .forEach(variable -> environment.put(
                        variable.words().get(0), variable.words().get(1)));
        return environment;
    }

    /** The options for the launcher of one version. */
    default List<String> launcherArguments(String version) {
        return arguments().stream()
                .filter(argument -> argument.versions().contains(version))
                .flatMap(argument -> argument.words().stream())
                .toList();
    }

    /** Whether it is for an MPI of this flavour. */
    default boolean isFor(MpiFlavour other) {
        return flavour() == other || isOpenMpi(flavour()) && isOpenMpi(other);
    }

    private static boolean isOpenMpi(MpiFlavour flavour) {
        return flavour == MpiFlavour.OPEN_MPI || flavour == MpiFlavour.HPC_X;
    }

    /**
     * A variable or an option of the launcher that a preset sets.
     *
     * @param words the variable's name and its value; or the option and its values, each a separate argument
     * @param versions the versions of the MPI it is for
     * @param interconnects the networks it is for
     * @param reason the reason for it, for people
     * @param source the source of that knowledge
     */
    record Setting(
            List<String> words, VersionRange versions, Set<Interconnect> interconnects, String reason, String source) {
        /** Copies the collections. */
        public Setting {
            words = List.copyOf(words);
            interconnects = Set.copyOf(interconnects);
        }
    }
}
