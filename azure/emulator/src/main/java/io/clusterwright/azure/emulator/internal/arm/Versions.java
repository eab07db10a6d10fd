package io.clusterwright.azure.emulator.internal.arm;

import java.time.LocalDate;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The versions of the API that providers have. A version that is newer than all of them behaves as the newest, so that newer clients work.
 * Another date that is unknown behaves as the next older version, or as the oldest; it is refused, as Azure does, where the emulator is realistic.
 */
public final class Versions {
    private static final Pattern DATE = Pattern.compile(
            "(\\d{4}-\\d{2}-\\d{2})(?:-(?:preview|privatepreview|alpha|beta|rc))?(?:\\.\\d{1,9}\\.\\d{1,9})?");

    private Versions() {}

    /**
     * Refuses a version that a type of resources does not have, unless no type of the provider had one of that day when the descriptions
     * were made: clients are updated more often than the descriptions. Accepts each well-formed version where the emulator is not realistic.
     *
     * @param type such as {@code Microsoft.Compute/virtualMachines}
     * @param location the region of the resource; empty for a list that has none
     */
    public static void require(Cloud.Settings settings, String type, String location, String version) {
        int slash = type.indexOf('/');
        String namespace = type.substring(0, slash);
        String name = type.substring(slash + 1);
        List<String> supported = of(type);
        if (supported.isEmpty()
                || supported.contains(version.toLowerCase(Locale.ROOT))
                || (settings.realistic() ? isNewerThanAll(namespace, version) : isWellFormed(version))) {
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

    /** The version among these, the oldest first, as which a version behaves. */
    static String acting(List<String> known, String version) {
        return reversed(known).stream()
                .filter(each -> each.compareTo(version) <= 0)
                .findFirst()
                .orElse(known.get(0));
    }

    /** Whether a version begins with a day, such as {@code 2024-05-01}, {@code 2024-05-01-preview} or {@code 2024-07-01.20.0}. */
    public static boolean isWellFormed(String version) {
        return day(version).isPresent();
    }

    /** Whether a version is well formed, and of a later day than all versions of a provider that are known here. */
    private static boolean isNewerThanAll(String namespace, String version) {
        return day(version)
                .map(day -> Descriptions.of(namespace).map(Descriptions::versions).orElse(List.of()).stream()
                        .flatMap(known -> day(known).stream())
                        .allMatch(day::isAfter))
                .orElse(false);
    }

    private static Optional<LocalDate> day(String version) {
        Matcher matcher = DATE.matcher(version.toLowerCase(Locale.ROOT));
        try {
            return matcher.matches() ? Optional.of(LocalDate.parse(matcher.group(1))) : Optional.empty();
        } catch (DateTimeParseException e) {
            return Optional.empty();
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
