package io.clusterwright.core.plan;

import java.util.Objects;

/**
 * A file that belongs to such a description and that nothing here makes.
 *
 * @param name the file's name
 * @param module the module that makes it, which is absent or does not make it yet
 */
public record NotMade(String name, String module) {
    /** Refuses null. */
    public NotMade {
        Objects.requireNonNull(name, "name");
        Objects.requireNonNull(module, "module");
    }

    @Override
    public String toString() {
        return name + " (" + module + " module)";
    }
}
