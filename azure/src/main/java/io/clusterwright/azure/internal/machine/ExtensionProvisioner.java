package io.clusterwright.azure.internal.machine;

import io.clusterwright.azure.internal.arm.Clients;
import io.clusterwright.azure.internal.resource.ClusterResources;
import io.clusterwright.core.catalog.Extensions;
import io.clusterwright.core.internal.arm.ArmId;
import io.clusterwright.core.internal.arm.ArmResource;
import io.clusterwright.core.internal.arm.ArmText;
import io.clusterwright.core.spec.ClusterSpec;
import io.clusterwright.core.spec.ExtensionSpec;
import io.clusterwright.core.type.ClusterId;
import java.time.Duration;
import java.util.function.Consumer;

/** Installs the extensions of a description on a machine, one after the other, each waited for. */
public final class ExtensionProvisioner {
    /** A custom script may take 90 minutes, by Azure's own limit. */
    private static final Duration LIMIT = Duration.ofMinutes(95);

    private final Clients clients;
    private final ClusterSpec spec;
    private final ClusterResources resources;

    public ExtensionProvisioner(Clients clients, ClusterSpec spec, ClusterId cluster) {
        this.clients = clients;
        this.spec = spec;
        this.resources = ClusterResources.requests(clients.subscription(), spec, cluster);
    }

    /** Installs all, each waited for. */
    public void install(ArmId machine, Consumer<ExtensionSpec> before) {
        for (ExtensionSpec extension : spec.extensions()) {
            ArmResource resource = resources.extension(ArmText.plain(machine.name()), extension);
            before.accept(Extensions.standard().complete(extension));
            String name = ClusterResources.extensionName(extension);
            clients.put("install extension " + name + " on " + machine.name(), LIMIT, resource);
        }
    }
}
