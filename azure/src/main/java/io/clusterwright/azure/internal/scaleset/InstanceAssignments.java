package io.clusterwright.azure.internal.scaleset;

import io.clusterwright.core.type.NodeName;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The assignment of nodes to instances of a scale set, as tags of the set, of which Azure allows 50 with 256 characters each:
 * {@code cluster 11-18=0 20=9} says that {@code cluster11} is instance 0, and so on to {@code cluster18}, and {@code cluster20} instance 9.
 * An instance without a node never got an identity.
 */
final class InstanceAssignments {
    private static final String TAG = "clusterwright-nodes-";
    private static final int LONGEST_VALUE = 256;
    private static final Pattern NAME = Pattern.compile("(.*?)(0|[1-9]\\d{0,8})?");
    private static final Pattern RUN = Pattern.compile("(\\d{1,9})-(\\d{1,9})=(\\d{1,9})");

    private InstanceAssignments() {}

    /** Nodes with following numbers on instances with following numbers. */
    private record Run(String prefix, long first, long last, String instance) {
        private static Run of(NodeName node, String instance) {
            Matcher name = NAME.matcher(node.value());
            boolean numbered = name.matches() && name.group(2) != null;
            long number = numbered ? Long.parseLong(name.group(2)) : -1;
            return new Run(numbered ? name.group(1) : node.value(), number, number, instance);
        }

        private boolean goesOn(Run next) {
            return first >= 0
                    && prefix.equals(next.prefix)
                    && next.first == last + 1
                    && instance.matches("\\d{1,9}")
                    && next.instance.equals(Long.toString(Long.parseLong(instance) + next.first - first));
        }

        private String text() {
            String nodes = first < 0 ? "" : first == last ? Long.toString(first) : first + "-" + last;
            return nodes + "=" + instance;
        }
    }

    /** The instances by node. */
    static Map<NodeName, String> read(@Nullable Map<String, String> tags) {
        Map<NodeName, String> claims = new TreeMap<>();
        if (tags == null) {
            return claims;
        }
        tags.forEach((tag, value) -> {
            if (tag.startsWith(TAG)) {
                read(value, claims);
            }
        });
        return claims;
    }

    private static void read(String value, Map<NodeName, String> claims) {
        String prefix = "";
        for (String word : value.split(" ", -1)) {
            int equals = word.indexOf('=');
            Matcher run = RUN.matcher(word);
            if (equals < 0) {
                prefix = word;
            } else if (run.matches()) {
                long first = Long.parseLong(run.group(1));
                for (long i = first; i <= Long.parseLong(run.group(2)); i++) {
                    claims.put(NodeName.of(prefix + i), Long.toString(Long.parseLong(run.group(3)) + i - first));
                }
            } else {
                claims.put(NodeName.of(prefix + word.substring(0, equals)), word.substring(equals + 1));
            }
        }
    }

    /** These tags and those that hold the claims. */
    static Map<String, String> write(Map<String, String> tags, Map<NodeName, String> claims) {
        Map<String, String> all = new LinkedHashMap<>(tags);
        all.keySet().removeIf(tag -> tag.startsWith(TAG));
        StringBuilder value = new StringBuilder();
        String prefix = "";
        int number = 1;
        for (Run run : runs(claims)) {
            String start = run.prefix().equals(prefix) ? "" : run.prefix() + " ";
            if (!value.isEmpty()
                    && value.length() + 1 + start.length() + run.text().length() > LONGEST_VALUE) {
                all.put(TAG + number++, value.toString());
                value.setLength(0);
                start = run.prefix() + " ";
            }
            value.append(value.isEmpty() ? "" : " ").append(start).append(run.text());
            prefix = run.prefix();
        }
        if (!value.isEmpty()) {
            all.put(TAG + number, value.toString());
        }
        return all;
    }

    private static List<Run> runs(Map<NodeName, String> claims) {
        Map<String, TreeMap<Long, Run>> sorted = new TreeMap<>();
        claims.forEach((node, instance) -> {
            Run run = Run.of(node, instance);
            sorted.computeIfAbsent(run.prefix(), prefix -> new TreeMap<>()).put(run.first(), run);
        });
        List<Run> runs = new ArrayList<>();
        sorted.values().stream().flatMap(each -> each.values().stream()).forEach(run -> {
            Run before = runs.isEmpty() ? null : runs.get(runs.size() - 1);
            if (before != null && before.goesOn(run)) {
                runs.set(runs.size() - 1, new Run(run.prefix(), before.first(), run.last(), before.instance()));
            } else {
                runs.add(run);
            }
        });
        return runs;
    }
}
