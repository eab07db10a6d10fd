package io.clusterwright.core.spec;

import io.clusterwright.core.internal.text.PrintableText;

/**
 * The operating system of nodes. Use it for a cluster of Windows nodes; the default is Linux.
 *
 * @see ClusterSpec
 */
public enum OperatingSystem {
    /** A distribution of Linux. */
    LINUX,
    /** Windows Server. */
    WINDOWS;

    /** The name in a cluster spec, such as {@code linux}. */
    @Override
    public String toString() {
        return PrintableText.word(this);
    }
}
