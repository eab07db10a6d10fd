package io.clusterwright.windows.emulator.internal.api;

import io.clusterwright.emulator.internal.http.Call;
import io.clusterwright.emulator.internal.http.HttpRefusalException;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Choosing properties, filtering, and pages. */
final class Rows {
    private static final int DEFAULT_ROWS = 10;
    private static final Pattern FILTER = Pattern.compile("(?i)(JobState|TaskState|NodeGroup|NodeState) eq (\\S+)");

    private Rows() {}

    /**
     * A part of a list.
     *
     * @param rows its rows, with the properties that were asked for
     * @param next the query for the next part; empty at the end
     * @param total the number of all rows where it was asked for by row; else -1
     */
    record Page(List<Map<String, String>> rows, String next, int total) {}

    /** The properties that were asked for, in that order; a name that is not known is left out. */
    static Map<String, String> chosen(Map<String, String> all, String asked) {
        if (asked.isEmpty()) {
            return all;
        }
        Map<String, String> some = new LinkedHashMap<>();
        for (String name : asked.split(",")) {
            all.forEach((known, value) -> {
                if (known.equalsIgnoreCase(name.strip())) {
                    some.put(known, value);
                }
            });
        }
        return some;
    }

    /** The terms of a filter: names in lower case. */
    static Map<String, String> filters(Call call) {
        Map<String, String> all = new LinkedHashMap<>();
        String text = call.query("filter");
        for (String part : text.isEmpty() ? new String[0] : text.split("(?i) and ")) {
            Matcher matcher = FILTER.matcher(part.strip());
            if (!matcher.matches()) {
                throw HttpRefusalException.badRequest("The filter '" + part + "' is not valid, or not emulated.");
            }
            all.put(matcher.group(1).toLowerCase(Locale.ROOT), matcher.group(2));
        }
        return all;
    }

    static boolean listed(String commaSeparated, String name) {
        return commaSeparated.isEmpty()
                || Arrays.stream(commaSeparated.split(",")).map(String::strip).anyMatch(name::equalsIgnoreCase);
    }

    static Page page(Call call, List<Map<String, String>> all, String asked) {
        boolean byRow = !call.query("startrow").isEmpty();
        int start =
                number(byRow ? call.query("startrow") : call.query("queryid").replaceFirst("^from-", ""), 0);
        int end = Math.min(all.size(), start + number(call.query("rowsperread"), DEFAULT_ROWS));
        List<Map<String, String>> rows = start >= all.size()
                ? List.of()
                : all.subList(start, end).stream()
                        .map(row -> chosen(row, asked))
                        .toList();
        return new Page(rows, byRow || end >= all.size() ? "" : "from-" + end, byRow ? all.size() : -1);
    }

    private static int number(String text, int other) {
        if (!text.isEmpty() && !text.matches("\\d{1,9}")) {
            throw HttpRefusalException.badRequest("The value '" + text + "' is not valid.");
        }
        return text.isEmpty() ? other : Integer.parseInt(text);
    }
}
