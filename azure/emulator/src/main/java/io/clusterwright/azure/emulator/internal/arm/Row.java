package io.clusterwright.azure.emulator.internal.arm;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.HashSet;
import java.util.Locale;
import java.util.Set;
import java.util.function.Function;

/**
 * One row of the table of a {@linkplain ResourceType type}: refuses a request, or completes its body. A path is names joined by dots, from the
 * root of the body.
 */
@FunctionalInterface
public interface Row {
    Set<String> ZONES = Set.of("1", "2", "3");
    Set<String> REGIONS_WITHOUT_ZONES = Set.of("westus");

    void apply(Draft draft);

    /** A text that a request must have, and its name in the refusal of one without. */
    static Row required(String path, String target, String parameter) {
        return draft -> {
            if (draft.text(path).isEmpty()) {
                throw ArmException.missing(target, parameter);
            }
        };
    }

    /** The value where a request has none. */
    static Row standard(String path, Object value) {
        return draft -> Bodies.standard(draft.body(), path, value);
    }

    /** An array that is there, if empty. */
    static Row array(String path) {
        return draft -> Bodies.array(draft.body(), path);
    }

    /** Something that only the service knows, which a request cannot set. */
    static Row readOnly(String holder, String... names) {
        return draft -> Bodies.make(draft.body(), holder).remove(Set.of(names));
    }

    /** A value of the service that stays as long as the resource: that of the resource now, or the one that is given. */
    static Row once(String path, Function<Cloud, String> value) {
        return draft -> {
            String before = draft.textBefore(path);
            int dot = path.lastIndexOf('.');
            Bodies.make(draft.body(), path.substring(0, dot))
                    .put(path.substring(dot + 1), before.isEmpty() ? value.apply(draft.cloud()) : before);
        };
    }

    /** A text that a change must repeat. */
    static Row fixed(String path) {
        return onUpdate(draft -> {
            if (!draft.text(path).equalsIgnoreCase(draft.textBefore(path))) {
                throw ArmException.of("PropertyChangeNotAllowed", path.replaceFirst("^properties\\.", ""));
            }
        });
    }

    /** A text that a change may leave out. */
    static Row fixedWhereGiven(String path) {
        return draft -> {
            if (!draft.text(path).isEmpty()) {
                fixed(path).apply(draft);
            }
        };
    }

    /** The id of another resource, which must exist where it is given. */
    static Row reference(String path, String type) {
        return draft -> draft.referenced(path, type);
    }

    /** Rows for new resources only. */
    static Row onCreate(Row... rows) {
        return draft -> {
            if (draft.before() == null) {
                all(rows).apply(draft);
            }
        };
    }

    /** Rows for changes only. */
    static Row onUpdate(Row... rows) {
        return draft -> {
            if (draft.before() != null) {
                all(rows).apply(draft);
            }
        };
    }

    /** Availability zones, which must be those of the region. */
    static void zones(Draft draft) {
        for (JsonNode zone : draft.body().path("zones")) {
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
    }

    /** The same for what is in one zone. */
    static void zone(Draft draft) {
        zones(draft);
        if (draft.body().path("zones").size() > 1) {
            throw ArmException.of("InvalidParameter.zones", draft.id()).at("zones");
        }
    }

    /** Rows for each object of an array. */
    static Row each(String array, Row... rows) {
        return draft -> draft.objects(array).forEach(part -> all(rows).apply(draft.part(part)));
    }

    /** An array whose entries are resources: each gets its id, etag, type and state. Refuses two of one name. */
    static Row entries(String array) {
        return draft -> {
            Set<String> names = new HashSet<>();
            for (ObjectNode entry : draft.objects("properties." + array)) {
                String name = Bodies.text(entry, "name");
                if (name.isEmpty()) {
                    throw ArmException.of("InvalidRequestFormat.unnamed", array);
                }
                if (!names.add(name.toLowerCase(Locale.ROOT))) {
                    throw ArmException.of("InvalidRequestFormat.twice", array, name);
                }
                entry.put("id", draft.id().child(array, name).toString())
                        .put("etag", draft.text("etag"))
                        .put("type", draft.id().type() + "/" + array);
                Bodies.properties(entry).put("provisioningState", "Succeeded");
            }
        };
    }

    private static Row all(Row... rows) {
        return draft -> {
            for (Row row : rows) {
                row.apply(draft);
            }
        };
    }
}
