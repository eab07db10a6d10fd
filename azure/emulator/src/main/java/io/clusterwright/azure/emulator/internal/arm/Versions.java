package io.clusterwright.azure.emulator.internal.arm;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** Refuses versions of the API that a provider does not have. */
public final class Versions {
    private Versions() {}

    /**
     * Refuses a version that a type of resources does not have.
     *
     * @param type such as {@code Microsoft.Compute/virtualMachines}
     * @param location the region of the resource; empty for a list that has none
     */
    public static void require(Cloud.Settings settings, String type, String location, String version) {
        int slash = type.indexOf('/');
        String namespace = type.substring(0, slash);
        String name = type.substring(slash + 1);
        List<String> supported = of(type);
        if (supported.isEmpty() || supported.contains(version.toLowerCase(Locale.ROOT))) {
            return;
        }
        ArmException.refuse(
                namespace.equalsIgnoreCase(Descriptions.RESOURCES),
                "InvalidApiVersionParameter",
                version,
                String.join(",", reversed(supported)));
        ArmException.refuse(
                location.isEmpty(),
                "InvalidResourceType.version",
                name,
                namespace,
                version,
                String.join(", ", supported));
        throw ArmException.of(
                "NoRegisteredProviderFound",
                location,
                version,
                name,
                String.join(", ", supported),
                String.join(", ", settings.regions().keySet()));
    }

    /** Refuses a version that Resource Manager itself does not have, for what belongs to no provider. */
    public static void requireOfResources(Cloud.Settings settings, String version) {
        require(settings, Descriptions.RESOURCES + "/subscriptions", "", version);
    }

    /** Refuses a version that nothing of a provider has. */
    public static void requireOfProvider(
            Cloud.Settings settings, String namespace, String kind, String location, String version) {
        boolean known = Descriptions.of(namespace)
                .map(all -> all.versions().contains(version.toLowerCase(Locale.ROOT)))
                .orElse(true);
        if (!known) {
            require(settings, namespace + "/" + kind, location, version);
        }
    }

    /** The versions of a type, the oldest first; none for a provider that is not described. */
    public static List<String> of(String type) {
        Optional<Descriptions> descriptions = Descriptions.of(type.substring(0, type.indexOf('/')));
        boolean resources =
                type.toLowerCase(Locale.ROOT).startsWith(Descriptions.RESOURCES.toLowerCase(Locale.ROOT) + "/");
        return descriptions
                .map(all -> all.versions(resources ? Descriptions.RESOURCES + "/subscriptions" : type))
                .orElse(List.of());
    }

    private static List<String> reversed(List<String> versions) {
        List<String> reversed = new ArrayList<>(versions);
        Collections.reverse(reversed);
        return reversed;
    }
}
