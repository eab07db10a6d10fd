package io.clusterwright.azure.emulator.internal.arm;

import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * The id of a resource: a path of pairs. Compared without regard to case, as Resource Manager does; use {@link #key()}.
 *
 * @param segments the words between the slashes
 */
public record ResourcePath(List<String> segments) {
    private static final int GROUP_END = 4;
    private static final int TYPE_START = 6;

    /** Copies the list. */
    public ResourcePath {
        segments = List.copyOf(segments);
    }

    public static ResourcePath of(String path) {
        return new ResourcePath(List.of(path.replaceAll("^/+|/+$", "").split("/+")));
    }

    public static ResourcePath group(String subscription, String group) {
        return new ResourcePath(List.of("subscriptions", subscription, "resourceGroups", group));
    }

    /** Whether this names something inside a resource group, or the group itself. */
    public static boolean isResource(String text) {
        List<String> words = of(text).segments();
        return words.size() >= GROUP_END
                && words.size() % 2 == 0
                && words.get(0).equalsIgnoreCase("subscriptions")
                && words.get(2).equalsIgnoreCase("resourceGroups");
    }

    public String subscription() {
        return segments.get(1);
    }

    /** The resource group's name. */
    public String group() {
        return segments.get(3);
    }

    public ResourcePath groupId() {
        return new ResourcePath(segments.subList(0, GROUP_END));
    }

    public boolean isGroup() {
        return segments.size() == GROUP_END;
    }

    /** The namespace, such as {@code Microsoft.Network}; empty for a resource group. */
    public String namespace() {
        return isGroup() ? "" : segments.get(TYPE_START - 1);
    }

    /** The whole type, such as {@code Microsoft.Network/virtualNetworks/subnets}. */
    public String type() {
        if (isGroup()) {
            return "Microsoft.Resources/resourceGroups";
        }
        return namespace() + "/"
                + IntStream.range(TYPE_START, segments.size())
                        .filter(i -> i % 2 == 0)
                        .mapToObj(segments::get)
                        .collect(Collectors.joining("/"));
    }

    public String name() {
        return segments.get(segments.size() - 1);
    }

    /** Whether this is part of another resource: a subnet, an extension. */
    public boolean isChild() {
        return segments.size() > TYPE_START + 2;
    }

    public ResourcePath parent() {
        return isChild() ? new ResourcePath(segments.subList(0, segments.size() - 2)) : groupId();
    }

    public ResourcePath child(String type, String name) {
        return new ResourcePath(IntStream.range(0, segments.size() + 2)
                .mapToObj(i -> i < segments.size() ? segments.get(i) : i == segments.size() ? type : name)
                .toList());
    }

    /** A resource of this group. */
    public ResourcePath resource(String type, String name) {
        int slash = type.indexOf('/');
        return groupId().child("providers", type.substring(0, slash)).child(type.substring(slash + 1), name);
    }

    /** The key by which two spellings of one id are equal. */
    public String key() {
        return toString().toLowerCase(Locale.ROOT);
    }

    public boolean isInside(ResourcePath other) {
        return key().startsWith(other.key() + "/");
    }

    public boolean isOfType(String type) {
        return type().equalsIgnoreCase(type);
    }

    @Override
    public String toString() {
        return "/" + String.join("/", segments);
    }
}
