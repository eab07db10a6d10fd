package io.clusterwright.linux.local;

import io.clusterwright.core.spi.MachineHost;
import io.clusterwright.core.spi.MachineProvider;
import io.clusterwright.core.spi.ProviderMachines;
import io.clusterwright.core.type.ClusterwrightException;
import io.clusterwright.core.type.InvalidValueException;
import io.clusterwright.linux.internal.local.Folders;
import io.clusterwright.linux.internal.local.HostFacts;
import io.clusterwright.linux.internal.local.LocalProvider;
import io.clusterwright.linux.internal.local.Requirements;
import java.nio.file.Path;
import java.util.List;

/**
 * Real nodes on this one Linux machine: each with its own network, process, host-name and mount namespaces, its own
 * copy-on-write view of this system, and a real {@code sshd}. Use it to develop and test MPI programs without a
 * cloud.
 *
 * <pre>{@code
 * try (ClusterManager clusters = ClusterManager.on(LocalMachines.create()); // needs root or a range of ids
 *         TemporaryCluster temporary = clusters.createTemporary(spec)) {
 *     System.out.println(temporary.cluster().run(Command.of("hostname")).groupedByOutput());
 * }
 * }</pre>
 *
 * <p>Needs root and what {@link #requirements} lists. The nodes of any other user are in a user namespace, which needs a range of ids in
 * {@code /etc/subuid}: what follows is there and in the home of the user then. Changes on the machine while a cluster named NAME exists:
 *
 * <ul>
 *   <li>an {@code unreachable} route of protocol 129 for its address space, so that no packet for a node ever leaves;
 *   <li>a bridge {@code cwXXXXXXbr} and an interface {@code cwXXXXXXnK} per node, all with the alias
 *       {@code clusterwright:NAME:ID}, where ID is the cluster's random id;
 *   <li>a file system in memory on {@code /run/clusterwright/NAME}, with the disks of the nodes;
 *   <li>a process per node, whose end is the end of the node; its number is in {@code nodes/NODE/node.json} there;
 *   <li>the record {@code /run/clusterwright/NAME.json} with the id, made first and deleted last.
 * </ul>
 *
 * <p>{@code /var/lib/clusterwright} holds captured images, and downloaded packages until the last image is deleted. To remove a cluster
 * by hand: end those processes, {@code ip link del} the links, {@code umount /run/clusterwright/NAME} and remove the folder and the record,
 * {@code ip route flush proto 129}. After a reboot nothing of a cluster is left.
 *
 * <p>A node is not this machine: it sees neither home folders, logs, keys and passwords nor folders that are not the
 * system's, and root in it lacks the rights to leave it. The kernel, however, is shared.
 *
 * <p>Safe for use by several threads, and by several processes as long as each cluster is changed by one of them.
 */
public final class LocalMachines implements ProviderMachines {
    /** The name of this provider: {@value}. */
    public static final String NAME = "local";

    private final LocalProvider provider;

    private LocalMachines(Folders folders) {
        this.provider = new LocalProvider(folders);
    }

    /** Local machines in the standard folders. */
    public static LocalMachines create() {
        return builder().build();
    }

    /** A builder of local machines with the standard folders. */
    public static Builder builder() {
        return new Builder();
    }

    /** The requirements of local nodes, each with the state of this machine. Changes nothing. */
    public static List<Requirement> requirements() {
        return Requirements.of(new HostFacts());
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public String toString() {
        return "machines on " + NAME;
    }

    @Override
    public MachineProvider open() {
        return provider;
    }

    /**
     * The single machines that clusters consist of, for emulators that serve real machines.
     *
     * @throws ClusterwrightException when the user is not root
     */
    public MachineHost host() {
        return provider.host();
    }

    /** Settings of local machines: their folders. */
    public static final class Builder {
        private Path runFolder = Folders.STANDARD.run();
        private Path storeFolder = Folders.STANDARD.store();

        private Builder() {}

        /** The folder of clusters while they exist; default {@code /run/clusterwright}, and in the home of other users than root. */
        public Builder runFolder(Path folder) {
            this.runFolder = folder;
            return this;
        }

        /** The folder of images and packages; default {@code /var/lib/clusterwright}, and in the home of other users than root. */
        public Builder storeFolder(Path folder) {
            this.storeFolder = folder;
            return this;
        }

        /**
         * The local machines.
         *
         * @throws InvalidValueException when a folder is not absolute or has characters that a mount cannot name
         */
        public LocalMachines build() {
            return new LocalMachines(new Folders(runFolder, storeFolder));
        }
    }
}
