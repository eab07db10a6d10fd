package io.clusterwright.azure.emulator.internal.network;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.clusterwright.azure.emulator.internal.arm.BackingMachines;
import io.clusterwright.azure.emulator.internal.arm.Bodies;
import io.clusterwright.azure.emulator.internal.arm.Cloud;
import io.clusterwright.azure.emulator.internal.arm.Resource;
import io.clusterwright.azure.emulator.internal.arm.ResourcePath;
import io.clusterwright.azure.emulator.internal.arm.ResourceType;
import io.clusterwright.core.type.AddressRange;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * The ways from public addresses to machines: an address of a machine, or ports of a load balancer. As on Azure the security group of the
 * interface decides, and a machine without one lets nothing in.
 */
final class InboundConnections {
    private static final int SSH = 22;
    private static final AddressRange HERE = AddressRange.of("127.0.0.1/32");

    private final Cloud cloud;
    private final BackingMachines machines;
    private final NatPorts ports;

    InboundConnections(Cloud cloud, BackingMachines machines) {
        this.cloud = cloud;
        this.machines = machines;
        this.ports = new NatPorts(cloud);
    }

    /** Listens at an address, where machines are real. */
    void open(Resource address) {
        String ip = address.text("properties.ipAddress");
        ResourcePath id = address.id();
        ports(id)
                .distinct()
                .forEach(port -> machines.listen(ip, port, () -> {
                    synchronized (cloud) {
                        return behind(id, port);
                    }
                }));
    }

    void close(Resource address) {
        machines.close(address.text("properties.ipAddress"));
    }

    private IntStream ports(ResourcePath address) {
        boolean own = cloud.store()
                .parts(ResourceType.INTERFACES, "properties.ipConfigurations")
                .anyMatch(configuration -> has(configuration, address));
        IntStream ofRules = balancers(address)
                .flatMap(balancer -> balancer.objects("properties.inboundNatRules").stream())
                .flatMapToInt(NatPorts::frontend);
        return own ? IntStream.concat(IntStream.of(SSH), ofRules) : ofRules;
    }

    private Stream<Resource> balancers(ResourcePath address) {
        return cloud.store()
                .ofType(ResourceType.LOAD_BALANCERS)
                .filter(balancer -> balancer.objects("properties.frontendIPConfigurations").stream()
                        .anyMatch(frontend -> has(frontend, address)));
    }

    private static boolean has(ObjectNode configuration, ResourcePath address) {
        return Bodies.text(configuration, "properties.publicIPAddress.id").equalsIgnoreCase(address.toString());
    }

    /** The private address behind a port; empty for an unused port, and for a refused connection. */
    private Optional<String> behind(ResourcePath address, int port) {
        Stream<Resource> own = port == SSH
                ? ports.interfaces().filter(each -> configurations(each).anyMatch(one -> has(one, address)))
                : Stream.empty();
        Stream<Resource> balanced = balancers(address).flatMap(balancer -> ports.member(balancer, port).stream());
        return Stream.concat(balanced, own)
                .flatMap(each -> configurations(each)
                        .map(one -> Bodies.text(one, "properties.privateIPAddress"))
                        .filter(inside -> admits(each, inside)))
                .findFirst();
    }

    private static Stream<ObjectNode> configurations(Resource networkInterface) {
        return networkInterface.objects("properties.ipConfigurations").stream();
    }

    private boolean admits(Resource networkInterface, String inside) {
        return cloud
                .store()
                .find(networkInterface.text("properties.networkSecurityGroup.id"), ResourceType.SECURITY_GROUPS)
                .stream()
                .flatMap(group -> group.objects("properties.securityRules").stream())
                .filter(rule -> Bodies.text(rule, "properties.direction").equalsIgnoreCase("Inbound"))
                .filter(rule ->
                        values(rule, "destinationPortRange").anyMatch(range -> range.equals("*") || range.equals("22")))
                .filter(rule -> values(rule, "sourceAddressPrefix").anyMatch(InboundConnections::isHere))
                .filter(rule -> values(rule, "destinationAddressPrefix")
                        .anyMatch(to -> to.equals("*") || to.equals("VirtualNetwork") || to.equals(inside)))
                .min((a, b) -> Integer.compare(
                        a.at("/properties/priority").asInt(),
                        b.at("/properties/priority").asInt()))
                .filter(rule -> Bodies.text(rule, "properties.access").equalsIgnoreCase("Allow"))
                .isPresent();
    }

    private static boolean isHere(String source) {
        return source.equals("*")
                || source.equals("Internet")
                || source.matches("[0-9./]+")
                        && AddressRange.of(source.contains("/") ? source : source + "/32")
                                .contains(HERE);
    }

    private static Stream<String> values(ObjectNode rule, String field) {
        Stream.Builder<String> values = Stream.builder();
        values.add(Bodies.text(rule, "properties." + field));
        rule.path("properties")
                .path(field + (field.endsWith("Prefix") ? "es" : "s"))
                .forEach(value -> values.add(value.asText()));
        return values.build().filter(value -> !value.isEmpty());
    }
}
