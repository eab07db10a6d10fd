package io.clusterwright.windows.internal.rest;

import java.io.IOException;
import java.io.StringReader;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import javax.xml.XMLConstants;
import javax.xml.parsers.DocumentBuilder;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import javax.xml.stream.XMLOutputFactory;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamWriter;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;
import org.xml.sax.InputSource;
import org.xml.sax.SAXException;

/** The bodies of {@code /WindowsHPC}. */
final class XmlText {
    static final String TYPE = "application/xml; charset=utf-8";
    private static final String COMMON = "http://schemas.microsoft.com/HPCS2008R2/common";
    private static final String SERIALIZATION = "http://schemas.microsoft.com/2003/10/Serialization/";

    private XmlText() {}

    static String properties(Map<String, String> values) {
        return write(xml -> {
            xml.setDefaultNamespace(COMMON);
            xml.writeStartElement(COMMON, "ArrayOfProperty");
            xml.writeDefaultNamespace(COMMON);
            for (Map.Entry<String, String> each : values.entrySet()) {
                xml.writeStartElement(COMMON, "Property");
                element(xml, "Name", each.getKey());
                element(xml, "Value", each.getValue());
                xml.writeEndElement();
            }
            xml.writeEndElement();
        });
    }

    static String string(String value) {
        return write(xml -> {
            xml.setDefaultNamespace(SERIALIZATION);
            xml.writeStartElement(SERIALIZATION, "string");
            xml.writeDefaultNamespace(SERIALIZATION);
            xml.writeCharacters(value);
            xml.writeEndElement();
        });
    }

    private static void element(XMLStreamWriter xml, String name, String text) throws XMLStreamException {
        xml.writeStartElement(COMMON, name);
        xml.writeCharacters(text);
        xml.writeEndElement();
    }

    private static String write(Content content) {
        StringWriter text = new StringWriter();
        try {
            XMLStreamWriter xml = XMLOutputFactory.newInstance().createXMLStreamWriter(text);
            content.writeTo(xml);
            xml.close();
            return text.toString();
        } catch (XMLStreamException e) {
            throw new IllegalStateException("a text cannot be written as XML", e);
        }
    }

    /** The text of the root, as of {@code <int>42</int>}. */
    static String root(Request request, HeadNodeHttp.Answer answer) {
        return parse(request, answer).getTextContent().strip();
    }

    static Properties properties(Request request, HeadNodeHttp.Answer answer) {
        return properties(parse(request, answer));
    }

    /** The rows of an {@code ArrayOfObject}. */
    static List<Properties> rows(Request request, HeadNodeHttp.Answer answer) {
        return children(parse(request, answer), "Object").stream()
                .map(XmlText::properties)
                .toList();
    }

    /** The texts of an {@code ArrayOfstring}. */
    static List<String> strings(Request request, HeadNodeHttp.Answer answer) {
        List<String> all = new ArrayList<>();
        children(parse(request, answer), "string")
                .forEach(each -> all.add(each.getTextContent().strip()));
        return all;
    }

    /** The {@code Message} of an error, or the text as it is. */
    static String message(String text) {
        return document(text)
                .flatMap(root -> children(root, "Message").stream().findFirst())
                .map(Element::getTextContent)
                .orElseGet(() -> text.replaceAll("<[^>]*>", " "));
    }

    private static Properties properties(Element parent) {
        Map<String, String> values = new LinkedHashMap<>();
        for (Element property : children(parent, "Property")) {
            String name = text(property, "Name");
            values.put(name, text(property, "Value"));
        }
        return new Properties(values);
    }

    private static String text(Element parent, String name) {
        return children(parent, name).stream()
                .findFirst()
                .map(Element::getTextContent)
                .orElse("");
    }

    private static Element parse(Request request, HeadNodeHttp.Answer answer) {
        return document(answer.body()).orElseThrow(() -> JsonText.strange(request, answer, "XML"));
    }

    private static Optional<Element> document(String text) {
        try {
            DocumentBuilderFactory factory = DocumentBuilderFactory.newInstance();
            factory.setNamespaceAware(true);
            factory.setFeature("http://apache.org/xml/features/disallow-doctype-decl", true);
            factory.setFeature(XMLConstants.FEATURE_SECURE_PROCESSING, true);
            DocumentBuilder builder = factory.newDocumentBuilder();
            builder.setErrorHandler(null);
            return Optional.of(
                    builder.parse(new InputSource(new StringReader(text))).getDocumentElement());
        } catch (SAXException e) {
            return Optional.empty();
        } catch (ParserConfigurationException | IOException e) {
            throw new IllegalStateException(e);
        }
    }

    private static List<Element> children(Element parent, String name) {
        NodeList found = parent.getElementsByTagNameNS("*", name);
        return IntStream.range(0, found.getLength())
                .mapToObj(i -> (Element) found.item(i))
                .toList();
    }

    private interface Content {
        void writeTo(XMLStreamWriter xml) throws XMLStreamException;
    }
}
