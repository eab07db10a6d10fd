package io.clusterwright.core;

import java.util.Objects;

/**
 * The name of something a provider makes, chosen before it is made, so that whoever reads the journal knows what to delete.
 *
 * @param kind what it is, in the provider's words, such as {@code "machine"} or {@code "bridge"}
 * @param name its name, unique among the provider's resources of that kind
 */
public record ResourceId(String kind, String name) {
    /** Checks that neither part is empty. */
    public ResourceId {
        if (Objects.requireNonNull(kind, "kind").isBlank()
                || Objects.requireNonNull(name, "name").isBlank()) {
            throw new IllegalArgumentException("a resource needs a kind and a name");
        }
    }

    @Override
    public String toString() {
        return kind + " " + name;
    }
}
