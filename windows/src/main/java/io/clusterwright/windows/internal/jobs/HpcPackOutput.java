package io.clusterwright.windows.internal.jobs;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Reads what HPC Pack's commands print, in its English edition; the REST interface answers the same in every language.
 *
 * <p>No full listing is published. What is read here is what public programs rely on: the sentence of {@code job submit}, lines of a
 * name, a colon and a value, and blocks of these with an empty line between.
 */
public final class HpcPackOutput {
    private static final Pattern SUBMITTED =
            Pattern.compile("^Job has been submitted\\. ID: +(\\d{1,9})\\.", Pattern.MULTILINE);

    private HpcPackOutput() {}

    /** The number of the job that {@code job submit} made; empty when it made none. */
    public static OptionalInt submitted(String output) {
        Matcher matcher = SUBMITTED.matcher(output);
        return matcher.find() ? OptionalInt.of(Integer.parseInt(matcher.group(1))) : OptionalInt.empty();
    }

    /**
     * What {@code job view}, {@code task view} and {@code node view} say, in its order. A value may hold colons; a line without one goes
     * on with the value before it.
     */
    public static Map<String, String> view(String output) {
        Map<String, String> values = new LinkedHashMap<>();
        String last = "";
        for (String line : output.lines().toList()) {
            int colon = line.indexOf(':');
            boolean goesOn = colon < 1 || Character.isWhitespace(line.charAt(0));
            if (!goesOn) {
                last = line.substring(0, colon).strip();
                values.putIfAbsent(last, line.substring(colon + 1).strip());
            } else if (!line.isBlank() && values.containsKey(last)) {
                values.merge(last, line.strip(), (before, more) -> before.isEmpty() ? more : before + "\n" + more);
            }
        }
        return Collections.unmodifiableMap(values);
    }

    /** The entries of {@code job list}, {@code job listtasks} and {@code node list} with {@code /format:list}. */
    public static List<Map<String, String>> list(String output) {
        List<Map<String, String>> entries = new ArrayList<>();
        for (String block : output.strip().split("(\\r?\\n[ \\t]*){2,}")) {
            Map<String, String> entry = view(block);
            // The count at the end begins with a name that no entry begins with.
            if (!entry.isEmpty() && (entries.isEmpty() || first(entry).equals(first(entries.get(0))))) {
                entries.add(entry);
            }
        }
        return Collections.unmodifiableList(entries);
    }

    private static String first(Map<String, String> entry) {
        return entry.keySet().iterator().next();
    }
}
