package io.clusterwright.linux.probe;

import io.clusterwright.core.type.InvalidValueException;
import io.clusterwright.core.type.MemlockLimit;
import java.util.Optional;
import jnr.ffi.Memory;
import jnr.ffi.Pointer;

/**
 * Limits of locked memory in force, and an attempt to lock some, as registering it with an RDMA device would. Use it
 * to find out whether a process can register memory with an RDMA device.
 *
 * <pre>{@code
 * MemlockProbe.limits().value().ifPresent(limits -> System.out.println(limits.soft() + " of " + limits.hard()));
 * MemlockProbe.tryLock(64 << 20).value().ifPresent(result -> System.out.println("64 MiB locked: " + result.succeeded()));
 * }</pre>
 */
public final class MemlockProbe {
    private static final int RLIMIT_MEMLOCK = 8;
    private static final int PROT_READ_WRITE = 0x1 | 0x2;
    private static final int MAP_PRIVATE_ANONYMOUS = 0x02 | 0x20;

    private static final long MAP_FAILED = -1;

    private MemlockProbe() {}

    /**
     * The limit of locked memory of a process, whatever the files say.
     *
     * @param soft the limit in force
     * @param hard the highest to which the process may raise it
     */
    public record Limits(MemlockLimit soft, MemlockLimit hard) {}

    /** The limit of this process. */
    public static NativeAnswer<Limits> limits() {
        return limits(0);
    }

    /**
     * The limit of a process.
     *
     * @param pid its number; another user's process needs the rights of root
     */
    public static NativeAnswer<Limits> limits(long pid) {
        String question = "read the limit of locked memory of " + (pid == 0 ? "this process" : "process " + pid);
        return LibC.ask(question, libc -> {
            Pointer values = Memory.allocateDirect(LibC.runtime(), 2 * Long.BYTES);
            if (libc.prlimit(Math.toIntExact(pid), RLIMIT_MEMLOCK, LibC.nowhere(), values) != 0) {
                return NativeAnswer.unknown("cannot " + question + ": " + explain(LibC.lastError()));
            }
            return NativeAnswer.known(new Limits(limit(values.getLong(0)), limit(values.getLong(Long.BYTES))));
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

    /** The outcome of an attempt to lock memory. Immutable. */
    public static final class Result {
        private final long bytes;
        private final String error;
        private final String advice;

        private Result(long bytes, String error, String advice) {
            this.bytes = bytes;
            this.error = error;
            this.advice = advice;
        }

        /** The size of the memory. */
        public long bytes() {
            return bytes;
        }

        /** Whether the memory could be locked; it has been freed again. */
        public boolean succeeded() {
            return error.isEmpty();
        }

        /** The name of the kernel's error, such as {@code ENOMEM}; empty when the memory could be locked. */
        public Optional<String> error() {
            return succeeded() ? Optional.empty() : Optional.of(error);
        }

        /** The remedy; empty when the memory could be locked. */
        public Optional<String> advice() {
            return succeeded() ? Optional.empty() : Optional.of(advice);
        }

        @Override
        public String toString() {
            return succeeded() ? bytes + " bytes locked" : bytes + " bytes refused: " + error + "; " + advice;
        }
    }

    /**
     * Maps memory, locks it and frees it again; a process with CAP_IPC_LOCK (root) succeeds whatever its limit.
     *
     * @param bytes how much, 1 or more; this much real memory is used for a moment
     * @throws InvalidValueException when the number is not positive
     */
    public static NativeAnswer<Result> tryLock(long bytes) {
        if (bytes < 1) {
            throw new InvalidValueException("number of bytes to lock", bytes, "1 or more", "65536");
        }
        return LibC.ask("lock memory", libc -> {
            Pointer memory = libc.mmap(LibC.nowhere(), bytes, PROT_READ_WRITE, MAP_PRIVATE_ANONYMOUS, -1, 0);
            if (memory.address() == MAP_FAILED) {
                return NativeAnswer.known(new Result(
                        bytes, LibC.lastError(), "the memory could not even be had: try less, or on a larger machine"));
            }
            try {
                return NativeAnswer.known(
                        libc.mlock(memory, bytes) == 0 ? new Result(bytes, "", "") : refused(bytes, LibC.lastError()));
            } finally {
                libc.munmap(memory, bytes);
            }
        });
    }

    private static Result refused(long bytes, String error) {
        String limit = limits().value()
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
        return new Result(bytes, error, advice);
    }
}
