package io.clusterwright.linux.internal.customize;

import io.clusterwright.core.type.ClusterwrightException;
import io.clusterwright.core.type.MemlockLimit;
import java.util.List;

/**
 * What a node's kernel lets its root do about locked memory.
 *
 * @param mayRaise whether a limit may be raised above the hard limit (CAP_SYS_RESOURCE)
 * @param hard the hard limit that everything on the node starts with
 */
record NodeLimits(boolean mayRaise, MemlockLimit hard) {
    /** Prints the capabilities that processes of the node can have at most, and the hard limit in bytes, both of its init. */
    static final String SCRIPT = """
            sed -n 's/^CapBnd:[[:space:]]*//p' /proc/1/status
            sed -n 's/^Max locked memory *[^ ]* *\\([^ ]*\\) .*/\\1/p' /proc/1/limits
            """;

    private static final int CAP_SYS_RESOURCE = 24;

    static NodeLimits parse(String answer) {
        List<String> lines = answer.lines().map(String::strip).toList();
        if (lines.size() != 2) {
            throw new ClusterwrightException("the node's limits cannot be read from \"" + answer.strip() + "\"");
        }
        long capabilities = Long.parseUnsignedLong(lines.get(0), 16);
        MemlockLimit hard = lines.get(1).equals("unlimited")
                ? MemlockLimit.UNLIMITED
                : MemlockLimit.of(Long.parseLong(lines.get(1)) / 1024);
        return new NodeLimits((capabilities >> CAP_SYS_RESOURCE & 1) == 1, hard);
    }

    /** The limit, or the highest that can be. */
    MemlockLimit possible(MemlockLimit wanted) {
        return mayRaise || hard.covers(wanted) ? wanted : hard;
    }
}
