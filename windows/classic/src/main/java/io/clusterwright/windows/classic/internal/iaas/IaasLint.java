package io.clusterwright.windows.classic.internal.iaas;

import io.clusterwright.core.internal.text.NearestName;
import io.clusterwright.core.plan.Finding;
import io.clusterwright.core.spi.FindingKind;
import io.clusterwright.windows.internal.xml.Xml;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.w3c.dom.Element;

/** Checks a configuration: each element against the published files, then all of them against each other. */
public final class IaasLint {
    private final List<Finding> findings = new ArrayList<>();

    private IaasLint() {}

    /** The findings about a file with this root, with the places they are at. */
    public static List<Finding> of(Element root) {
        IaasLint lint = new IaasLint();
        lint.section(root, IaasSchema.ROOT);
        new IaasConsistency(root, lint).check();
        return List.copyOf(lint.findings);
    }

    void add(FindingKind kind, String path, @Nullable Element at, String message) {
        add(kind, path, at, message, kind.remedy());
    }

    private void add(FindingKind kind, String path, @Nullable Element at, String message, String remedy) {
        Finding finding = new Finding(kind.code(), kind.severity(), path, message, remedy);
        findings.add(
                at == null || Xml.place(at).line() < 1
                        ? finding
                        : finding.at(Xml.place(at).line(), Xml.place(at).column()));
    }

    /** The path of an element below this one, from the root, which is left out. */
    static String path(Element above, String name) {
        String path = name;
        for (Element at = above; at.getParentNode() instanceof Element parent; at = parent) {
            path = at.getTagName() + "/" + path;
        }
        return path;
    }

    private void section(Element element, IaasSchema schema) {
        int highest = -1;
        for (Element child : Xml.elements(element)) {
            String path = path(element, child.getTagName());
            IaasSchema.Item item = schema.item(child.getTagName()).orElse(null);
            if (item == null) {
                unknown(child, path, schema);
                continue;
            }
            int rank = schema.items().indexOf(item);
            if (rank < highest && Xml.place(child).line() > 0) {
                String before = schema.items().get(highest).name();
                add(
                        IaasFindings.ORDER,
                        path,
                        child,
                        child.getTagName() + " is after " + before + ", and the published files have it before");
            }
            highest = Math.max(highest, rank);
            if (!item.repeats() && Xml.at(element, child.getTagName()).get(0) != child) {
                add(IaasFindings.TWICE, path, child, twice(element, child));
            }
            value(child, item, path);
        }
        for (IaasSchema.Item item : schema.items()) {
            if (item.required() && !Xml.has(element, item.name())) {
                String missing = element.getTagName() + " has no " + item.name();
                add(IaasFindings.MISSING, path(element, item.name()), element, missing);
            }
        }
    }

    private static String twice(Element element, Element child) {
        int first = Xml.place(Xml.at(element, child.getTagName()).get(0)).line();
        return element.getTagName() + " has " + child.getTagName() + " twice"
                + (Xml.place(child).line() > 0
                        ? ", in line " + first + " and in line "
                                + Xml.place(child).line()
                        : "");
    }

    private void unknown(Element child, String path, IaasSchema schema) {
        List<String> names = schema.items().stream().map(IaasSchema.Item::name).toList();
        String remedy = NearestName.question(child.getTagName(), names).orElse(IaasFindings.UNKNOWN.remedy());
        add(IaasFindings.UNKNOWN, path, child, child.getTagName() + " is not in a published file", remedy);
    }

    private void value(Element child, IaasSchema.Item item, String path) {
        String text = Xml.text(child);
        IaasSchema section = item.section();
        if (section != null) {
            section(child, section);
        } else if (item.type().equals("Empty") && !text.isEmpty()) {
            add(
                    IaasFindings.VALUE,
                    path,
                    child,
                    child.getTagName() + " must be empty: the element itself switches it on");
        } else if (!item.type().equals("Empty") && text.isEmpty()) {
            add(IaasFindings.VALUE, path, child, child.getTagName() + " is empty");
        } else if (item.type().equals("Count") && !text.matches("[0-9]{1,9}")) {
            add(IaasFindings.VALUE, path, child, child.getTagName() + " is not a number: " + text);
        } else if (!item.choices().isEmpty() && !item.choices().contains(text)) {
            add(
                    IaasFindings.VALUE,
                    path,
                    child,
                    child.getTagName() + " is " + text + ", which is not allowed",
                    "write one of " + String.join(", ", item.choices()));
        }
    }
}
