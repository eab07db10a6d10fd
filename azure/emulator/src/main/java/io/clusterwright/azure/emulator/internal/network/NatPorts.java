package io.clusterwright.azure.emulator.internal.network;

import static io.clusterwright.azure.emulator.internal.arm.ArmException.refuse;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.clusterwright.azure.emulator.internal.arm.ArmException;
import io.clusterwright.azure.emulator.internal.arm.Bodies;
import io.clusterwright.azure.emulator.internal.arm.Cloud;
import io.clusterwright.azure.emulator.internal.arm.Draft;
import io.clusterwright.azure.emulator.internal.arm.LongOperation;
import io.clusterwright.azure.emulator.internal.arm.Resource;
import io.clusterwright.azure.emulator.internal.arm.ResourcePath;
import io.clusterwright.azure.emulator.internal.arm.ResourceType;
import io.clusterwright.azure.emulator.internal.arm.Work;
import io.clusterwright.core.internal.json.Json;
import io.clusterwright.emulator.internal.http.Call;
import io.clusterwright.emulator.internal.http.Reply;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Inbound NAT rules with a range of ports: each member of their pool has one, which stays its own. */
final class NatPorts {
    /** The pools and the rules that a configuration of an interface names. */
    static final String POOLS = "loadBalancerBackendAddressPools";

    static final String RULES = "loadBalancerInboundNatRules";

    private static final String FIRST = "frontendPortRangeStart";
    private static final String LAST = "frontendPortRangeEnd";
    private static final int LAST_PORT = 65_535;

    private final Cloud cloud;

    NatPorts(Cloud cloud) {
        this.cloud = cloud;
    }

    static boolean isRange(ObjectNode rule) {
        return rule.path("properties").has(FIRST);
    }

    /** Every port by which a rule is reached, in order. */
    static IntStream frontend(ObjectNode rule) {
        return isRange(rule)
                ? IntStream.rangeClosed(number(rule, FIRST), number(rule, LAST))
                : IntStream.of(number(rule, "frontendPort"));
    }

    private static int number(ObjectNode rule, String field) {
        return rule.path("properties").path(field).asInt();
    }

    /** Refuses a range without ports, or whose pool the balancer does not have. */
    static void check(Draft balancer, Draft rule) {
        int first = number(rule.body(), FIRST);
        int last = number(rule.body(), LAST);
        boolean empty = first < 1 || last < first || last > LAST_PORT;
        refuse(empty, "LoadBalancerInvalidPort.range", rule.text("name"), first, last, LAST_PORT);
        String pool = rule.text("properties.backendAddressPool.id");
        if (Bodies.withId(balancer.body(), "properties.backendAddressPools", pool)
                .isEmpty()) {
            throw ArmException.badReference(pool, balancer.id());
        }
    }

    /** Interfaces of machines and of instances. */
    Stream<Resource> interfaces() {
        return Stream.of(ResourceType.INTERFACES, ResourceType.INSTANCE_INTERFACES)
                .flatMap(type -> cloud.store().ofType(type));
    }

    /** Adds to each pool its members, and gives each a port of each rule, which the balancer does not show. */
    void show(ObjectNode balancer) {
        for (ObjectNode pool : Bodies.objects(balancer, "properties.backendAddressPools")) {
            String id = Bodies.text(pool, "id");
            List<Resource> members =
                    interfaces().filter(each -> entry(each, id).isPresent()).toList();
            List<ObjectNode> rules = Bodies.objects(balancer, "properties.inboundNatRules").stream()
                    .filter(NatPorts::isRange)
                    .filter(rule -> Bodies.text(rule, "properties.backendAddressPool.id")
                            .equalsIgnoreCase(id))
                    .toList();
            rules.forEach(rule -> assign(rule, members));
            ArrayNode addresses = Bodies.properties(pool).putArray("loadBalancerBackendAddresses");
            members.forEach(
                    member -> addresses.add(address(member, entry(member, id).orElseThrow())));
        }
    }

    private static void assign(ObjectNode rule, List<Resource> members) {
        String key = key(rule);
        Set<String> taken =
                members.stream().flatMap(member -> member.hidden(key).stream()).collect(Collectors.toSet());
        List<String> free = frontend(rule)
                .mapToObj(Integer::toString)
                .filter(port -> !taken.contains(port))
                .toList();
        List<Resource> without =
                members.stream().filter(member -> member.hidden(key).isEmpty()).toList();
        for (int i = 0; i < Math.min(free.size(), without.size()); i++) {
            without.get(i).hide(key, free.get(i));
        }
    }

    /** The ports of one member of a pool: the answer to {@code queryInboundNatRulePortMapping}, which alone tells them. */
    Reply query(Call call, Resource balancer, ResourcePath pool) {
        String configuration = Bodies.text(call.objectOrEmpty(), "ipConfiguration.id");
        String address = Bodies.text(call.objectOrEmpty(), "ipAddress");
        refuse(configuration.isEmpty() == address.isEmpty(), "InvalidRequestFormat.portMapping");
        show(balancer.body().deepCopy());
        Resource member = interfaces()
                .filter(each -> entry(each, pool.toString())
                        .filter(found -> configuration.isEmpty()
                                ? Bodies.text(found, "properties.privateIPAddress")
                                        .equals(address)
                                : Bodies.text(found, "id").equalsIgnoreCase(configuration))
                        .isPresent())
                .findFirst()
                .orElseThrow(() -> ArmException.badReference(configuration + address, pool));
        ObjectNode result = Json.object();
        ArrayNode mappings = result.putArray("inboundNatRulePortMappings");
        balancer.objects("properties.inboundNatRules").stream()
                .filter(NatPorts::isRange)
                .forEach(rule -> member.hidden(key(rule))
                        .ifPresent(port -> mappings.addObject()
                                .put("inboundNatRuleName", Bodies.text(rule, "name"))
                                .put("protocol", Bodies.text(rule, "properties.protocol"))
                                .put("frontendPort", Integer.parseInt(port))
                                .put("backendPort", number(rule, "backendPort"))));
        LongOperation operation = cloud.start(Work.NETWORK_QUERY, null, ResourceType.NO_MACHINES, failure -> result);
        return cloud.linked(Reply.empty(202), call, balancer.id(), operation);
    }

    /** The interface that a port of a balancer leads to, by a rule with a range. */
    Optional<Resource> member(Resource balancer, int port) {
        show(balancer.body().deepCopy());
        return balancer.objects("properties.inboundNatRules").stream()
                .filter(NatPorts::isRange)
                .flatMap(rule -> interfaces()
                        .filter(each -> each.hidden(key(rule))
                                .filter(Integer.toString(port)::equals)
                                .isPresent()))
                .findFirst();
    }

    private static ObjectNode address(Resource member, ObjectNode configuration) {
        ObjectNode address = Json.object().put("name", member.id().parent().name() + "_" + member.name());
        ObjectNode properties = Bodies.properties(address);
        properties.set("networkInterfaceIPConfiguration", Bodies.reference(Bodies.text(configuration, "id")));
        properties.putArray("inboundNatRulesPortMapping");
        return address;
    }

    private static String key(ObjectNode rule) {
        return "port of " + Bodies.text(rule, "id");
    }

    private static Optional<ObjectNode> entry(Resource member, String pool) {
        return member.objects("properties.ipConfigurations").stream()
                .filter(configuration -> Bodies.withId(configuration, "properties." + POOLS, pool)
                        .isPresent())
                .findFirst();
    }
}
