package io.clusterwright.windows.internal.xml;

import java.io.StringReader;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import javax.xml.stream.Location;
import javax.xml.stream.XMLInputFactory;
import javax.xml.stream.XMLStreamConstants;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamReader;

/**
 * Reads XML. Nothing outside of the text is ever opened: a document type is refused, and with it every entity but the five of XML.
 */
public final class XmlParser {
    private static final int LONGEST = 4 << 20;
    private static final int DEEPEST = 64;

    private final XMLStreamReader reader;
    private final String text;

    private XmlParser(XMLStreamReader reader, String text) {
        this.reader = reader;
        this.text = text;
    }

    /**
     * Reads a text.
     *
     * @param text at most 4 Mi characters, at most 64 elements deep
     * @throws XmlSyntaxException when it is not well-formed, too long or too deep, or has a document type
     */
    public static XmlFile parse(String text) {
        if (text.length() > LONGEST) {
            throw new XmlSyntaxException("the text has more than " + LONGEST + " characters", 1, 1);
        }
        XMLInputFactory factory = XMLInputFactory.newDefaultFactory();
        factory.setProperty(XMLInputFactory.SUPPORT_DTD, false);
        factory.setProperty(XMLInputFactory.IS_SUPPORTING_EXTERNAL_ENTITIES, false);
        factory.setProperty(XMLInputFactory.IS_NAMESPACE_AWARE, false);
        factory.setProperty(XMLInputFactory.IS_COALESCING, true);
        try {
            XMLStreamReader reader = factory.createXMLStreamReader(new StringReader(text));
            try {
                return new XmlParser(reader, text).file();
            } finally {
                reader.close();
            }
        } catch (XMLStreamException e) {
            Location place = e.getLocation();
            throw new XmlSyntaxException(
                    reason(e),
                    place == null ? 1 : Math.max(1, place.getLineNumber()),
                    place == null ? 1 : Math.max(1, place.getColumnNumber()));
        }
    }

    private XmlFile file() throws XMLStreamException {
        List<XmlNode> before = new ArrayList<>();
        List<XmlNode> after = new ArrayList<>();
        XmlElement root = null;
        while (reader.hasNext()) {
            switch (reader.next()) {
                case XMLStreamConstants.START_ELEMENT -> root = element(1);
                case XMLStreamConstants.DTD ->
                    throw refused("a document type is not read, because it could name other files");
                case XMLStreamConstants.COMMENT, XMLStreamConstants.PROCESSING_INSTRUCTION ->
                    (root == null ? before : after).add(aside());
                default -> {
                    // Blanks between them.
                }
            }
        }
        return new XmlFile(before, Objects.requireNonNull(root), after);
    }

    private XmlElement element(int depth) throws XMLStreamException {
        if (depth > DEEPEST) {
            throw refused("elements are more than " + DEEPEST + " deep");
        }
        TextPlace place = TextPlace.startOfTag(text, reader.getLocation());
        String name = reader.getLocalName();
        Map<String, String> attributes = new LinkedHashMap<>();
        for (int i = 0; i < reader.getAttributeCount(); i++) {
            attributes.put(reader.getAttributeLocalName(i), reader.getAttributeValue(i));
        }
        List<XmlNode> children = new ArrayList<>();
        while (reader.next() != XMLStreamConstants.END_ELEMENT) {
            switch (reader.getEventType()) {
                case XMLStreamConstants.START_ELEMENT -> children.add(element(depth + 1));
                case XMLStreamConstants.CHARACTERS, XMLStreamConstants.CDATA, XMLStreamConstants.SPACE ->
                    children.add(new XmlNode.Text(reader.getText()));
                case XMLStreamConstants.ENTITY_REFERENCE ->
                    throw refused("the entity &" + reader.getLocalName() + "; is not known");
                default -> children.add(aside());
            }
        }
        return new XmlElement(name, attributes, withoutIndentation(children), place.line(), place.column());
    }

    private XmlNode aside() {
        return reader.getEventType() == XMLStreamConstants.COMMENT
                ? new XmlNode.Comment(reader.getText())
                : new XmlNode.Instruction(reader.getPITarget(), Objects.requireNonNullElse(reader.getPIData(), ""));
    }

    /** Blanks between elements say nothing; beside other text, or alone, they may. */
    private static List<XmlNode> withoutIndentation(List<XmlNode> children) {
        boolean meant = children.stream()
                .anyMatch(child ->
                        child instanceof XmlNode.Text text && !text.text().isBlank());
        boolean alone = children.stream().allMatch(XmlNode.Text.class::isInstance);
        return meant || alone
                ? children
                : children.stream()
                        .filter(child -> !(child instanceof XmlNode.Text))
                        .toList();
    }

    private XmlSyntaxException refused(String message) {
        Location place = reader.getLocation();
        return new XmlSyntaxException(
                message, Math.max(1, place.getLineNumber()), Math.max(1, place.getColumnNumber()));
    }

    /** What the parser has to say, without the place that it repeats. */
    private static String reason(XMLStreamException e) {
        String message = Objects.requireNonNullElse(e.getMessage(), "it is not well-formed");
        int text = message.indexOf("Message: ");
        String line = text < 0 ? message : message.substring(text + "Message: ".length());
        return line.lines().findFirst().orElse("it is not well-formed").replaceFirst("\\.\\s*$", "");
    }
}
