package io.clusterwright.azure.emulator.internal.shared;

import io.clusterwright.azure.emulator.SharedEmulator;
import io.clusterwright.azure.emulator.internal.compute.Instances;
import io.clusterwright.azure.emulator.internal.machines.ResourceLedger;
import io.clusterwright.core.MachineState;
import io.clusterwright.core.MarkedCluster;
import io.clusterwright.core.ResourceId;
import io.clusterwright.core.StoredImage;
import io.clusterwright.core.plan.Finding;
import io.clusterwright.core.spec.ClusterSpec;
import io.clusterwright.core.spec.ExtensionSpec;
import io.clusterwright.core.spec.NetworkSpec.SshAccess;
import io.clusterwright.core.spi.Endpoint;
import io.clusterwright.core.spi.Machine;
import io.clusterwright.core.spi.MachineProvider;
import io.clusterwright.core.spi.MachineProvider.Inspection;
import io.clusterwright.core.spi.MachineProvider.MachineOutcome;
import io.clusterwright.core.spi.MachineProvider.MachineRequest;
import io.clusterwright.core.spi.MachineProvider.ResourceLog;
import io.clusterwright.core.spi.NodeBackend.PackageFeed;
import io.clusterwright.core.spi.ScriptChannel;
import io.clusterwright.core.type.ClusterId;
import io.clusterwright.core.type.ClusterName;
import io.clusterwright.core.type.ClusterwrightException;
import io.clusterwright.core.type.Interconnect;
import io.clusterwright.core.type.Ipv4Address;
import io.clusterwright.core.type.NodeName;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Machines of a shared emulator: created, changed and deleted by the calls of a cloud's provider, and reached as what they really are,
 * nodes of another provider. So packages come the way they come to such nodes, no machine is dialled unless that is safe, and a plan
 * reports the differences from Azure's hardware.
 *
 * <p>Closing it closes both providers. Safe for use by several threads.
 */
public final class EmulatedMachines implements MachineProvider {
    private static final String HERE = "127.0.0.1/32";

    private final MachineProvider cloud;
    private final MachineProvider real;
    private final ResourceLedger ledger;
    private final Runnable end;

    /**
     * @param cloud a provider connected to the emulator
     * @param real the provider whose machine host the emulator runs on
     * @param end the action after this was closed
     */
    public EmulatedMachines(ResourceLedger ledger, MachineProvider cloud, MachineProvider real, Runnable end) {
        this.ledger = ledger;
        this.cloud = cloud;
        this.real = real;
        this.end = end;
    }

    @Override
    public String name() {
        return SharedEmulator.PROVIDER;
    }

    @Override
    public void onNotice(Consumer<Finding> recipient) {
        cloud.onNotice(recipient);
        real.onNotice(recipient);
    }

    /** {@inheritDoc} Findings of the cloud, then findings of this machine. */
    @Override
    public Inspection inspect(ClusterSpec spec) {
        Inspection asCloud = cloud.inspect(spec);
        Inspection asReal = real.inspect(known(spec));
        List<Finding> findings = new ArrayList<>(asCloud.findings());
        findings.addAll(asReal.findings());
        List<String> notChecked = new ArrayList<>(asCloud.notChecked());
        notChecked.addAll(asReal.notChecked());
        return new Inspection(
                findings, notChecked, asCloud.baseFingerprint() + "\n" + asReal.baseFingerprint(), asCloud.quota());
    }

    /** The spec under the name that its network has on this machine, so that its addresses are not reported as taken. */
    private ClusterSpec known(ClusterSpec spec) {
        List<String> own = cloud.marked(spec.name()).stream()
                .flatMap(cluster -> cluster.resources().stream())
                .map(resource -> resource.name().toLowerCase(Locale.ROOT) + "/")
                .toList();
        return ledger.networks().stream()
                .filter(network -> own.stream().anyMatch(network.subnetId().toLowerCase(Locale.ROOT)::startsWith))
                .findFirst()
                .map(network -> spec.toBuilder().name(network.id().name()).build())
                .orElse(spec);
    }

    @Override
    public boolean bootsNamedImages() {
        return false;
    }

    @Override
    public boolean layersImages() {
        return cloud.layersImages();
    }

    @Override
    public boolean choosesAddresses(ClusterSpec spec) {
        return cloud.choosesAddresses(spec);
    }

    @Override
    public void createNetwork(ClusterSpec spec, ResourceLog log) {
        cloud.createNetwork(fromHere(spec), log);
    }

    @Override
    public void createMachines(
            ClusterSpec cluster, List<MachineRequest> requests, ResourceLog log, Consumer<MachineOutcome> outcome) {
        cloud.createMachines(
                fromHere(cluster),
                requests,
                log,
                fate -> outcome.accept(
                        fate instanceof MachineOutcome.Made made
                                ? new MachineOutcome.Made(asItIs(made.machine()))
                                : fate));
    }

