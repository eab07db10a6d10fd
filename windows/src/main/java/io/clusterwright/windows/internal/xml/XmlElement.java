package io.clusterwright.windows.internal.xml;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** An element and everything in it. Immutable; where it was read from does not count when two are compared. */
public final class XmlElement implements XmlNode {
    private final String name;
    private final Map<String, String> attributes;
    private final List<XmlNode> children;
    private final int line;
    private final int column;

    XmlElement(String name, Map<String, String> attributes, List<XmlNode> children, int line, int column) {
        this.name = Objects.requireNonNull(name, "name");
        this.attributes = Collections.unmodifiableMap(new LinkedHashMap<>(attributes));
        this.children = List.copyOf(children);
        this.line = line;
        this.column = column;
    }

    /** An empty element. */
    public static XmlElement of(String name) {
        return new XmlElement(name, Map.of(), List.of(), 0, 0);
    }

    /** An element that holds a text. */
    public static XmlElement of(String name, String text) {
        return of(name).children(List.of(new XmlNode.Text(text)));
    }

    /** Its name. */
    public String name() {
        return name;
    }

    /** Its attributes, in their order. */
    public Map<String, String> attributes() {
        return attributes;
    }

    /** What stands in it. */
    public List<XmlNode> children() {
        return children;
    }

    /** The line it begins in, from 1; 0 when it was not read. */
    public int line() {
        return line;
    }

    /** The column it begins in, from 1; 0 when it was not read. */
    public int column() {
        return column;
    }

    /** The elements in it. */
    public List<XmlElement> elements() {
        return stream().toList();
    }

    /** The elements of this name in it. */
    public List<XmlElement> elements(String called) {
        return stream().filter(element -> element.name.equals(called)).toList();
    }

    /** The first element of this name in it. */
    public Optional<XmlElement> element(String called) {
        return stream().filter(element -> element.name.equals(called)).findFirst();
    }

    /** Its text, without blanks around it. */
    public String text() {
        return content().strip();
    }

    /** Its text, with the blanks around it. */
    public String content() {
        return children.stream()
                .map(child -> child instanceof XmlNode.Text text ? text.text() : "")
                .collect(Collectors.joining());
    }

    /** The text of the first element of this name in it; empty where there is none, or it has none. */
    public Optional<String> value(String called) {
        return element(called).map(XmlElement::text).filter(text -> !text.isEmpty());
    }

    /** The same as a number of up to 9 digits; empty where it is none. */
    public OptionalInt number(String called) {
        return value(called)
                .filter(digits -> digits.matches("[0-9]{1,9}"))
                .map(digits -> OptionalInt.of(Integer.parseInt(digits)))
                .orElse(OptionalInt.empty());
    }

    /** Whether an element of this name is in it. */
    public boolean has(String called) {
        return element(called).isPresent();
    }

    /** The elements at a path of names with {@code /} between them. */
    public List<XmlElement> at(String path) {
        int slash = path.indexOf('/');
        return slash < 0
                ? elements(path)
                : elements(path.substring(0, slash)).stream()
                        .flatMap(each -> each.at(path.substring(slash + 1)).stream())
                        .toList();
    }

    /** The same with other content. */
    public XmlElement children(List<? extends XmlNode> content) {
        return new XmlElement(name, attributes, List.copyOf(content), line, column);
    }

    /** The same with one attribute more, or another value of it. */
    public XmlElement attribute(String attribute, String value) {
        Map<String, String> more = new LinkedHashMap<>(attributes);
        more.put(attribute, value);
        return new XmlElement(name, more, children, line, column);
    }

    /** The same with another element at its end. */
    public XmlElement add(XmlElement child) {
        List<XmlNode> more = new ArrayList<>(children);
        more.add(child);
        return children(more);
    }

    /** The same with these in the place of all elements of that name; the first of which gives the place. */
    public XmlElement replace(String called, List<XmlElement> others) {
        List<XmlNode> more = new ArrayList<>();
        boolean placed = false;
        for (XmlNode child : children) {
            boolean replaced = child instanceof XmlElement element && element.name.equals(called);
            if (!replaced) {
                more.add(child);
            } else if (!placed) {
                more.addAll(others);
                placed = true;
            }
        }
        if (!placed) {
            more.addAll(others);
        }
        return children(more);
    }

    private Stream<XmlElement> stream() {
        return children.stream().filter(XmlElement.class::isInstance).map(XmlElement.class::cast);
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof XmlElement that
                && name.equals(that.name)
                && attributes.equals(that.attributes)
                && children.equals(that.children);
    }

    @Override
    public int hashCode() {
        return Objects.hash(name, attributes, children);
    }

    /** Its name only, for what stands in it may be secret. */
    @Override
    public String toString() {
        return "<" + name + ">";
    }
}
