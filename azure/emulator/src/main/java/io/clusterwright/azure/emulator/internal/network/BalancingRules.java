package io.clusterwright.azure.emulator.internal.network;

import static io.clusterwright.azure.emulator.internal.arm.ArmException.refuse;

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
        for (Draft rule : balancer.parts("properties.loadBalancingRules")) {
            Draft here = rule.part("properties");
            int front = here.number("frontendPort", 0);
            int back = here.number("backendPort", 0);
            if (!isAll(here) || front != 0 || back != 0) {
                LoadBalancers.requirePort(rule, "frontendPort");
                LoadBalancers.requirePort(rule, "backendPort");
            }
            NetworkRows.idle(LONGEST_IDLE).apply(rule);
            refuseRule(rule, !here.has("protocol"), "it needs a protocol");
            refuseRule(rule, isAll(here) && (front != 0 || back != 0), "with the protocol All its ports must be 0");
            refuseRule(
                    rule,
                    here.isTrue("enableFloatingIP") && front != back,
                    "with a floating IP its frontend and backend ports must be equal");
        }
        Bodies.requireUnique(
                balancer.objects("properties.loadBalancingRules"),
                rule -> Bodies.isTrue(rule, "properties.enableFloatingIP")
                        ? ""
                        : port(rule, "backendAddressPool", "backendPort"),
                (first, second) -> ArmException.of(
                        "RulesUseSameBackendPortProtocolAndPool",
                        Bodies.text(first, "name"),
                        Bodies.text(second, "name"),
                        Bodies.text(second, "properties.backendPort"),
                        Bodies.text(second, "properties.protocol"),
                        Bodies.text(second, "properties.backendAddressPool.id")));
        balancer.parts("properties.probes").forEach(BalancingRules::probe);
        balancer.parts("properties.outboundRules").forEach(rule -> outbound(balancer, rule));
        requireOneOutbound(balancer);
    }

    private static void refuseRule(Draft rule, boolean when, String why) {
        refuse(when, "InvalidRequestFormat.rule", rule.text("name"), why);
    }

    private static boolean isAll(Draft properties) {
        return properties.is("protocol", "All");
    }

    /** One port of a frontend, as a key. */
    static String frontend(String id, String protocol, Object port) {
        return (id + " " + protocol + " " + port).toLowerCase(Locale.ROOT);
    }

    /** A port of what a rule refers to, as a key; empty without a reference. */
    private static String port(ObjectNode rule, String holder, String port) {
        String id = Bodies.text(rule, "properties." + holder + ".id");
        return id.isEmpty()
                ? ""
                : frontend(id, Bodies.text(rule, "properties.protocol"), Bodies.text(rule, "properties." + port));
    }

    /** The rule of each port of each frontend. */
    static Map<String, String> frontends(Draft balancer) {
        Map<String, String> ports = new HashMap<>();
        for (Draft rule : balancer.parts("properties.loadBalancingRules")) {
            String frontend = rule.text("properties.frontendIPConfiguration.id");
            take(ports, frontend, rule, rule.text("properties.frontendPort"));
        }
        return ports;
    }

    /** Gives a rule a port of a frontend, which no other rule may have. */
    static void take(Map<String, String> ports, String frontend, Draft rule, Object port) {
        String protocol = rule.text("properties.protocol");
        String name = rule.text("name");
        String other = ports.put(frontend(frontend, protocol, port), name);
        refuse(other != null, "RulesUseSameFrontendPortProtocolAndIPConfig", other, name, protocol, port);
    }

    private static void probe(Draft probe) {
        Draft here = probe.part("properties");
        boolean tcp = here.is("protocol", "Tcp");
        boolean path = here.has("requestPath");
        int port = here.number("port", 0);
        refuseProbe(probe, port < 1 || port > 65_535, "its port must be between 1 and 65535");
        refuseProbe(
                probe,
                here.number("intervalInSeconds", SHORTEST_INTERVAL) < SHORTEST_INTERVAL,
                "its interval must be at least " + SHORTEST_INTERVAL + " seconds");
        refuseProbe(probe, here.number("numberOfProbes", 1) < 1, "its number of probes must be at least 1");
        refuseProbe(probe, !tcp && !path, "a probe by HTTP needs a requestPath");
        refuseProbe(probe, tcp && path, "a probe by TCP has no requestPath");
    }

    private static void refuseProbe(Draft probe, boolean when, String why) {
        refuse(when, "InvalidRequestFormat.probe", probe.text("name"), why);
    }

    private static void outbound(Draft balancer, Draft rule) {
        NetworkRows.idle(LONGEST_OUTBOUND_IDLE).apply(rule);
        Draft here = rule.part("properties");
        int ports = here.number("allocatedOutboundPorts", 0);
        List<Draft> frontends = here.parts("frontendIPConfigurations");
        refuseOutbound(
                rule,
                ports < 0 || ports > MOST_PORTS || ports % PORTS_AT_ONCE != 0,
                "allocatedOutboundPorts must be a multiple of 8 between 0 and " + MOST_PORTS);
        refuseOutbound(
                rule,
                frontends.isEmpty() || !here.has("backendAddressPool.id"),
                "it needs frontendIPConfigurations and a backendAddressPool");
        for (Draft frontend : frontends) {
            String used = frontend.text("id");
            boolean internal = Bodies.withId(balancer.body(), "properties.frontendIPConfigurations", used)
                    .filter(each -> Bodies.has(each, "properties.subnet.id"))
                    .isPresent();
            refuseOutbound(rule, internal, "its frontends must be public");
            balancer.parts("properties.loadBalancingRules").stream()
                    .filter(each -> each.is("properties.frontendIPConfiguration.id", used))
                    .forEach(each -> refuse(
                            !each.isTrue("properties.disableOutboundSnat"),
                            "LoadBalancingRuleMustDisableSNATSinceSameFrontendIPConfigurationIsReferencedByOutboundRule",
                            each.text("id"),
                            used,
                            rule.text("id")));
        }
    }

    private static void refuseOutbound(Draft rule, boolean when, String why) {
        refuse(when, "InvalidRequestFormat.outbound", rule.text("id"), why);
    }

    /** A frontend has one outbound rule for each protocol. */
    private static void requireOneOutbound(Draft balancer) {
        Map<String, String> seen = new HashMap<>();
        for (Draft rule : balancer.parts("properties.outboundRules")) {
            String protocol = rule.text("properties.protocol");
            for (Draft frontend : rule.parts("properties.frontendIPConfigurations")) {
                String used = frontend.text("id");
                for (String each : protocol.equals("All") ? BOTH : List.of(protocol)) {
                    String other = seen.put(frontend(used, each, ""), rule.text("id"));
                    refuse(
                            other != null,
                            "MoreThanOneOutboundRuleUsingSameFrontendIPConfigurationAndProtocolIsNotSupported",
                            used,
                            other,
                            rule.text("id"));
                }
            }
        }
    }
}
