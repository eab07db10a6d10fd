package io.clusterwright.linux.internal.local.host;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Collectors;

/** The rights of root that a node keeps: enough to log in, install packages and run jobs, not to leave the node. */
public final class Capabilities {
    static final int SYS_RESOURCE = 24;

    private static final Map<String, Integer> KEPT = new LinkedHashMap<>();

    static {
        KEPT.put("chown", 0);
        KEPT.put("dac_override", 1);
        KEPT.put("fowner", 3);
        KEPT.put("fsetid", 4);
        KEPT.put("kill", 5);
        KEPT.put("setgid", 6);
        KEPT.put("setuid", 7);
        KEPT.put("setpcap", 8);
        KEPT.put("net_bind_service", 10);
        KEPT.put("ipc_lock", 14);
        KEPT.put("sys_chroot", 18);
        KEPT.put("sys_nice", 23);
        KEPT.put("sys_resource", SYS_RESOURCE);
        KEPT.put("audit_write", 29);
        KEPT.put("setfcap", 31);
    }

    private Capabilities() {}

    /** What a node keeps, of those this process has, as {@code setpriv} reads it. */
    public static String bounding() {
        long available = available();
        return KEPT.entrySet().stream()
                .filter(entry -> has(available, entry.getValue()))
                .map(entry -> ",+" + entry.getKey())
                .collect(Collectors.joining("", "-all", ""));
    }

    static boolean has(long mask, int capability) {
        return (mask & (1L << capability)) != 0;
    }

    /** The bounding set of this process. */
    static long available() {
        try {
            return Files.readAllLines(Path.of("/proc/self/status")).stream()
                    .filter(line -> line.startsWith("CapBnd:"))
                    .map(line -> Long.parseUnsignedLong(line.substring(7).strip(), 16))
                    .findFirst()
                    .orElse(0L);
        } catch (IOException e) {
            throw LocalMachinesException.of("read the capabilities of this process", e);
        }
    }
}
