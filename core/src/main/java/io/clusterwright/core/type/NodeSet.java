package io.clusterwright.core.type;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The short form of many node names, such as {@code cluster[11-14,17]}, as Slurm's host lists write it. Use it to
 * print the names of many nodes, and to read names that a user typed.
 *
 * <pre>{@code
 * List<NodeName> nodes = NodeSet.expand("demo[11-13,17]");
 * String folded = NodeSet.fold(nodes); // demo[11-13,17]
 * }</pre>
 *
 * <p>Brackets hold numbers and ranges; a number's leading zeros set the width of its range; several brackets in one
 * name stand for every combination, the last one running fastest.
 */
public final class NodeSet {
    /** The most names one text may stand for. */
    public static final int MAX_NAMES = 100_000;

    private NodeSet() {}

    /** The shortest text for these names, each once and in their natural order; empty for none. */
    public static String fold(Collection<NodeName> names) {
        StringBuilder text = new StringBuilder();
        List<NodeName> group = new ArrayList<>();
        for (NodeName name : new TreeSet<>(names)) {
            boolean joins = !group.isEmpty()
                    && !name.digits().isEmpty()
                    && !group.get(0).digits().isEmpty()
                    && name.prefix().equals(group.get(0).prefix());
            if (!joins) {
                appendGroup(text, group);
                group.clear();
            }
            group.add(name);
        }
        appendGroup(text, group);
        return text.toString();
    }

    /**
     * The names a text stands for, in its order; a name given twice appears twice.
     *
     * @throws io.clusterwright.core.type.InvalidValueException when the text is not as described, holds what is no node
     *     name, or stands for more than {@value #MAX_NAMES} names
     */
    public static List<NodeName> expand(String text) {
        return text.isBlank()
                ? List.of()
                : new NodeSetParser(text).names().stream().map(NodeName::new).toList();
    }

    /**
     * The host names a text stands for, as a scheduler writes them: names may have a domain or {@code _}, such as {@code
     * gpu_node[1-2].example.org}. Blanks and line breaks part names as commas do, and empty names are skipped.
     *
     * @throws io.clusterwright.core.type.InvalidValueException when a bracket is not as described, or the text stands for
     *     more than {@value #MAX_NAMES} names
     */
    public static List<String> expandHosts(String text) {
        String list = text.replaceAll("[\\s,]+(?![^\\[]*])", ",").replaceAll("^,|,$", "");
        return list.isEmpty() ? List.of() : new NodeSetParser(list).names();
    }

    private static void appendGroup(StringBuilder text, List<NodeName> group) {
        if (group.isEmpty()) {
            return;
        }
        if (!text.isEmpty()) {
            text.append(',');
        }
        if (group.size() == 1) {
            text.append(group.get(0));
            return;
        }
        text.append(group.get(0).prefix()).append('[');
        int start = 0;
        while (start < group.size()) {
            int end = start;
            while (end + 1 < group.size() && isNext(group.get(start), end - start, group.get(end + 1))) {
                end++;
            }
            text.append(start == 0 ? "" : ",").append(group.get(start).digits());
            if (end > start) {
                text.append('-').append(group.get(end).digits());
            }
            start = end + 1;
        }
        text.append(']');
    }

    private static boolean isNext(NodeName first, int length, NodeName candidate) {
        String digits = first.digits();
        if (digits.length() > NodeSetParser.MAX_DIGITS) {
            return false;
        }
        return NodeSetParser.pad(Long.parseLong(digits) + length + 1, digits.length())
                .equals(candidate.digits());
    }

    /** Reads the short form of node names; see {@link NodeSet}. */
    private static final class NodeSetParser {
        static final int MAX_DIGITS = 18;

        private static final Pattern RANGE =
                Pattern.compile("([0-9]{1," + MAX_DIGITS + "})(?:-([0-9]{1," + MAX_DIGITS + "}))?");

        private final String text;
        private final List<String> names = new ArrayList<>();

        NodeSetParser(String text) {
            this.text = text;
        }

        List<String> names() {
            for (String item : items()) {
                List<String> expanded = List.of("");
                int at = 0;
                while (at < item.length()) {
                    int open = item.indexOf('[', at);
                    expanded = combine(expanded, List.of(item.substring(at, open < 0 ? item.length() : open)));
                    if (open < 0) {
                        break;
                    }
                    int close = item.indexOf(']', open);
                    expanded = combine(expanded, numbers(item.substring(open + 1, close)));
                    at = close + 1;
                }
                checkCount((long) names.size() + expanded.size());
                names.addAll(expanded);
            }
            return List.copyOf(names);
        }

        /** The text split at the commas outside of brackets. */
        private List<String> items() {
            List<String> items = new ArrayList<>();
            boolean inside = false;
            int start = 0;
            for (int i = 0; i <= text.length(); i++) {
                char c = i < text.length() ? text.charAt(i) : ',';
                if ((c == '[' && inside) || (c == ']' && !inside)) {
                    throw invalid();
                }
                if (c == '[' || c == ']') {
                    inside = c == '[';
                } else if (c == ',' && !inside) {
                    items.add(text.substring(start, i).strip());
                    start = i + 1;
                }
            }
            if (inside || items.contains("")) {
                throw invalid();
            }
            return items;
        }

        private List<String> numbers(String ranges) {
            List<String> numbers = new ArrayList<>();
            for (String range : ranges.split(",", -1)) {
                Matcher parts = RANGE.matcher(range);
                if (!parts.matches()) {
                    throw invalid();
                }
                long first = Long.parseLong(parts.group(1));
                long last = parts.group(2) == null ? first : Long.parseLong(parts.group(2));
                if (last < first) {
                    throw invalid();
                }
                checkCount(numbers.size() + (last - first) + 1);
                for (long number = first; number <= last; number++) {
                    numbers.add(pad(number, parts.group(1).length()));
                }
            }
            return numbers;
        }

        private List<String> combine(List<String> heads, List<String> tails) {
            checkCount((long) heads.size() * tails.size());
            List<String> all = new ArrayList<>(heads.size() * tails.size());
            heads.forEach(head -> tails.forEach(tail -> all.add(head + tail)));
            return all;
        }

        private void checkCount(long count) {
            if (count > NodeSet.MAX_NAMES) {
                throw new InvalidValueException(
                        "set of node names", text, "at most " + NodeSet.MAX_NAMES + " names", "cluster[11-18]");
            }
        }

        private InvalidValueException invalid() {
            return new InvalidValueException(
                    "set of node names",
                    text,
                    "node names separated by commas, with numbers and ascending ranges in brackets",
                    "cluster[11-14,17],head");
        }

        static String pad(long number, int width) {
            String digits = Long.toString(number);
            return "0".repeat(Math.max(0, width - digits.length())) + digits;
        }
    }
}