    @Override
    public boolean installExtensions(
            ClusterId cluster, ClusterSpec spec, Machine machine, Consumer<ExtensionSpec> before) {
        return cloud.installExtensions(cluster, spec, machine, before);
    }

    /** The spec that lets this machine in, which has no public address, beside the ranges that it names. */
    private static ClusterSpec fromHere(ClusterSpec spec) {
        SshAccess ssh = spec.network().ssh();
        return ssh.allowFrom().isEmpty()
                ? spec
                : spec.toBuilder()
                        .network(network ->
                                network.ssh(ssh.toBuilder().addAllowFrom(HERE).build()))
                        .build();
    }

    /** The machine without the RDMA network of its size, which nodes of this machine do not have. */
    private static Machine asItIs(Machine machine) {
        return new Machine(machine.name(), machine.address(), machine.resource(), machine.hostKey(), Interconnect.NONE);
    }

    /** {@inheritDoc} A machine with a way in from outside is dialled there, as in the cloud. */
    @Override
    public Endpoint endpoint(ClusterId cluster, Machine machine) {
        Endpoint asCloud = cloud.endpoint(cluster, machine);
        return asCloud.host().equals(machine.address().toString())
                ? real.endpoint(network(machine), asHostKnows(cluster, machine))
                : asCloud;
    }

    /** The machine under its name on this machine: an instance of a scale set keeps the one that it had before it became a node. */
    private static Machine asHostKnows(ClusterId cluster, Machine machine) {
        return Instances.computerNameOf(
                        cluster.name().value(), machine.resource().name())
                .map(name -> new Machine(
                        NodeName.of(name.toLowerCase(Locale.ROOT)),
                        machine.address(),
                        machine.resource(),
                        machine.hostKey(),
                        machine.interconnect()))
                .orElse(machine);
    }

    @Override
    public Optional<NodeName> gateway(ClusterSpec spec, NodeName node) {
        return cloud.gateway(spec, node);
    }

    @Override
    public boolean relays(ClusterSpec spec) {
        return cloud.relays(spec);
    }

    @Override
    public ScriptChannel relay(ClusterId cluster, Machine machine) {
        return cloud.relay(cluster, machine);
    }

    @Override
    public PackageFeed packageFeed(ClusterId cluster, Machine machine) {
        return real.packageFeed(network(machine), asHostKnows(cluster, machine));
    }

    private ClusterId network(Machine machine) {
        Ipv4Address address = machine.address();
        Optional<ResourceLedger.Network> found = ledger.networks().stream()
                .filter(network -> network.subnet().contains(address))
                .findFirst();
        return found.map(ResourceLedger.Network::id)
                .orElseThrow(() -> new ClusterwrightException("machine " + machine.name() + " at " + address
                        + " is in no network that the emulated Azure made on this machine; destroy its cluster"));
    }

    @Override
    public MachineState state(ClusterId cluster, Machine machine) {
        return cloud.state(cluster, machine);
    }

    @Override
    public Optional<String> console(ClusterId cluster, Machine machine) {
        return cloud.console(cluster, machine);
    }

    @Override
    public void start(ClusterId cluster, Collection<Machine> machines) {
        cloud.start(cluster, machines);
    }

    @Override
    public void stop(ClusterId cluster, Collection<Machine> machines) {
        cloud.stop(cluster, machines);
    }

    @Override
    public List<StoredImage> images() {
        return cloud.images();
    }

    @Override
    public ImageClaim claimImage(ClusterId builder, String imageName, String region) {
        return cloud.claimImage(builder, imageName, region);
    }

    @Override
    public Map<String, List<ClusterId>> imageUsers() {
        return cloud.imageUsers();
    }

    @Override
    public void capture(ClusterId cluster, Machine machine, String imageName, String owner, int machines) {
        cloud.capture(cluster, machine, imageName, owner, machines);
    }

    @Override
    public void proven(String imageName) {
        cloud.proven(imageName);
    }

    @Override
    public void deleteImage(String imageName) {
        cloud.deleteImage(imageName);
    }

    @Override
    public void delete(ClusterId cluster, ResourceId resource) {
        cloud.delete(cluster, resource);
    }

    @Override
    public List<ResourceId> remaining(ClusterId cluster) {
        return cloud.remaining(cluster);
    }

    @Override
    public List<Machine> find(ClusterId cluster, ClusterSpec spec, List<Machine> planned) {
        return cloud.find(cluster, spec, planned).stream()
                .map(EmulatedMachines::asItIs)
                .toList();
    }

    @Override
    public List<MarkedCluster> marked() {
        return cloud.marked();
    }

    @Override
    public List<MarkedCluster> marked(ClusterName name) {
        return cloud.marked(name);
    }

    @Override
    public void deleteWithContents(ClusterId cluster, ResourceId resource) {
        cloud.deleteWithContents(cluster, resource);
    }

    @Override
    public void close() {
        try {
            cloud.close();
            real.close();
        } finally {
            end.run();
        }
    }
}
