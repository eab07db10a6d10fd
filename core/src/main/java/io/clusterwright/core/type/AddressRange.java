package io.clusterwright.core.type;

import java.util.List;
import java.util.regex.Matcher;

/**
 * A range of IPv4 addresses in CIDR form, such as {@code 10.32.0.0/16}. Use it to choose address ranges that do not
 * overlap.
 *
 * <pre>{@code
 * AddressRange range = AddressRange.of("10.32.0.0/16");
 * Ipv4Address first = range.address(4);
 * boolean free = !range.overlaps(AddressRange.of("10.40.0.0/16"));
 * }</pre>
 *
 * @param network the first address; its bits after the prefix are 0
 * @param prefixLength how many bits are common to all addresses, 0 to 32
 */
public record AddressRange(Ipv4Address network, int prefixLength) {
    private static final Syntax SYNTAX = Syntax.of(
            "address range",
            "([0-9.]+)/([0-9]|[12][0-9]|3[0-2])",
            "an IPv4 network and the length of its prefix, 0 to 32",
            "10.32.0.0/16");

    /** The ranges of RFC 1918. */
    private static final List<AddressRange> PRIVATE =
            List.of(of("10.0.0.0/8"), of("172.16.0.0/12"), of("192.168.0.0/16"));

    /**
     * Checks the range.
     *
     * @throws InvalidValueException when the prefix length is out of its range or host bits are set
     */
    public AddressRange {
        if (prefixLength < 0 || prefixLength > 32) {
            throw SYNTAX.invalid(network + "/" + prefixLength);
        }
        int masked = network.bits() & mask(prefixLength);
        if (masked != network.bits()) {
            throw new InvalidValueException(
                    "address range",
                    network + "/" + prefixLength,
                    "a network whose bits after the first " + prefixLength + " are 0",
                    new Ipv4Address(masked) + "/" + prefixLength);
        }
    }

    /**
     * Reads a range in CIDR form.
     *
     * @throws InvalidValueException when it is not as described
     */
    public static AddressRange of(String text) {
        Matcher parts = SYNTAX.pattern().matcher(text);
        if (!parts.matches()) {
            throw SYNTAX.invalid(text);
        }
        return new AddressRange(Ipv4Address.of(parts.group(1)), Integer.parseInt(parts.group(2)));
    }

    /** Whether the address lies in this range. */
    public boolean contains(Ipv4Address address) {
        return (address.bits() & mask(prefixLength)) == network.bits();
    }

    /** Whether every address of the other range lies in this one. */
    public boolean contains(AddressRange other) {
        return other.prefixLength >= prefixLength && contains(other.network);
    }

    /** Whether the two have an address in common. */
    public boolean overlaps(AddressRange other) {
        return contains(other) || other.contains(this);
    }

    /**
     * The address at this place.
     *
     * @param offset 0 for the network address itself
     * @throws InvalidValueException when the place lies outside of the range
     */
    public Ipv4Address address(long offset) {
        if (offset < 0 || offset >= size()) {
            throw new InvalidValueException(
                    "offset in " + this, offset, "0 to " + (size() - 1), Long.toString(size() / 2));
        }
        return network.plus(offset);
    }

    /** The number of addresses, 1 to 4294967296. */
    public long size() {
        return 1L << 32 - prefixLength;
    }

    /** Whether all of the range is for private use (RFC 1918). */
    public boolean isPrivate() {
        return PRIVATE.stream().anyMatch(range -> range.contains(this));
    }

    private static int mask(int prefixLength) {
        return prefixLength == 0 ? 0 : -1 << 32 - prefixLength;
    }

    /** The range in CIDR form. */
    @Override
    public String toString() {
        return network + "/" + prefixLength;
    }
}
