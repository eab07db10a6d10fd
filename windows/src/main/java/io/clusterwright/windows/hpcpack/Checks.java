package io.clusterwright.windows.hpcpack;

import io.clusterwright.core.type.InvalidValueException;
import java.util.regex.Pattern;

/** What the words of HPC Pack's commands may be. */
final class Checks {
    private static final Pattern NAME = Pattern.compile("[^\\x00-\\x1F\\x7F\",;]{1,250}");
    private static final Pattern VARIABLE = Pattern.compile("[A-Za-z_][A-Za-z0-9_.]*");

    private Checks() {}

    static int atLeast(String what, int value, int least) {
        if (value < least) {
            throw new InvalidValueException(what, Integer.toString(value), least + " or more", Integer.toString(least));
        }
        return value;
    }

    static String name(String what, String value) {
        if (!NAME.matcher(value).matches() || !value.equals(value.strip())) {
            throw new InvalidValueException(
                    what,
                    value,
                    "1 to 250 characters without quotes, commas, semicolons and blanks around them",
                    "AzureNodes");
        }
        return value;
    }

    static String text(String what, String value) {
        if (value.isEmpty() || value.chars().anyMatch(c -> c < ' ' || c == '"')) {
            throw new InvalidValueException(
                    what, value, "text without quotes and control characters", "\\\\hn\\out\\run.txt");
        }
        return value;
    }

    static String variable(String name) {
        if (!VARIABLE.matcher(name).matches()) {
            throw new InvalidValueException(
                    "name of a variable", name, "letters, digits, '_' and '.', not a digit first", "MSMPI_PRECONNECT");
        }
        return name;
    }
}
