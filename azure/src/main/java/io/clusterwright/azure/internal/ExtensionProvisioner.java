package io.clusterwright.azure.internal;

import com.azure.resourcemanager.compute.fluent.models.VirtualMachineExtensionInner;
import com.azure.resourcemanager.compute.fluent.models.VirtualMachineScaleSetExtensionInner;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.clusterwright.core.catalog.Extensions;
import io.clusterwright.core.spec.ClusterSpec;
import io.clusterwright.core.spec.ExtensionSpec;
import io.clusterwright.core.type.ClusterwrightException;
import io.clusterwright.core.type.InvalidValueException;
import io.clusterwright.core.type.SecretReference;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/** Installs the extensions of a description on a machine, one after the other, each waited for. */
final class ExtensionProvisioner {
    /** A custom script may take 90 minutes, by Azure's own limit. */
    private static final Duration LIMIT = Duration.ofMinutes(95);

    private static final TypeReference<Map<String, Object>> OBJECT = new TypeReference<>() {};

    private final Clients clients;
    private final ClusterSpec spec;

    ExtensionProvisioner(Clients clients, ClusterSpec spec) {
        this.clients = clients;
        this.spec = spec;
    }

    void install(ArmId machine, Consumer<ExtensionSpec> before) {
        for (ExtensionSpec extension : spec.extensions()) {
            ExtensionSpec complete = Extensions.standard().complete(extension);
            String name = name(complete);
            VirtualMachineExtensionInner body = whole(complete, name);
            before.accept(complete);
            clients.arm()
                    .write(
                            "install extension " + name + " on " + machine.name(),
                            LIMIT,
                            () -> clients.compute()
                                    .getVirtualMachineExtensions()
                                    .beginCreateOrUpdate(machine.group(), machine.name(), name, body));
        }
    }

    /** The extensions as a part of a scale set's model, each after the one before it. */
    List<VirtualMachineScaleSetExtensionInner> model() {
        List<VirtualMachineScaleSetExtensionInner> model = new ArrayList<>();
        for (ExtensionSpec extension : spec.extensions()) {
            ExtensionSpec complete = Extensions.standard().complete(extension);
            String name = name(complete);
            VirtualMachineExtensionInner body = whole(complete, name);
            VirtualMachineScaleSetExtensionInner part = new VirtualMachineScaleSetExtensionInner()
                    .withName(name)
                    .withPublisher(body.publisher())
                    .withTypePropertiesType(body.typePropertiesType())
                    .withTypeHandlerVersion(body.typeHandlerVersion())
                    .withAutoUpgradeMinorVersion(true)
                    .withSettings(body.settings())
                    .withProtectedSettings(body.protectedSettings());
            if (!model.isEmpty()) {
                part.withProvisionAfterExtensions(
                        List.of(model.get(model.size() - 1).name()));
            }
            model.add(part);
        }
        return model;
    }

    private VirtualMachineExtensionInner whole(ExtensionSpec complete, String name) {
        VirtualMachineExtensionInner body = open(spec, complete, name);
        complete.protectedSettings().ifPresent(reference -> body.withProtectedSettings(secret(reference, name)));
        return body;
    }

    static String name(ExtensionSpec complete) {
        return complete.name().or(complete::type).orElseThrow();
    }

    /** What is sent for it, but for its protected settings. */
    static VirtualMachineExtensionInner open(ClusterSpec spec, ExtensionSpec extension, String name) {
        VirtualMachineExtensionInner body = new VirtualMachineExtensionInner();
        body.withLocation(spec.region().orElseThrow());
        body.withTags(Tags.of(spec));
        body.withPublisher(extension.publisher().orElseThrow())
                .withTypePropertiesType(extension.type().orElseThrow())
                .withTypeHandlerVersion(extension
                        .version()
                        .orElseThrow(() -> new InvalidValueException(
                                "version of extension " + name, "", "its major and minor version", "2.1")))
                .withAutoUpgradeMinorVersion(true);
        if (!extension.settings().isEmpty()) {
            body.withSettings(extension.settings());
        }
        return body;
    }

    private Map<String, Object> secret(SecretReference reference, String name) {
        try {
            return new ObjectMapper()
                    .readValue(
                            reference
                                    .resolve(System.getenv(), spec.baseFolder())
                                    .reveal(),
                            OBJECT);
        } catch (JsonProcessingException e) {
            // Not as a cause: it may quote the secret.
            throw new ClusterwrightException("protected settings of extension " + name + ": what " + reference
                    + " holds is not a JSON object; write {\"commandToExecute\": \"...\"} or as the extension asks");
        }
    }
}
