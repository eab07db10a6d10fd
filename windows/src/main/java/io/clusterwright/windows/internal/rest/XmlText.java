package io.clusterwright.windows.internal.rest;

import io.clusterwright.windows.internal.xml.Xml;
import io.clusterwright.windows.internal.xml.XmlWriter;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.w3c.dom.Element;

/** The bodies of {@code /WindowsHPC}. */
final class XmlText implements AnswerForm {
    private static final String COMMON = "http://schemas.microsoft.com/HPCS2008R2/common";
    private static final String SERIALIZATION = "http://schemas.microsoft.com/2003/10/Serialization/";

    @Override
    public String type() {
        return "application/xml; charset=utf-8";
    }

    @Override
    public String write(Map<String, String> properties) {
        Element root = Xml.root("ArrayOfProperty");
        Xml.attribute(root, "xmlns", COMMON);
        properties.forEach((name, value) -> {
            Element property = Xml.add(root, "Property");
            Xml.add(property, "Name", name);
            Xml.add(property, "Value", value);
        });
        return XmlWriter.write(root.getOwnerDocument());
    }

    @Override
    public String write(String text) {
        Element root = Xml.root("string");
        Xml.attribute(root, "xmlns", SERIALIZATION);
        root.setTextContent(text);
        return XmlWriter.write(root.getOwnerDocument());
    }

    /** The text of the root, as of {@code <int>42</int>}. */
    @Override
    public int number(HeadNodeRequest request, HeadNodeHttp.Answer answer) {
        String text = Xml.text(parse(request, answer));
        if (!text.matches("\\d{1,9}")) {
            throw JsonText.strange(request, answer, "number");
        }
        return Integer.parseInt(text);
    }

    @Override
    public HeadNodeRow properties(HeadNodeRequest request, HeadNodeHttp.Answer answer) {
        return properties(parse(request, answer));
    }

    /** The rows of an {@code ArrayOfObject}. */
    @Override
    public List<HeadNodeRow> rows(HeadNodeRequest request, HeadNodeHttp.Answer answer) {
        return all(parse(request, answer), "Object").map(XmlText::properties).toList();
    }

    /** The texts of an {@code ArrayOfstring}. */
    @Override
    public List<String> texts(HeadNodeRequest request, HeadNodeHttp.Answer answer) {
        return all(parse(request, answer), "string").map(Xml::text).toList();
    }

    /** The {@code Message} of an error, or the text as it is. */
    static String message(String text) {
        String plain = text.replaceAll("<[^>]*>", " ");
        try {
            return first(Xml.parse(text).getDocumentElement(), "Message", plain);
        } catch (Xml.Malformed e) {
            return plain;
        }
    }

    private static HeadNodeRow properties(Element parent) {
        Map<String, String> values = new LinkedHashMap<>();
        all(parent, "Property").forEach(each -> values.put(first(each, "Name", ""), first(each, "Value", "")));
        return new HeadNodeRow(values);
    }

    private static Element parse(HeadNodeRequest request, HeadNodeHttp.Answer answer) {
        try {
            return Xml.parse(answer.body()).getDocumentElement();
        } catch (Xml.Malformed e) {
            throw JsonText.strange(request, answer, "XML");
        }
    }

    private static String first(Element parent, String name, String otherwise) {
        return all(parent, name).findFirst().map(Xml::content).orElse(otherwise);
    }

    /** The elements of a name at any depth, whatever their prefix. */
    private static Stream<Element> all(Element parent, String name) {
        return Xml.elements(parent).stream()
                .flatMap(child ->
                        child.getTagName().replaceFirst("^.*:", "").equals(name) ? Stream.of(child) : all(child, name));
    }
}
