package io.clusterwright.core.type;

import java.util.List;
import java.util.regex.Matcher;

/**
 * The limit of memory that a process may lock (RLIMIT_MEMLOCK), which bounds what it can register with an RDMA
 * device. Use it to compare limits of nodes with the limit of a spec.
 *
 * <pre>{@code
 * MemlockLimit wanted = MemlockLimit.of("unlimited");
 * boolean enough = wanted.covers(MemlockLimit.of(65_536)); // 64 MiB
 * }</pre>
 *
 * <p>Counted in KiB, as limits.conf(5) and {@code ulimit -l} do; systemd and the kernel count bytes.
 */
public final class MemlockLimit implements Comparable<MemlockLimit> {
    private static final Syntax SYNTAX = Syntax.of(
            "limit of locked memory",
            "([0-9]{1,18})(?: ?(KiB|MiB|GiB|TiB))?",
            "unlimited, or a number of KiB (or with one of the units KiB, MiB, GiB, TiB) below 8 EiB",
            "65536");
    private static final List<String> UNITS = List.of("KiB", "MiB", "GiB", "TiB");
    private static final long MAX_KIBIBYTES = Long.MAX_VALUE >> 10;

    /** No limit. */
    public static final MemlockLimit UNLIMITED = new MemlockLimit(Long.MAX_VALUE);

    private final long kibibytes;

    private MemlockLimit(long kibibytes) {
        this.kibibytes = kibibytes;
    }

    /**
     * A limit of this many KiB.
     *
     * @param kibibytes 0 to 2^53 - 1
     * @throws io.clusterwright.core.type.InvalidValueException when the number is out of its range
     */
    public static MemlockLimit of(long kibibytes) {
        if (kibibytes < 0 || kibibytes > MAX_KIBIBYTES) {
            throw SYNTAX.invalid(Long.toString(kibibytes));
        }
        return new MemlockLimit(kibibytes);
    }

    /**
     * Reads a limit.
     *
     * @param text {@code unlimited}, {@code infinity} or {@code -1}; a number of KiB; or a number with a unit such as
     *     {@code 8 GiB}
     * @throws io.clusterwright.core.type.InvalidValueException when it is none of these
     */
    public static MemlockLimit of(String text) {
        if (text.equals("unlimited") || text.equals("infinity") || text.equals("-1")) {
            return UNLIMITED;
        }
        Matcher parts = SYNTAX.pattern().matcher(text);
        if (!parts.matches()) {
            throw SYNTAX.invalid(text);
        }
        long number = Long.parseLong(parts.group(1));
        int shift = parts.group(2) == null ? 0 : 10 * UNITS.indexOf(parts.group(2));
        if (number > MAX_KIBIBYTES >> shift) {
            throw SYNTAX.invalid(text);
        }
        return of(number << shift);
    }

    /** Whether there is no limit. */
    public boolean isUnlimited() {
        return kibibytes == Long.MAX_VALUE;
    }

    /**
     * The limit in KiB.
     *
     * @throws IllegalStateException when there is no limit
     */
    public long kibibytes() {
        if (isUnlimited()) {
            throw new IllegalStateException("an unlimited limit has no number: ask isUnlimited() first");
        }
        return kibibytes;
    }

    /** Whether a process with this limit may lock as much as one with the other. */
    public boolean covers(MemlockLimit other) {
        return compareTo(other) >= 0;
    }

    @Override
    public int compareTo(MemlockLimit other) {
        return Long.compare(kibibytes, other.kibibytes);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof MemlockLimit limit && limit.kibibytes == kibibytes;
    }

    @Override
    public int hashCode() {
        return Long.hashCode(kibibytes);
    }

    /** {@code unlimited} or the number of KiB, as limits.conf(5) writes it. */
    @Override
    public String toString() {
        return isUnlimited() ? "unlimited" : Long.toString(kibibytes);
    }
}
