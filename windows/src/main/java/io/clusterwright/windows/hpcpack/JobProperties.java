package io.clusterwright.windows.hpcpack;

import io.clusterwright.core.type.InvalidValueException;
import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Checks of the properties of jobs and tasks. */
final class JobProperties {
    private JobProperties() {}

    static void checkSize(int least, int most) {
        if (least < 1 || most < least) {
            throw new InvalidValueException(
                    "minimum and maximum",
                    least + " and " + most,
                    "a minimum of 1 or more, and a maximum not below it",
                    "2 and 4");
        }
    }

    /** The list as HPC Pack writes it: a name cannot hold a comma. */
    static String list(String what, List<String> names) {
        if (names.isEmpty() || names.stream().anyMatch(name -> name.isBlank() || name.contains(","))) {
            throw new InvalidValueException(
                    what, String.join(" | ", names), "one or more names without a comma", "AzureNodes");
        }
        return String.join(",", names);
    }

    static String seconds(Duration limit) {
        if (limit.toSeconds() < 1 || limit.toSeconds() > Integer.MAX_VALUE) {
            throw new InvalidValueException("run time", limit, "1 s to " + Integer.MAX_VALUE + " s", "PT1H");
        }
        return Long.toString(limit.toSeconds());
    }

    /** Returns the map with one more environment variable. */
    static Map<String, String> variable(Map<String, String> old, String name, String value) {
        word("environment variable name", name, "[A-Za-z_][A-Za-z0-9_()]*", "MPICH_NETMASK");
        Map<String, String> all = new LinkedHashMap<>(old);
        all.put(name, value);
        return Collections.unmodifiableMap(all);
    }

    /** Returns the map with one more property; an empty value removes the property. */
    static Map<String, String> property(Map<String, String> old, String name, String value) {
        word("property name", name, "[A-Za-z][A-Za-z0-9]*", "RequestedNodes");
        Map<String, String> all = new LinkedHashMap<>(old);
        all.put(name, value);
        all.values().removeIf(String::isEmpty);
        return Collections.unmodifiableMap(all);
    }

    private static void word(String what, String name, String pattern, String example) {
        if (!name.matches(pattern)) {
            throw new InvalidValueException(what, name, "letters and digits, starting with a letter", example);
        }
    }
}
