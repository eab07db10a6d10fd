package io.clusterwright.windows.internal.probe;

import io.clusterwright.core.type.ClusterwrightException;
import jnr.ffi.Memory;
import jnr.ffi.Pointer;

/**
 * A job object: processes that end together with all their children, also when this program dies. Safe for use by several threads; its creator
 * closes it.
 */
public final class ProcessTree implements AutoCloseable {
    /** {@code JobObjectExtendedLimitInformation}. */
    static final int LIMITS = 9;

    /** The size of {@code JOBOBJECT_EXTENDED_LIMIT_INFORMATION}. */
    static final int LIMITS_SIZE = 144;

    /** The offset of its {@code LimitFlags}. */
    static final int LIMIT_FLAGS = 16;

    /** {@code JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE}. */
    static final int KILL_ON_CLOSE = 0x2000;

    /** {@code PROCESS_SET_QUOTA | PROCESS_TERMINATE}, which joining a job object takes. */
    static final int ACCESS = 0x0100 | 0x0001;

    private static final int KILLED = 1;

    private final Pointer job;
    private boolean open = true;

    private ProcessTree(Pointer job) {
        this.job = job;
    }

    /** Whether this system has job objects that this class can use: Windows on x86-64. */
    public static boolean isSupported() {
        return Windows.isSupported();
    }

    /**
     * Creates an empty one.
     *
     * @throws ClusterwrightException when this is not Windows, or Windows refuses
     */
    public static ProcessTree create() {
        String what = "make a job object";
        Windows.require(what);
        Windows.Kernel kernel = Windows.kernel();
        Pointer job = kernel.CreateJobObjectW(nothing(kernel), nothing(kernel));
        if (isNull(job)) {
            throw Windows.failed(what, "CreateJobObjectW");
        }
        Pointer limits = Memory.allocateDirect(Windows.runtime(kernel), LIMITS_SIZE, true);
        limits.putInt(LIMIT_FLAGS, KILL_ON_CLOSE);
        if (kernel.SetInformationJobObject(job, LIMITS, limits, LIMITS_SIZE) == 0) {
            ClusterwrightException failed = Windows.failed(what, "SetInformationJobObject");
            kernel.CloseHandle(job);
            throw failed;
        }
        return new ProcessTree(job);
    }

    /**
     * Adds a process; what it starts from now on belongs to the tree, too, what it started before does not.
     *
     * @param process its number, as {@link Process#pid()} gives it
     * @throws ClusterwrightException when there is none, or Windows refuses
     */
    public synchronized void add(long process) {
        String what = "add process " + process + " to a job object";
        requireOpen();
        Windows.Kernel kernel = Windows.kernel();
        Pointer handle = kernel.OpenProcess(ACCESS, 0, Math.toIntExact(process));
        if (isNull(handle)) {
            throw Windows.failed(what, "OpenProcess");
        }
        if (kernel.AssignProcessToJobObject(job, handle) == 0) {
            ClusterwrightException failed = Windows.failed(what, "AssignProcessToJobObject");
            kernel.CloseHandle(handle);
            throw failed;
        }
        kernel.CloseHandle(handle);
    }

    /**
     * Ends all processes of the tree; the tree takes others after that.
     *
     * @throws ClusterwrightException when Windows refuses
     */
    public synchronized void kill() {
        requireOpen();
        if (Windows.kernel().TerminateJobObject(job, KILLED) == 0) {
            throw Windows.failed("end the processes of a job object", "TerminateJobObject");
        }
    }

    private void requireOpen() {
        if (!open) {
            throw new IllegalStateException("this process tree was closed");
        }
    }

    private static Pointer nothing(Windows.Kernel kernel) {
        return Pointer.wrap(Windows.runtime(kernel), 0);
    }

    @SuppressWarnings("NullAway") // The binding gives null for address 0, whatever its type says.
    private static boolean isNull(Pointer handle) {
        return handle == null || handle.address() == 0;
    }

    /** Ends all processes of the tree; twice is harmless. */
    @Override
    public synchronized void close() {
        if (open) {
            open = false;
            Windows.kernel().CloseHandle(job);
        }
    }
}
