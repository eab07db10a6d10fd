package io.clusterwright.core.plan;

import java.util.Objects;

/**
 * A file that belongs to such a spec and that no installed module renders.
 *
 * @param name the file's name
 * @param module the module that renders it, which is absent or cannot yet
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
