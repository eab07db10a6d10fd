package io.clusterwright.core.plan;

import io.clusterwright.core.internal.json.JsonFields;
import io.clusterwright.core.type.HasJson;
import io.clusterwright.core.type.InvalidValueException;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A resource that a step of a plan would create, or several of one kind. Use it to list what a plan would create, and
 * what of it is billed. Immutable.
 *
 * @see Plan
 */
public final class PlannedResource implements HasJson {
    private final String kind;
    private final String name;
    private final int count;
    private final boolean billed;

    private PlannedResource(String kind, String name, int count, boolean billed) {
        this.kind = Objects.requireNonNull(kind, "kind");
        this.name = Objects.requireNonNull(name, "name");
        if (count < 1) {
            throw new InvalidValueException("count", count, "1 or more", "4");
        }
        this.count = count;
        this.billed = billed;
    }

    /** One resource that costs nothing; the kind is such as {@code virtual network}. */
    public static PlannedResource free(String kind, String name) {
        return free(kind, name, 1);
    }

    /** Resources that cost nothing, with their names folded, such as {@code cluster[11-18]}. */
    public static PlannedResource free(String kind, String names, int count) {
        return new PlannedResource(kind, names, count, false);
    }

    /** One resource that costs money while it exists. */
    public static PlannedResource billed(String kind, String name) {
        return billed(kind, name, 1);
    }

    /** Resources of which each costs money while it exists, with their names folded. */
    public static PlannedResource billed(String kind, String names, int count) {
        return new PlannedResource(kind, names, count, true);
    }

    /** Its kind, such as {@code machine}. */
    public String kind() {
        return kind;
    }

    /** Its name; several of one kind have their names folded. */
    public String name() {
        return name;
    }

    /** The number of resources, at least 1. */
    public int count() {
        return count;
    }

    /** Whether each of them costs money while it exists. */
    public boolean billed() {
        return billed;
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof PlannedResource resource && parts().equals(resource.parts());
    }

    @Override
    public int hashCode() {
        return parts().hashCode();
    }

    @Override
    public Map<String, Object> toMap() {
        return JsonFields.of("kind", kind).and("name", name).and("count", count).and("billed", billed);
    }

    private List<Object> parts() {
        return List.of(kind, name, count, billed);
    }

    /** Such as {@code 8 machines cluster[11-18], billed}. */
    @Override
    public String toString() {
        String plural = kind.endsWith("s") ? kind + "es" : kind + "s";
        String what = count == 1 ? kind : count + " " + plural;
        return what + " " + name + (billed ? ", billed" : "");
    }
}
