package io.clusterwright.linux.probe;

import io.clusterwright.core.type.ClusterwrightException;
import java.util.Optional;

/**
 * An answer of this machine, or the reason why there is none.
 *
 * @param <T> what was asked for
 */
public sealed interface NativeAnswer<T> {

    /** The value; empty when it is not known. */
    default Optional<T> value() {
        return this instanceof Known<T> known ? Optional.of(known.content()) : Optional.empty();
    }

    /**
     * The value.
     *
     * @throws ClusterwrightException with the reason when it is not known
     */
    default T orThrow() {
        if (this instanceof Known<T> known) {
            return known.content();
        }
        throw new ClusterwrightException(((Unknown<T>) this).reason());
    }

    /**
     * The machine answered.
     *
     * @param content the answer
     * @param <T> what was asked for
     */
    record Known<T>(T content) implements NativeAnswer<T> {}

    /**
     * The machine could not be asked, or did not say.
     *
     * @param reason why, and what would help
     * @param <T> what was asked for
     */
    record Unknown<T>(String reason) implements NativeAnswer<T> {}
}
