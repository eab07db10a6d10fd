package io.clusterwright.azure.emulator.internal.machines;

import static io.clusterwright.azure.emulator.internal.arm.ArmException.refuse;

import io.clusterwright.azure.emulator.internal.arm.BackingMachines.Order;
import io.clusterwright.core.Command;
import io.clusterwright.core.CommandResult;
import io.clusterwright.core.NodeSession;
import io.clusterwright.core.catalog.Images;
import io.clusterwright.core.catalog.VmSizeFacts;
import io.clusterwright.core.catalog.VmSizes;
import io.clusterwright.core.internal.text.TextResource;
import io.clusterwright.core.spi.Bootstrap;
import io.clusterwright.core.spi.ImageSource;
import io.clusterwright.core.spi.MachineHost;
import io.clusterwright.core.spi.MachineProvider.MachineRequest;
import io.clusterwright.core.type.ClusterName;
import io.clusterwright.core.type.ImageReference;
import io.clusterwright.core.type.Interconnect;
import io.clusterwright.core.type.NodeName;
import io.clusterwright.core.type.UserName;
import io.clusterwright.core.type.VmSize;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.regex.Pattern;

/**
 * The disks of marketplace images, each made on a node when it is first asked for: the settings of the agent, the MPIs of the HPC images in
 * their places and none on the path, and the devices or the interface of sizes with a fast network.
 */
final class MarketplaceImages {
    /** The offers that Azure/azhpc-images makes. */
    private static final Pattern HPC = Pattern.compile(
            "[^:]*:(ubuntu|almalinux|azurelinux|rocky|rockylinux|rhel|centos)-hpc:.*", Pattern.CASE_INSENSITIVE);

    private static final Duration LIMIT = Duration.ofMinutes(5);
    private static final NodeName BUILDER = NodeName.of("marketplace");
    private static final UserName ACCOUNT = UserName.of("imagebuilder");

    private final MachineHost host;
    private final Function<NodeName, Bootstrap> identity;
    private final Consumer<String> announce;
    private final Map<String, String> made = new HashMap<>();

    /**
     * @param identity a new identity with the emulator's key
     * @param announce gets the name of an image before it is captured
     */
    MarketplaceImages(MachineHost host, Function<NodeName, Bootstrap> identity, Consumer<String> announce) {
        this.host = host;
        this.identity = identity;
        this.announce = announce;
    }

    /** The account for {@link Bootstrap}s of the nodes that images are made on. */
    static UserName account() {
        return ACCOUNT;
    }

    /**
     * The disk of a machine's image on its size.
     *
     * @param order of a machine from the marketplace, which does not exist yet: its address is used
     */
    synchronized ImageSource of(ClusterName cluster, Order order, Function<Bootstrap, NodeSession> connect) {
        String kind = HPC.matcher(order.source().marketplace()).matches() ? "hpc" : "plain";
        String network = network(order);
        return new ImageSource.Captured(
                made.computeIfAbsent(kind + "-" + network, key -> make(cluster, order, kind, network, connect)));
    }

    /**
     * What a machine of this size and image has of a fast network: the number of its InfiniBand ports, or {@code eth1} of a classic RDMA
     * network, for which the image must have the driver.
     */
    private static String network(Order order) {
        Optional<VmSizeFacts> size = VmSizes.standard().find(VmSize.of(order.size()));
        Interconnect interconnect = size.map(VmSizeFacts::interconnect).orElse(Interconnect.NONE);
        boolean driver = Images.standard()
                .find(order.source().marketplace())
                .filter(image -> image.driversFor().contains(Interconnect.NETWORK_DIRECT))
                .isPresent();
        if (interconnect == Interconnect.NETWORK_DIRECT && driver) {
            return "eth1";
        }
        return Integer.toString(
                interconnect == Interconnect.SRIOV_INFINIBAND
                        ? size.map(VmSizeFacts::ports).orElse(0)
                        : 0);
    }

    private String make(
            ClusterName cluster, Order order, String kind, String network, Function<Bootstrap, NodeSession> connect) {
        String name = "arm-" + kind + "-" + network + "-" + UUID.randomUUID();
        Bootstrap bootstrap = identity.apply(BUILDER);
        ImageSource empty = new ImageSource.Base(new ImageReference.Auto());
        host.create(
                cluster,
                new MachineRequest(BUILDER, order.place().address(), VmSize.of("Standard_D2s_v5"), empty, bootstrap));
        try {
            host.boot(cluster, BUILDER);
            try (NodeSession session = connect.apply(bootstrap)) {
                String script = TextResource.read(
                        MarketplaceImages.class.getResourceAsStream("marketplace-image.sh"), "marketplace-image.sh");
                CommandResult result = session.run(Command.of(List.of("/bin/sh", "-s", kind, network, ACCOUNT.value()))
                        .input(script)
                        .elevate()
                        .timeout(LIMIT));
                refuse(!result.succeeded(), "OSProvisioningClientError.image", order.name() + ": " + result.stderr());
            }
            host.stop(cluster, BUILDER);
            announce.accept(name);
            host.capture(cluster, BUILDER, name);
        } finally {
            host.delete(cluster, BUILDER);
        }
        return name;
    }
}
