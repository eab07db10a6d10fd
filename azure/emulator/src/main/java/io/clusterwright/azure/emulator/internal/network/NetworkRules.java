package io.clusterwright.azure.emulator.internal.network;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.clusterwright.azure.emulator.internal.arm.ArmException;
import io.clusterwright.azure.emulator.internal.arm.ArmId;
import io.clusterwright.azure.emulator.internal.arm.Bodies;
import io.clusterwright.azure.emulator.internal.arm.Draft;
import io.clusterwright.azure.emulator.internal.arm.Resource;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;

/** Rows that every type of Microsoft.Network has: names, zones, and what a body refers to. */
final class NetworkRules {
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9]([\\w.-]{0,78}\\w)?");
    private static final Set<String> ZONES = Set.of("1", "2", "3");
    private static final Set<String> REGIONS_WITHOUT_ZONES = Set.of("westus");

    private NetworkRules() {}

    static void name(Draft draft) {
        name(draft.id().name());
    }

    private static void name(String name) {
        if (!NAME.matcher(name).matches()) {
            throw ArmException.of("InvalidResourceName", name);
        }
    }

    /** Zones are of the region, and stay as they were. */
    static void zones(Draft draft) {
        JsonNode zones = draft.body().path("zones");
        for (JsonNode zone : zones) {
            if (REGIONS_WITHOUT_ZONES.contains(draft.region())) {
                throw ArmException.of(
                        "LocationNotSupportAvailabilityZones",
                        draft.id().type(),
                        draft.id().name(),
                        draft.region());
            }
            if (!ZONES.contains(zone.asText())) {
                throw ArmException.of(
                        "InvalidAvailabilityZone",
                        zone.asText(),
                        draft.id().type(),
                        draft.id().name(),
                        draft.region());
            }
        }
        if (draft.before() != null
                && !set(zones).equals(set(draft.before().body().path("zones")))) {
            throw ArmException.of("ResourceAvailabilityZonesCannotBeModified", draft.id());
        }
    }

    private static Set<String> set(JsonNode zones) {
        Set<String> names = new TreeSet<>();
        zones.forEach(zone -> names.add(zone.asText()));
        return names;
    }

    /** Everything that a body refers to must exist, in the same region; its own parts must be in it, under names that are allowed. */
    static void references(Draft draft) {
        draft.properties().properties().forEach(property -> check(draft, property));
    }

    private static void check(Draft draft, Map.Entry<String, JsonNode> property) {
        JsonNode value = property.getValue();
        if (value.isArray() && value.path(0).has("name") && value.path(0).has("id")) {
            value.forEach(entry -> {
                name(Bodies.text(entry, "name"));
                entry.path("properties").properties().forEach(inner -> check(draft, inner));
            });
        } else if (value.isArray()) {
            value.forEach(each -> reference(draft, each));
        } else {
            reference(draft, value);
        }
    }

    private static void reference(Draft draft, JsonNode value) {
        String id = value.path("id").asText("");
        if (id.isEmpty() || !(value instanceof ObjectNode)) {
            return;
        }
        if (!ArmId.isResource(id)) {
            throw ArmException.of("LinkedInvalidPropertyId", id, "id");
        }
        ArmId meant = ArmId.parse(id);
        if (meant.isInside(draft.id())) {
            if (!isEntry(draft.body(), draft.id(), meant)) {
                throw ArmException.badReference(id, draft.id());
            }
            return;
        }
        Resource found = draft.cloud()
                .store()
                .find(top(meant))
                .filter(holder -> !meant.isChild()
                        || draft.cloud().store().find(meant).isPresent()
                        || isEntry(holder.body(), holder.id(), meant))
                .orElseThrow(() -> ArmException.badReference(id, draft.id()));
        if (!found.location().isEmpty() && !found.location().equals(draft.region())) {
            throw ArmException.badReference(id, draft.id());
        }
    }

    private static ArmId top(ArmId id) {
        ArmId here = id;
        while (here.isChild()) {
            here = here.parent();
        }
        return here;
    }

    /** Whether this is the id of an entry of an array of a resource, such as a subnet, or of an entry of such an entry. */
    private static boolean isEntry(ObjectNode body, ArmId holder, ArmId meant) {
        List<String> words = meant.segments()
                .subList(holder.segments().size(), meant.segments().size());
        JsonNode here = body;
        for (int i = 0; i + 1 < words.size(); i += 2) {
            String array = words.get(i).toLowerCase(Locale.ROOT);
            String name = words.get(i + 1);
            JsonNode entries = here.path("properties").properties().stream()
                    .filter(entry -> entry.getKey().toLowerCase(Locale.ROOT).equals(array))
                    .map(Map.Entry::getValue)
                    .findFirst()
                    .orElse(null);
            JsonNode next = null;
            if (entries != null) {
                for (JsonNode entry : entries) {
                    next = Bodies.text(entry, "name").equalsIgnoreCase(name) ? entry : next;
                }
            }
            if (next == null) {
                return false;
            }
            here = next;
        }
        return true;
    }
}
