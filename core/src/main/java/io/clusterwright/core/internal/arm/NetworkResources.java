package io.clusterwright.core.internal.arm;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.clusterwright.core.internal.json.Json;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Resources of Microsoft.Network. */
public final class NetworkResources {
    private final ArmScope scope;

    /** Resources of a group. */
    public NetworkResources(ArmScope scope) {
        this.scope = scope;
    }

    /** A security group without rules; inside of its network Azure's default rules allow everything. */
    public ArmResource securityGroup(ArmText name) {
        return new ArmResource(scope, ArmId.SECURITY_GROUP, name);
    }

    /** A rule that allows inbound TCP; the caller adds the source, the ports and the priority. */
    public static ObjectNode inboundRule(ArmText name, JsonNode priority) {
        ObjectNode rule = Json.object().put("name", name.toString());
        rule.putObject("properties")
                .put("protocol", "Tcp")
                .put("access", "Allow")
                .<ObjectNode>set("priority", priority)
                .put("direction", "Inbound")
                .put("sourcePortRange", "*")
                .put("destinationAddressPrefix", "*");
        return rule;
    }

    /** A network with one subnet. */
    public ArmResource network(
            ArmText name, String addressSpace, List<String> dnsServers, String subnet, String range) {
        ArmResource network = new ArmResource(scope, ArmId.NETWORK, name);
        ObjectNode properties = network.properties();
        properties.putObject("addressSpace").putArray("addressPrefixes").add(addressSpace);
        if (!dnsServers.isEmpty()) {
            dnsServers.forEach(properties.putObject("dhcpOptions").putArray("dnsServers")::add);
        }
        // Nodes fetch packages and drivers: without this, new subnets have no way to the outside.
        properties
                .putArray("subnets")
                .addObject()
                .put("name", subnet)
                .putObject("properties")
                .put("addressPrefix", range)
                .put("defaultOutboundAccess", true);
        return network;
    }

    /** A static public address. */
    public ArmResource publicAddress(ArmText name) {
        ArmResource address = new ArmResource(scope, ArmId.ADDRESS, name);
        address.top().putObject("sku").put("name", "Standard");
        address.properties().put("publicIPAllocationMethod", "Static");
        return address;
    }

    /** An interface with one address of a subnet. */
    public Interface networkInterface(ArmText name, ArmText network, ArmText subnet) {
        return new Interface(new ArmResource(scope, ArmId.NIC, name), network, subnet);
    }

    /** A load balancer in front of a public address. */
    public Balancer loadBalancer(ArmText name, String frontend, ArmText publicAddress) {
        return new Balancer(new ArmResource(scope, ArmId.LOAD_BALANCER, name), name, frontend, publicAddress);
    }

    /** A network interface under construction. */
    public static final class Interface {
        private final ArmResource nic;
        private final ArmText network;
        private final ArmText subnet;
        private final ObjectNode address = Json.object();
        private @Nullable String subnetId;

        private Interface(ArmResource nic, ArmText network, ArmText subnet) {
            this.nic = nic;
            this.network = network;
            this.subnet = subnet;
        }

        /** Sets the DNS servers; none for the servers of the network. */
        public Interface dnsServers(List<String> servers) {
            if (!servers.isEmpty()) {
                servers.forEach(nic.properties().putObject("dnsSettings").putArray("dnsServers")::add);
            }
            return this;
        }

        /** Puts it into a subnet that exists, wherever that is. */
        public Interface inSubnet(String id) {
            subnetId = id;
            return this;
        }

        /** Puts a security group in front of it. */
        public Interface securityGroup(ArmText group) {
            nic.properties().set("networkSecurityGroup", nic.reference(ArmId.SECURITY_GROUP, group));
            return this;
        }

        /** Makes it a member of a pool of a load balancer, so that the rules of the pool hold for it. */
        public Interface pool(ArmText balancer, ArmText pool) {
            address.withArray("/loadBalancerBackendAddressPools").add(nic.reference(Balancer.POOLS, balancer, pool));
            return this;
        }

        /** Makes it reachable through a public address; the address is added by the caller. */
        public Interface publicAddress(ArmText publicAddress) {
            address.set("publicIPAddress", nic.reference(ArmId.ADDRESS, publicAddress));
            return this;
        }

