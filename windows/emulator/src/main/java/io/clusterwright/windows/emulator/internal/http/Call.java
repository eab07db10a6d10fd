package io.clusterwright.windows.emulator.internal.http;

import java.util.List;
import java.util.Map;

/**
 * A request.
 *
 * @param method in capitals
 * @param segments the parts of the path, decoded
 * @param query names in lower case without {@code $}, and values, decoded
 * @param headers names in lower case
 * @param body the text; empty for none
 */
public record Call(
        String method, List<String> segments, Map<String, String> query, Map<String, String> headers, String body) {

    public String query(String name) {
        return query.getOrDefault(name, "");
    }

    /** Whether method and path are these; {@code *} stands for any one segment. */
    public boolean is(String verb, String... pattern) {
        if (!method.equals(verb) || segments.size() != pattern.length) {
            return false;
        }
        for (int i = 0; i < pattern.length; i++) {
            if (!pattern[i].equals("*") && !pattern[i].equalsIgnoreCase(segments.get(i))) {
                return false;
            }
        }
        return true;
    }

    /** A segment that must be a number. */
    public int number(int index) {
        String text = segments.get(index);
        if (!text.matches("\\d{1,9}")) {
            throw HeadNodeException.badRequest("The value '" + text + "' is not valid.");
        }
        return Integer.parseInt(text);
    }
}
