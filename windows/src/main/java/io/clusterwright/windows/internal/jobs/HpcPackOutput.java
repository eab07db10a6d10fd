package io.clusterwright.windows.internal.jobs;

import io.clusterwright.core.type.InvalidValueException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Reads what HPC Pack's commands print, in its English edition; the REST interface answers the same in every language.
 *
 * <p>No full listing is published. What is read here is what public programs rely on: the sentence of {@code job submit}, lines of a
 * name, a colon and a value, blocks of these with an empty line between, and tables below two lines of headings.
 */
public final class HpcPackOutput {
    private static final Pattern SUBMITTED =
            Pattern.compile("^Job has been submitted\\. ID: +(\\d{1,9})\\.", Pattern.MULTILINE);
    private static final Pattern RULE = Pattern.compile("-+");

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

    /** The state in what {@link #view(String)} gives: {@code State}, or {@code Status} as old versions call it. */
    public static Optional<String> state(Map<String, String> view) {
        return Optional.ofNullable(view.getOrDefault("State", view.get("Status")));
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

    /**
     * The rows of the same commands with {@code /format:table}, by the headings.
     *
     * @throws InvalidValueException when there are no headings with a line of dashes below
     */
    public static List<Map<String, String>> table(String output) {
        List<String> lines = output.lines().toList();
        int rule = 1;
        while (rule < lines.size() && !lines.get(rule).matches("\\s*-+(\\s+-+)*\\s*")) {
            rule++;
        }
        if (rule >= lines.size()) {
            throw new InvalidValueException(
                    "table of HPC Pack",
                    output,
                    "a line of headings, a line of dashes, and rows",
                    "node list /format:table");
        }
        List<int[]> columns = columns(lines.get(rule));
        List<Map<String, String>> rows = new ArrayList<>();
        for (String line : lines.subList(rule + 1, lines.size())) {
            if (line.isBlank()) {
                break;
            }
            Map<String, String> row = new LinkedHashMap<>();
            for (int[] column : columns) {
                row.put(cut(lines.get(rule - 1), column), cut(line, column));
            }
            rows.add(Collections.unmodifiableMap(row));
        }
        return Collections.unmodifiableList(rows);
    }

    /** From where each column begins to where the next does. */
    private static List<int[]> columns(String rule) {
        List<Integer> starts =
                RULE.matcher(rule).results().map(found -> found.start()).toList();
        List<int[]> columns = new ArrayList<>();
        for (int i = 0; i < starts.size(); i++) {
            columns.add(new int[] {starts.get(i), i + 1 < starts.size() ? starts.get(i + 1) : Integer.MAX_VALUE});
        }
        return columns;
    }

    private static String cut(String line, int[] column) {
        int from = Math.min(line.length(), column[0]);
        return line.substring(from, Math.min(line.length(), column[1])).strip();
    }

    private static String first(Map<String, String> entry) {
        return entry.keySet().iterator().next();
    }
}
