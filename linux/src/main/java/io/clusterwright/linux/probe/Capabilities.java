package io.clusterwright.linux.probe;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The capabilities of a process, which root has by default, capabilities(7). Use it to find out which limits this
 * process may raise.
 *
 * <pre>{@code
 * boolean raises = Capabilities.ofThisProcess()
 *         .value()
 *         .filter(Capabilities::hasSysResource) // may raise its own limits
 *         .isPresent();
 * }</pre>
 *
 * @param effective what it may do now, one bit for each
 * @param bounding what it and its children can ever get
 */
public record Capabilities(long effective, long bounding) {
    private static final Path STATUS = Path.of("/proc/self/status");
    private static final int NET_ADMIN = 12;
    private static final int IPC_LOCK = 14;
    private static final int SYS_ADMIN = 21;
    private static final int SYS_RESOURCE = 24;

    /** The rights of this process. */
    public static NativeAnswer<Capabilities> ofThisProcess() {
        try {
            return parse(Files.readString(STATUS, StandardCharsets.ISO_8859_1));
        } catch (IOException e) {
            return NativeAnswer.unknown(
                    "cannot read the capabilities of this process: " + STATUS + " is not there; only Linux has it");
        }
    }

    /** The rights that a {@code /proc/PID/status} tells of. */
    static NativeAnswer<Capabilities> parse(String status) {
        Optional<Long> effective = mask(status, "CapEff");
        Optional<Long> bounding = mask(status, "CapBnd");
        return effective.isPresent() && bounding.isPresent()
                ? NativeAnswer.known(new Capabilities(effective.get(), bounding.get()))
                : NativeAnswer.unknown(
                        "cannot read the capabilities of this process: " + STATUS + " has no lines CapEff and CapBnd");
    }

    private static Optional<Long> mask(String status, String name) {
        Matcher line = Pattern.compile("^" + name + ":\\s*([0-9a-f]{1,16})\\s*$", Pattern.MULTILINE)
                .matcher(status);
        return line.find() ? Optional.of(Long.parseUnsignedLong(line.group(1), 16)) : Optional.empty();
    }

    /** Whether it may raise hard limits, such as the limit of locked memory. */
    public boolean hasSysResource() {
        return has(effective, SYS_RESOURCE);
    }

    /** Whether it or a child of it, run as root, can raise hard limits. */
    public boolean canHaveSysResource() {
        return has(bounding, SYS_RESOURCE);
    }

    /** Whether it may lock memory beyond its limit. */
    public boolean hasIpcLock() {
        return has(effective, IPC_LOCK);
    }

    /** Whether it may mount file systems and make namespaces. */
    public boolean hasSysAdmin() {
        return has(effective, SYS_ADMIN);
    }

    /** Whether it may make and change network interfaces. */
    public boolean hasNetAdmin() {
        return has(effective, NET_ADMIN);
    }

    private static boolean has(long mask, int bit) {
        return (mask >>> bit & 1) == 1;
    }
}
