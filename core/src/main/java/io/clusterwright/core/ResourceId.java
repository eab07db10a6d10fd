package io.clusterwright.core;

import io.clusterwright.core.type.InvalidValueException;
import java.util.Objects;

/**
 * The name of a resource of a provider, chosen before the resource is created, so that the journal alone says what to
 * delete. Use it to find, in the portal of the provider, a resource that a report names.
 *
 * @param kind its kind in the provider's words, such as {@code "machine"} or {@code "bridge"}
 * @param name its name, unique among the provider's resources of that kind
 * @see DestroyReport
 */
public record ResourceId(String kind, String name) {
    /** Checks that neither part is empty. */
    public ResourceId {
        if (Objects.requireNonNull(kind, "kind").isBlank()
                || Objects.requireNonNull(name, "name").isBlank()) {
            throw new InvalidValueException("resource id", kind + " " + name, "a kind and a name", "machine wing11");
        }
    }

    @Override
    public String toString() {
        return kind + " " + name;
    }
}
