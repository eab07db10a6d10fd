package io.clusterwright.azure.emulator.internal.network;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.clusterwright.azure.emulator.internal.arm.ArmException;
import io.clusterwright.azure.emulator.internal.arm.ArmId;
import io.clusterwright.azure.emulator.internal.arm.Bodies;
import io.clusterwright.azure.emulator.internal.arm.Cloud;
import io.clusterwright.azure.emulator.internal.arm.Resource;
import io.clusterwright.core.internal.http.Call;
import java.time.Instant;
import java.util.List;
import java.util.Locale;

/** Network interfaces. */
public final class Interfaces extends NetworkKind {
    /** Until when an interface is kept for a virtual machine that failed. */
    public static final String RESERVED_UNTIL = "reservedUntil";
    /** The virtual machine it is kept for. */
    public static final String RESERVED_FOR = "reservedFor";
    /** The virtual machine it belongs to. */
    public static final String OWNER = "owner";

    private final Subnets subnets;

    public Interfaces(Cloud cloud) {
        super(cloud, INTERFACES);
        this.subnets = new Subnets(cloud);
    }

    @Override
    void fillProperties(ArmId id, ObjectNode properties, ObjectNode body) {
        properties.remove("virtualMachine");
        List<ObjectNode> configurations = Bodies.objects(properties.path("ipConfigurations"));
        if (configurations.isEmpty()) {
            throw ArmException.badRequest(
                    "NetworkInterfaceMustHaveOneIPConfiguration",
                    "Network interface " + id + " must have at least one IP configuration.");
        }
        String group = Bodies.text(properties, "networkSecurityGroup", "id");
        if (!group.isEmpty()) {
            referenced(id, group, GROUPS);
        }
        stamp(id, properties, "ipConfigurations", body);
        boolean first = true;
        for (ObjectNode configuration : configurations) {
            configure(id, configuration, first);
            first = false;
        }
        Bodies.putDefault(properties, "enableAcceleratedNetworking", false);
        Bodies.putDefault(properties, "enableIPForwarding", false);
        Bodies.make(properties, "dnsSettings").withArray("/dnsServers");
        Bodies.make(properties, "dnsSettings").withArray("/appliedDnsServers");
        properties.put("primary", true);
        Bodies.putDefault(properties, "nicType", "Standard");
        properties.put("macAddress", mac(id));
        properties.withArray("/hostedWorkloads");
        properties.withArray("/tapConfigurations");
    }

    private void configure(ArmId id, ObjectNode configuration, boolean first) {
        ObjectNode properties = Bodies.properties(configuration);
        String subnet = Bodies.text(properties, "subnet", "id");
        if (!ArmId.isResource(subnet)) {
            throw ArmException.badReference(subnet, id);
        }
        cloud.store().find(ArmId.parse(subnet).parent()).ifPresent(network -> requireFinished(id, network));
        subnets.allocate(id, configuration);
        Bodies.putDefault(properties, "primary", first);
        String address = Bodies.text(properties, "publicIPAddress", "id");
        if (!address.isEmpty()) {
            Resource found = referenced(id, address, ADDRESSES);
            new PublicAddresses(cloud)
                    .user(found)
                    .filter(user -> !user.equalsIgnoreCase(Bodies.text(configuration, "id")))
                    .ifPresent(user -> {
                        throw ArmException.badRequest(
                                "PublicIPAddressInUse",
                                "Resource " + id + " is referencing public IP address " + address
                                        + " that is already allocated to resource " + user + ".");
                    });
        }
        for (ObjectNode pool : Bodies.objects(properties.path("loadBalancerBackendAddressPools"))) {
            referenced(id, ArmId.parse(Bodies.text(pool, "id")).parent().toString(), BALANCERS);
        }
        for (ObjectNode rule : Bodies.objects(properties.path("loadBalancerInboundNatRules"))) {
            referenced(id, ArmId.parse(Bodies.text(rule, "id")).parent().toString(), BALANCERS);
        }
    }

    private static String mac(ArmId id) {
        int hash = id.key().hashCode();
        return String.format(
                Locale.ROOT, "00-0D-3A-%02X-%02X-%02X", (hash >> 16) & 0xff, (hash >> 8) & 0xff, hash & 0xff);
    }

    /** Takes an interface for a virtual machine, unless it is another's. */
    public Resource attach(ArmId machine, String reference) {
        Resource found = referenced(machine, reference, INTERFACES);
        String owner = found.hidden(OWNER).orElse("");
        if (!owner.isEmpty() && !owner.equalsIgnoreCase(machine.toString())) {
            throw ArmException.badRequest(
                    "NicInUse",
                    "Network Interface " + found.id() + " is used by existing resource " + owner
                            + ". In order to attach the network interface to another resource, it must be detached first.");
        }
        requireUnreserved(found, machine.toString());
        return found;
    }

    /** Keeps it for a virtual machine that could not be made. */
    public void reserve(Resource networkInterface, ArmId machine, Instant until) {
        networkInterface.hide(RESERVED_UNTIL, until.toString());
        networkInterface.hide(RESERVED_FOR, machine.toString());
    }

    private void requireUnreserved(Resource found, String asking) {
        String until = found.hidden(RESERVED_UNTIL).orElse("");
        String machine = found.hidden(RESERVED_FOR).orElse("");
        if (!until.isEmpty()
                && cloud.clock().now().isBefore(Instant.parse(until))
                && !machine.equalsIgnoreCase(asking)) {
            throw ArmException.badRequest(
                    "NicReservedForAnotherVm",
                    "Nic(s) in request is reserved for another Virtual Machine for 180 seconds. Please provide another"
                            + " nic(s) or retry after 180 seconds. Reserved nics: " + found.id() + " for " + machine
                            + ".");
        }
    }

    @Override
    protected void checkDelete(Call call, Resource resource) {
        resource.hidden(OWNER).ifPresent(owner -> {
            throw ArmException.badRequest(
                    "NicInUse",
                    "Network Interface " + resource.id() + " is used by existing resource " + owner
                            + ". In order to delete the network interface, it must be dissociated from the resource. To"
                            + " learn more, see aka.ms/deletenic.");
        });
        requireUnreserved(resource, "");
    }

    @Override
    public ObjectNode view(Call call, Resource resource) {
        ObjectNode view = super.view(call, resource);
        resource.hidden(OWNER)
                .ifPresent(owner -> Bodies.properties(view).set("virtualMachine", Bodies.reference(owner)));
        return view;
    }
}
