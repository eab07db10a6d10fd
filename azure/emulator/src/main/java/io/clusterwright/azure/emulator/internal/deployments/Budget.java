package io.clusterwright.azure.emulator.internal.deployments;

import com.fasterxml.jackson.databind.JsonNode;

/** The most that the evaluation of one template may produce, so that a small template cannot fill the memory. */
final class Budget {
    /** The limit of Resource Manager for the elements of a loop. */
    static final int MOST_COPIES = 800;

    private static final int LONGEST_TEXT = 4 * 1024 * 1024;

    private static final long MOST_BYTES = 128L * 1024 * 1024;
    private static final int NODE_BYTES = 64;

    private long left = MOST_BYTES;

    /** Counts a tree as a whole, however many of its parts are the same. */
    JsonNode charge(JsonNode tree) {
        spend(NODE_BYTES + (tree.isTextual() ? tree.textValue().length() : 0));
        tree.forEach(this::charge);
        return tree;
    }

    /** Counts one value without its parts. */
    void chargeOne() {
        spend(NODE_BYTES);
    }

    private void spend(long bytes) {
        left -= bytes;
        if (left < 0) {
            throw TemplateException.of("size", MOST_BYTES);
        }
    }

    /** Refuses a text before it is made. */
    static void requireText(long length) {
        TemplateException.refuse(length > LONGEST_TEXT, "textLength", length, LONGEST_TEXT);
    }

    /** The count of a loop. */
    static int copies(JsonNode count) {
        TemplateException.refuse(
                !count.isInt() || count.asInt() < 0 || count.asInt() > MOST_COPIES,
                "copies",
                Functions.string(count),
                MOST_COPIES);
        return count.asInt();
    }
}
