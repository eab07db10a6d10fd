package io.clusterwright.azure.emulator.internal.arm;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.Predicate;

/**
 * One row of the table of a {@linkplain ResourceType type}: refuses a request, or completes its body. A path is names joined by dots, from the
 * root of the body.
 */
@FunctionalInterface
public interface Row {
    Set<String> ZONES = Set.of("1", "2", "3");
    Set<String> REGIONS_WITHOUT_ZONES = Set.of("westus");

    void apply(Draft draft);

    /**
     * Refuses what a condition holds for.
     *
     * @param refusal the key of the refusal
     * @param arguments the values for the places in its text
     */
    static Row refuse(Predicate<Draft> when, String refusal, Object... arguments) {
        return draft -> ArmException.refuse(when.test(draft), refusal, arguments);
    }

    /** Refuses what a condition holds for, with a text that depends on the draft. */
    @SafeVarargs
    static Row refuse(Predicate<Draft> when, String refusal, Function<Draft, ?> first, Function<Draft, ?>... more) {
        return draft -> {
            Object[] arguments = new Object[more.length + 1];
            arguments[0] = first.apply(draft);
            for (int i = 0; i < more.length; i++) {
                arguments[i + 1] = more[i].apply(draft);
            }
            ArmException.refuse(when.test(draft), refusal, arguments);
        };
    }

    /** A text that a request must have, and its name in the refusal of one without. */
    static Row required(String path, String target, String parameter) {
        return draft -> {
            if (draft.text(path).isEmpty()) {
                throw ArmException.missing(target, parameter);
            }
        };
    }

    /** A text that a request must have where a condition holds. */
    static Row needs(Predicate<Draft> when, String path, String parameter) {
        return draft -> {
            if (when.test(draft)) {
                required(path, parameter, parameter).apply(draft);
            }
        };
    }

    /** A text of the values that are listed, where it is given. */
    static Row oneOf(String path, String parameter, String... values) {
        return refuse(
                draft -> !draft.text(path).isEmpty() && !List.of(values).contains(draft.text(path)),
                "InvalidParameter.value",
                parameter);
    }

    /** A number within its limits, where it is given. */
    static Row range(String path, String parameter, int least, int most) {
        return draft -> ArmException.requireRange(draft.number(path, least), parameter, least, most);
    }

    /** A number within its limits, with a separate refusal, whose text has places for the number and the limits. */
    static Row range(String path, int least, int most, String refusal) {
        return draft -> {
            int number = draft.number(path, least);
            ArmException.refuse(number < least || number > most, refusal, number, least, most);
        };
    }

    /** An array without two objects of one key; the refusal gets the first of them and the second. */
    static Row unique(
            String array, Function<ObjectNode, String> key, BiFunction<ObjectNode, ObjectNode, ArmException> refusal) {
        return draft -> Bodies.requireUnique(draft.objects(array), key, refusal);
    }

    /** The value where a request has none. */
    static Row standard(String path, Object value) {
        return draft -> draft.standard(path, value);
    }

    /** An array that is there, if empty. */
    static Row array(String path) {
        return draft -> draft.array(path);
    }

    /** Something that only the service knows, which a request cannot set. */
    static Row readOnly(String holder, String... names) {
        return draft -> draft.make(holder).remove(Set.of(names));
    }

    /** A value of the service that stays as long as the resource; a new resource gets the value that is given here. */
    static Row once(String path, Function<Cloud, String> value) {
        return draft -> {
            String before = draft.textBefore(path);
            int dot = path.lastIndexOf('.');
            draft.make(path.substring(0, dot))
                    .put(path.substring(dot + 1), before.isEmpty() ? value.apply(draft.cloud()) : before);
        };
    }

    /** The time at which the resource was made. */
    static Row timeOf(String path) {
        return once(path, cloud -> cloud.clock().now().toString());
    }

    /** An id that the service gives to a new resource. */
    static Row uuid(String path) {
        return once(path, cloud -> UUID.randomUUID().toString());
    }

    /** A text that a change must repeat. */
    static Row fixed(String path) {
        return draft -> {
            if (draft.changes(path)) {
                throw ArmException.of("PropertyChangeNotAllowed", parameter(path))
                        .at(null);
            }
        };
    }

    /** A text that a change may leave out. */
    static Row fixedWhereGiven(String path) {
        return draft -> {
            if (!draft.text(path).isEmpty()) {
                fixed(path).apply(draft);
            }
        };
    }

    /** Values, of whatever type, that a change must repeat where it names them. */
    static Row unchanged(String... paths) {
        return onUpdate(draft -> {
            for (String path : paths) {
                JsonNode now = draft.at(path);
                JsonNode before = draft.resourceBefore().at(path);
                boolean same = now.isValueNode() && before.isValueNode()
                        ? now.asText().equalsIgnoreCase(before.asText())
                        : now.equals(before);
                ArmException.refuse(
                        !now.isMissingNode() && !now.isNull() && !same, "PropertyChangeNotAllowed", parameter(path));
            }
        });
    }

    private static String parameter(String path) {
        return path.replaceFirst("^properties\\.", "");
    }

    /** The id of another resource, which must exist where it is given. */
    static Row reference(String path, String type) {
        return draft -> draft.referenced(path, type);
    }

    /** Rows for new resources only. */
    static Row onCreate(Row... rows) {
        return draft -> {
            if (draft.isNew()) {
                all(rows).apply(draft);
            }
        };
    }

    /** Rows for changes only. */
    static Row onUpdate(Row... rows) {
        return draft -> {
            if (!draft.isNew()) {
                all(rows).apply(draft);
            }
        };
    }

    /** Availability zones, which the region must have. */
    static void zones(Draft draft) {
        for (JsonNode zone : draft.at("zones")) {
            String type = draft.id().type();
            ArmException.refuse(
                    REGIONS_WITHOUT_ZONES.contains(draft.region()),
                    "LocationNotSupportAvailabilityZones",
                    type,
                    draft.name(),
                    draft.region());
            ArmException.refuse(
                    !ZONES.contains(zone.asText()),
                    "InvalidAvailabilityZone",
                    zone.asText(),
                    type,
                    draft.name(),
                    draft.region());
        }
    }

    /** One availability zone at most, which the region must have. */
    static void zone(Draft draft) {
        zones(draft);
        ArmException.refuse(draft.at("zones").size() > 1, "InvalidParameter.zones", draft.id());
    }

    /** Rows for each object of an array. */
    static Row each(String array, Row... rows) {
        return draft -> draft.parts(array).forEach(all(rows)::apply);
    }

    /** An array whose entries are resources: each gets its id, etag, type and state. Refuses two of one name. */
    static Row entries(String array) {
        return draft -> {
            List<ObjectNode> entries = draft.objects("properties." + array);
            for (ObjectNode entry : entries) {
                String name = Bodies.text(entry, "name");
                ArmException.refuse(name.isEmpty(), "InvalidRequestFormat.unnamed", array);
                entry.put("id", draft.id().child(array, name).toString())
                        .put("etag", draft.text("etag"))
                        .put("type", draft.id().type() + "/" + array);
                Bodies.properties(entry).put("provisioningState", "Succeeded");
            }
            Bodies.requireUnique(
                    entries,
                    entry -> Bodies.text(entry, "name"),
                    (first, second) ->
                            ArmException.of("InvalidRequestFormat.twice", array, Bodies.text(second, "name")));
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
