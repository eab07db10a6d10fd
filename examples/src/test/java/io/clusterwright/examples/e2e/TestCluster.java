package io.clusterwright.examples.e2e;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Stream;

/**
 * A small cluster of these tests: no updates and no packages, so that it is there in seconds.
 *
 * @param name its name
 * @param octet the second number of its addresses, from 68 to 92
 * @param nodes how many
 */
record TestCluster(String name, int octet, int nodes) {
    private static final Path RECORDS = Path.of("/run/clusterwright");

    /** The first part of the names of its nodes, which are in no other cluster. */
    String prefix() {
        return "e2e" + octet + "n";
    }

    /** Its user, who is in no other cluster. */
    String user() {
        return "e2e" + octet + "user";
    }

    String addressSpace() {
        return "10." + octet + ".0.0/16";
    }

    String node(int number) {
        return prefix() + number;
    }

    String address(int number) {
        return "10." + octet + ".0." + (10 + number);
    }

    /**
     * The names of local clusters at its addresses: its own, and the machines of an emulated Azure. A test that was killed left them, and its
     * state folder is not known.
     */
    List<String> leftovers() {
        if (!Files.isDirectory(RECORDS)) {
            return List.of();
        }
        try (Stream<Path> records = Files.list(RECORDS)) {
            return records.filter(file -> file.toString().endsWith(".json"))
                    .filter(file -> record(file).path("addressSpace").asText().equals(addressSpace()))
                    .map(file -> file.getFileName().toString().replace(".json", ""))
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static JsonNode record(Path file) {
        try {
            return AnalyzeTest.json(Files.readString(file));
        } catch (NoSuchFileException e) {
            // A cluster of another test was destroyed meanwhile.
            return MissingNode.getInstance();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** What the kernel's names of its interfaces begin with while it exists: its name and its id decide. */
    String linkId() {
        Path record = RECORDS.resolve(name + ".json");
        if (!Files.exists(record)) {
            return name + " has no interfaces";
        }
        try {
            String id = record(record).path("id").asText();
            byte[] hash =
                    MessageDigest.getInstance("SHA-256").digest((name + "/" + id).getBytes(StandardCharsets.UTF_8));
            return "cw" + HexFormat.of().formatHex(hash, 0, 3);
        } catch (NoSuchAlgorithmException e) {
            throw new AssertionError(e);
        }
    }

    String bridge() {
        return linkId() + "br";
    }

    /** Its description without an image of its own and without a measurement. */
    String plainSpec() {
        return spec().replace("capture: true", "capture: false").replace("fabric: pair", "fabric: none");
    }

    String spec() {
        return """
                name: %s
                region: westus
                login: {user: azureuser}
                nodes: {count: %d, size: Standard_A9, prefix: %s, firstIndex: 1}
                network:
                  name: e2e-vnet
                  addressSpace: %s
                  subnet: {name: Subnet-1, range: 10.%d.0.0/24}
                  firstAddress: %s
                image:
                  capture: true
                  customize:
                    user: {name: %s, groups: [e2egroup]}
                    updates: {install: none}
                    memlock:
                      - {who: "@e2egroup", limit: 4096 KiB}
                      - {who: root, limit: 4096 KiB}
                    ssh: {trust: cluster-key, hostKeys: pinned}
                    mpi: {flavour: mpich, install: distribution}
                  deprovision: keep-user
                mpi: {ranksPerNode: 1}
                verify: {hostname: true, fabric: pair, maxLatency: {micros: 3, upToBytes: 512}}
                """.formatted(name, nodes, prefix(), addressSpace(), octet, address(1), user());
    }
}
