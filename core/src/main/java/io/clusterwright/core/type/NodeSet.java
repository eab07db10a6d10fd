package io.clusterwright.core.type;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.TreeSet;

/**
 * The short form of many node names, such as {@code cluster[11-14,17]}, as Slurm's host lists write it.
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
    public static List<NodeName> parse(String text) {
        return text.isBlank() ? List.of() : new NodeSetParser(text).names();
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
}
