package io.clusterwright.windows.hpcpack;

/** Tells what is new in a text that grows, and of which the head node may have dropped the beginning. */
final class OutputTail {
    private static final int KEPT = 4000;

    private String end = "";
    private int length;

    /** What came since the last time. */
    String fresh(String whole) {
        String fresh = whole.substring(overlap(whole));
        length = whole.length();
        end = whole.substring(Math.max(0, length - KEPT));
        return fresh;
    }

    private int overlap(String whole) {
        if (whole.length() >= length && whole.startsWith(end, length - end.length())) {
            return length;
        }
        // The beginning is gone: what was last seen stands somewhere, whole or in part.
        int at = end.isEmpty() ? -1 : whole.lastIndexOf(end);
        if (at >= 0) {
            return at + end.length();
        }
        for (int known = Math.min(end.length(), whole.length()); known > 0; known--) {
            if (whole.startsWith(end.substring(end.length() - known))) {
                return known;
            }
        }
        return 0;
    }
}
