package io.clusterwright.linux.internal.local.node;

import io.clusterwright.core.type.InvalidValueException;
import io.clusterwright.core.type.NodeName;
import io.clusterwright.core.type.SshPublicKey;
import io.clusterwright.linux.internal.local.disk.ConfinedFolder;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;

/** A node's name and host key, read from its disk: they may have changed since it was made. */
public final class NodeIdentity {
    private static final int MOST_BYTES = 8192;

    private NodeIdentity() {}

    /** The name that the node gives itself when it boots; the given one where its own is none that a node may have. */
    static NodeName name(Path node, NodeName given) {
        try (ConfinedFolder folder = ConfinedFolder.open(node.resolve("up"), List.of("etc"))) {
            return NodeName.parse(folder.text("hostname", MOST_BYTES).strip());
        } catch (IOException | InvalidValueException e) {
            return given;
        }
    }

    /** The host key that the node's sshd shows, of those files that there may be. */
    public static SshPublicKey hostKey(Path node, Collection<String> files) throws IOException {
        try (ConfinedFolder folder = ConfinedFolder.open(node.resolve("up"), List.of("etc", "ssh"))) {
            for (String file : files) {
                try {
                    return SshPublicKey.parse(
                            folder.text(file + ".pub", MOST_BYTES).strip());
                } catch (NoSuchFileException e) {
                    continue;
                }
            }
        }
        throw new NoSuchFileException(node.resolve("up/etc/ssh").toString(), null, "none of " + files);
    }
}
