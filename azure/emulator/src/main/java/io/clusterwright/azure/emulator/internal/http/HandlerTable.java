package io.clusterwright.azure.emulator.internal.http;

import io.clusterwright.azure.emulator.internal.arm.ArmException;
import io.clusterwright.azure.emulator.internal.arm.Handler;
import io.clusterwright.azure.emulator.internal.arm.ResourceHandler;
import io.clusterwright.azure.emulator.internal.arm.ResourcePath;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** Every type of resource with its handler. Types have no case. */
final class HandlerTable {
    private final Map<String, Handler> handlers = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
    private final List<String> names = new ArrayList<>();

    void add(Handler handler) {
        handlers.put(handler.name(), handler);
        names.add(handler.name());
    }

    /** The names of all types, also of those that are added later. */
    Collection<String> names() {
        return Collections.unmodifiableList(names);
    }

    Optional<Handler> find(String type) {
        return Optional.ofNullable(handlers.get(type));
    }

    Handler require(String type) {
        return find(type).orElseThrow(() -> unknown(type));
    }

    Optional<ResourceHandler> ofResource(ResourcePath id) {
        return find(id.type()).filter(ResourceHandler.class::isInstance).map(ResourceHandler.class::cast);
    }

    ArmException unknown(String type) {
        int slash = type.indexOf('/');
        String namespace = slash < 0 ? type : type.substring(0, slash);
        boolean known = names.stream()
                .anyMatch(each -> each.regionMatches(true, 0, namespace + "/", 0, namespace.length() + 1));
        return known
                ? ArmException.of("InvalidResourceType", type.substring(slash + 1), namespace)
                : ArmException.of("InvalidResourceNamespace", namespace);
    }

    /**
     * An id in the spelling that answers use.
     *
     * @param words the namespace, then pairs of type and name
     */
    ResourcePath canonical(ResourcePath group, List<String> words) {
        StringBuilder type = new StringBuilder(words.get(0));
        for (int i = 1; i < words.size(); i += 2) {
            type.append('/').append(words.get(i));
        }
        String[] parts =
                find(type.toString()).map(Handler::name).orElse(type.toString()).split("/");
        ResourcePath id = group.child("providers", parts[0]);
        for (int i = 1; i < words.size(); i += 2) {
            id = id.child(parts[(i + 1) / 2], words.get(i + 1));
        }
        return id;
    }
}
