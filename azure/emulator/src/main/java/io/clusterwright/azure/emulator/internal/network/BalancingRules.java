package io.clusterwright.azure.emulator.internal.network;

import static io.clusterwright.azure.emulator.internal.arm.ArmException.refuse;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.clusterwright.azure.emulator.internal.arm.ArmException;
import io.clusterwright.azure.emulator.internal.arm.Bodies;
import io.clusterwright.azure.emulator.internal.arm.Draft;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Rules that spread connections, the outbound rules and the probes of a load balancer. */
final class BalancingRules {
    private static final List<String> BOTH = List.of("Tcp", "Udp");
    private static final int LONGEST_IDLE = 100;
    private static final int LONGEST_OUTBOUND_IDLE = 120;
    private static final int MOST_PORTS = 64_000;
    private static final int PORTS_AT_ONCE = 8;
    private static final int SHORTEST_INTERVAL = 5;

    private BalancingRules() {}

    static void check(Draft balancer) {
        Map<String, String> backends = new HashMap<>();
        for (ObjectNode rule : balancer.objects("properties.loadBalancingRules")) {
            JsonNode properties = rule.path("properties");
            boolean all = isAll(properties);
            if (!(all
                    && properties.path("frontendPort").asInt() == 0
                    && properties.path("backendPort").asInt() == 0)) {
                LoadBalancers.requirePort(rule, "frontendPort");
                LoadBalancers.requirePort(rule, "backendPort");
            }
            NetworkRows.idle(balancer, Bodies.properties(rule), LONGEST_IDLE);
            requirePorts(rule, properties, all);
            String pool = Bodies.text(properties, "backendAddressPool.id");
            String port = properties.path("backendPort").asText();
            if (!pool.isEmpty() && !properties.path("enableFloatingIP").asBoolean()) {
                String other = backends.put(
                        frontend(pool, Bodies.text(properties, "protocol"), port), Bodies.text(rule, "name"));
                refuse(
                        other != null,
                        "RulesUseSameBackendPortProtocolAndPool",
                        other,
                        Bodies.text(rule, "name"),
                        port,
                        Bodies.text(properties, "protocol"),
                        pool);
            }
        }
        balancer.objects("properties.probes").forEach(BalancingRules::probe);
        outbound(balancer);
    }

    /** Refuses a rule without a protocol, a rule for all ports with one, and two ports where addresses are not rewritten. */
    private static void requirePorts(ObjectNode rule, JsonNode properties, boolean all) {
        int front = properties.path("frontendPort").asInt();
        int back = properties.path("backendPort").asInt();
        String wrong = "";
        if (Bodies.text(properties, "protocol").isEmpty()) {
            wrong = "it needs a protocol";
        } else if (all && (front != 0 || back != 0)) {
            wrong = "with the protocol All its ports must be 0";
        } else if (properties.path("enableFloatingIP").asBoolean() && front != back) {
            wrong = "with a floating IP its frontend and backend ports must be equal";
        }
        refuse(!wrong.isEmpty(), "InvalidRequestFormat.rule", Bodies.text(rule, "name"), wrong);
    }

    private static boolean isAll(JsonNode properties) {
        return Bodies.text(properties, "protocol").equalsIgnoreCase("All");
    }

    /** One port of a frontend, as a key. */
    static String frontend(String id, String protocol, Object port) {
        return (id + " " + protocol + " " + port).toLowerCase(Locale.ROOT);
    }

    /** The rule of each port of each frontend. */
    static Map<String, String> frontends(Draft balancer) {
        Map<String, String> ports = new HashMap<>();
        for (ObjectNode rule : balancer.objects("properties.loadBalancingRules")) {
            JsonNode properties = rule.path("properties");
            String frontend = Bodies.text(properties, "frontendIPConfiguration.id");
            String protocol = Bodies.text(properties, "protocol");
            String port = properties.path("frontendPort").asText();
            String other = ports.put(frontend(frontend, protocol, port), Bodies.text(rule, "name"));
            refuse(
                    other != null,
                    "RulesUseSameFrontendPortProtocolAndIPConfig",
                    other,
                    Bodies.text(rule, "name"),
                    protocol,
                    port);
        }
        return ports;
    }

