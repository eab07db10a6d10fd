package io.clusterwright.azure.emulator.internal.arm;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Stream;

/** Every resource, in the order in which they were made. Guarded by the cloud's lock. */
public final class Store {
    private static final int MOST_REMOVED = 1000;

    private final EmulatedClock clock;
    private final Map<String, Resource> resources = new LinkedHashMap<>();
    private final Deque<Removed> removed = new ArrayDeque<>();
    private long etags;

    private record Removed(Resource resource, Instant at) {}

    Store(EmulatedClock clock) {
        this.clock = clock;
    }

    public String nextEtag() {
        etags++;
        return "W/\"" + new UUID(0x636c7573746572L, etags) + "\"";
    }

    public Optional<Resource> find(ResourcePath id) {
        return Optional.ofNullable(resources.get(id.key()));
    }

    /** The resource of this id and type; empty where the text is not the id of a resource. */
    public Optional<Resource> find(String id, String type) {
        return ResourcePath.isResource(id)
                ? find(ResourcePath.of(id)).filter(resource -> resource.id().isOfType(type))
                : Optional.empty();
    }

    /** The resource; a missing group or parent is reported instead of the resource, as Resource Manager does. */
    public Resource require(ResourcePath id) {
        return find(id).orElseThrow(() -> {
            if (find(id.groupId()).isEmpty()) {
                return ArmException.notFound(id.groupId());
            }
            return id.isChild() && find(id.parent()).isEmpty()
                    ? ArmException.of("ParentResourceNotFound", id.parent().name())
                    : ArmException.notFound(id);
        });
    }

    /** A resource that another one refers to. Microsoft.Network also refuses one that is not finished. */
    public Resource referenced(ResourcePath by, String reference, String type) {
        Resource found = find(reference, type).orElseThrow(() -> ArmException.badReference(reference, by));
        if (by.namespace().equals("Microsoft.Network")) {
            requireFinished(by, found);
        }
        return found;
    }

    public static void requireFinished(ResourcePath by, Resource resource) {
        ArmException.refuse(
                !resource.isSucceeded(), "ReferencedResourceNotProvisioned", resource.id(), by, resource.state());
    }

    public Resource add(ResourcePath id, Instant now, ObjectNode body) {
        Resource resource = new Resource(id, now, body);
        resources.put(id.key(), resource);
        return resource;
    }

    /** Removes a resource and everything inside it. */
    public void remove(ResourcePath id) {
        remove(id, clock.now());
    }

    /** The same for a resource that went at this time. */
    void remove(ResourcePath id, Instant now) {
        resources.values().removeIf(resource -> {
            boolean leaves =
                    resource.id().key().equals(id.key()) || resource.id().isInside(id);
            if (leaves) {
                removed.addLast(new Removed(resource, now));
            }
            return leaves;
        });
        while (removed.size() > MOST_REMOVED) {
            removed.removeFirst();
        }
    }

    /** What existed at that time; of the resources that are gone, the last thousand are remembered. */
    Stream<Resource> at(Instant time) {
        return Stream.concat(
                removed.stream().filter(gone -> gone.at().isAfter(time)).map(Removed::resource),
                resources.values().stream())
                .filter(resource -> resource.created().isBefore(time))
                .toList()
                .stream();
    }

    /** Whether this resource is the one that exists under its id. */
    public boolean holds(Resource resource) {
        return resources.get(resource.id().key()) == resource;
    }

    public Stream<Resource> all() {
        return new ArrayList<>(resources.values()).stream();
    }

    public Stream<Resource> ofType(String type) {
        return all().filter(resource -> resource.id().isOfType(type));
    }

    /** The objects of an array of all resources of a type. */
    public Stream<ObjectNode> parts(String type, String array) {
        return ofType(type).flatMap(resource -> Bodies.objects(resource.body(), array).stream());
    }

    /** The direct children of one type. */
    public List<Resource> children(ResourcePath parent, String type) {
        return all().filter(resource -> resource.id().isChild())
                .filter(resource -> resource.id().parent().key().equals(parent.key()))
                .filter(resource -> resource.id().isOfType(parent.type() + "/" + type))
                .toList();
    }

    /** The resources inside, the innermost first. */
    public List<Resource> inside(ResourcePath id) {
        return all().filter(resource -> resource.id().isInside(id))
                .sorted(Comparator.comparing(
                        (Resource resource) -> -resource.id().segments().size()))
                .toList();
    }

    /** Refuses a resource whose group or parent is absent, or being deleted. */
    public void requireParent(ResourcePath id) {
        if (id.isGroup()) {
            return;
        }
        require(id.groupId());
        requireStaying(id.groupId());
        ArmException.refuse(
                id.isChild() && find(id.parent()).isEmpty(),
                "ParentResourceNotFound",
                id.parent().name());
    }

    /** Refuses a change in a group that is being deleted. */
    public void requireStaying(ResourcePath group) {
        ArmException.refuse(
                find(group).filter(found -> found.state().equals("Deleting")).isPresent(),
                "ResourceGroupBeingDeleted",
                group.group());
    }

    /** The region of the nearest resource around it that has one. */
    public String location(ResourcePath id) {
        ResourcePath here = id;
        while (true) {
            String location = find(here).map(Resource::location).orElse("");
            if (!location.isEmpty() || here.isGroup()) {
                return location;
            }
            here = here.parent();
        }
    }
}
