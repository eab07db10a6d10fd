package io.clusterwright.windows.hpcpack;

import java.util.Arrays;

/**
 * The health of a node. Use it to find nodes that need repair. {@link HpcPackNode#health()} reports it.
 *
 * @see HpcPackNodes
 */
public enum NodeHealth {
    /** It answers. */
    OK("OK"),
    /** Something needs attention. */
    WARNING("Warning"),
    /** It is unreachable or broken. */
    ERROR("Error"),
    /** It is between two states. */
    TRANSITIONAL("Transitional"),
    /** It was not approved yet. */
    UNAPPROVED("Unapproved"),
    /** A word that is not known here. */
    UNKNOWN("Unknown");

    private final String word;

    NodeHealth(String word) {
        this.word = word;
    }

    /** The head node's word for it. */
    public String word() {
        return word;
    }

    /** Reads the head node's word, whatever its case; {@link #UNKNOWN} for one that is not known. */
    public static NodeHealth of(String word) {
        return Arrays.stream(values())
                .filter(each -> each.word.equalsIgnoreCase(word.strip()))
                .findFirst()
                .orElse(UNKNOWN);
    }
}