    private static void probe(ObjectNode probe) {
        JsonNode properties = probe.path("properties");
        boolean tcp = Bodies.text(properties, "protocol").equalsIgnoreCase("Tcp");
        String path = Bodies.text(properties, "requestPath");
        String wrong = "";
        if (properties.path("port").asInt() < 1 || properties.path("port").asInt() > 65_535) {
            wrong = "its port must be between 1 and 65535";
        } else if (properties.path("intervalInSeconds").asInt(SHORTEST_INTERVAL) < SHORTEST_INTERVAL) {
            wrong = "its interval must be at least " + SHORTEST_INTERVAL + " seconds";
        } else if (properties.path("numberOfProbes").asInt(1) < 1) {
            wrong = "its number of probes must be at least 1";
        } else if (!tcp && path.isEmpty()) {
            wrong = "a probe by HTTP needs a requestPath";
        } else if (tcp && !path.isEmpty()) {
            wrong = "a probe by TCP has no requestPath";
        }
        refuse(!wrong.isEmpty(), "InvalidRequestFormat.probe", Bodies.text(probe, "name"), wrong);
    }

    private static void outbound(Draft balancer) {
        Map<String, String> seen = new HashMap<>();
        for (ObjectNode rule : balancer.objects("properties.outboundRules")) {
            String id = Bodies.text(rule, "id");
            JsonNode properties = rule.path("properties");
            NetworkRows.idle(balancer, Bodies.properties(rule), LONGEST_OUTBOUND_IDLE);
            int ports = properties.path("allocatedOutboundPorts").asInt();
            List<ObjectNode> frontends = Bodies.objects(properties, "frontendIPConfigurations");
            refuse(
                    ports < 0 || ports > MOST_PORTS || ports % PORTS_AT_ONCE != 0,
                    "InvalidRequestFormat.outbound",
                    id,
                    "allocatedOutboundPorts must be a multiple of 8 between 0 and " + MOST_PORTS);
            refuse(
                    frontends.isEmpty()
                            || Bodies.text(properties, "backendAddressPool.id").isEmpty(),
                    "InvalidRequestFormat.outbound",
                    id,
                    "it needs frontendIPConfigurations and a backendAddressPool");
            for (ObjectNode frontend : frontends) {
                String used = Bodies.text(frontend, "id");
                boolean internal = Bodies.withId(balancer.body(), "properties.frontendIPConfigurations", used)
                        .filter(each ->
                                !Bodies.text(each, "properties.subnet.id").isEmpty())
                        .isPresent();
                refuse(internal, "InvalidRequestFormat.outbound", id, "its frontends must be public");
                for (String protocol : isAll(properties) ? BOTH : List.of(Bodies.text(properties, "protocol"))) {
                    String other = seen.put(frontend(used, protocol, ""), id);
                    refuse(
                            other != null,
                            "MoreThanOneOutboundRuleUsingSameFrontendIPConfigurationAndProtocolIsNotSupported",
                            used,
                            other,
                            id);
                }
                requireDisabled(balancer, used, id);
            }
        }
    }

    private static void requireDisabled(Draft balancer, String frontend, String outbound) {
        balancer.objects("properties.loadBalancingRules").stream()
                .filter(rule -> Bodies.text(rule, "properties.frontendIPConfiguration.id")
                        .equalsIgnoreCase(frontend))
                .filter(rule -> !Bodies.isTrue(rule, "properties.disableOutboundSnat"))
                .findFirst()
                .ifPresent(rule -> {
                    throw ArmException.of(
                            "LoadBalancingRuleMustDisableSNATSinceSameFrontendIPConfigurationIsReferencedByOutboundRule",
                            Bodies.text(rule, "id"),
                            frontend,
                            outbound);
                });
    }
}
