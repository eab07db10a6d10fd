package io.clusterwright.examples.e2e;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;
import org.xml.sax.SAXException;

/** An SVG file, which is refused if it is not well-formed. */
final class Picture {
    private final Document document;

    Picture(Path file) {
        try {
            DocumentBuilderFactory factory = DocumentBuilderFactory.newInstance();
            factory.setFeature("http://apache.org/xml/features/disallow-doctype-decl", true);
            factory.setNamespaceAware(true);
            document = factory.newDocumentBuilder().parse(file.toFile());
        } catch (IOException | ParserConfigurationException | SAXException e) {
            throw new AssertionError(file + " is not a picture", e);
        }
    }

    /** Its labels; each must be large enough to read. */
    List<String> texts() {
        List<String> texts = new ArrayList<>();
        NodeList elements = document.getElementsByTagNameNS("http://www.w3.org/2000/svg", "text");
        for (int i = 0; i < elements.getLength(); i++) {
            Element text = (Element) elements.item(i);
            if (Double.parseDouble(text.getAttribute("font-size")) < 10) {
                throw new AssertionError("too small to read: " + text.getTextContent());
            }
            texts.add(text.getTextContent());
        }
        return texts;
    }

    int points() {
        return document.getElementsByTagNameNS("http://www.w3.org/2000/svg", "circle")
                .getLength();
    }
}
