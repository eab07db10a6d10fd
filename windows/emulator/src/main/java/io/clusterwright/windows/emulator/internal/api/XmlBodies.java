package io.clusterwright.windows.emulator.internal.api;

import io.clusterwright.emulator.internal.http.Call;
import io.clusterwright.emulator.internal.http.HttpRefusalException;
import io.clusterwright.emulator.internal.http.Reply;
import io.clusterwright.windows.emulator.internal.scheduler.HeadNodeScheduler;
import io.clusterwright.windows.emulator.internal.scheduler.Job;
import java.io.IOException;
import java.io.StringReader;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import javax.xml.parsers.DocumentBuilder;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import org.w3c.dom.Element;
import org.w3c.dom.NamedNodeMap;
import org.w3c.dom.NodeList;
import org.xml.sax.InputSource;
import org.xml.sax.SAXException;

/** The bodies of {@code /WindowsHPC}. */
final class XmlBodies implements HeadNodeRoutes.Bodies {
    private static final String COMMON = "http://schemas.microsoft.com/HPCS2008R2/common";
    private static final String SERIALIZATION = "http://schemas.microsoft.com/2003/10/Serialization/";

    private static Reply reply(int status, String text) {
        return Reply.text(status, text, "application/xml; charset=utf-8");
    }

    @Override
    public Reply number(int value) {
        return reply(200, "<int xmlns=\"" + SERIALIZATION + "\">" + value + "</int>");
    }

    @Override
    public Reply properties(Map<String, String> values) {
        return reply(200, "<ArrayOfProperty xmlns=\"" + COMMON + "\">" + each(values) + "</ArrayOfProperty>");
    }

    @Override
    public Reply rows(Call call, List<Map<String, String>> all, String otherwise) {
        Rows.Page page = Rows.page(call, all, call.query("properties"));
        Reply reply = reply(
                200,
                page.rows().stream()
                        .map(row -> "<Object><Properties>" + each(row) + "</Properties></Object>")
                        .collect(Collectors.joining(
                                "", "<ArrayOfObject xmlns=\"" + COMMON + "\">", "</ArrayOfObject>")));
        return page.next().isEmpty() ? reply : reply.with("x-ms-continuation-QueryId", page.next());
    }

    @Override
    public Reply texts(List<String> values) {
        return reply(
                200,
                values.stream()
                        .map(value -> "<string>" + escape(value) + "</string>")
                        .collect(Collectors.joining(
                                "", "<ArrayOfstring xmlns=\"" + SERIALIZATION + "Arrays\">", "</ArrayOfstring>")));
    }

    @Override
    public Reply done() {
        return Reply.empty(200);
    }

    @Override
    public Reply error(int status, String message) {
        return reply(
                status,
                "<HpcWebServiceFault xmlns=\"" + COMMON + "\"><Message>" + escape(message)
                        + "</Message></HpcWebServiceFault>");
    }

    private static String each(Map<String, String> values) {
        StringBuilder text = new StringBuilder();
        values.forEach((name, value) -> text.append("<Property><Name>")
                .append(escape(name))
                .append("</Name><Value>")
                .append(escape(value))
                .append("</Value></Property>"));
        return text.toString();
    }

    private static String escape(String text) {
        return text.replace("&", "&amp;")
                .replace("<", "&lt;")
                .replace(">", "&gt;")
                .replace("\r", "&#13;")
                .replaceAll("[\\x00-\\x08\\x0B\\x0C\\x0E-\\x1F]", "?");
    }

    @Override
    public Map<String, String> properties(Call call) {
        Map<String, String> values = new LinkedHashMap<>();
        if (!call.text().isEmpty()) {
            all(read(call.text()), "Property").forEach(each -> values.put(text(each, "Name"), text(each, "Value")));
        }
        return values;
    }

    @Override
    public String text(Call call) {
        return call.text().isEmpty() ? "" : read(call.text()).getTextContent();
    }

    @Override
    public String jobFile(Call call) {
        return call.text();
    }

    private static Element read(String text) {
        try {
            DocumentBuilderFactory factory = DocumentBuilderFactory.newInstance();
            factory.setNamespaceAware(true);
            factory.setFeature("http://apache.org/xml/features/disallow-doctype-decl", true);
            DocumentBuilder builder = factory.newDocumentBuilder();
            builder.setErrorHandler(null);
            return builder.parse(new InputSource(new StringReader(text))).getDocumentElement();
        } catch (SAXException | IOException e) {
            throw HttpRefusalException.badRequest("The XML is not valid: " + e.getMessage());
        } catch (ParserConfigurationException e) {
            throw new IllegalStateException(e);
        }
    }

    private static List<Element> all(Element parent, String name) {
        NodeList found = parent.getElementsByTagNameNS("*", name);
        List<Element> all = new ArrayList<>();
        for (int i = 0; i < found.getLength(); i++) {
            all.add((Element) found.item(i));
        }
        return all;
    }

    private static String text(Element parent, String name) {
        List<Element> found = all(parent, name);
        return found.isEmpty() ? "" : found.get(0).getTextContent();
    }

    /** Creates the job of a job file, whose attributes are properties; its number. */
    static int createJob(String file, HeadNodeScheduler scheduler, String owner) {
        Element root = read(file);
        if (!root.getLocalName().equals("Job")) {
            throw HttpRefusalException.badRequest("The root of a job file is Job, not " + root.getLocalName() + ".");
        }
        Job job = scheduler.create(attributes(root), owner);
        children(root, "EnvironmentVariables").forEach(each -> putVariables(each, job.environment()));
        for (Element each : all(root, "Task")) {
            Map<String, String> own = scheduler.add(job.id(), attributes(each)).environment();
            children(each, "EnvironmentVariables").forEach(variables -> putVariables(variables, own));
        }
        return job.id();
    }

    private static List<Element> children(Element parent, String name) {
        return all(parent, name).stream()
                .filter(each -> parent.equals(each.getParentNode()))
                .toList();
    }

    private static void putVariables(Element variables, Map<String, String> to) {
        all(variables, "Variable").forEach(each -> to.put(text(each, "Name"), text(each, "Value")));
    }

    private static Map<String, String> attributes(Element element) {
        Map<String, String> all = new LinkedHashMap<>();
        NamedNodeMap given = element.getAttributes();
        for (int i = 0; i < given.getLength(); i++) {
            String name = given.item(i).getNodeName();
            if (!name.startsWith("xmlns")) {
                all.put(name, given.item(i).getNodeValue());
            }
        }
        return all;
    }
}
