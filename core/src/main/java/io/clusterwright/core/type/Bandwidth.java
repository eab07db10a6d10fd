package io.clusterwright.core.type;

import java.util.Locale;
import java.util.regex.Matcher;

/**
 * A number of bytes per second. Use it to compare results of benchmarks that have different units.
 *
 * <pre>{@code
 * Bandwidth link = Bandwidth.ofGigabitsPerSecond(200);
 * Bandwidth measured = Bandwidth.ofMebibytesPerSecond(23_100); // as IMB 4.0 prints it
 * boolean slow = measured.bytesPerSecond() < 0.9 * link.bytesPerSecond();
 * }</pre>
 *
 * <p>Benchmarks disagree on units: older IMB and OSU report 2^20 or 10^6 bytes, NetPIPE 2^20 bits, vendors 10^9 bits.
 * Each has a factory here.
 *
 * @param bytesPerSecond finite and not negative
 */
public record Bandwidth(double bytesPerSecond) implements Comparable<Bandwidth> {
    private static final Syntax SYNTAX = Syntax.of(
            "bandwidth",
            "([0-9]{1,15}(?:\\.[0-9]{1,15})?) ?(B/s|kB/s|MB/s|GB/s|TB/s|KiB/s|MiB/s|GiB/s|Mbit/s|Gbit/s)",
            "a number that is not negative and one of the units B/s, kB/s, MB/s, GB/s, TB/s, KiB/s, MiB/s, GiB/s,"
                    + " Mbit/s, Gbit/s",
            "3.87 GB/s");
    private static final String[] DECIMAL = {"B/s", "kB/s", "MB/s", "GB/s", "TB/s"};

    /**
     * Checks the number.
     *
     * @throws InvalidValueException when it is negative, infinite or not a number
     */
    public Bandwidth {
        if (!(bytesPerSecond >= 0) || Double.isInfinite(bytesPerSecond)) {
            throw SYNTAX.invalid(bytesPerSecond + " B/s");
        }
        bytesPerSecond += 0.0;
    }

    /** A bandwidth in units of 2^20 bytes, as IMB up to version 4 counts. */
    public static Bandwidth ofMebibytesPerSecond(double number) {
        return new Bandwidth(number * 0x1p20);
    }

    /** A bandwidth in units of 10^6 bytes, as OSU and newer IMB count. */
    public static Bandwidth ofMegabytesPerSecond(double number) {
        return new Bandwidth(number * 1e6);
    }

    /** A bandwidth in units of 2^20 bits, as NetPIPE counts. */
    public static Bandwidth ofMebibitsPerSecond(double number) {
        return new Bandwidth(number * 0x1p20 / 8);
    }

    /** A bandwidth in units of 10^9 bits, as vendors count. */
    public static Bandwidth ofGigabitsPerSecond(double number) {
        return new Bandwidth(number * 1e9 / 8);
    }

    /**
     * Reads a bandwidth with its unit.
     *
     * @throws InvalidValueException when it is not as described
     */
    public static Bandwidth of(String text) {
        Matcher parts = SYNTAX.pattern().matcher(text);
        if (!parts.matches()) {
            throw SYNTAX.invalid(text);
        }
        return new Bandwidth(Double.parseDouble(parts.group(1)) * bytesPer(parts.group(2)));
    }

    /** The bandwidth in units of 10^9 bits. */
    public double gigabitsPerSecond() {
        return bytesPerSecond * 8 / 1e9;
    }

    private static double bytesPer(String unit) {
        return switch (unit) {
            case "kB/s" -> 1e3;
            case "MB/s" -> 1e6;
            case "GB/s" -> 1e9;
            case "TB/s" -> 1e12;
            case "KiB/s" -> 0x1p10;
            case "MiB/s" -> 0x1p20;
            case "GiB/s" -> 0x1p30;
            case "Mbit/s" -> 1e6 / 8;
            case "Gbit/s" -> 1e9 / 8;
            default -> 1;
        };
    }

    @Override
    public int compareTo(Bandwidth other) {
        return Double.compare(bytesPerSecond, other.bytesPerSecond);
    }

    /** The bandwidth for people, in a decimal unit with two decimals, such as {@code 3.87 GB/s}. */
    @Override
    public String toString() {
        double number = bytesPerSecond;
        int unit = 0;
        while (number >= 999.995 && unit < DECIMAL.length - 1) {
            number /= 1000;
            unit++;
        }
        return String.format(Locale.ROOT, "%.2f %s", number, DECIMAL[unit]);
    }
}
