package io.clusterwright.linux.internal.local;

import com.fasterxml.jackson.databind.JsonNode;
import io.clusterwright.core.internal.json.Json;
import io.clusterwright.core.spi.Endpoint;
import io.clusterwright.core.type.Ipv4Address;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The way of this machine's SSH clients to a node in a user namespace, which no Java process can enter: a program that listens on the
 * loopback interface and passes connections on. It lives as long as the node's disk.
 *
 * @param port where it listens
 * @param process the program
 */
record NodeRelay(int port, ProcessIdentity process) {
    private static final String FILE = "relay.json";
    private static final String LOOPBACK = "127.0.0.1";

    /** The endpoint of a node; starts the program unless it runs, on the port that it had. */
    static Endpoint to(Path cluster, Path node, Ipv4Address address, int port) {
        try {
            Optional<NodeRelay> last = read(node);
            Optional<NodeRelay> running =
                    last.filter(relay -> relay.process.isAlive() && UserNamespace.has(relay.process));
            NodeRelay relay = running.isPresent()
                    ? running.get()
                    : start(cluster, last.map(NodeRelay::port).orElse(0), address, port);
            if (running.isEmpty()) {
                relay.write(node);
            }
            return new Endpoint(LOOPBACK, relay.port);
        } catch (IOException e) {
            throw LocalMachinesException.of("let connections to " + address + " into the user namespace", e);
        }
    }

    /** Ends the program of a node, if it has one. */
    static void end(Path node) {
        try {
            read(node).map(NodeRelay::process).ifPresent(ProcessIdentity::kill);
        } catch (IOException e) {
            // A damaged record: the program ends with the namespace, after the last cluster.
            return;
        }
    }

    private static NodeRelay start(Path cluster, int wanted, Ipv4Address address, int port) throws IOException {
        List<String> command = new ArrayList<>(List.of(
                "setsid",
                "perl",
                NodeProcess.script(cluster, "node-relay.pl").toString(),
                Integer.toString(wanted),
                address.toString(),
                Integer.toString(port)));
        command.addAll(UserNamespace.enter(List.of()));
        return HostCommand.startAnnounced(command, (process, line) -> {
            if (line == null || !line.matches("[0-9]{1,5}") || process == null) {
                throw new IOException(line == null ? "the program that listens ended" : line);
            }
            return new NodeRelay(Integer.parseInt(line), process);
        });
    }

    private static Optional<NodeRelay> read(Path node) throws IOException {
        return DurableFiles.read(node.resolve(FILE)).map(NodeRelay::of);
    }

    private static NodeRelay of(JsonNode json) {
        return new NodeRelay(json.path("port").asInt(), ProcessIdentity.of(json.path("process")));
    }

    private void write(Path node) throws IOException {
        DurableFiles.write(node.resolve(FILE), Json.object().put("port", port).set("process", process.json()));
    }
}
