package io.clusterwright.azure.internal.machine;

import com.azure.resourcemanager.compute.fluent.models.VirtualMachineExtensionInner;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.clusterwright.azure.internal.arm.Clients;
import io.clusterwright.azure.internal.arm.SdkBody;
import io.clusterwright.azure.internal.resource.ClusterResources;
import io.clusterwright.core.catalog.Extensions;
import io.clusterwright.core.internal.arm.ArmId;
import io.clusterwright.core.internal.arm.ArmResource;
import io.clusterwright.core.internal.arm.ArmText;
import io.clusterwright.core.internal.json.Json;
import io.clusterwright.core.spec.ClusterSpec;
import io.clusterwright.core.spec.ExtensionSpec;
import io.clusterwright.core.type.ClusterwrightException;
import io.clusterwright.core.type.SecretReference;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** Installs the extensions of a description on a machine, one after the other, each waited for. */
public final class ExtensionProvisioner {
    /** A custom script may take 90 minutes, by Azure's own limit. */
    private static final Duration LIMIT = Duration.ofMinutes(95);

    private final Clients clients;
    private final ClusterSpec spec;
    private final ClusterResources resources;

    public ExtensionProvisioner(Clients clients, ClusterSpec spec) {
        this.clients = clients;
        this.spec = spec;
        this.resources = ClusterResources.requests(clients.subscription(), spec);
    }

    /** Installs all, each waited for. */
    public void install(ArmId machine, Consumer<ExtensionSpec> before) {
        for (ExtensionSpec extension : spec.extensions()) {
            ArmResource resource = resources.extension(ArmText.plain(machine.name()), extension);
            protect(extension, resource.properties());
            VirtualMachineExtensionInner body = SdkBody.of(resource, VirtualMachineExtensionInner::fromJson);
            String name = ClusterResources.extensionName(extension);
            before.accept(Extensions.standard().complete(extension));
            clients.arm()
                    .write(
                            "install extension " + name + " on " + machine.name(),
                            LIMIT,
                            () -> clients.compute()
                                    .getVirtualMachineExtensions()
                                    .beginCreateOrUpdate(machine.group(), machine.name(), name, body));
        }
    }

    /** The extensions as a part of a scale set. */
    public List<ClusterResources.InstanceExtension> ofInstances() {
        List<ClusterResources.InstanceExtension> all = new ArrayList<>();
        for (ExtensionSpec extension : spec.extensions()) {
            ObjectNode properties = resources.extensionProperties(extension);
            protect(extension, properties);
            all.add(new ClusterResources.InstanceExtension(ClusterResources.extensionName(extension), properties));
        }
        return all;
    }

    private void protect(ExtensionSpec extension, ObjectNode properties) {
        Extensions.standard()
                .complete(extension)
                .protectedSettings()
                .ifPresent(reference -> properties.set(
                        "protectedSettings", secret(reference, ClusterResources.extensionName(extension))));
    }

    private ObjectNode secret(SecretReference reference, String name) {
        try {
            JsonNode value = Json.MAPPER.readTree(
                    reference.resolve(System.getenv(), spec.baseFolder()).reveal());
            if (value instanceof ObjectNode object) {
                return object;
            }
            throw noObject(reference, name);
        } catch (JsonProcessingException e) {
            // Not as a cause: it may quote the secret.
            throw noObject(reference, name);
        }
    }

    private static ClusterwrightException noObject(SecretReference reference, String name) {
        return new ClusterwrightException("protected settings of extension " + name + ": the content of " + reference
                + " is not a JSON object; write {\"commandToExecute\": \"...\"} or as the extension asks");
    }
}
