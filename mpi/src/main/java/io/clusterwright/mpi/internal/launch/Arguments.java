package io.clusterwright.mpi.internal.launch;

import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/** What may be handed to a launcher. */
public final class Arguments {
    private static final Pattern VARIABLE = Pattern.compile("[A-Za-z_][A-Za-z0-9_]*");

    private Arguments() {}

    public static void check(List<String> program, Map<String, String> environment) {
        if (program.isEmpty() || program.get(0).isEmpty()) {
            throw new IllegalArgumentException("a job needs the name of a program");
        }
        if (program.get(0).startsWith("-")) {
            throw new IllegalArgumentException("a launcher takes \"" + program.get(0)
                    + "\" for an option: give the program's path, such as ./" + program.get(0));
        }
        for (String argument : program) {
            if (argument.equals(":")) {
                throw new IllegalArgumentException("the argument \":\" cannot be passed to " + program.get(0)
                        + ": launchers read it as the start of another program; wrap the call in a script");
            }
            refuseNul(argument, "an argument of " + program.get(0));
        }
        environment.forEach((name, value) -> {
            if (!VARIABLE.matcher(name).matches()) {
                throw new IllegalArgumentException("\"" + name
                        + "\" is not the name of an environment variable: allowed are letters, digits and '_', not"
                        + " starting with a digit");
            }
            refuseNul(value, "the value of variable " + name);
        });
    }

    private static void refuseNul(String text, String what) {
        if (text.indexOf('\0') >= 0) {
            throw new IllegalArgumentException(what + " holds a NUL character");
        }
    }
}
