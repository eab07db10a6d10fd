package io.clusterwright.azure.internal;

import io.clusterwright.azure.AzureException.Reason;
import io.clusterwright.core.spi.Endpoint;
import io.clusterwright.core.spi.Machine;
import io.clusterwright.core.type.ClusterName;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Where machines are dialled: at a port of the cluster's load balancer, at an address of their own, or else at their private address.
 * Learned from Azure once for each machine, so that a process that did not create them finds the way too.
 */
final class Ways {
    private final Clients clients;
    private final boolean privateAddresses;
    private final Map<String, Endpoint> known = new ConcurrentHashMap<>();

    Ways(Clients clients, boolean privateAddresses) {
        this.clients = clients;
        this.privateAddresses = privateAddresses;
    }

    Endpoint of(ClusterName cluster, Machine machine) {
        if (privateAddresses || InstanceId.find(machine.resource().name()).isPresent()) {
            return inside(machine);
        }
        return known.computeIfAbsent(machine.resource().name(), id -> learn(cluster, machine));
    }

    void forget(String machine) {
        known.remove(machine);
    }

    private Endpoint learn(ClusterName cluster, Machine machine) {
        ArmId id = ArmId.parse(machine.resource().name());
        ArmId nic = Names.nic(id);
        var found = clients.arm()
                .find(
                        "look for " + nic.name(),
                        () -> clients.network().getNetworkInterfaces().getByResourceGroup(nic.group(), nic.name()));
        var configurations = found.map(one -> one.ipConfigurations()).orElse(null);
        if (configurations == null || configurations.isEmpty()) {
            return inside(machine);
        }
        var configuration = configurations.get(0);
        if (configuration.publicIpAddress() != null) {
            return new Endpoint(address(Names.address(id)), Names.SSH);
        }
        var rules = configuration.loadBalancerInboundNatRules();
        if (rules == null || rules.isEmpty()) {
            return inside(machine);
        }
        String rule = rules.get(0).id();
        ArmId balancer = id.sibling(ArmId.LOAD_BALANCER, cluster + "-lb");
        int port = clients
                .arm()
                .read(
                        "read load balancer " + balancer.name(),
                        () -> clients.network()
                                .getLoadBalancers()
                                .getByResourceGroup(balancer.group(), balancer.name()))
                .inboundNatRules()
                .stream()
                .filter(one -> rule.endsWith("/" + one.name()))
                .findFirst()
                .map(one -> one.frontendPort())
                .orElseThrow(() -> Errors.of(
                        Reason.NOT_FOUND,
                        "",
                        "reach " + machine.name(),
                        "load balancer " + balancer.name() + " has no rule for it; create the cluster again",
                        null));
        return new Endpoint(address(id.sibling(ArmId.ADDRESS, cluster + "-ip")), port);
    }

    private String address(ArmId id) {
        String address = clients.arm()
                .read(
                        "read address " + id.name(),
                        () -> clients.network().getPublicIpAddresses().getByResourceGroup(id.group(), id.name()))
                .ipAddress();
        if (address == null) {
            throw Errors.of(Reason.NOT_FOUND, "", "reach " + id.name(), "Azure has given it no address yet", null);
        }
        return address;
    }

    private static Endpoint inside(Machine machine) {
        return new Endpoint(machine.address().toString(), Names.SSH);
    }
}
