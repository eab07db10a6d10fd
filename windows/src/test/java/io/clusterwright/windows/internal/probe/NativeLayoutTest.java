package io.clusterwright.windows.internal.probe;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.clusterwright.core.type.Ipv4Address;
import io.clusterwright.windows.wine.Wine;
import io.clusterwright.windows.wine.WineExtension;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** What is read and written here, against a program that the headers of Windows were compiled into. */
@ExtendWith(WineExtension.class)
class NativeLayoutTest {
    private final Map<String, Integer> offsets = new HashMap<>();
    private final Map<String, Dump> memory = new HashMap<>();
    private String job = "";

    @BeforeEach
    void ask(Wine wine) throws IOException {
        Path program = wine.build("layouts.c");
        Path told = wine.folder().resolve("layouts.out");
        int status = wine.run(
                program,
                Map.of(),
                told.getFileName().toString(),
                "" + ProcessTree.LIMITS,
                "" + ProcessTree.LIMITS_SIZE,
                "" + ProcessTree.LIMIT_FLAGS,
                "" + ProcessTree.KILL_ON_CLOSE,
                "" + ProcessTree.ACCESS);
        assertThat(status).isZero();
        for (String line : Files.readAllLines(told)) {
            String[] words = line.split(" ");
            switch (words[0]) {
                case "offset" -> offsets.put(words[1], Integer.parseInt(words[2]));
                case "memory" -> memory.put(words[1], new Dump(Long.parseUnsignedLong(words[2]), words[3]));
                default -> job = line;
            }
        }
    }

    @Test
    void theHeadersSayTheSameNumbers() {
        Map<String, Integer> ours = new HashMap<>();
        ours.put("job.size", ProcessTree.LIMITS_SIZE);
        ours.put("job.flags", ProcessTree.LIMIT_FLAGS);
        ours.put("job.kind", ProcessTree.LIMITS);
        ours.put("job.killOnClose", ProcessTree.KILL_ON_CLOSE);
        ours.put("job.access", ProcessTree.ACCESS);
        ours.put("protocol.size", NetworkDirectProvider.SIZE);
        ours.put("protocol.flags", NetworkDirectProvider.FLAGS);
        ours.put("protocol.id", NetworkDirectProvider.ID);
        ours.put("protocol.version", NetworkDirectProvider.VERSION);
        ours.put("protocol.name", NetworkDirectProvider.NAME);
        ours.put("protocol.nameLength", NetworkDirectProvider.NAME_LENGTH);
        ours.put("adapter.next", NetworkAdapter.NEXT);
        ours.put("adapter.unicast", NetworkAdapter.FIRST_UNICAST);
        ours.put("adapter.description", NetworkAdapter.DESCRIPTION);
        ours.put("adapter.friendlyName", NetworkAdapter.FRIENDLY_NAME);
        ours.put("adapter.mtu", NetworkAdapter.MTU);
        ours.put("adapter.status", NetworkAdapter.OPER_STATUS);
        ours.put("adapter.speed", NetworkAdapter.TRANSMIT_SPEED);
        ours.put("adapter.up", NetworkAdapter.UP);
        ours.put("unicast.next", NetworkAdapter.UNICAST_NEXT);
        ours.put("unicast.address", NetworkAdapter.UNICAST_ADDRESS);
        ours.put("unicast.prefix", NetworkAdapter.UNICAST_PREFIX);
        ours.put("socket.address", NetworkAdapter.SOCKADDR_IN_ADDRESS);
        ours.put("socket.inet", NetworkAdapter.AF_INET);
        assertThat(offsets).isEqualTo(ours);
    }

    @Test
    void aJobObjectEndsItsProcessesWhenItIsClosed() {
        assertThat(job).isEqualTo("job joined=1 ran=1 ended=1");
    }

    @Test
    void hiddenProvidersOfNetworkDirectAreRead() {
        Dump dump = memory.get("protocols");
        assertThat(NetworkDirectProvider.read(dump, dump.base(), 3))
                .containsExactly(
                        new NetworkDirectProvider("Network Direct \u00dc", 2, "0001020300000000000000000000000f"));
    }

    @Test
    void adaptersAreReadWithTheirNetmask() {
        Dump dump = memory.get("adapters");
        List<NetworkAdapter> all = NetworkAdapter.read(dump, dump.base());
        assertThat(all)
                .containsExactly(
                        new NetworkAdapter(
                                "Ethernet 2",
                                "RDMA adapter",
                                true,
                                2044,
                                54_000_000_000L,
                                List.of(new NetworkAdapter.Address(Ipv4Address.parse("172.16.3.200"), 16))),
                        new NetworkAdapter("", "", false, 0, 0, List.of()));
        assertThat(all.get(0).addresses().get(0).netmask()).isEqualTo("172.16.0.0/255.255.0.0");
    }

    @Test
    void onAnotherSystemTheAnswerSaysSo() {
        assertThat(System.getProperty("os.name"))
                .as("this test is for other systems")
                .doesNotStartWith("Windows");
        for (ThrowingCallable call :
                List.<ThrowingCallable>of(ProcessTree::create, NetworkDirectProvider::list, NetworkAdapter::list)) {
            assertThatThrownBy(call)
                    .isInstanceOf(NativeCallException.class)
                    .hasMessageContaining("it is a matter of Windows");
        }
    }

    /** Memory of the program, from its address on. */
    private record Dump(long base, ByteBuffer bytes) implements NativeView {
        Dump(long base, String hex) {
            this(base, ByteBuffer.wrap(HexFormat.of().parseHex(hex)).order(ByteOrder.LITTLE_ENDIAN));
        }

        @Override
        public byte getByte(long address) {
            return bytes.get(at(address));
        }

        @Override
        public short getShort(long address) {
            return bytes.getShort(at(address));
        }

        @Override
        public int getInt(long address) {
            return bytes.getInt(at(address));
        }

        @Override
        public long getLong(long address) {
            return bytes.getLong(at(address));
        }

        private int at(long address) {
            return Math.toIntExact(address - base);
        }
    }
}
