package io.clusterwright.examples.crash;

import io.clusterwright.core.MachineState;
import io.clusterwright.core.NodeUnreachableException;
import io.clusterwright.core.ResourceId;
import io.clusterwright.core.spi.Endpoint;
import io.clusterwright.core.spi.ImageSource;
import io.clusterwright.core.spi.Machine;
import io.clusterwright.core.spi.MachineHost;
import io.clusterwright.core.spi.MachineProvider.MachineRequest;
import io.clusterwright.core.type.AddressRange;
import io.clusterwright.core.type.ClusterId;
import io.clusterwright.core.type.ClusterName;
import io.clusterwright.core.type.ClusterwrightException;
import io.clusterwright.core.type.Interconnect;
import io.clusterwright.core.type.NodeName;
import io.clusterwright.core.type.SshPublicKey;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;

/** Machines in memory, behind the virtual machines of the emulated cloud. */
final class MachineRoom implements MachineHost {
    private final Map<String, Box> machines = new LinkedHashMap<>();
    private final Map<String, Disk> images = new LinkedHashMap<>();

    private static final class Box {
        final String address;
        final Disk disk;
        boolean running;

        Box(String address, Disk disk) {
            this.address = address;
            this.disk = disk;
        }
    }

    private static String key(ClusterName cluster, NodeName machine) {
        return cluster + "/" + machine;
    }

    private Box box(ClusterName cluster, NodeName machine) {
        return Optional.ofNullable(machines.get(key(cluster, machine)))
                .orElseThrow(() -> new ClusterwrightException("no machine " + machine));
    }

    @Override
    public void createNetwork(ClusterId cluster, AddressRange addressSpace, AddressRange subnet) {}

    @Override
    public synchronized Machine create(ClusterName cluster, MachineRequest request) {
        Disk disk = new Disk();
        if (request.image() instanceof ImageSource.Captured captured) {
            disk = Objects.requireNonNull(images.get(captured.name()), "the image")
                    .copy();
            disk.deprovisioned = false;
        }
        disk.name = request.name();
        disk.hostKey = request.bootstrap().hostKey().publicKey();
        request.bootstrap().authorizedKeys().stream().map(SshPublicKey::of).forEach(disk.loginKeys::add);
        machines.put(key(cluster, request.name()), new Box(request.address().toString(), disk));
        return new Machine(
                request.name(),
                request.address(),
                new ResourceId("machine", request.name().value()),
                disk.hostKey,
                Interconnect.NONE);
    }

    @Override
    public synchronized void boot(ClusterName cluster, NodeName machine) {
        box(cluster, machine).running = true;
    }

    @Override
    public synchronized void stop(ClusterName cluster, NodeName machine) {
        box(cluster, machine).running = false;
    }

    @Override
    public synchronized void capture(ClusterName cluster, NodeName machine, String imageName) {
        Disk image = box(cluster, machine).disk.copy();
        image.name = machine;
        images.put(imageName, image);
    }

    @Override
    public synchronized void deleteImage(String imageName) {
        images.remove(imageName);
    }

    @Override
    public synchronized MachineState state(ClusterName cluster, NodeName machine) {
        Box box = machines.get(key(cluster, machine));
        return box == null ? MachineState.ABSENT : box.running ? MachineState.RUNNING : MachineState.STOPPED;
    }

    @Override
    public synchronized SshPublicKey hostKey(ClusterName cluster, NodeName machine) {
        return Objects.requireNonNull(box(cluster, machine).disk.hostKey);
    }

    @Override
    public synchronized Endpoint endpoint(ClusterName cluster, NodeName machine) {
        return new Endpoint(box(cluster, machine).address, 22);
    }

    @Override
    public synchronized void delete(ClusterName cluster, NodeName machine) {
        machines.remove(key(cluster, machine));
    }

    @Override
    public void deleteNetwork(ClusterName cluster) {}

    @Override
    public void close() {}

    /** The disks of all machines, running or not. */
    synchronized List<Disk> disks() {
        return machines.values().stream().map(box -> box.disk).toList();
    }

    /** The disks of all images, without those of the marketplace, which the emulator makes on a node of this name. */
    synchronized Collection<Disk> images() {
        return images.values().stream()
                .filter(disk -> !disk.name.value().equals("marketplace"))
                .toList();
    }

    /**
     * Uses the disk of the machine that runs at an address.
     *
     * @throws NodeUnreachableException when none does
     */
    synchronized <T> T on(NodeName node, String address, Function<Disk, T> use) {
        Disk disk = machines.values().stream()
                .filter(box -> box.running && box.address.equals(address))
                .map(box -> box.disk)
                .findFirst()
                .orElseThrow(() -> new NodeUnreachableException(node, node + " at " + address + ": no route to host"));
        return use.apply(disk);
    }
}
