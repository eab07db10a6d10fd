package io.clusterwright.linux.probe;

import io.clusterwright.core.type.ClusterwrightException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * An answer of this machine, or the reason why it gave no answer. Use it to distinguish an absent device from a device
 * that cannot be read. Immutable.
 *
 * @param <T> what was asked for
 * @see RdmaDevice
 */
public final class NativeAnswer<T> {
    private final @Nullable T value;
    private final String reason;

    private NativeAnswer(@Nullable T value, String reason) {
        this.value = value;
        this.reason = reason;
    }

    static <T> NativeAnswer<T> known(T value) {
        return new NativeAnswer<>(value, "");
    }

    /** The machine could not be asked, or did not answer: why, and what would help. */
    static <T> NativeAnswer<T> unknown(String reason) {
        return new NativeAnswer<>(null, reason);
    }

    /** The value; empty when it is not known. */
    public Optional<T> value() {
        return Optional.ofNullable(value);
    }

    /** Why the value is not known, and what would help; empty when it is known. */
    public Optional<String> reason() {
        return value == null ? Optional.of(reason) : Optional.empty();
    }

    /**
     * The value.
     *
     * @throws ClusterwrightException with the reason when it is not known
     */
    public T orThrow() {
        if (value == null) {
            throw new ClusterwrightException(reason);
        }
        return value;
    }

    @Override
    public String toString() {
        return value == null ? "unknown: " + reason : value.toString();
    }
}
