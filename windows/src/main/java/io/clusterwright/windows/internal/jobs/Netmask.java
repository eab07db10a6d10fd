package io.clusterwright.windows.internal.jobs;

import io.clusterwright.core.type.InvalidValueException;
import io.clusterwright.core.type.Ipv4Address;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * The network that MS-MPI may use, the value of {@code MPICH_NETMASK} and {@code CCP_MPI_NETMASK}.
 *
 * <p>MS-MPI silently ignores a mask that it cannot read, and then uses any network: it wants a {@code /}, 1 to 31 bits or a
 * mask that means as many, and at most 31 characters in all (Microsoft-MPI, {@code ParseNetmask}). {@code CCP_MPI_NETMASK} has no
 * effect on nodes of a burst.
 *
 * @param address an address of the network
 * @param mask the mask as it was given, {@code 255.255.0.0} or {@code 16}
 */
public record Netmask(Ipv4Address address, String mask) {
    private static final int LONGEST = 31;
    private static final Set<String> VARIABLES = Set.of("MPICH_NETMASK", "CCP_MPI_NETMASK");
    private static final Pattern BITS = Pattern.compile("[1-9]|[12][0-9]|3[01]");

    /** The network of the RDMA adapters of A8, A9, H16r and H16mr. */
    public static final Netmask RDMA = of("172.16.0.0/255.255.0.0");

    /**
     * Checks the values.
     *
     * @throws InvalidValueException when MS-MPI would ignore it
     */
    public Netmask {
        String text = address + "/" + mask;
        if (text.length() > LONGEST || !BITS.matcher(mask).matches() && !isMask(mask)) {
            throw refused(text);
        }
    }

    /**
     * Reads a mask.
     *
     * @throws InvalidValueException when MS-MPI would ignore it
     */
    public static Netmask of(String text) {
        int slash = text.indexOf('/');
        if (slash < 0) {
            throw refused(text);
        }
        Ipv4Address address;
        try {
            address = Ipv4Address.of(text.substring(0, slash));
        } catch (InvalidValueException e) {
            throw refused(text);
        }
        return new Netmask(address, text.substring(slash + 1));
    }

    /**
     * The value of a variable for MS-MPI, unchanged.
     *
     * @throws InvalidValueException when the variable holds a netmask that MS-MPI would ignore
     */
    public static String checked(String variable, String value) {
        return isNetmask(variable) && !value.isEmpty() ? of(value).toString() : value;
    }

    /** Whether a variable holds a netmask. */
    public static boolean isNetmask(String variable) {
        return VARIABLES.contains(variable.toUpperCase(Locale.ROOT));
    }

    /** The number of bits of the mask, 1 to 31. */
    public int bits() {
        return BITS.matcher(mask).matches()
                ? Integer.parseInt(mask)
                : Integer.bitCount(Ipv4Address.of(mask).bits());
    }

    private static boolean isMask(String mask) {
        try {
            int zeros = ~Ipv4Address.of(mask).bits();
            // Ones, then zeros, and at least one of each.
            return zeros != 0 && zeros != -1 && (zeros & zeros + 1) == 0;
        } catch (InvalidValueException e) {
            return false;
        }
    }

    private static InvalidValueException refused(String text) {
        return new InvalidValueException(
                "netmask for MS-MPI",
                text,
                "an address, '/', and 1 to 31 bits or a mask of ones then zeros, at most 31 characters (MS-MPI ignores other masks without a message)",
                "172.16.0.0/255.255.0.0");
    }

    /** As MS-MPI reads it, such as {@code 172.16.0.0/255.255.0.0}. */
    @Override
    public String toString() {
        return address + "/" + mask;
    }
}
