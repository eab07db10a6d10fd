package io.clusterwright.core.internal.text;

import io.clusterwright.core.internal.spec.Messages;
import java.util.Collection;
import java.util.Optional;

/** Guesses which known name a mistyped one means, for messages that refuse it. */
public final class NearestName {
    private NearestName() {}

    /** The known name that the given one most likely means, whatever their case; empty when none is near. */
    public static Optional<String> of(String given, Collection<String> known) {
        return Messages.nearest(given, known);
    }
}
