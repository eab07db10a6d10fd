package io.clusterwright.core.type;

import org.jspecify.annotations.Nullable;

/**
 * An IPv4 address. Use it for the addresses of nodes.
 *
 * @param bits the address as 32 bits, the first octet highest
 * @see AddressRange
 */
public record Ipv4Address(int bits) implements Comparable<Ipv4Address> {
    private static final String OCTET = "(25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9])";
    private static final Syntax SYNTAX = Syntax.of(
            "IPv4 address",
            OCTET + "(\\." + OCTET + "){3}",
            "four numbers from 0 to 255 without leading zeros, separated by dots",
            "10.32.0.11");

    /**
     * Reads an address in dotted decimal form.
     *
     * @throws io.clusterwright.core.type.InvalidValueException when it is not as described
     */
    public static Ipv4Address of(String text) {
        SYNTAX.require(text);
        int bits = 0;
        for (String octet : text.split("\\.", -1)) {
            bits = bits << 8 | Integer.parseInt(octet);
        }
        return new Ipv4Address(bits);
    }

    /**
     * The address this many places on.
     *
     * @param offset may be negative
     * @throws io.clusterwright.core.type.InvalidValueException when there is no such address
     */
    public Ipv4Address plus(long offset) {
        long value = toLong() + offset;
        if (value < 0 || value > 0xFFFF_FFFFL || Math.abs(offset) > 0xFFFF_FFFFL) {
            throw SYNTAX.invalid(
                    this + (offset < 0 ? " - " : " + ") + Long.toString(offset).replace("-", ""));
        }
        return new Ipv4Address((int) value);
    }

    /** Whether the address is one of 127.0.0.0/8, which never leaves the machine. */
    public boolean isLoopback() {
        return bits >>> 24 == 127;
    }

    /** The address as a number from 0 to 4294967295. */
    public long toLong() {
        return Integer.toUnsignedLong(bits);
    }

    @Override
    public int compareTo(Ipv4Address other) {
        return Integer.compareUnsigned(bits, other.bits);
    }

    /** The address in dotted decimal form. */
    @Override
    public String toString() {
        return (bits >>> 24) + "." + (bits >>> 16 & 0xFF) + "." + (bits >>> 8 & 0xFF) + "." + (bits & 0xFF);
    }

    // Written out, as the one of a record makes classes when it is first called, which takes longer than all the rules
    // for a spec.
    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof Ipv4Address that && bits == that.bits;
    }

    @Override
    public int hashCode() {
        return Integer.hashCode(bits);
    }
}
