package io.clusterwright.windows.internal.probe;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.clusterwright.core.type.ClusterwrightException;
import io.clusterwright.core.type.Ipv4Address;
import io.clusterwright.windows.WindowsProbe;
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
import java.util.OptionalLong;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Compares sizes and offsets with a program compiled with the headers of Windows. */
@ExtendWith(WineExtension.class)
class NativeLayoutTest {
    private final Map<String, Integer> offsets = new HashMap<>();
    private final Map<String, Dump> memory = new HashMap<>();

    @BeforeEach
    void ask(Wine wine) throws IOException {
        Path program = wine.build("layouts.c");
        Path printed = wine.folder().resolve("layouts.out");
        int status = wine.run(program, Map.of(), printed.getFileName().toString());
        assertThat(status).isZero();
        for (String line : Files.readAllLines(printed)) {
            String[] words = line.split(" ");
            switch (words[0]) {
                case "offset" -> offsets.put(words[1], Integer.parseInt(words[2]));
                case "memory" -> memory.put(words[1], new Dump(Long.parseUnsignedLong(words[2]), words[3]));
                default -> throw new IllegalStateException(line);
            }
        }
    }

    @Test
    void agreesWithTheHeadersOfWindows() {
        Map<String, Integer> ours = new HashMap<>();
        ours.put("protocol.size", ProviderTable.SIZE);
        ours.put("protocol.flags", ProviderTable.FLAGS);
        ours.put("protocol.id", ProviderTable.ID);
        ours.put("protocol.version", ProviderTable.VERSION);
        ours.put("protocol.name", ProviderTable.NAME);
        ours.put("protocol.nameLength", ProviderTable.NAME_LENGTH);
        ours.put("adapter.next", AdapterTable.NEXT);
        ours.put("adapter.unicast", AdapterTable.FIRST_UNICAST);
        ours.put("adapter.description", AdapterTable.DESCRIPTION);
        ours.put("adapter.friendlyName", AdapterTable.FRIENDLY_NAME);
        ours.put("adapter.mtu", AdapterTable.MTU);
        ours.put("adapter.status", AdapterTable.OPER_STATUS);
        ours.put("adapter.speed", AdapterTable.TRANSMIT_SPEED);
        ours.put("adapter.up", AdapterTable.UP);
        ours.put("unicast.next", AdapterTable.UNICAST_NEXT);
        ours.put("unicast.address", AdapterTable.UNICAST_ADDRESS);
        ours.put("unicast.prefix", AdapterTable.UNICAST_PREFIX);
        ours.put("socket.address", AdapterTable.SOCKADDR_IN_ADDRESS);
        ours.put("socket.inet", AdapterTable.AF_INET);
        assertThat(offsets).isEqualTo(ours);
    }

    @Test
    void readsHiddenProvidersOfNetworkDirect() {
        Dump dump = memory.get("protocols");
        assertThat(ProviderTable.read(dump, dump.base(), 3))
                .containsExactly(new WindowsProbe.NetworkDirectProvider(
                        "Network Direct \u00dc", 2, "0001020300000000000000000000000f"));
    }

    @Test
    void readsAdaptersWithTheirNetmask() {
        Dump dump = memory.get("adapters");
        assertThat(AdapterTable.read(dump, dump.base()))
                .containsExactly(
                        new WindowsProbe.NetworkAdapter(
                                "Ethernet 2",
                                "RDMA adapter",
                                new WindowsProbe.Link(true, 2044, OptionalLong.of(54_000_000_000L)),
                                Map.of(Ipv4Address.parse("172.16.3.200"), "172.16.0.0/255.255.0.0")),
                        new WindowsProbe.NetworkAdapter(
                                "", "", new WindowsProbe.Link(false, 0, OptionalLong.empty()), Map.of()));
    }

    @Test
    void refusesOtherSystems() {
        assertThat(System.getProperty("os.name"))
                .as("this test is for other systems")
                .doesNotStartWith("Windows");
        for (ThrowingCallable call :
                List.<ThrowingCallable>of(WindowsProbe::networkDirectProviders, WindowsProbe::networkAdapters)) {
            assertThatThrownBy(call)
                    .isInstanceOf(ClusterwrightException.class)
                    .hasMessageContaining("it needs Windows");
        }
    }

    /** Memory of the program, from its address on. */
    private record Dump(long base, ByteBuffer bytes) implements Windows.View {
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
