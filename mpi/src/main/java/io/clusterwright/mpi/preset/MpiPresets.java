package io.clusterwright.mpi.preset;

import io.clusterwright.core.catalog.Images;
import io.clusterwright.core.catalog.VmSizeFacts;
import io.clusterwright.core.internal.text.NearestName;
import io.clusterwright.core.spec.MpiFlavour;
import io.clusterwright.core.spec.MpiInstall;
import io.clusterwright.core.spec.OperatingSystem;
import io.clusterwright.core.type.ImageReference;
import io.clusterwright.core.type.Interconnect;
import io.clusterwright.core.type.InvalidValueException;
import io.clusterwright.mpi.internal.data.DataFile;
import io.clusterwright.mpi.internal.data.DataFile.DataRow;
import io.clusterwright.mpi.preset.MpiPreset.Setting;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The presets that the library knows. Use it to choose a preset by name or for a size.
 *
 * <pre>{@code
 * MpiPresets.PresetChoice choice = MpiPresets.choose(Interconnect.SRIOV_INFINIBAND, MpiFlavour.OPEN_MPI, "4.1.4");
 * MpiPreset preset = choice.preset();
 * Map<String, String> variables = preset.environment("4.1.4", Interconnect.SRIOV_INFINIBAND);
 * System.out.println(preset.name() + ": " + choice.reason() + ", " + variables);
 * }</pre>
 */
public final class MpiPresets {
    /** Stands in a spec for the preset that {@link #choose(VmSizeFacts, ImageReference, MpiInstall)} picks. */
    public static final String AUTO = "auto";

    private static final Set<MpiFlavour> LINUX_ONLY =
            Set.of(MpiFlavour.OPEN_MPI, MpiFlavour.HPC_X, MpiFlavour.MPICH, MpiFlavour.MVAPICH2);

    private MpiPresets() {}

    private static MpiPreset read(DataRow row) {
        String name = row.text("name");
        MpiFlavour flavour = Arrays.stream(MpiFlavour.values())
                .filter(one -> name.startsWith(one + "/"))
                .findFirst()
                .orElseThrow();
        Set<Interconnect> interconnects = interconnects(row);
        return new PresetRow(
                name,
                flavour,
                row.text("title"),
                interconnects,
                VersionRange.of(row.text("versions")),
                row.text("assumed"),
                row.text("source"),
                row.rows("variables").stream()
                        .map(one -> setting(one, List.of(one.text("name"), one.text("value")), interconnects))
                        .toList(),
                row.rows("arguments").stream()
                        .map(one -> setting(one, one.texts("words"), interconnects))
                        .toList(),
                row.texts("notes"));
    }

    private static Setting setting(DataRow row, List<String> words, Set<Interconnect> all) {
        Set<Interconnect> some = interconnects(row);
        return new Setting(
                words,
                VersionRange.of(row.text("versions", "any")),
                some.isEmpty() ? all : some,
                row.text("reason"),
                row.text("source"));
    }

    private static Set<Interconnect> interconnects(DataRow row) {
        return row.texts("interconnects").stream().map(Interconnect::of).collect(Collectors.toUnmodifiableSet());
    }

    /** All presets, the presets of one flavour together, the best for RDMA first. */
    public static List<MpiPreset> all() {
        return Table.ALL;
    }

    /** The names of all presets. */
    public static List<String> names() {
        return Table.ALL.stream().map(MpiPreset::name).toList();
    }

    /** The preset of that name, where there is one; {@link #AUTO} is none. */
    public static Optional<MpiPreset> find(String name) {
        return name.equals(AUTO)
                ? Optional.empty()
                : Table.ALL.stream()
                        .filter(preset -> preset.name().equals(name))
                        .findFirst();
    }

    /**
     * The preset of that name, such as {@code open-mpi/ucx}.
     *
     * @throws InvalidValueException when there is no such preset; the message names the nearest
     */
    public static MpiPreset named(String name) {
        return find(name)
                .orElseThrow(() -> new InvalidValueException(
                        "MPI preset",
                        name,
                        "one of " + String.join(", ", names()),
                        NearestName.of(name, names()).orElse("open-mpi/ucx")));
    }

