package io.clusterwright.azure.emulator.internal.network;

import static io.clusterwright.azure.emulator.internal.arm.ArmException.refuse;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.clusterwright.azure.emulator.internal.arm.ArmException;
import io.clusterwright.azure.emulator.internal.arm.Bodies;
import io.clusterwright.azure.emulator.internal.arm.Draft;
import io.clusterwright.azure.emulator.internal.arm.Resource;
import io.clusterwright.azure.emulator.internal.arm.ResourcePath;
import io.clusterwright.azure.emulator.internal.arm.Row;
import io.clusterwright.core.type.InvalidValueException;
import io.clusterwright.core.type.Ipv4Address;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;

/** Rows that every type of Microsoft.Network has: names, zones, and what a body refers to. */
public final class NetworkRows {
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9]([\\w.-]{0,78}\\w)?");

    private static final int LEAST_IDLE = 4;

    private NetworkRows() {}

    static void name(Draft draft) {
        name(draft.name());
    }

    private static void name(String name) {
        refuse(!NAME.matcher(name).matches(), "InvalidResourceName", name);
    }

    /** Zones are of the region, and stay as they were. */
    static void zones(Draft draft) {
        JsonNode zones = draft.at("zones");
        Row.zones(draft);
        refuse(
                draft.before() != null && !set(zones).equals(set(draft.before().at("zones"))),
                "ResourceAvailabilityZonesCannotBeModified",
                draft.id());
    }

    private static Set<String> set(JsonNode zones) {
        Set<String> names = new TreeSet<>();
        zones.forEach(zone -> names.add(zone.asText()));
        return names;
    }

    /** Addresses of name servers. */
    static void servers(Draft draft, String path) {
        for (JsonNode server : draft.at(path)) {
            if (!server.asText().equals("AzureProvidedDNS")) {
                address(draft, server.asText());
            }
        }
    }

    /** Refuses a text that is no address, of version 4 or 6. */
    static void address(Draft draft, String text) {
        if (!text.contains(":")) {
            parse(text, draft.id());
        }
    }

    /** The address of version 4 that a text is. */
    static Ipv4Address parse(String text, Object by) {
        try {
            return Ipv4Address.of(text);
        } catch (InvalidValueException e) {
            throw ArmException.of("InvalidIPAddressFormat", text, by);
        }
    }

    /** A time until idle connections end, from four minutes to the most. */
    static Row idle(int most) {
        return Row.range("properties.idleTimeoutInMinutes", LEAST_IDLE, most, "InvalidIdleTimeout");
    }

    /** Everything that a body refers to must exist, in the same region; its own parts must be in it, under names that are allowed. */
    static void references(Draft draft) {
        draft.properties().properties().forEach(property -> check(draft, property));
    }

    /** Everything that a part of a body of another provider refers to, at whatever depth. */
    public static void references(Draft draft, JsonNode part) {
        if (part.path("id").isTextual()) {
            reference(draft, part);
        }
        part.forEach(inner -> references(draft, inner));
    }

    private static void check(Draft draft, Map.Entry<String, JsonNode> property) {
        JsonNode value = property.getValue();
        if (value.isArray() && value.path(0).has("name") && value.path(0).has("id")) {
            value.forEach(entry -> {
                name(Bodies.text(entry, "name"));
                entry.path("properties").properties().forEach(inner -> check(draft, inner));
            });
        } else if (value.isArray()) {
            value.forEach(each -> {
                reference(draft, each);
                each.path("properties").properties().forEach(inner -> check(draft, inner));
            });
        } else {
            reference(draft, value);
        }
    }

    private static void reference(Draft draft, JsonNode value) {
        String id = value.path("id").asText("");
        if (id.isEmpty() || !(value instanceof ObjectNode)) {
            return;
        }
        refuse(!ResourcePath.isResource(id), "LinkedInvalidPropertyId", id, "id");
        ResourcePath meant = ResourcePath.of(id);
        if (meant.isInside(draft.id())) {
            if (!isEntry(draft.body(), draft.id(), meant)) {
                throw ArmException.badReference(id, draft.id());
            }
            return;
        }
        Resource found = draft.store()
                .find(top(meant))
                .filter(holder -> !meant.isChild()
                        || draft.store().find(meant).isPresent()
                        || isEntry(holder.body(), holder.id(), meant))
                .orElseThrow(() -> ArmException.badReference(id, draft.id()));
        if (!found.location().isEmpty() && !found.location().equals(draft.region())) {
            throw ArmException.badReference(id, draft.id());
        }
    }

    private static ResourcePath top(ResourcePath id) {
        ResourcePath here = id;
        while (here.isChild()) {
            here = here.parent();
        }
        return here;
    }

    /** Whether this is the id of an entry of an array of a resource, such as a subnet, or of an entry of such an entry. */
    private static boolean isEntry(ObjectNode body, ResourcePath holder, ResourcePath meant) {
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
