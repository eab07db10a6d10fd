package io.clusterwright.core.internal.spec;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Finds the place of a field in a tree. */
final class Paths {
    private static final Pattern STEP = Pattern.compile("([^.\\[\\]]+)|\\[(\\d{1,9})]");

    private Paths() {}

    /** Where a field stands; where it was left out, the place of what would hold it. */
    static Location locate(SourceNode root, String path) {
        SourceNode node = root;
        Matcher step = STEP.matcher(path);
        while (step.find()) {
            SourceNode next = null;
            if (step.group(1) != null && node instanceof SourceNode.Mapping mapping) {
                next = mapping.get(step.group(1));
            } else if (step.group(2) != null && node instanceof SourceNode.Sequence sequence) {
                int index = Integer.parseInt(step.group(2));
                next = index < sequence.items().size() ? sequence.items().get(index) : null;
            }
            if (next == null) {
                break;
            }
            node = next;
        }
        return node.at();
    }
}
