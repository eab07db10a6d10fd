package io.clusterwright.linux.probe;

import io.clusterwright.core.type.Bandwidth;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A port of an RDMA device.
 *
 * @param number 1 for the first
 * @param state such as {@code ACTIVE}, {@code INIT} or {@code DOWN}; empty when the driver does not tell
 * @param linkLayer {@code InfiniBand} or {@code Ethernet}; empty when the driver does not tell
 * @param rate such as {@code 100 Gb/sec (4X EDR)}; empty when the driver does not tell
 * @param partitionKeys such as {@code 0xffff}, those that are set
 */
public record RdmaPort(int number, String state, String linkLayer, String rate, List<String> partitionKeys) {
    private static final Pattern RATE = Pattern.compile("([0-9]+(?:\\.[0-9]+)?) Gb/sec.*");

    /** Keeps a copy of the list. */
    public RdmaPort {
        partitionKeys = List.copyOf(partitionKeys);
    }

    /** Whether data can pass. */
    public boolean isActive() {
        return state.equals("ACTIVE");
    }

    /** The signalling rate as a number; empty when the driver does not tell. */
    public Optional<Bandwidth> bandwidth() {
        Matcher parts = RATE.matcher(rate);
        return parts.matches()
                ? Optional.of(Bandwidth.ofGigabitsPerSecond(Double.parseDouble(parts.group(1))))
                : Optional.empty();
    }
}
