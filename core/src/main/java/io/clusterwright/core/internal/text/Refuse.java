package io.clusterwright.core.internal.text;

import io.clusterwright.core.type.InvalidValueException;

/** Refusals of arguments, a statement each. */
public final class Refuse {
    private Refuse() {}

    /**
     * Refuses a value when a condition holds.
     *
     * @param what the thing the value is for, such as {@code "node name"}
     * @param given the value as it was received
     * @param allowed what is allowed, as a clause such as {@code "1 to 65535"}
     * @param example one value that would be accepted
     * @throws InvalidValueException when the condition holds
     */
    public static void when(boolean condition, String what, Object given, String allowed, Object example) {
        if (condition) {
            throw new InvalidValueException(what, given.toString(), allowed, example.toString());
        }
    }
}
