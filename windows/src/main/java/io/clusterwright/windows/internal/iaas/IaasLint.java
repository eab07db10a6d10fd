package io.clusterwright.windows.internal.iaas;

import io.clusterwright.core.internal.text.NearestName;
import io.clusterwright.core.plan.Finding;
import io.clusterwright.core.spi.FindingKind;
import io.clusterwright.windows.internal.xml.XmlElement;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Checks a configuration: each element against the published files, then all of them against each other. */
public final class IaasLint {
    private final List<Finding> findings = new ArrayList<>();

    private IaasLint() {}

    /** The findings about a file with this root, with the places they are at. */
    public static List<Finding> of(XmlElement root) {
        IaasLint lint = new IaasLint();
        lint.section(root, IaasSchema.ROOT, "");
        new IaasConsistency(root, lint).check();
        return List.copyOf(lint.findings);
    }

    void add(FindingKind kind, String path, @Nullable XmlElement at, String message) {
        add(kind, path, at, message, kind.remedy());
    }

    private void add(FindingKind kind, String path, @Nullable XmlElement at, String message, String remedy) {
        Finding finding = new Finding(kind.code(), kind.severity(), path, message, remedy);
        findings.add(at == null || at.line() < 1 ? finding : finding.at(at.line(), at.column()));
    }

    private void section(XmlElement element, IaasSchema schema, String path) {
        int highest = -1;
        for (XmlElement child : element.elements()) {
            String childPath = path.isEmpty() ? child.name() : path + "/" + child.name();
            Optional<IaasSchema.Item> item = schema.item(child.name());
            if (item.isEmpty()) {
                unknown(child, childPath, schema);
                continue;
            }
            int rank = schema.items().indexOf(item.get());
            if (rank < highest && child.line() > 0) {
                String before = schema.items().get(highest).name();
                add(IaasFindings.ORDER, childPath, child, child.name() + " stands after " + before);
            }
            highest = Math.max(highest, rank);
            if (!item.get().repeats() && element.elements(child.name()).get(0) != child) {
                add(IaasFindings.TWICE, childPath, child, twice(element, child));
            }
            value(child, item.get(), childPath);
        }
        for (IaasSchema.Item item : schema.items()) {
            if (item.required() && element.element(item.name()).isEmpty()) {
                String childPath = path.isEmpty() ? item.name() : path + "/" + item.name();
                add(IaasFindings.MISSING, childPath, element, element.name() + " has no " + item.name());
            }
        }
    }

    private static String twice(XmlElement element, XmlElement child) {
        int first = element.elements(child.name()).get(0).line();
        return element.name() + " has " + child.name() + " twice"
                + (child.line() > 0 ? ", in line " + first + " and in line " + child.line() : "");
    }

    private void unknown(XmlElement child, String path, IaasSchema schema) {
        List<String> names = schema.items().stream().map(IaasSchema.Item::name).toList();
        String remedy = NearestName.of(child.name(), names)
                .map(near -> "did you mean " + near + "?")
                .orElse(IaasFindings.UNKNOWN.remedy());
        add(IaasFindings.UNKNOWN, path, child, child.name() + " stands in no published file", remedy);
    }

    private void value(XmlElement child, IaasSchema.Item item, String path) {
        String text = child.text();
        IaasSchema section = item.section();
        if (section != null) {
            section(child, section, path);
        } else if (item.kind() == IaasSchema.Kind.EMPTY && !text.isEmpty()) {
            add(IaasFindings.VALUE, path, child, child.name() + " is switched on by being there, and has no text");
        } else if (item.kind() != IaasSchema.Kind.EMPTY && text.isEmpty()) {
            add(IaasFindings.VALUE, path, child, child.name() + " is empty");
        } else if (item.kind() == IaasSchema.Kind.COUNT && !text.matches("[0-9]{1,9}")) {
            add(IaasFindings.VALUE, path, child, child.name() + " is no number: " + text);
        } else if (item.kind() == IaasSchema.Kind.CHOICE && !item.choices().contains(text)) {
            add(
                    IaasFindings.VALUE,
                    path,
                    child,
                    child.name() + " is " + text,
                    "write one of " + String.join(", ", item.choices()));
        }
    }
}
