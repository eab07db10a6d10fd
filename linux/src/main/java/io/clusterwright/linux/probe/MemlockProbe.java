package io.clusterwright.linux.probe;

import jnr.ffi.Pointer;

/** Finds out by trying whether this process may lock memory, as registering it with an RDMA device would. */
public final class MemlockProbe {
    private static final int PROT_READ_WRITE = 0x1 | 0x2;
    private static final int MAP_PRIVATE_ANONYMOUS = 0x02 | 0x20;

    private static final long MAP_FAILED = -1;

    private MemlockProbe() {}

    /** What became of the attempt. */
    public sealed interface Result {
        /** How much was to be locked. */
        long bytes();
    }

    /**
     * The memory could be locked; it has been freed again.
     *
     * @param bytes how much it was
     */
    public record Locked(long bytes) implements Result {}

    /**
     * The memory could not be locked.
     *
     * @param bytes how much it was to be
     * @param error the kernel's word, such as {@code ENOMEM}
     * @param advice what to do
     */
    public record Refused(long bytes, String error, String advice) implements Result {}

    /**
     * Maps memory, locks it and frees it again; a process with CAP_IPC_LOCK (root) succeeds whatever its limit.
     *
     * @param bytes how much, 1 or more; this much real memory is used for a moment
     * @throws IllegalArgumentException when the number is not positive
     */
    public static NativeAnswer<Result> tryLock(long bytes) {
        if (bytes < 1) {
            throw new IllegalArgumentException("the bytes to lock must be positive, not " + bytes);
        }
        return LibC.ask("lock memory", libc -> {
            Pointer memory = libc.mmap(LibC.nowhere(), bytes, PROT_READ_WRITE, MAP_PRIVATE_ANONYMOUS, -1, 0);
            if (memory.address() == MAP_FAILED) {
                return new NativeAnswer.Known<>(new Refused(
                        bytes, LibC.lastError(), "the memory could not even be had: try less, or on a larger machine"));
            }
            try {
                return new NativeAnswer.Known<>(
                        libc.mlock(memory, bytes) == 0 ? new Locked(bytes) : refused(bytes, LibC.lastError()));
            } finally {
                libc.munmap(memory, bytes);
            }
        });
    }

    private static Refused refused(long bytes, String error) {
        String limit = NativeLimits.memlock()
                .value()
                .map(memlock -> memlock.soft() + " KiB soft, " + memlock.hard() + " KiB hard")
                .orElse("unknown")
                .replace("unlimited KiB", "unlimited");
        String advice = switch (error) {
            case "ENOMEM", "EPERM" ->
                "the limit of locked memory is " + limit + ": raise memlock in"
                        + " /etc/security/limits.conf (LimitMEMLOCK= for a service), then log in again";
            case "EAGAIN" -> "the machine had not enough free memory: try less";
            default -> "see mlock(2)";
        };
        return new Refused(bytes, error, advice);
    }
}
