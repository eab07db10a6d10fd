package io.clusterwright.core.internal.text;

import java.nio.charset.StandardCharsets;
import java.util.Optional;

/** The first line of a script, which names the program that runs it. */
public final class InterpreterLine {
    /** The bytes at the start of a script that {@link #problem} reads. */
    public static final int LONGEST = 256;

    private InterpreterLine() {}

    /** The reason why Linux cannot run a script that starts with these bytes; empty where it can. */
    public static Optional<Problem> problem(byte[] start) {
        String first = new String(start, 0, Math.min(start.length, LONGEST), StandardCharsets.ISO_8859_1);
        String line = first.substring(0, first.indexOf('\n') < 0 ? first.length() : first.indexOf('\n'));
        if (!line.startsWith("#!")) {
            return Optional.of(
                    new Problem("has no interpreter", "start its first line with #!/bin/sh or #!/usr/bin/env python3"));
        }
        return line.endsWith("\r")
                ? Optional.of(new Problem(
                        "has Windows line ends, and Linux reads them as part of the interpreter's name",
                        "save it with Linux line ends"))
                : Optional.empty();
    }

    /**
     * A reason why Linux cannot run a script.
     *
     * @param fact what is wrong, after the name of the script
     * @param remedy what to do
     */
    public record Problem(String fact, String remedy) {
        /** Fact and remedy. */
        @Override
        public String toString() {
            return fact + ": " + remedy;
        }
    }
}