        /** The interface with an address that Azure chooses. */
        public ArmResource dynamic() {
            address.put("privateIPAllocationMethod", "Dynamic");
            return build();
        }

        /** The interface with this address. */
        public ArmResource fixed(ArmText privateAddress) {
            address.put("privateIPAddress", privateAddress.toString()).put("privateIPAllocationMethod", "Static");
            return build();
        }

        private ArmResource build() {
            JsonNode outside = address.remove("publicIPAddress");
            address.set(
                    "subnet",
                    subnetId == null
                            ? nic.reference(ArmId.NETWORK + "/subnets", network, subnet)
                            : Json.object().put("id", subnetId));
            address.put("primary", true);
            if (outside != null) {
                address.set("publicIPAddress", outside);
            }
            nic.properties()
                    .putArray("ipConfigurations")
                    .addObject()
                    .put("name", "primary")
                    .set("properties", address);
            return nic;
        }
    }

    /** A load balancer under construction, whose rules lead to port 22. */
    public static final class Balancer {
        static final String POOLS = ArmId.LOAD_BALANCER + "/backendAddressPools";
        private static final int SSH = 22;

        private final ArmResource balancer;
        private final ArmText name;
        private final ArmText frontend;

        private Balancer(ArmResource balancer, ArmText name, String frontend, ArmText publicAddress) {
            this.balancer = balancer;
            this.name = name;
            this.frontend = ArmText.plain(frontend);
            balancer.top().putObject("sku").put("name", "Standard");
            balancer.properties()
                    .putArray("frontendIPConfigurations")
                    .addObject()
                    .put("name", frontend)
                    .putObject("properties")
                    .set("publicIPAddress", balancer.reference(ArmId.ADDRESS, publicAddress));
        }

        /**
         * A rule that gives each member of a pool one of a range of ports, from the first to the last; it is not added. Of a pool with one
         * member the range is one port.
         */
        public ObjectNode rule(ArmText rule, JsonNode first, JsonNode last, ArmText pool) {
            ObjectNode made = Json.object().put("name", rule.toString());
            made.putObject("properties")
                    .<ObjectNode>set("frontendIPConfiguration", frontend())
                    .put("protocol", "Tcp")
                    .put("backendPort", SSH)
                    .put("enableTcpReset", true)
                    .<ObjectNode>set("frontendPortRangeStart", first)
                    .<ObjectNode>set("frontendPortRangeEnd", last)
                    .set("backendAddressPool", balancer.reference(POOLS, name, pool));
            return made;
        }

        /** Adds a rule. */
        public void add(ObjectNode rule) {
            balancer.properties().withArray("/inboundNatRules").add(rule);
        }

        /** Adds a pool. */
        public void addPool(ArmText pool) {
            balancer.properties().withArray("/backendAddressPools").addObject().put("name", pool.toString());
        }

        /** Sets the pools of a template, as an expression that gives the list. */
        public void pools(ArmText all) {
            balancer.properties().set("backendAddressPools", all.json());
        }

        /** Adds one rule for each element of a template's list. */
        public void addEach(String list, ObjectNode rule) {
            balancer.properties()
                    .putArray("copy")
                    .addObject()
                    .put("name", "inboundNatRules")
                    .put("count", "[length(" + list + ")]")
                    .set("input", rule);
        }

        /** Adds a rule for the connections of a pool's members to the outside, which they have in no other way. */
        public void addOutbound(String rule, String pool) {
            ObjectNode details = balancer.properties()
                    .withArray("/outboundRules")
                    .addObject()
                    .put("name", rule)
                    .putObject("properties");
            details.putArray("frontendIPConfigurations").add(frontend());
            details.put("protocol", "All").put("allocatedOutboundPorts", 0).put("enableTcpReset", true);
            details.set("backendAddressPool", balancer.reference(POOLS, name, ArmText.plain(pool)));
        }

        /** The load balancer. */
        public ArmResource build() {
            return balancer;
        }

        private ObjectNode frontend() {
            return balancer.reference(ArmId.LOAD_BALANCER + "/frontendIPConfigurations", name, frontend);
        }
    }
}
