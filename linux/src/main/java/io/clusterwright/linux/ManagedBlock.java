package io.clusterwright.linux;

import io.clusterwright.core.type.ClusterName;
import java.util.ArrayList;
import java.util.List;

/** The lines of a file that belong to one cluster, between two comment lines that name it. */
final class ManagedBlock {
    private final String begin;
    private final String end;

    ManagedBlock(ClusterName cluster) {
        begin = "# BEGIN clusterwright " + cluster;
        end = "# END clusterwright " + cluster;
    }

    /** The text with the block before everything but blank lines and comments. */
    String putFirst(String text, String content) {
        Parts parts = split(text);
        boolean leads =
                parts.at >= 0 && parts.others.subList(0, parts.at).stream().allMatch(TextLines::isBlankOrComment);
        return put(text, parts, leads ? parts.at : 0, content);
    }

    /** The text with the block where it was, or after everything. */
    String putLast(String text, String content) {
        Parts parts = split(text);
        return put(text, parts, parts.at >= 0 ? parts.at : parts.others.size(), content);
    }

    /** The text without the block. */
    String remove(String text) {
        return String.join("", split(text).others);
    }

    private String put(String text, Parts parts, int at, String content) {
        String newline = TextLines.newline(text);
        String before = String.join("", parts.others.subList(0, at));
        String block = begin + "\n" + content + end + "\n";
        return TextLines.finished(before)
                + block.replace("\n", newline)
                + String.join("", parts.others.subList(at, parts.others.size()));
    }

    private Parts split(String text) {
        List<String> others = new ArrayList<>();
        int at = -1;
        boolean inside = false;
        for (String line : TextLines.split(text)) {
            String stripped = line.strip();
            if (stripped.equals(inside ? begin : end)) {
                throw broken(stripped);
            }
            if (stripped.equals(begin)) {
                at = at < 0 ? others.size() : at;
                inside = true;
            } else if (stripped.equals(end)) {
                inside = false;
            } else if (!inside) {
                others.add(line);
            }
        }
        if (inside) {
            throw broken(begin);
        }
        return new Parts(others, at);
    }

    private UneditableFileException broken(String line) {
        return new UneditableFileException(
                "the block of this cluster must be between the lines \"" + begin + "\" and \"" + end + "\", and only \""
                        + line + "\" is there; delete the rest of the block and try again");
    }

    /** The lines outside of the block, and how many come before it; -1 when there is no block. */
    private record Parts(List<String> others, int at) {}
}
