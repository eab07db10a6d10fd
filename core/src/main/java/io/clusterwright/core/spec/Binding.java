package io.clusterwright.core.spec;

import io.clusterwright.core.type.InvalidValueException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * The resource that the ranks of a job are bound to. Use it for programs that start threads or share sockets. A
 * launcher that cannot express it refuses the job.
 *
 * <pre>{@code
 * MpiSettings mpi =
 *         MpiSettings.builder().ranksPerNuma(2).binding(Binding.NUMA).build();
 * }</pre>
 *
 * @see MpiSettings
 */
public enum Binding {
    /** The launcher's default; no binding on nodes that share one machine. */
    DEFAULT,
    /** Ranks may run on every core of their node. */
    NONE,
    /** Each rank stays on one core. */
    CORE,
    /** Each rank stays on the cores of one socket. */
    SOCKET,
    /** Each rank stays on the cores of one NUMA domain. */
    NUMA,
    /** Each rank stays on the cores that share one level 3 cache. */
    L3;

    /**
     * The refusal of a launcher that cannot express this binding.
     *
     * @param launcher the launcher, such as {@code srun}
     * @param possible the bindings that it has beside {@link #NONE} and {@link #DEFAULT}
     */
    public InvalidValueException unsupported(String launcher, Binding... possible) {
        List<String> words = new ArrayList<>();
        List.of(possible).forEach(each -> words.add(each.toString()));
        words.add(NONE.toString());
        words.add(DEFAULT.toString());
        return new InvalidValueException(
                "binding under " + launcher, toString(), String.join(", ", words), words.get(0));
    }

    /** The name in lower case, such as {@code core}. */
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
