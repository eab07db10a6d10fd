package io.clusterwright.linux.probe;

import io.clusterwright.core.type.Bandwidth;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * An RDMA device, such as an InfiniBand adapter. Use it to see whether a node has a working adapter.
 *
 * <pre>{@code
 * NativeAnswer<List<RdmaDevice>> devices = RdmaDevice.list();
 * devices.value()
 *         .ifPresent(list -> list.forEach(device -> System.out.println(device.name() + " active: " + device.isActive())));
 * devices.reason().ifPresent(System.out::println); // why there is no answer, such as: not Linux
 * }</pre>
 *
 * @param name such as {@code mlx5_0}
 * @param ports its ports by number
 */
public record RdmaDevice(String name, List<Port> ports) {

    /** Keeps a copy of the list. */
    public RdmaDevice {
        ports = List.copyOf(ports);
    }

    /** The devices of this machine. */
    public static NativeAnswer<List<RdmaDevice>> list() {
        return list(Path.of("/sys"));
    }

    /**
     * The devices that a tree of sysfs shows.
     *
     * @param sysRoot where sysfs is mounted, or a copy of it
     */
    public static NativeAnswer<List<RdmaDevice>> list(Path sysRoot) {
        Path root = sysRoot.resolve("class/infiniband");
        if (!Files.isDirectory(root)) {
            return NativeAnswer.unknown(
                    "no RDMA device: " + root + " is not there, so no RDMA driver is loaded; install the driver of the"
                            + " image's InfiniBand stack, or choose a size that has RDMA");
        }
        try {
            return NativeAnswer.known(
                    children(root).stream().map(RdmaDevice::device).toList());
        } catch (UncheckedIOException e) {
            return NativeAnswer.unknown("cannot read the RDMA devices under " + root + ": " + e.getMessage());
        }
    }

    private static RdmaDevice device(Path folder) {
        List<RdmaDevice.Port> ports = children(folder.resolve("ports")).stream()
                .filter(port -> port.getFileName().toString().matches("[0-9]{1,4}"))
                .map(RdmaDevice::port)
                .sorted(Comparator.comparingInt(RdmaDevice.Port::number))
                .toList();
        return new RdmaDevice(folder.getFileName().toString(), ports);
    }

    private static RdmaDevice.Port port(Path folder) {
        List<String> keys = children(folder.resolve("pkeys")).stream()
                .sorted(Comparator.comparingInt(
                        key -> key.getFileName().toString().length()))
                .map(RdmaDevice::read)
                .filter(key -> !key.isEmpty() && !key.equals("0x0000"))
                .toList();
        return new RdmaDevice.Port(
                Integer.parseInt(folder.getFileName().toString()),
                read(folder.resolve("state")).replaceFirst("^[0-9]+: *", ""),
                read(folder.resolve("link_layer")),
                read(folder.resolve("rate")),
                keys);
    }

    /** The entries of a folder by name; empty for a missing folder. */
    private static List<Path> children(Path folder) {
        if (!Files.isDirectory(folder)) {
            return List.of();
        }
        try (Stream<Path> children = Files.list(folder)) {
            return children.sorted().toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** A driver may leave out a file, or refuse to answer while a port is down. */
    private static String read(Path file) {
        try {
            return Files.readString(file).strip();
        } catch (IOException e) {
            return "";
        }
    }

    /** Whether data can pass through a port of it. */
    public boolean isActive() {
        return ports.stream().anyMatch(Port::isActive);
    }

    /**
     * A port of an RDMA device.
     *
     * @param number 1 for the first
     * @param state such as {@code ACTIVE}, {@code INIT} or {@code DOWN}; empty when the driver does not tell
     * @param linkLayer {@code InfiniBand} or {@code Ethernet}; empty when the driver does not tell
     * @param rate such as {@code 100 Gb/sec (4X EDR)}; empty when the driver does not tell
     * @param partitionKeys the keys that are set, such as {@code 0xffff}
     */
    public record Port(int number, String state, String linkLayer, String rate, List<String> partitionKeys) {
        private static final Pattern RATE = Pattern.compile("([0-9]+(?:\\.[0-9]+)?) Gb/sec.*");

        /** Keeps a copy of the list. */
        public Port {
            partitionKeys = List.copyOf(partitionKeys);
        }

        /** Whether data can pass. */
        public boolean isActive() {
            return state.equals("ACTIVE");
        }

        /** The signalling rate as a number; empty when the driver does not tell. */
        public Optional<Bandwidth> bandwidth() {
            Matcher parts = RATE.matcher(rate);
            return parts.matches()
                    ? Optional.of(Bandwidth.ofGigabitsPerSecond(Double.parseDouble(parts.group(1))))
                    : Optional.empty();
        }
    }
}
