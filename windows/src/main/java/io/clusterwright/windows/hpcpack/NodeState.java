package io.clusterwright.windows.hpcpack;

import java.util.Arrays;

/**
 * The state of a node, as the published description of the 2019 interface lists them. Use it to wait for a node that
 * goes online or offline.
 *
 * @see HpcPackNodes
 */
public enum NodeState {
    /** It is being made. */
    PROVISIONING("Provisioning"),
    /** It runs and takes no jobs. */
    OFFLINE("Offline"),
    /** It is being started. */
    STARTING("Starting"),
    /** It takes jobs. */
    ONLINE("Online"),
    /** It finishes its jobs and takes no more. */
    DRAINING("Draining"),
    /** It was refused. */
    REJECTED("Rejected"),
    /** It is being taken away. */
    REMOVING("Removing"),
    /** It is a burst node that does not exist now. */
    NOT_DEPLOYED("NotDeployed"),
    /** It is being stopped. */
    STOPPING("Stopping"),
    /** A word that is not known here. */
    UNKNOWN("Unknown");

    private final String word;

    NodeState(String word) {
        this.word = word;
    }

    /** The head node's word for it. */
    public String word() {
        return word;
    }

    /** Reads the head node's word, whatever its case; {@link #UNKNOWN} for one that is not known. */
    public static NodeState of(String word) {
        return Arrays.stream(values())
                .filter(each -> each.word.equalsIgnoreCase(word.strip()))
                .findFirst()
                .orElse(UNKNOWN);
    }
}
