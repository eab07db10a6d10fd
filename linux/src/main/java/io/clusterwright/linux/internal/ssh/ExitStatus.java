package io.clusterwright.linux.internal.ssh;

import java.util.Map;
import java.util.OptionalInt;
import org.apache.sshd.client.channel.ClientChannel;

/** Reads how a command ended: 0 to 255, or 128 and the number of the signal that ended it. */
final class ExitStatus {
    /** The names of RFC 4254, 6.10, and their numbers on Linux. */
    private static final Map<String, Integer> SIGNALS = Map.ofEntries(
            Map.entry("HUP", 1),
            Map.entry("INT", 2),
            Map.entry("QUIT", 3),
            Map.entry("ILL", 4),
            Map.entry("TRAP", 5),
            Map.entry("ABRT", 6),
            Map.entry("BUS", 7),
            Map.entry("FPE", 8),
            Map.entry("KILL", 9),
            Map.entry("USR1", 10),
            Map.entry("SEGV", 11),
            Map.entry("USR2", 12),
            Map.entry("PIPE", 13),
            Map.entry("ALRM", 14),
            Map.entry("TERM", 15));

    private static final int UNKNOWN_SIGNAL = 255;

    private ExitStatus() {}

    /** The status; empty when the channel closed without telling. */
    static OptionalInt of(ClientChannel channel) {
        Integer status = channel.getExitStatus();
        if (status != null) {
            return OptionalInt.of(status);
        }
        String signal = channel.getExitSignal();
        if (signal == null) {
            return OptionalInt.empty();
        }
        Integer number = SIGNALS.get(signal);
        return OptionalInt.of(number == null ? UNKNOWN_SIGNAL : 128 + number);
    }
}
