package io.clusterwright.linux.local;

import io.clusterwright.core.internal.text.TextResource;
import java.util.List;

/** The text files beside these classes. */
final class HostResources {
    private HostResources() {}

    static String text(String name) {
        return TextResource.read(HostResources.class.getResourceAsStream(name), name);
    }

    /** The lines that are neither empty nor comments. */
    static List<String> lines(String name) {
        return text(name)
                .lines()
                .filter(line -> !line.isBlank() && !line.startsWith("#"))
                .toList();
    }
}
