package io.clusterwright.windows.internal.xml;

import java.util.List;

/**
 * A whole file.
 *
 * @param before comments and instructions before the root
 * @param root the root
 * @param after comments and instructions after the root
 */
public record XmlFile(List<XmlNode> before, XmlElement root, List<XmlNode> after) {
    /** Copies the lists. */
    public XmlFile {
        before = List.copyOf(before);
        after = List.copyOf(after);
    }

    /** A file with nothing but a root. */
    public static XmlFile of(XmlElement root) {
        return new XmlFile(List.of(), root, List.of());
    }

    /** The same with another root. */
    public XmlFile root(XmlElement other) {
        return new XmlFile(before, other, after);
    }
}
