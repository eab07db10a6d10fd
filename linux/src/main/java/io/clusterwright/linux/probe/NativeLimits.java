package io.clusterwright.linux.probe;

import io.clusterwright.core.type.MemlockLimit;
import jnr.ffi.Memory;
import jnr.ffi.Pointer;

/** The limits a process really has, whatever the files say. */
public final class NativeLimits {
    private static final int RLIMIT_MEMLOCK = 8;

    private NativeLimits() {}

    /**
     * How much memory a process may lock.
     *
     * @param soft what holds now
     * @param hard up to what the process may raise it
     */
    public record Memlock(MemlockLimit soft, MemlockLimit hard) {}

    /** The limit of this process. */
    public static NativeAnswer<Memlock> memlock() {
        return memlock(0);
    }

    /**
     * The limit of a process.
     *
     * @param pid its number, or 0 for this process; another user's process needs the rights of root
     */
    public static NativeAnswer<Memlock> memlock(long pid) {
        String question = "read the limit of locked memory of " + (pid == 0 ? "this process" : "process " + pid);
        return LibC.ask(question, libc -> {
            Pointer limits = Memory.allocateDirect(LibC.runtime(), 2 * Long.BYTES);
            if (libc.prlimit(Math.toIntExact(pid), RLIMIT_MEMLOCK, LibC.nowhere(), limits) != 0) {
                return new NativeAnswer.Unknown<>("cannot " + question + ": " + explain(LibC.lastError()));
            }
            return new NativeAnswer.Known<>(new Memlock(limit(limits.getLong(0)), limit(limits.getLong(Long.BYTES))));
        });
    }

    /** The kernel counts bytes; all bits set mean no limit. */
    private static MemlockLimit limit(long bytes) {
        return bytes < 0 ? MemlockLimit.UNLIMITED : MemlockLimit.of(bytes / 1024);
    }

    private static String explain(String error) {
        return switch (error) {
            case "ESRCH" -> "there is no such process (ESRCH)";
            case "EPERM" -> "it belongs to another user (EPERM); ask as root";
            default -> error;
        };
    }
}
