package io.clusterwright.windows.internal.xml;

/** What stands in an element. Immutable. */
public sealed interface XmlNode {
    /** Text, with its entities replaced. */
    record Text(String text) implements XmlNode {}

    /** A comment, without its marks. */
    record Comment(String text) implements XmlNode {}

    /** An instruction for some program. */
    record Instruction(String target, String data) implements XmlNode {}

    /** An element. */
    non-sealed interface Element extends XmlNode {}
}
