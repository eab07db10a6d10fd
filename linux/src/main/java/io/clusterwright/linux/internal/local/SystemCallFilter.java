package io.clusterwright.linux.internal.local;

import io.clusterwright.core.internal.text.TextResource;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;

/**
 * The system calls that the kernel refuses to all processes of a node, as a program of the kernel's filter machine (seccomp).
 *
 * <p>A user namespace gives its maker all rights in it, and with them parts of the kernel that rights of root do not guard otherwise.
 * Keys of the kernel belong to users, and users of a node have numbers that users of this machine have.
 */
final class SystemCallFilter {
    /** The script that sets a filter for itself and becomes another program. */
    static final String SCRIPT = "node-filter.pl";

    private static final int LOAD = 0x20;
    private static final int EQUAL = 0x15;
    private static final int AT_LEAST = 0x35;
    private static final int HAS_ANY = 0x45;
    private static final int ANSWER = 0x06;

    private static final int NUMBER = 0;
    private static final int PROCESSOR = 4;
    private static final int FIRST_ARGUMENT = 16;
    private static final int THIRD_ARGUMENT = 32;

    private static final int ALLOW = 0x7fff0000;
    private static final int NOT_PERMITTED = 0x00050000 + 1;
    private static final int UNKNOWN_CALL = 0x00050000 + 38;
    private static final int UNKNOWN_PROTOCOL = 0x00050000 + 93;
    private static final int UNKNOWN_FAMILY = 0x00050000 + 97;

    /** From here on, system calls of x86-64 have pointers of 32 bits. */
    private static final int SHORT_POINTERS = 0x40000000;

    /** The flags of new namespaces: mount, cgroup, UTS, IPC, user, PID, network. */
    private static final int NEW_NAMESPACE = 0x7e020000;
    /** In {@code clone}, this bit belongs to the number of a signal. */
    private static final int NEW_TIME_NAMESPACE = 0x80;

    private static final int NETLINK = 16;
    private static final int NETLINK_AUDIT = 9;
    /** Sockets between virtual machines and their host. */
    private static final int VSOCK = 40;

    /** Programs take this answer for an older kernel, and do without: clone3, io_uring_setup, _enter, _register. */
    private static final List<Integer> UNKNOWN = List.of(435, 425, 426, 427);
    /** open_tree, move_mount, fsopen, fsconfig, fsmount, fspick, mount_setattr, open_tree_attr. */
    private static final List<Integer> REFUSED = List.of(428, 429, 430, 431, 432, 433, 442, 467);

    /**
     * Numbers of system calls of a kind of processor.
     *
     * @param processor the kind, as the kernel names it
     * @param cloned clone
     * @param unknown add_key, request_key, keyctl
     * @param refused mount, umount2, pivot_root, setns, bpf, perf_event_open, userfaultfd, open_by_handle_at, kexec_load,
     *     kexec_file_load, init_module, finit_module, delete_module, fanotify_init
     */
    private record Numbers(
            int processor,
            int seccomp,
            int cloned,
            int unshare,
            int socket,
            List<Integer> unknown,
            List<Integer> refused) {
        static final Numbers X86_64 = new Numbers(
                0xc000003e,
                317,
                56,
                272,
                41,
                List.of(248, 249, 250),
                List.of(165, 166, 155, 308, 321, 298, 323, 304, 246, 320, 175, 313, 176, 300));
        static final Numbers ARM64 = new Numbers(
                0xc00000b7,
                277,
                220,
                97,
                198,
                List.of(217, 218, 219),
                List.of(40, 39, 41, 268, 280, 241, 282, 265, 104, 294, 105, 273, 106, 262));
    }

    private final ByteBuffer code = ByteBuffer.allocate(4096).order(ByteOrder.LITTLE_ENDIAN);

    private SystemCallFilter(Numbers numbers) {
        add(LOAD, PROCESSOR);
        add(EQUAL, numbers.processor, 1, 0);
        add(ANSWER, UNKNOWN_CALL);
        add(LOAD, NUMBER);
        if (numbers == Numbers.X86_64) {
            add(AT_LEAST, SHORT_POINTERS, 0, 1);
            add(ANSWER, UNKNOWN_CALL);
        }
        answer(UNKNOWN, UNKNOWN_CALL);
        answer(numbers.unknown, UNKNOWN_CALL);
        answer(REFUSED, NOT_PERMITTED);
        answer(numbers.refused, NOT_PERMITTED);
        namespaces(numbers.cloned, NEW_NAMESPACE);
        namespaces(numbers.unshare, NEW_NAMESPACE | NEW_TIME_NAMESPACE);
        add(EQUAL, numbers.socket, 0, 7);
        add(LOAD, FIRST_ARGUMENT);
        add(EQUAL, VSOCK, 0, 1);
        add(ANSWER, UNKNOWN_FAMILY);
        add(EQUAL, NETLINK, 0, 3);
        add(LOAD, THIRD_ARGUMENT);
        // Programs that write to the audit log do without it then: they would end where the right to write is missing.
        add(EQUAL, NETLINK_AUDIT, 0, 1);
        add(ANSWER, UNKNOWN_PROTOCOL);
        add(ANSWER, ALLOW);
    }

    /** The filter of this machine's kind of processor. */
    static Optional<String> ofThisMachine() {
        return of(System.getProperty("os.arch"));
    }

    /**
     * The filter for its script: the number of the system call that sets it, and its digits. Empty for a kind of processor without one.
     *
     * @param processor as {@code os.arch} names it
     */
    static Optional<String> of(String processor) {
        return switch (processor) {
            case "amd64" -> Optional.of(new SystemCallFilter(Numbers.X86_64).text(Numbers.X86_64));
            case "aarch64" -> Optional.of(new SystemCallFilter(Numbers.ARM64).text(Numbers.ARM64));
            default -> Optional.empty();
        };
    }

    static String script() {
        return TextResource.read(SystemCallFilter.class.getResourceAsStream(SCRIPT), SCRIPT);
    }

    private String text(Numbers numbers) {
        return numbers.seccomp + "\n" + HexFormat.of().formatHex(code.array(), 0, code.position()) + "\n";
    }

    private void answer(List<Integer> calls, int answer) {
        for (int call : calls) {
            add(EQUAL, call, 0, 1);
            add(ANSWER, answer);
        }
    }

    private void namespaces(int call, int flags) {
        add(EQUAL, call, 0, 4);
        add(LOAD, FIRST_ARGUMENT);
        add(HAS_ANY, flags, 0, 1);
        add(ANSWER, NOT_PERMITTED);
        add(ANSWER, ALLOW);
    }

    private void add(int operation, int value) {
        add(operation, value, 0, 0);
    }

    /** Adds an instruction; a test skips this number of the next instructions. */
    private void add(int operation, int value, int whenTrue, int whenFalse) {
        code.putShort((short) operation)
                .put((byte) whenTrue)
                .put((byte) whenFalse)
                .putInt(value);
    }
}
