package io.clusterwright.examples.crash;

import io.clusterwright.core.type.NodeName;
import io.clusterwright.core.type.SshPublicKey;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The disk of a machine, or of an image. Guarded by its {@link MachineRoom}. */
final class Disk {
    @Nullable
    NodeName name;

    @Nullable
    SshPublicKey hostKey;

    final Set<SshPublicKey> loginKeys = new HashSet<>();
    boolean customising;
    boolean customised;
    boolean deprovisioned;
    /** The nodes of the cluster, as this one knows them. */
    List<String> members = List.of();

    List<String> scheduled = List.of();
    /** Whether a user has put a file here. */
    boolean userFile;

    /** The disk of a machine that boots from this image. */
    Disk copy() {
        Disk copy = new Disk();
        copy.customising = customising;
        copy.customised = customised;
        copy.deprovisioned = deprovisioned;
        copy.userFile = userFile;
        return copy;
    }

    /** Whether all of the customisation is there, and none of it half. */
    boolean complete() {
        return customised && !customising;
    }
}
