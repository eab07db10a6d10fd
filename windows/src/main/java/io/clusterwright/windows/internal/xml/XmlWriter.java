package io.clusterwright.windows.internal.xml;

import io.clusterwright.core.type.InvalidValueException;
import java.util.List;
import java.util.Map;

/** Writes XML: the declaration first, two blanks for each level, lines that end as on Windows. */
public final class XmlWriter {
    private static final String DECLARATION = "<?xml version=\"1.0\" encoding=\"utf-8\"?>";
    private static final String LINE_END = "\r\n";
    private static final String INDENT = "  ";

    private final StringBuilder text = new StringBuilder();

    private XmlWriter() {}

    /**
     * The file as text, to be saved in UTF-8.
     *
     * @throws InvalidValueException when it holds a character that XML 1.0 cannot
     */
    public static String write(XmlFile file) {
        XmlWriter writer = new XmlWriter();
        writer.text.append(DECLARATION).append(LINE_END);
        file.before().forEach(node -> writer.line(node, ""));
        writer.line(file.root(), "");
        file.after().forEach(node -> writer.line(node, ""));
        return writer.text.toString();
    }

    private void line(XmlNode node, String indent) {
        text.append(indent);
        node(node, indent);
        text.append(LINE_END);
    }

    private void node(XmlNode node, String indent) {
        if (node instanceof XmlElement element) {
            element(element, indent);
        } else if (node instanceof XmlNode.Text words) {
            text.append(escaped(words.text(), false));
        } else if (node instanceof XmlNode.Comment comment) {
            text.append("<!--").append(checked(comment.text())).append("-->");
        } else if (node instanceof XmlNode.Instruction instruction) {
            String data = instruction.data().isEmpty() ? "" : " " + checked(instruction.data());
            text.append("<?").append(instruction.target()).append(data).append("?>");
        }
    }

    private void element(XmlElement element, String indent) {
        text.append('<').append(element.name());
        for (Map.Entry<String, String> attribute : element.attributes().entrySet()) {
            text.append(' ').append(attribute.getKey()).append("=\"");
            text.append(escaped(attribute.getValue(), true)).append('"');
        }
        List<XmlNode> children = element.children();
        if (children.isEmpty()) {
            text.append(" />");
            return;
        }
        text.append('>');
        if (children.stream().anyMatch(XmlNode.Text.class::isInstance)) {
            children.forEach(child -> node(child, indent));
        } else {
            text.append(LINE_END);
            children.forEach(child -> line(child, indent + INDENT));
            text.append(indent);
        }
        text.append("</").append(element.name()).append('>');
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
                    "text for XML", words, "any character but most control characters and half surrogates", "hpc1");
        }
        return words;
    }
}
