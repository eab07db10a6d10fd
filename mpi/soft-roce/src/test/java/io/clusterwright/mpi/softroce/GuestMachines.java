package io.clusterwright.mpi.softroce;

import io.clusterwright.core.Command;
import io.clusterwright.core.MachineState;
import io.clusterwright.core.MarkedCluster;
import io.clusterwright.core.NodeSession;
import io.clusterwright.core.ResourceId;
import io.clusterwright.core.StoredImage;
import io.clusterwright.core.spec.ClusterSpec;
import io.clusterwright.core.spi.Bootstrap;
import io.clusterwright.core.spi.Endpoint;
import io.clusterwright.core.spi.Machine;
import io.clusterwright.core.spi.MachineProvider;
import io.clusterwright.core.spi.MachineProvider.Inspection;
import io.clusterwright.core.spi.MachineProvider.MachineOutcome;
import io.clusterwright.core.spi.MachineProvider.MachineRequest;
import io.clusterwright.core.spi.MachineProvider.ResourceLog;
import io.clusterwright.core.spi.NodeBackend.PackageFeed;
import io.clusterwright.core.spi.NodeTransport;
import io.clusterwright.core.spi.SshKeyPair;
import io.clusterwright.core.type.ClusterId;
import io.clusterwright.core.type.ClusterwrightException;
import io.clusterwright.core.type.Interconnect;
import io.clusterwright.core.type.NodeName;
import io.clusterwright.core.type.UserName;
import io.clusterwright.linux.internal.LinuxBackend;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;

/**
 * Two machines in one guest that has soft-RoCE: a provider of the library like any other, for one cluster at a time. The guest itself is
 * to it what this machine is to the local provider: it is there before and after a cluster.
 */
final class GuestMachines implements MachineProvider {
    private static final String MACHINE = "machine";
    private static final int PLACES = 2;

    private final Guest guest;
    private final NodeTransport transport;
    private final NodeSession inside;
    private final Map<NodeName, Integer> places = new ConcurrentHashMap<>();

    /** Boots the guest. */
    GuestMachines(Path folder) throws IOException {
        LinuxBackend backend = new LinuxBackend();
        SshKeyPair hostKey = backend.newKeyPair("guest");
        SshKeyPair login = backend.newKeyPair("tests");
        this.guest = Guest.boot(folder, hostKey, login.publicKey());
        this.transport = backend.openTransport();
        this.inside = transport.connect(new NodeTransport.Target(
                NodeName.of("guest"),
                () -> guest.endpoint(0),
                UserName.ROOT,
                login,
                hostKey.publicKey(),
                Duration.ofMinutes(1)));
    }

    /** How many packets left the RDMA device of a node, as its kernel counts them. */
    long packetsSent(NodeName node) {
        String statistic = run("rdma", "statistic", "show", "link", "rxe" + place(node) + "/1");
        return Long.parseLong(statistic.replaceFirst("(?s).* sent_pkts (\\d+) .*", "$1"));
    }

    Guest guest() {
        return guest;
    }

    @Override
    public String name() {
        return "soft-roce";
    }

    @Override
    public Inspection inspect(ClusterSpec spec) {
        return new Inspection(List.of(), List.of(), "guest");
    }

    @Override
    public void createNetwork(ClusterSpec spec, ResourceLog log) {
        // The cable is part of the guest.
    }

    @Override
    public void createMachines(
            ClusterSpec cluster, List<MachineRequest> requests, ResourceLog log, Consumer<MachineOutcome> outcome) {
        for (MachineRequest request : requests) {
            try {
                outcome.accept(new MachineOutcome.Made(create(cluster, request, log)));
            } catch (ClusterwrightException e) {
                outcome.accept(new MachineOutcome.Failed(request.name(), e));
            }
        }
    }

    private Machine create(ClusterSpec cluster, MachineRequest request, ResourceLog log) {
        NodeName name = request.name();
        ResourceId resource = new ResourceId(MACHINE, name.value());
        int place = claim(name);
        log.creating(resource);
        Bootstrap bootstrap = request.bootstrap();
        run("mkdir", "-p", "-m", "700", "/run/" + name);
        send("/run/" + name + "/hostkey", bootstrap.hostKey().privateKey().reveal());
        send("/run/" + name + "/authorized_keys", String.join("\n", bootstrap.authorizedKeys()) + "\n");
        run(
                "/guest/guest-node",
                "start",
                name.value(),
                request.address().toString(),
                cluster.network().subnet().range().toString(),
                Integer.toString(place),
                bootstrap.loginUser().value());
        log.created(resource);
        return new Machine(
                name, request.address(), resource, bootstrap.hostKey().publicKey(), interconnect(place));
    }

    /** What the kernel says of the device at this end of the cable. */
    private Interconnect interconnect(int place) {
        String link = run("rdma", "link", "show", "rxe" + place + "/1");
        return link.contains("state ACTIVE") && link.contains("netdev cw" + place)
                ? Interconnect.ROCE
                : Interconnect.NONE;
    }

    private synchronized int claim(NodeName name) {
        for (int place = 1; place <= PLACES; place++) {
            if (!places.containsValue(place)) {
                places.put(name, place);
                return place;
            }
        }
        throw new ClusterwrightException("the guest has room for " + PLACES + " nodes, and holds " + places.keySet());
    }

    private int place(NodeName name) {
        Integer place = places.get(name);
        if (place == null) {
            throw new ClusterwrightException("the guest holds no node " + name);
        }
        return place;
    }

    private void send(String path, String text) {
        inside.write(text.getBytes(java.nio.charset.StandardCharsets.UTF_8), path, 0600);
    }

    private String run(String program, String... arguments) {
        return inside.run(Command.of(program, arguments)).orThrow().stdout();
    }

    @Override
    public Endpoint endpoint(ClusterId cluster, Machine machine) {
        return guest.endpoint(place(machine.name()));
    }

    @Override
    public MachineState state(ClusterId cluster, Machine machine) {
        return places.containsKey(machine.name()) ? MachineState.RUNNING : MachineState.ABSENT;
    }

    @Override
    public PackageFeed packageFeed(ClusterId cluster, Machine machine) {
        return PackageFeed.ONLINE;
    }

    @Override
    public List<StoredImage> images() {
        return List.of();
    }

    @Override
    public boolean bootsNamedImages() {
        return false;
    }

    @Override
    public boolean layersImages() {
        return false;
    }

    @Override
    public void capture(ClusterId cluster, Machine machine, String imageName, String owner, int machines) {
        throw new ClusterwrightException("the guest captures no image; write image.capture: false");
    }

    @Override
    public void proven(String imageName) {
        throw new ClusterwrightException("the guest has no images");
    }

    @Override
    public void deleteImage(String imageName) {
        // There is none.
    }

    @Override
    public void delete(ClusterId cluster, ResourceId resource) {
        if (resource.kind().equals(MACHINE)) {
            run("/guest/guest-node", "stop", resource.name());
            places.remove(NodeName.of(resource.name()));
        }
    }

    @Override
    public List<ResourceId> remaining(ClusterId cluster) {
        return nodes();
    }

    /** The nodes that the guest holds, whose cluster is its only one. */
    List<ResourceId> nodes() {
        return run("find", "/nodes", "-maxdepth", "1", "-name", "*.end", "-printf", "%f\\n")
                .lines()
                .map(file -> new ResourceId(MACHINE, file.replaceFirst("\\.end$", "")))
                .toList();
    }

    @Override
    public List<MarkedCluster> marked() {
        return List.of();
    }

    @Override
    public void close() {
        inside.close();
        transport.close();
        guest.close();
    }
}
