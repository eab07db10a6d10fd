package io.clusterwright.windows.internal.jobs;

import io.clusterwright.core.type.InvalidValueException;
import java.util.regex.Pattern;

/** Checks of the words of HPC Pack's commands. */
public final class JobChecks {
    private static final Pattern NAME = Pattern.compile("[^\\x00-\\x1F\\x7F\",;]{1,250}");
    private static final Pattern VARIABLE = Pattern.compile("[A-Za-z_][A-Za-z0-9_.]*");

    private JobChecks() {}

    /** A number that is no less than the least. */
    public static int atLeast(String what, int value, int least) {
        if (value < least) {
            throw new InvalidValueException(what, Integer.toString(value), least + " or more", Integer.toString(least));
        }
        return value;
    }

    /** A name of HPC Pack's: of a node, a group, a template, a job. */
    public static String name(String what, String value) {
        if (!NAME.matcher(value).matches() || !value.equals(value.strip())) {
            throw new InvalidValueException(
                    what,
                    value,
                    "1 to 250 characters without quotes, commas, semicolons and blanks around them",
                    "AzureNodes");
        }
        return value;
    }

    /** A path or other text without quotes. */
    public static String text(String what, String value) {
        if (value.isEmpty() || value.chars().anyMatch(c -> c < ' ' || c == '"')) {
            throw new InvalidValueException(
                    what, value, "text without quotes and control characters", "\\\\hn\\out\\run.txt");
        }
        return value;
    }

    /** The name of an environment variable. */
    public static String variable(String name) {
        if (!VARIABLE.matcher(name).matches()) {
            throw new InvalidValueException(
                    "name of a variable", name, "letters, digits, '_' and '.', not a digit first", "MSMPI_PRECONNECT");
        }
        return name;
    }
}
