package io.clusterwright.windows.classic.internal.iaas;

import io.clusterwright.core.internal.text.NearestName;
import io.clusterwright.core.internal.text.TextResource;
import io.clusterwright.core.type.VmSize;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * Names of regions and sizes in the classic deployment model: {@code West US} for {@code westus}, {@code A8} for {@code Standard_A8}. The
 * tables name their sources.
 */
public final class ClassicNames {
    private static final List<Size> SIZES = rows("classic-sizes.csv").stream()
            .map(row -> new Size(row[0], row[1], Integer.parseInt(row[2]), Drivers.valueOf(upper(row[3]))))
            .toList();
    private static final List<String[]> LOCATIONS = rows("classic-locations.csv");

    private ClassicNames() {}

    /** The classic name of a size; empty where it never was in the classic model. */
    public static Optional<String> of(VmSize size) {
        return SIZES.stream()
                .filter(known -> known.name.equalsIgnoreCase(size.name()))
                .map(Size::classic)
                .findFirst();
    }

    /** The size of a classic name, such as {@code ExtraLarge}; empty where it is not known. */
    public static Optional<VmSize> size(String classic) {
        return known(classic).map(known -> new VmSize(known.name));
    }

    /** The cores of the size of a classic name; empty where it is not known. */
    public static Optional<Integer> cores(String classic) {
        return known(classic).map(Size::cores);
    }

    /** The classic name of a region, which may be given as {@code westus} or as {@code West US}; empty where it is not known. */
    public static Optional<String> location(String region) {
        String plain = region.replace(" ", "");
        return LOCATIONS.stream()
                .filter(row -> row[1].equalsIgnoreCase(plain))
                .map(row -> row[0])
                .findFirst();
    }

    /** The region of a classic name; empty where it is not known. */
    public static Optional<String> region(String location) {
        return LOCATIONS.stream()
                .filter(row -> row[0].equalsIgnoreCase(location))
                .map(row -> row[1])
                .findFirst();
    }

    /** Whether nodes of the size of a classic name have an RDMA network, as far as is known. */
    static boolean rdma(String classic) {
        return known(classic).filter(size -> size.drivers != Drivers.NONE).isPresent();
    }

    /** Whether the RDMA drivers of the size must be installed by hand. */
    static boolean driversByHand(String classic) {
        return known(classic).filter(size -> size.drivers == Drivers.HAND).isPresent();
    }

    static Optional<String> nearestSize(String mistyped) {
        return NearestName.of(mistyped, SIZES.stream().map(Size::classic).toList());
    }

    static Optional<String> nearestLocation(String mistyped) {
        return NearestName.of(mistyped, LOCATIONS.stream().map(row -> row[0]).toList());
    }

    private static Optional<Size> known(String classic) {
        return SIZES.stream()
                .filter(size -> size.classic.equalsIgnoreCase(classic) || size.name.equalsIgnoreCase(classic))
                .findFirst();
    }

    private static List<String[]> rows(String name) {
        String text = TextResource.read(ClassicNames.class.getResourceAsStream(name), name);
        return text.lines()
                .filter(line -> !line.startsWith("#") && !line.isBlank())
                .skip(1)
                .map(line -> line.split(",", -1))
                .toList();
    }

    private static String upper(String word) {
        return word.toUpperCase(Locale.ROOT);
    }

    private enum Drivers {
        NONE,
        SCRIPT,
        HAND
    }

    private record Size(String classic, String name, int cores, Drivers drivers) {}
}
