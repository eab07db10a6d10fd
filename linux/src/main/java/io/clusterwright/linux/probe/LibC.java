package io.clusterwright.linux.probe;

import java.util.function.Function;
import jnr.constants.platform.Errno;
import jnr.ffi.LibraryLoader;
import jnr.ffi.Platform;
import jnr.ffi.Pointer;
import jnr.ffi.Runtime;
import jnr.ffi.types.off_t;
import jnr.ffi.types.size_t;

/** The C library of this machine. */
final class LibC {
    private LibC() {}

    /** Asks the C library; every way in which it can be absent becomes an answer. */
    static <T> NativeAnswer<T> ask(String question, Function<Calls, NativeAnswer<T>> call) {
        String system = System.getProperty("os.name", "");
        if (!system.equals("Linux")) {
            return NativeAnswer.unknown("cannot " + question + " on " + system + ": it is a matter of Linux");
        }
        try {
            return call.apply(Holder.CALLS);
        } catch (LinkageError | RuntimeException e) {
            return NativeAnswer.unknown(
                    "cannot " + question + ": the C library cannot be called from Java here (" + e + ")");
        }
    }

    static Pointer nowhere() {
        return Pointer.wrap(runtime(), 0);
    }

    static Runtime runtime() {
        return Runtime.getRuntime(Holder.CALLS);
    }

    /** The name of the error of the last call, such as {@code ENOMEM}. */
    static String lastError() {
        return Errno.valueOf(runtime().getLastError()).name();
    }

    private static final class Holder {
        static final Calls CALLS = LibraryLoader.create(Calls.class)
                .load(Platform.getNativePlatform().getStandardCLibraryName());
    }

    /** The functions in use; public because the binding is made outside of this package. */
    public interface Calls {
        /** Reads or sets a limit of a process, prlimit(2). */
        int prlimit(int pid, int resource, Pointer replacement, Pointer old);

        /** Maps memory, mmap(2); with the address as a number, the binding hands on wrong arguments. */
        Pointer mmap(Pointer address, @size_t long length, int protection, int flags, int file, @off_t long offset);

        /** Locks memory, mlock(2). */
        int mlock(Pointer address, @size_t long length);

        /** Unmaps, and thereby unlocks, memory, munmap(2). */
        int munmap(Pointer address, @size_t long length);
    }
}
