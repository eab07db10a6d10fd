package io.clusterwright.windows.internal.xml;

import io.clusterwright.core.type.ClusterwrightException;
import java.io.StringReader;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.Stream;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import javax.xml.stream.Location;
import javax.xml.stream.XMLInputFactory;
import javax.xml.stream.XMLStreamConstants;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamReader;
import org.jspecify.annotations.Nullable;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.Node;
import org.w3c.dom.Text;

/**
 * Reads XML into the JDK's tree, with the place of each element, and finds its way there. Nothing outside of a text
 * is ever opened: a document
 * type is refused, and with it every entity but the five of XML. A tree that is not changed any more may be read by several threads.
 */
public final class Xml {
    private static final int LONGEST = 4 << 20;
    private static final int DEEPEST = 64;
    private static final String PLACE = "place";
    /** The names of attributes in the order in which they were given, which the JDK's tree forgets. */
    private static final String ORDER = "order";

    private Xml() {}

    /** A text is no well-formed XML, or longer or deeper than is read here. */
    public static final class Malformed extends ClusterwrightException {
        private static final long serialVersionUID = 1L;

        private final int line;
        private final int column;

        private Malformed(String message, int line, int column) {
            super(message);
            this.line = line;
            this.column = column;
        }

        private static Malformed at(@Nullable Location place, String message) {
            return place == null
                    ? new Malformed(message, 1, 1)
                    : new Malformed(message, Math.max(1, place.getLineNumber()), Math.max(1, place.getColumnNumber()));
        }

        /** The place in the text. */
        public Place place() {
            return new Place(line, column);
        }
    }

    /**
     * A place in a text.
     *
     * @param line from 1; 0 for what was not read
     * @param column from 1; 0 for what was not read
     */
    public record Place(int line, int column) {
        /** The place of a character; lines end with a line feed. */
        public static Place of(String text, int offset) {
            int line = 1
                    + (int) text.substring(0, offset)
                            .chars()
                            .filter(c -> c == '\n')
                            .count();
            return new Place(line, offset - text.lastIndexOf('\n', offset - 1));
        }

        /** The place where a tag begins that ends here; no attribute can hold the character that begins a tag. */
        private static Place startOfTag(String text, Location end) {
            int offset = end.getCharacterOffset();
            int start = offset < 1 || offset > text.length() ? -1 : text.lastIndexOf('<', offset - 1);
            return start < 0
                    ? new Place(Math.max(1, end.getLineNumber()), Math.max(1, end.getColumnNumber()))
                    : of(text, start);
        }
    }

    /**
     * Reads a text.
     *
     * @param text at most 4 Mi characters, at most 64 elements deep
     * @throws Malformed when it is not well-formed, too long or too deep, or has a document type
     */
    public static Document parse(String text) {
        if (text.length() > LONGEST) {
            throw new Malformed("the text has more than " + LONGEST + " characters", 1, 1);
        }
        XMLInputFactory factory = XMLInputFactory.newDefaultFactory();
        factory.setProperty(XMLInputFactory.SUPPORT_DTD, false);
        factory.setProperty(XMLInputFactory.IS_SUPPORTING_EXTERNAL_ENTITIES, false);
        factory.setProperty(XMLInputFactory.IS_NAMESPACE_AWARE, false);
        factory.setProperty(XMLInputFactory.IS_COALESCING, true);
        try {
            return read(factory.createXMLStreamReader(new StringReader(text)), text);
        } catch (XMLStreamException e) {
            throw Malformed.at(e.getLocation(), reason(e));
        }
    }

    private static Document read(XMLStreamReader reader, String text) throws XMLStreamException {
        Document document = create();
        Node parent = document;
        int depth = 0;
        while (reader.hasNext()) {
            int event = reader.next();
            switch (event) {
                case XMLStreamConstants.START_ELEMENT -> {
                    if (++depth > DEEPEST) {
                        throw refused(reader, "the file has more than " + DEEPEST + " levels of elements");
                    }
                    Element element = document.createElement(reader.getLocalName());
                    for (int i = 0; i < reader.getAttributeCount(); i++) {
                        attribute(element, reader.getAttributeLocalName(i), reader.getAttributeValue(i));
                    }
                    element.setUserData(PLACE, Place.startOfTag(text, reader.getLocation()), null);
                    parent = parent.appendChild(element);
                }
                case XMLStreamConstants.END_ELEMENT -> {
                    removeIndentation(parent);
                    parent = parent.getParentNode();
                    depth--;
                }
                case XMLStreamConstants.CHARACTERS, XMLStreamConstants.CDATA, XMLStreamConstants.SPACE -> {
                    if (depth > 0) {
                        parent.appendChild(document.createTextNode(reader.getText()));
                    }
                }
                case XMLStreamConstants.COMMENT -> parent.appendChild(document.createComment(reader.getText()));
                case XMLStreamConstants.PROCESSING_INSTRUCTION ->
                    parent.appendChild(document.createProcessingInstruction(
                            reader.getPITarget(), Objects.requireNonNullElse(reader.getPIData(), "")));
                case XMLStreamConstants.DTD ->
                    throw refused(
                            reader,
                            "the file has a document type (DOCTYPE), which is refused because it could name other files");
                case XMLStreamConstants.ENTITY_REFERENCE ->
                    throw refused(reader, "the entity &" + reader.getLocalName() + "; is not known");
                default -> {}
            }
        }
        return document;
    }

