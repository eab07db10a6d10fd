package io.clusterwright.core.plan;

import io.clusterwright.core.type.InvalidValueException;
import java.util.Objects;

/**
 * A resource that a step of a plan would create, or several of one kind.
 *
 * @param kind such as {@code machine} or {@code virtual network}
 * @param name its name; several of one kind have their names folded, such as {@code cluster[11-18]}
 * @param count their number, at least 1
 * @param billed whether each of them costs money while it exists
 */
public record PlannedResource(String kind, String name, int count, boolean billed) {
    /** Checks the count. */
    public PlannedResource {
        Objects.requireNonNull(kind, "kind");
        Objects.requireNonNull(name, "name");
        if (count < 1) {
            throw new InvalidValueException("count", Integer.toString(count), "a number of at least 1", "4");
        }
    }

    /** One thing that costs nothing. */
    public static PlannedResource free(String kind, String name) {
        return new PlannedResource(kind, name, 1, false);
    }

    /** One thing that costs money. */
    public static PlannedResource billed(String kind, String name) {
        return new PlannedResource(kind, name, 1, true);
    }

    /** Such as {@code 8 machines cluster[11-18], billed}. */
    @Override
    public String toString() {
        String plural = kind.endsWith("s") ? kind + "es" : kind + "s";
        String what = count == 1 ? kind : count + " " + plural;
        return what + " " + name + (billed ? ", billed" : "");
    }
}
