package io.clusterwright.linux.internal.local;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SystemCallFilterTest {
    private static final int X86_64 = 0xc000003e;
    private static final int I386 = 0x40000003;
    private static final int ARM64 = 0xc00000b7;
    private static final int ALLOW = 0x7fff0000;
    private static final int NOT_PERMITTED = 0x00050001;
    private static final int UNKNOWN_CALL = 0x00050026;
    private static final int NEW_USER = 0x10000000;
    private static final int NEW_CGROUP = 0x02000000;
    /** What a thread is made with. */
    private static final int THREAD = 0x003d0f00;

    private static final int SIGCHLD = 17;

    @ParameterizedTest
    @CsvSource({
        // clone, unshare, clone3, keyctl, mount, setns
        "amd64, " + X86_64 + ", 56, 272, 435, 250, 165, 308",
        "aarch64, " + ARM64 + ", 220, 97, 435, 219, 40, 268"
    })
    void refusesNamespacesMountsAndKeys(
            String processor, int kind, int clone, int unshare, int clone3, int keyctl, int mount, int setns) {
        assertThat(answer(processor, kind, clone, NEW_USER | SIGCHLD)).isEqualTo(NOT_PERMITTED);
        assertThat(answer(processor, kind, clone, THREAD)).isEqualTo(ALLOW);
        assertThat(answer(processor, kind, clone, SIGCHLD)).isEqualTo(ALLOW);
        assertThat(answer(processor, kind, unshare, NEW_USER)).isEqualTo(NOT_PERMITTED);
        assertThat(answer(processor, kind, unshare, NEW_CGROUP)).isEqualTo(NOT_PERMITTED);
        assertThat(answer(processor, kind, unshare, 0x80)).isEqualTo(NOT_PERMITTED);
        assertThat(answer(processor, kind, unshare, 0x200))
                .as("files of its own")
                .isEqualTo(ALLOW);
        assertThat(answer(processor, kind, clone3, 0)).isEqualTo(UNKNOWN_CALL);
        assertThat(answer(processor, kind, keyctl, 0)).isEqualTo(UNKNOWN_CALL);
        assertThat(answer(processor, kind, mount, 0)).isEqualTo(NOT_PERMITTED);
        assertThat(answer(processor, kind, setns, 3)).isEqualTo(NOT_PERMITTED);
        assertThat(answer(processor, kind, 0, 0)).isEqualTo(ALLOW);
        assertThat(answer(processor, I386, 0, 0)).isEqualTo(UNKNOWN_CALL);
    }

    @ParameterizedTest
    @CsvSource({"amd64, " + X86_64 + ", 41", "aarch64, " + ARM64 + ", 198"})
    void refusesSocketsThatLeaveTheNode(String processor, int kind, int socket) {
        assertThat(answer(processor, kind, socket, 40, 1, 0)).as("vsock").isEqualTo(0x00050061);
        assertThat(answer(processor, kind, socket, 16, 3, 9)).as("audit").isEqualTo(0x0005005d);
        assertThat(answer(processor, kind, socket, 16, 3, 0)).as("routes").isEqualTo(ALLOW);
        assertThat(answer(processor, kind, socket, 2, 1, 6)).as("TCP").isEqualTo(ALLOW);
    }

    @Test
    void refusesCallsWithPointersOf32Bits() {
        assertThat(answer("amd64", X86_64, 0x40000000, 0)).isEqualTo(UNKNOWN_CALL);
    }

    @Test
    void anotherProcessorHasNoFilter() {
        assertThat(SystemCallFilter.of("riscv64")).isEmpty();
    }

    /** Runs the filter as the kernel does. */
    private static int answer(String processor, int kind, int call, int... arguments) {
        String digits =
                SystemCallFilter.of(processor).orElseThrow().lines().toList().get(1);
        ByteBuffer code = ByteBuffer.wrap(HexFormat.of().parseHex(digits)).order(ByteOrder.LITTLE_ENDIAN);
        ByteBuffer data = ByteBuffer.allocate(64).order(ByteOrder.LITTLE_ENDIAN);
        data.putInt(0, call).putInt(4, kind);
        for (int i = 0; i < arguments.length; i++) {
            data.putLong(16 + 8 * i, arguments[i]);
        }
        int value = 0;
        int at = 0;
        while (true) {
            int operand = code.getInt(at + 4);
            boolean holds = false;
            switch (code.getShort(at)) {
                case 0x06:
                    return operand;
                case 0x20:
                    value = data.getInt(operand);
                    break;
                case 0x15:
                    holds = value == operand;
                    break;
                case 0x35:
                    holds = Integer.compareUnsigned(value, operand) >= 0;
                    break;
                case 0x45:
                    holds = (value & operand) != 0;
                    break;
                default:
                    throw new AssertionError("instruction " + code.getShort(at));
            }
            boolean jumps = code.getShort(at) != 0x20;
            at += 8 + (jumps ? 8 * code.get(at + (holds ? 2 : 3)) : 0);
        }
    }
}