    /**
     * Picks the preset for machines of a size that run this MPI, and says why.
     *
     * @throws InvalidValueException when there is no preset under which that MPI runs over the network of the size
     */
    public static PresetChoice choose(VmSizeFacts size, ImageReference image, MpiInstall mpi) {
        String version = mpi.version().orElse("");
        PresetChoice choice = choose(size.interconnect(), mpi.flavour(), version);
        List<String> cautions = new ArrayList<>(choice.cautions());
        Images.standard().find(image).ifPresent(facts -> {
            boolean windows = facts.operatingSystem() == OperatingSystem.WINDOWS;
            Set<MpiFlavour> absent = windows ? LINUX_ONLY : Set.of(MpiFlavour.MS_MPI);
            if (absent.contains(mpi.flavour())) {
                cautions.add(mpi.flavour() + " does not run on " + facts.distribution());
            }
            if (choice.preset().isRdma() && !facts.driversFor().contains(size.interconnect())) {
                cautions.add("the catalog knows of no driver for " + size.interconnect() + " on " + facts.name()
                        + ": an extension or the image's own packages must bring it");
            }
        });
        return new PresetChoice(choice.preset(), choice.version(), size.size() + ": " + choice.reason(), cautions);
    }

    /**
     * Picks the preset for an MPI on a network, and says why: the first RDMA preset that the network carries and the version knows,
     * and where there is none, TCP.
     *
     * @param version such as {@code 2018.4}; empty when it is not known
     * @throws InvalidValueException when that MPI does not run over that network
     */
    public static PresetChoice choose(Interconnect interconnect, MpiFlavour flavour, String version) {
        Optional<MpiPreset> rdma = candidates(flavour)
                .filter(preset -> preset.isRdma() && preset.interconnects().contains(interconnect))
                .filter(preset -> version.isEmpty() || preset.versions().contains(version))
                .findFirst();
        String mpi = version.isEmpty() ? flavour.toString() : flavour + " " + version;
        if (rdma.isPresent()) {
            return choice(rdma.get(), version, mpi + " reaches " + interconnect + " this way", List.of());
        }
        MpiPreset tcp = candidates(flavour)
                .filter(preset -> preset.name().endsWith("/tcp"))
                .findFirst()
                .orElseThrow(() -> InvalidValueException.of(
                        mpi + " cannot run over TCP, and these nodes have no network that it uses",
                        "use an MPI that runs over TCP (example: " + MpiFlavour.OPEN_MPI + ")"));
        return interconnect.isRdma()
                ? choice(
                        tcp,
                        version,
                        mpi + " cannot use " + interconnect + ", so it runs over Ethernet",
                        List.of("the RDMA network stays unused: " + others(interconnect, flavour)))
                : choice(tcp, version, "these nodes have no RDMA network", List.of());
    }

    private static String others(Interconnect interconnect, MpiFlavour flavour) {
        return Table.ALL.stream()
                .filter(preset -> preset.isRdma() && preset.interconnects().contains(interconnect))
                .map(preset -> preset.name() + " takes "
                        + (preset.flavour() == flavour ? "versions " + preset.versions() : preset.title()))
                .collect(Collectors.joining("; "));
    }

    private static PresetChoice choice(MpiPreset preset, String version, String reason, List<String> cautions) {
        return new PresetChoice(preset, version.isEmpty() ? preset.assumedVersion() : version, reason, cautions);
    }

    /** The presets for a flavour, its own before the presets of its kin. */
    private static Stream<MpiPreset> candidates(MpiFlavour flavour) {
        return Stream.concat(
                Table.ALL.stream().filter(preset -> preset.flavour() == flavour),
                Table.ALL.stream().filter(preset -> preset.flavour() != flavour && preset.isFor(flavour)));
    }

    /**
     * A preset that was picked, and why.
     *
     * @param preset the picked preset
     * @param version the version of the MPI it was picked for; the preset's assumed one when the version is not known
     * @param reason the reason, for people
     * @param cautions obstacles to the choice, for people; may be empty
     */
    public record PresetChoice(MpiPreset preset, String version, String reason, List<String> cautions) {
        /** Copies the list. */
        public PresetChoice {
            cautions = List.copyOf(cautions);
        }
    }

    /** Read when the first preset is asked for. */
    private static final class Table {
        static final List<MpiPreset> ALL = DataFile.read(MpiPresets.class, "presets.yaml").stream()
                .map(MpiPresets::read)
                .toList();
    }

    /** A row of {@code presets.yaml}; its components are the accessors of {@link MpiPreset}. */
    record PresetRow(
            String name,
            MpiFlavour flavour,
            String title,
            Set<Interconnect> interconnects,
            VersionRange versions,
            String assumedVersion,
            String source,
            List<Setting> variables,
            List<Setting> arguments,
            List<String> notes)
            implements MpiPreset {

        @Override
        public String toString() {
            return name;
        }
    }
}
