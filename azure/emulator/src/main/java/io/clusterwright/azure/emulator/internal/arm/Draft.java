package io.clusterwright.azure.emulator.internal.arm;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A resource that a request creates or changes, while the rows of its type check and complete it.
 *
 * @param id the id of the resource, also while one of its parts is checked
 * @param body the new body of the resource, or of a part of it
 * @param before the resource as it is now; null for a new one
 * @param version the version of the API by which the request was made
 * @param region the region of the resource
 */
public record Draft(
        Cloud cloud,
        ResourcePath id,
        ObjectNode body,
        @Nullable Resource before,
        String version,
        String region) implements ResourceBody {
    Draft(Cloud cloud, ResourcePath id, ObjectNode body, @Nullable Resource before, String version) {
        this(cloud, id, body, before, version, Bodies.text(body, "location"));
    }

    public Store store() {
        return cloud.store();
    }

    public boolean isNew() {
        return before == null;
    }

    /** The resource as it is now; only in rows for changes. */
    public Resource resourceBefore() {
        return Objects.requireNonNull(before, "before");
    }

    /** What the resource has at a path now; empty for a new one. */
    public String textBefore(String path) {
        return before == null ? "" : before.text(path);
    }

    /** Whether a text is another one than the resource has now; false for a new one. */
    public boolean changes(String path) {
        return before != null && !text(path).equalsIgnoreCase(before.text(path));
    }

    /** One of its parts, which is checked as it is. */
    public Draft part(ObjectNode part) {
        return new Draft(cloud, id, part, before, version, region);
    }

    /** The part at a path, made where it is absent. */
    public Draft part(String path) {
        return part(make(path));
    }

    /** The parts in an array. */
    public List<Draft> parts(String array) {
        return objects(array).stream().map(this::part).toList();
    }

    /** The other resources of the same type. */
    public Stream<Resource> others() {
        return store().ofType(id.type()).filter(other -> !other.id().key().equals(id.key()));
    }

    /** The resource whose id is at a path, which must exist; empty where there is no id. */
    public Optional<Resource> referenced(String path, String type) {
        String reference = text(path);
        return reference.isEmpty() ? Optional.empty() : Optional.of(require(reference, type));
    }

    /** A resource that this one refers to. */
    public Resource require(String reference, String type) {
        return store().referenced(id, reference, type);
    }
}
