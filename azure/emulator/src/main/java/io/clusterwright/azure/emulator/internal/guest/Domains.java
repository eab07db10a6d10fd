package io.clusterwright.azure.emulator.internal.guest;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.clusterwright.azure.emulator.internal.arm.Bodies;
import io.clusterwright.azure.emulator.internal.arm.Cloud;
import io.clusterwright.azure.emulator.internal.arm.Resource;
import io.clusterwright.azure.emulator.internal.arm.ResourcePath;
import io.clusterwright.azure.emulator.internal.arm.ResourceType;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Finds the controllers of domains: machines that were promoted by the published DSC configuration. */
record Domains(Cloud cloud) {
    /** Whether one of the name servers of a machine is a controller of the domain, in the machine's network. */
    boolean isFound(Resource machine, String domain) {
        return interfaces(machine).stream()
                .anyMatch(each -> servers(each).stream()
                        .anyMatch(server -> cloud.store()
                                .ofType(ResourceType.MACHINES)
                                .filter(other -> hasAddress(other, server, network(each)))
                                .anyMatch(other -> isController(other, domain))));
    }

    /** The machine has joined the domain by an extension. */
    boolean isJoined(Resource machine) {
        return cloud.store().children(machine.id(), "extensions").stream()
                .anyMatch(each ->
                        each.isSucceeded() && each.text("properties.type").equalsIgnoreCase(GuestHandlers.JOIN));
    }

    private boolean isController(Resource machine, String domain) {
        return machine.isHidden(Resource.POWER, "running")
                && cloud.store().children(machine.id(), "extensions").stream()
                        .filter(Resource::isSucceeded)
                        .map(each -> each.at("properties.settings"))
                        .anyMatch(settings -> DscConfiguration.of(settings)
                                        .filter(each -> each.name().equals("CreateADPDC"))
                                        .isPresent()
                                && Bodies.text(settings, "configurationArguments.DomainName")
                                        .equalsIgnoreCase(domain));
    }

    private List<Resource> interfaces(Resource machine) {
        return machine.objects("properties.networkProfile.networkInterfaces").stream()
                .flatMap(each -> cloud.store().find(Bodies.text(each, "id"), ResourceType.INTERFACES).stream())
                .toList();
    }

    private boolean hasAddress(Resource machine, String address, Optional<ResourcePath> network) {
        return interfaces(machine).stream()
                .filter(each -> network(each).equals(network))
                .flatMap(each -> each.objects("properties.ipConfigurations").stream())
                .anyMatch(
                        each -> Bodies.text(each, "properties.privateIPAddress").equals(address));
    }

    /** The domains of the interface, or else of its network. */
    private List<String> servers(Resource each) {
        List<String> servers = texts(each.at("properties.dnsSettings.dnsServers"));
        return servers.isEmpty()
                ? network(each)
                        .flatMap(cloud.store()::find)
                        .map(network -> texts(network.at("properties.dhcpOptions.dnsServers")))
                        .orElse(List.of())
                : servers;
    }

    private static List<String> texts(JsonNode array) {
        List<String> texts = new ArrayList<>();
        array.forEach(each -> texts.add(each.asText()));
        return texts;
    }

    private Optional<ResourcePath> network(Resource each) {
        return each.objects("properties.ipConfigurations").stream()
                .map((ObjectNode configuration) -> Bodies.text(configuration, "properties.subnet.id"))
                .filter(ResourcePath::isResource)
                .findFirst()
                .flatMap(subnet -> cloud.store().find(ResourcePath.of(subnet).parent()))
                .map(Resource::id);
    }
}