    private static Malformed refused(XMLStreamReader reader, String message) {
        return Malformed.at(reader.getLocation(), message);
    }

    /** The reason of the parser, without the place that it repeats. */
    private static String reason(XMLStreamException e) {
        String message = Objects.requireNonNullElse(e.getMessage(), "it is not well-formed");
        int text = message.indexOf("Message: ");
        String line = text < 0 ? message : message.substring(text + "Message: ".length());
        return line.lines().findFirst().orElse("it is not well-formed").replaceFirst("\\.\\s*$", "");
    }

    /** Blanks between elements say nothing; beside other text, or alone, they may. */
    private static void removeIndentation(Node element) {
        List<Node> children = children(element);
        boolean meant = children.stream()
                .anyMatch(child -> child instanceof Text text && !text.getData().isBlank());
        if (!meant && !children.stream().allMatch(Text.class::isInstance)) {
            children.stream().filter(Text.class::isInstance).forEach(element::removeChild);
        }
    }

    private static Document create() {
        try {
            return DocumentBuilderFactory.newDefaultInstance()
                    .newDocumentBuilder()
                    .newDocument();
        } catch (ParserConfigurationException e) {
            throw new IllegalStateException("this Java makes no XML document", e);
        }
    }

    /** The root of a new document. */
    public static Element root(String name) {
        Document document = create();
        return (Element) document.appendChild(document.createElement(name));
    }

    /** Adds an empty element. */
    public static Element add(Element parent, String name) {
        return (Element) parent.appendChild(parent.getOwnerDocument().createElement(name));
    }

    /** Adds an element with a text. */
    public static void add(Element parent, String name, String text) {
        add(parent, name).appendChild(parent.getOwnerDocument().createTextNode(text));
    }

    /** Gives an element an attribute; the attributes keep the order in which they are given. */
    public static void attribute(Element element, String name, String value) {
        element.setAttribute(name, value);
        List<String> names = new ArrayList<>(attributes(element));
        names.remove(name);
        names.add(name);
        element.setUserData(ORDER, names, null);
    }

    /** The names of the attributes of an element, in their order. */
    static List<String> attributes(Element element) {
        return element.getUserData(ORDER) instanceof List<?> names
                ? names.stream().map(String.class::cast).toList()
                : List.of();
    }

    /** All that stands in a node, in its order. */
    public static List<Node> children(Node parent) {
        List<Node> all = new ArrayList<>();
        for (Node child = parent.getFirstChild(); child != null; child = child.getNextSibling()) {
            all.add(child);
        }
        return all;
    }

    /** The elements in a node. */
    public static List<Element> elements(Node parent) {
        return children(parent).stream()
                .filter(Element.class::isInstance)
                .map(Element.class::cast)
                .toList();
    }

    /** The elements at a path of names with {@code /} between them. */
    public static List<Element> at(Element parent, String path) {
        int slash = path.indexOf('/');
        String name = slash < 0 ? path : path.substring(0, slash);
        return elements(parent).stream()
                .filter(element -> element.getTagName().equals(name))
                .flatMap(element -> slash < 0 ? Stream.of(element) : at(element, path.substring(slash + 1)).stream())
                .toList();
    }

    /** The first element at a path. */
    public static Optional<Element> first(Element parent, String path) {
        return at(parent, path).stream().findFirst();
    }

    /** Whether an element is at a path. */
    public static boolean has(Element parent, String path) {
        return !at(parent, path).isEmpty();
    }

    /** The text directly in an element, with the blanks around it. */
    public static String content(Element element) {
        StringBuilder text = new StringBuilder();
        children(element).forEach(child -> text.append(child instanceof Text part ? part.getData() : ""));
        return text.toString();
    }

    /** The text directly in an element, without blanks around it. */
    public static String text(Element element) {
        return content(element).strip();
    }

    /** The text of the first element at a path; empty where the element or its text is absent. */
    public static Optional<String> value(Element parent, String path) {
        return first(parent, path).map(Xml::text).filter(text -> !text.isEmpty());
    }

    /** The number of up to 9 digits that is the text of the first element at a path; empty for any other text. */
    public static OptionalInt number(Element parent, String path) {
        String digits = value(parent, path).orElse("");
        return digits.matches("[0-9]{1,9}") ? OptionalInt.of(Integer.parseInt(digits)) : OptionalInt.empty();
    }

    /** The place where an element begins in the text that it was read from. */
    public static Place place(Element element) {
        return element.getUserData(PLACE) instanceof Place place ? place : new Place(0, 0);
    }
}
