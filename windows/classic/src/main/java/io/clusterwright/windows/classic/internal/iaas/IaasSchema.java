package io.clusterwright.windows.classic.internal.iaas;

import io.clusterwright.core.internal.text.TextResource;
import io.clusterwright.windows.internal.xml.Xml;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.w3c.dom.Element;
import org.w3c.dom.Node;

/**
 * The elements of a section of the published files, in their order, as {@code HPCIaaSClusterConfig.xsd} says. A validator stops in a section at its first
 * surprise, and names no element that was meant; so the schema is read here, and compared element by element.
 *
 * @param items the elements of the section
 */
public record IaasSchema(List<Item> items) {
    private static final String FILE = "HPCIaaSClusterConfig.xsd";

    /** The whole file. */
    static final IaasSchema ROOT = read();

    /**
     * An element that is known.
     *
     * @param type {@code Text}, {@code Count}, {@code Empty}, or the name of a section
     * @param choices the texts that are allowed; empty for any
     * @param section the elements in it; null for a text
     */
    record Item(
            String name,
            String type,
            boolean required,
            boolean repeats,
            List<String> choices,
            @Nullable IaasSchema section) {}

    private static IaasSchema read() {
        Element schema = Xml.parse(TextResource.read(IaasSchema.class.getResourceAsStream(FILE), FILE))
                .getDocumentElement();
        return section(schema, Xml.first(schema, "xs:element/xs:complexType").orElseThrow());
    }

    private static IaasSchema section(Element schema, Element type) {
        return new IaasSchema(Xml.at(type, "xs:sequence/xs:element").stream()
                .map(element -> item(schema, element))
                .toList());
    }

    private static Item item(Element schema, Element element) {
        String type = element.getAttribute("type");
        Optional<Element> section = Xml.first(element, "xs:complexType")
                .or(() -> Xml.at(schema, "xs:complexType").stream()
                        .filter(named -> named.getAttribute("name").equals(type))
                        .findFirst());
        return new Item(
                element.getAttribute("name"),
                type,
                !element.getAttribute("minOccurs").equals("0"),
                element.getAttribute("maxOccurs").equals("unbounded"),
                Xml.at(element, "xs:simpleType/xs:restriction/xs:enumeration").stream()
                        .map(choice -> choice.getAttribute("value"))
                        .toList(),
                section.map(found -> section(schema, found)).orElse(null));
    }

    Optional<Item> item(String name) {
        return items.stream().filter(item -> item.name.equals(name)).findFirst();
    }

    private int rank(String name, int otherwise) {
        return item(name).map(items::indexOf).orElse(otherwise);
    }

    /** The section that an element is; null for an element that is not known, or a text. */
    private static @Nullable IaasSchema of(Element element) {
        if (!(element.getParentNode() instanceof Element parent)) {
            return ROOT;
        }
        IaasSchema above = of(parent);
        return above == null
                ? null
                : above.item(element.getTagName()).map(Item::section).orElse(null);
    }

    /** The content of an element in the published order: unknown elements keep their predecessor, comments the element that they stand before. */
    public static List<Node> ordered(Element element) {
        List<Node> children = Xml.children(element);
        IaasSchema schema = of(element);
        if (schema != null) {
            Map<Node, Integer> ranks = new HashMap<>();
            int rank = -1;
            for (Node child : children) {
                Node next = child;
                while (next != null && !(next instanceof Element)) {
                    next = next.getNextSibling();
                }
                int own = next instanceof Element known ? schema.rank(known.getTagName(), rank) : rank;
                ranks.put(child, own);
                rank = child instanceof Element ? own : rank;
            }
            children.sort(Comparator.comparing(ranks::get));
        }
        return children;
    }
}
