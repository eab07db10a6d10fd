package io.clusterwright.mpi.internal.command;

import io.clusterwright.core.internal.text.PosixShell;
import io.clusterwright.core.type.InvalidValueException;
import java.util.List;
import java.util.Map;

/** The rules for programs and variables that every launcher passes on unchanged. */
public final class Arguments {
    private Arguments() {}

    /**
     * Checks a program with its arguments.
     *
     * @throws InvalidValueException when a launcher would misread one
     */
    public static void check(List<String> program) {
        String name = program.isEmpty() ? "" : program.get(0);
        if (name.isEmpty() || name.startsWith("-")) {
            throw new InvalidValueException(
                    "program",
                    name,
                    "a name or path that does not start with '-'",
                    name.isEmpty() ? "/opt/app/solver" : "./" + name);
        }
        for (String argument : program) {
            refuseNul(argument, "argument of " + name);
        }
    }

    /**
     * Checks options for a launcher.
     *
     * @throws InvalidValueException when an option is empty, or would start another program
     */
    public static void checkOptions(List<String> options) {
        for (String option : options) {
            if (option.isEmpty() || option.equals(":")) {
                throw new InvalidValueException(
                        "launcher argument", option, "an option or its value", "--report-bindings");
            }
            refuseNul(option, "launcher argument");
        }
    }

    /**
     * Checks variables.
     *
     * @throws InvalidValueException when a name is none, or a value holds a NUL character
     */
    public static void check(Map<String, String> environment) {
        environment.forEach((variable, value) -> {
            if (!PosixShell.isVariable(variable)) {
                throw new InvalidValueException(
                        "environment variable name",
                        variable,
                        "letters, digits or '_', not starting with a digit",
                        "OMP_NUM_THREADS");
            }
            refuseNul(value, "value of variable " + variable);
        });
    }

    private static void refuseNul(String text, String what) {
        if (text.indexOf('\0') >= 0) {
            throw new InvalidValueException(what, text, "text without a NUL character", "case.xml");
        }
    }
}
