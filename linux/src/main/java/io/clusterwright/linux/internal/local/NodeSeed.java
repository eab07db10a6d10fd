package io.clusterwright.linux.internal.local;

import io.clusterwright.core.spi.Bootstrap;
import io.clusterwright.core.spi.MachineProvider.MachineRequest;
import io.clusterwright.core.type.InvalidValueException;
import io.clusterwright.core.type.NodeName;
import io.clusterwright.core.type.SshPublicKey;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.UUID;

/** Prepares a node's own folder: its identity is in its upper layer before it first starts, and read from there later. */
final class NodeSeed {
    private static final int MOST_BYTES = 8192;

    private NodeSeed() {}

    /** Fills a new folder of a node. */
    static void plant(Path node, MachineRequest request, BaseSystem system) throws IOException {
        DurableFiles.createFolders(node.resolve("work"));
        DurableFiles.createFolders(node.resolve("root"));
        LayerFolder upper = LayerFolder.create(node.resolve("up"), system);
        if (UserNamespace.isNeeded() && system.isThisMachine()) {
            for (Path tree : BaseLayers.wholeTrees()) {
                upper.folder(tree, 0755);
                DurableFiles.createFolders(node.resolve("work-" + tree.getFileName()));
            }
        }
        Bootstrap bootstrap = request.bootstrap();

        String keyFile = switch (bootstrap.hostKey().publicKey().type()) {
            case "ssh-ed25519" -> "/etc/ssh/ssh_host_ed25519_key";
            case "ssh-rsa" -> "/etc/ssh/ssh_host_rsa_key";
            default -> "/etc/ssh/ssh_host_ecdsa_key";
        };
        upper.file(keyFile, closed(bootstrap.hostKey().privateKey().reveal()), 0600);
        upper.file(keyFile + ".pub", bootstrap.hostKey().publicKey() + "\n", 0644);
        upper.file("/etc/ssh/sshd_config", NodeConfigFiles.sshdConfig(request.address(), keyFile), 0644);

        String machineId = UUID.randomUUID().toString().replace("-", "") + "\n";
        upper.file("/etc/machine-id", machineId, 0444);
        if (Files.isDirectory(system.at("var/lib/dbus"))) {
            upper.file("/var/lib/dbus/machine-id", machineId, 0444);
        }
        upper.file("/etc/hostname", bootstrap.hostName() + "\n", 0644);
        upper.file("/etc/hosts", NodeConfigFiles.hosts(bootstrap.hostName(), request.address()), 0644);
        upper.file("/etc/resolv.conf", "", 0644);
        if (Files.isDirectory(system.at("etc/sudoers.d"))) {
            upper.file("/etc/sudoers.d/90-clusterwright", bootstrap.loginUser() + " ALL=(ALL) NOPASSWD:ALL\n", 0440);
        }
        Path root = node.resolve("root");
        Files.writeString(
                node.resolve("fstab"), NodeConfigFiles.mountTable(root, name -> Files.exists(Path.of("/proc", name))));
    }

    /** The name that the node gives itself when it boots; the given one where its own is none that a node may have. */
    static NodeName name(Path node, NodeName given) {
        try (ConfinedFolder folder = ConfinedFolder.open(node.resolve("up"), List.of("etc"))) {
            return NodeName.of(folder.text("hostname", MOST_BYTES).strip());
        } catch (IOException | InvalidValueException e) {
            return given;
        }
    }

    /** The host key that the node's sshd shows, from its disk: it may have changed since the node was made. */
    static SshPublicKey hostKey(Path node) throws IOException {
        try (ConfinedFolder folder = ConfinedFolder.open(node.resolve("up"), List.of("etc", "ssh"))) {
            for (String file : List.of("ssh_host_ed25519_key", "ssh_host_rsa_key", "ssh_host_ecdsa_key")) {
                try {
                    return SshPublicKey.of(
                            folder.text(file + ".pub", MOST_BYTES).strip());
                } catch (NoSuchFileException e) {
                    continue;
                }
            }
        }
        throw new NoSuchFileException(node.resolve("up/etc/ssh").toString(), null, "no host key");
    }

    private static String closed(String pem) {
        return pem.endsWith("\n") ? pem : pem + "\n";
    }
}
