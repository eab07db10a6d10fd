package io.clusterwright.linux.probe;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** The RDMA devices that the kernel has drivers for. */
public final class RdmaDevices {
    private RdmaDevices() {}

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
            return new NativeAnswer.Unknown<>(
                    "no RDMA device: " + root + " is not there, so no RDMA driver is loaded; install the driver of the"
                            + " image's InfiniBand stack, or choose a size that has RDMA");
        }
        try {
            return new NativeAnswer.Known<>(
                    children(root).stream().map(RdmaDevices::device).toList());
        } catch (UncheckedIOException e) {
            return new NativeAnswer.Unknown<>("cannot read the RDMA devices under " + root + ": " + e.getMessage());
        }
    }

    private static RdmaDevice device(Path folder) {
        List<RdmaPort> ports = children(folder.resolve("ports")).stream()
                .filter(port -> port.getFileName().toString().matches("[0-9]{1,4}"))
                .map(RdmaDevices::port)
                .sorted(Comparator.comparingInt(RdmaPort::number))
                .toList();
        return new RdmaDevice(folder.getFileName().toString(), ports);
    }

    private static RdmaPort port(Path folder) {
        List<String> keys = children(folder.resolve("pkeys")).stream()
                .sorted(Comparator.comparingInt(
                        key -> key.getFileName().toString().length()))
                .map(RdmaDevices::read)
                .filter(key -> !key.isEmpty() && !key.equals("0x0000"))
                .toList();
        return new RdmaPort(
                Integer.parseInt(folder.getFileName().toString()),
                read(folder.resolve("state")).replaceFirst("^[0-9]+: *", ""),
                read(folder.resolve("link_layer")),
                read(folder.resolve("rate")),
                keys);
    }

    /** What a folder holds, by name; nothing when it is not there. */
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
}
