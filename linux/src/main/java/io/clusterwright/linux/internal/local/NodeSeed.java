package io.clusterwright.linux.internal.local;

import io.clusterwright.core.spi.Bootstrap;
import io.clusterwright.core.spi.MachineProvider.MachineRequest;
import io.clusterwright.core.type.SshPublicKey;
import io.clusterwright.linux.internal.local.disk.LayerFolder;
import io.clusterwright.linux.internal.local.node.NodeIdentity;
import io.clusterwright.linux.internal.local.node.NodeTexts;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;

/** Prepares a node's own folder: its identity is in its upper layer before it first starts. */
public final class NodeSeed {
    private static final SecureRandom RANDOM = new SecureRandom();
    private static final Map<String, String> KEY_FILES = Map.of(
            "ssh-ed25519", "ssh_host_ed25519_key",
            "ssh-rsa", "ssh_host_rsa_key");

    private static final String OTHER_KEY_FILE = "ssh_host_ecdsa_key";

    private NodeSeed() {}

    /** Fills a new folder of a node. */
    public static void plant(Path node, MachineRequest request) throws IOException {
        Files.createDirectories(node.resolve("work"));
        Files.createDirectories(node.resolve("root"));
        LayerFolder upper = LayerFolder.create(node.resolve("up"));
        Bootstrap bootstrap = request.bootstrap();

        String keyFile = "/etc/ssh/"
                + KEY_FILES.getOrDefault(bootstrap.hostKey().publicKey().type(), OTHER_KEY_FILE);
        upper.file(keyFile, closed(bootstrap.hostKey().privateKey().reveal()), 0600);
        upper.file(keyFile + ".pub", bootstrap.hostKey().publicKey() + "\n", 0644);
        upper.file("/etc/ssh/sshd_config", NodeTexts.sshdConfig(request.address(), keyFile), 0644);

        String machineId = HexFormat.of().formatHex(randomBytes()) + "\n";
        upper.file("/etc/machine-id", machineId, 0444);
        if (Files.isDirectory(Path.of("/var/lib/dbus"))) {
            upper.file("/var/lib/dbus/machine-id", machineId, 0444);
        }
        upper.file("/etc/hostname", bootstrap.hostName() + "\n", 0644);
        upper.file("/etc/hosts", NodeTexts.hosts(bootstrap.hostName(), request.address()), 0644);
        upper.file("/etc/resolv.conf", "", 0644);
        if (Files.isDirectory(Path.of("/etc/sudoers.d"))) {
            upper.file("/etc/sudoers.d/90-clusterwright", bootstrap.loginUser() + " ALL=(ALL) NOPASSWD:ALL\n", 0440);
        }
        Path root = node.resolve("root");
        Files.writeString(
                node.resolve("fstab"), NodeTexts.mountTable(root, name -> Files.exists(Path.of("/proc", name))));
    }

    /** The host key of a node as it is on its disk now. */
    public static SshPublicKey hostKey(Path node) throws IOException {
        List<String> files = new ArrayList<>(KEY_FILES.values());
        files.add(OTHER_KEY_FILE);
        return NodeIdentity.hostKey(node, files);
    }

    private static String closed(String pem) {
        return pem.endsWith("\n") ? pem : pem + "\n";
    }

    private static byte[] randomBytes() {
        byte[] bytes = new byte[16];
        RANDOM.nextBytes(bytes);
        return bytes;
    }
}
