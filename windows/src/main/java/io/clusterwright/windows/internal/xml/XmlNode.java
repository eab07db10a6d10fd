package io.clusterwright.windows.internal.xml;

/** A part of an element. Immutable. */
public sealed interface XmlNode permits XmlElement, XmlNode.Text, XmlNode.Comment, XmlNode.Instruction {
    /** Text, with its entities replaced. */
    record Text(String text) implements XmlNode {}

    /** A comment, without its marks. */
    record Comment(String text) implements XmlNode {}

    /** A processing instruction. */
    record Instruction(String target, String data) implements XmlNode {}
}
