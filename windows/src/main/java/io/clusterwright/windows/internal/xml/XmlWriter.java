package io.clusterwright.windows.internal.xml;

import io.clusterwright.core.type.InvalidValueException;
import java.util.List;
import java.util.function.Function;
import org.w3c.dom.Comment;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.Node;
import org.w3c.dom.ProcessingInstruction;
import org.w3c.dom.Text;

/** Writes XML: the declaration first, two blanks for each level, lines that end as on Windows. */
public final class XmlWriter {
    private static final String DECLARATION = "<?xml version=\"1.0\" encoding=\"utf-8\"?>";
    private static final String LINE_END = "\r\n";
    private static final String INDENT = "  ";

    private final StringBuilder text = new StringBuilder();

    private final Function<Element, List<Node>> content;

    private XmlWriter(Function<Element, List<Node>> content) {
        this.content = content;
    }

    /**
     * The file as text, to be saved in UTF-8.
     *
     * @throws InvalidValueException when it holds a character that XML 1.0 cannot
     */
    public static String write(Document file) {
        return write(file, Xml::children);
    }

    /**
     * The file as text, with the content of elements in another order.
     *
     * @param content gives the content of an element
     * @throws InvalidValueException when it holds a character that XML 1.0 cannot
     */
    public static String write(Document file, Function<Element, List<Node>> content) {
        XmlWriter writer = new XmlWriter(content);
        writer.text.append(DECLARATION).append(LINE_END);
        Xml.children(file).forEach(node -> writer.line(node, ""));
        return writer.text.toString();
    }

    private void line(Node node, String indent) {
        text.append(indent);
        node(node, indent);
        text.append(LINE_END);
    }

    private void node(Node node, String indent) {
        if (node instanceof Element element) {
            element(element, indent);
        } else if (node instanceof Comment comment) {
            text.append("<!--").append(checked(comment.getData())).append("-->");
        } else if (node instanceof Text words) {
            text.append(escaped(words.getData(), false));
        } else if (node instanceof ProcessingInstruction instruction) {
            String data = instruction.getData();
            text.append("<?").append(instruction.getTarget());
            text.append(data.isEmpty() ? "" : " " + checked(data)).append("?>");
        }
    }

    private void element(Element element, String indent) {
        text.append('<').append(element.getTagName());
        for (String name : Xml.attributes(element)) {
            text.append(' ').append(name).append("=\"");
            text.append(escaped(element.getAttribute(name), true)).append('"');
        }
        List<Node> children = content.apply(element);
        if (children.isEmpty()) {
            text.append(" />");
            return;
        }
        text.append('>');
        if (children.stream().anyMatch(Text.class::isInstance)) {
            children.forEach(child -> node(child, indent));
        } else {
            text.append(LINE_END);
            children.forEach(child -> line(child, indent + INDENT));
            text.append(indent);
        }
        text.append("</").append(element.getTagName()).append('>');
    }

    private static String escaped(String words, boolean attribute) {
        StringBuilder escaped = new StringBuilder();
        for (char c : checked(words).toCharArray()) {
            switch (c) {
                case '&' -> escaped.append("&amp;");
                case '<' -> escaped.append("&lt;");
                case '>' -> escaped.append("&gt;");
                case '\r' -> escaped.append("&#13;");
                case '"' -> escaped.append(attribute ? "&quot;" : "\"");
                case '\n' -> escaped.append(attribute ? "&#10;" : "\n");
                case '\t' -> escaped.append(attribute ? "&#9;" : "\t");
                default -> escaped.append(c);
            }
        }
        return escaped.toString();
    }

    private static String checked(String words) {
        boolean legal = words.codePoints()
                .allMatch(c -> c == '\t'
                        || c == '\n'
                        || c == '\r'
                        || c >= 0x20 && c <= 0xD7FF
                        || c >= 0xE000 && c <= 0xFFFD
                        || c >= 0x10000);
        if (!legal) {
            throw new InvalidValueException(
                    "text for XML",
                    words,
                    "characters that XML allows: no control characters other than tabs and line ends",
                    "hpc1");
        }
        return words;
    }
}
