package io.clusterwright.windows.internal.rest;

import io.clusterwright.windows.internal.xml.XmlElement;
import io.clusterwright.windows.internal.xml.XmlFile;
import io.clusterwright.windows.internal.xml.XmlParser;
import io.clusterwright.windows.internal.xml.XmlSyntaxException;
import io.clusterwright.windows.internal.xml.XmlWriter;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** The bodies of {@code /WindowsHPC}. */
final class XmlText implements Bodies {
    private static final String COMMON = "http://schemas.microsoft.com/HPCS2008R2/common";
    private static final String SERIALIZATION = "http://schemas.microsoft.com/2003/10/Serialization/";

    @Override
    public String type() {
        return "application/xml; charset=utf-8";
    }

    @Override
    public String accepted() {
        return "application/xml";
    }

    @Override
    public String write(Map<String, String> properties) {
        List<XmlElement> all = properties.entrySet().stream()
                .map(each -> XmlElement.of("Property")
                        .add(XmlElement.of("Name", each.getKey()))
                        .add(XmlElement.of("Value", each.getValue())))
                .toList();
        return write(XmlElement.of("ArrayOfProperty").attribute("xmlns", COMMON).children(all));
    }

    @Override
    public String write(String text) {
        return write(XmlElement.of("string", text).attribute("xmlns", SERIALIZATION));
    }

    private static String write(XmlElement root) {
        return XmlWriter.write(XmlFile.of(root));
    }

    /** The text of the root, as of {@code <int>42</int>}. */
    @Override
    public int number(Request request, HeadNodeHttp.Answer answer) {
        String text = parse(request, answer).text();
        if (!text.matches("\\d{1,9}")) {
            throw JsonText.strange(request, answer, "number");
        }
        return Integer.parseInt(text);
    }

    @Override
    public Properties properties(Request request, HeadNodeHttp.Answer answer) {
        return properties(parse(request, answer));
    }

    /** The rows of an {@code ArrayOfObject}. */
    @Override
    public List<Properties> rows(Request request, HeadNodeHttp.Answer answer) {
        return all(parse(request, answer), "Object").map(XmlText::properties).toList();
    }

    /** The texts of an {@code ArrayOfstring}. */
    @Override
    public List<String> texts(Request request, HeadNodeHttp.Answer answer) {
        return all(parse(request, answer), "string").map(XmlElement::text).toList();
    }

    /** The {@code Message} of an error, or the text as it is. */
    static String message(String text) {
        String plain = text.replaceAll("<[^>]*>", " ");
        try {
            return first(XmlParser.parse(text).root(), "Message", plain);
        } catch (XmlSyntaxException e) {
            return plain;
        }
    }

    private static Properties properties(XmlElement parent) {
        Map<String, String> values = new LinkedHashMap<>();
        all(parent, "Property").forEach(each -> values.put(first(each, "Name", ""), first(each, "Value", "")));
        return new Properties(values);
    }

    private static XmlElement parse(Request request, HeadNodeHttp.Answer answer) {
        try {
            return XmlParser.parse(answer.body()).root();
        } catch (XmlSyntaxException e) {
            throw JsonText.strange(request, answer, "XML");
        }
    }

    private static String first(XmlElement parent, String name, String otherwise) {
        return all(parent, name).findFirst().map(XmlElement::content).orElse(otherwise);
    }

    /** The elements of a name at any depth, whatever their prefix. */
    private static Stream<XmlElement> all(XmlElement parent, String name) {
        return parent.elements().stream()
                .flatMap(child ->
                        child.name().replaceFirst("^.*:", "").equals(name) ? Stream.of(child) : all(child, name));
    }
}
