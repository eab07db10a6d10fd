package io.clusterwright.core.type;

import java.util.Objects;
import java.util.random.RandomGenerator;

/**
 * A cluster's name with the random id that distinguishes the cluster from every other cluster of that name. The id
 * stands in the cluster's record and on every resource made for it; a resource with another id belongs to another
 * cluster. Use it to adopt or delete a cluster that has no record.
 *
 * @param name the cluster's name
 * @param id 16 hexadecimal digits in lower case
 * @see io.clusterwright.core.ClusterManager
 */
public record ClusterId(ClusterName name, String id) {
    private static final Syntax SYNTAX =
            Syntax.of("cluster id", "[0-9a-f]{16}", "16 hexadecimal digits in lower case", "3f09c1d27a5be804");

    /**
     * Checks the id.
     *
     * @throws io.clusterwright.core.type.InvalidValueException when it is not as described
     */
    public ClusterId {
        Objects.requireNonNull(name, "name");
        SYNTAX.require(id);
    }

    /** A new id for a cluster of this name: 64 random bits. */
    public static ClusterId random(ClusterName name) {
        return new ClusterId(
                name, String.format("%016x", RandomGenerator.of("SecureRandom").nextLong()));
    }

    /** For messages: {@code wing (id 3f09c1d27a5be804)}. */
    @Override
    public String toString() {
        return name + " (id " + id + ")";
    }
}
