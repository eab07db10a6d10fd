package io.clusterwright.windows.deploy;

import io.clusterwright.windows.internal.xml.XmlElement;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** A section of a configuration: an element whose known children have names here, and which keeps those that are not known. */
abstract class IaasPart {
    private static final String SECRET = "Password";

    private final XmlElement element;

    IaasPart(XmlElement element) {
        this.element = element;
    }

    final XmlElement element() {
        return element;
    }

    final Optional<String> value(String name) {
        return element.element(name).map(XmlElement::text).filter(text -> !text.isEmpty());
    }

    final OptionalInt number(String name) {
        Optional<String> text = value(name).filter(digits -> digits.matches("[0-9]{1,9}"));
        return text.isPresent() ? OptionalInt.of(Integer.parseInt(text.get())) : OptionalInt.empty();
    }

    final boolean has(String name) {
        return element.element(name).isPresent();
    }

    @Override
    public final boolean equals(@Nullable Object other) {
        return other instanceof IaasPart that && element.equals(that.element);
    }

    @Override
    public final int hashCode() {
        return element.hashCode();
    }

    /** The values in it, without passwords. */
    @Override
    public final String toString() {
        return element.name()
                + element.elements().stream().map(IaasPart::shown).collect(Collectors.joining(", ", "[", "]"));
    }

    private static String shown(XmlElement child) {
        String text = child.name().equals(SECRET) ? "***" : child.text();
        return text.isEmpty() ? child.name() : child.name() + "=" + text;
    }

    /** Collects children. */
    abstract static class Builder<B extends Builder<B>> {
        private XmlElement element;

        Builder(XmlElement element) {
            this.element = element;
        }

        final XmlElement element() {
            return element;
        }

        final B set(String name, String text) {
            return put(name, List.of(XmlElement.of(name, text)));
        }

        final B flag(String name, boolean on) {
            return put(name, on ? List.of(XmlElement.of(name)) : List.of());
        }

        final B part(IaasPart part) {
            return put(part.element().name(), List.of(part.element()));
        }

        @SuppressWarnings("unchecked")
        final B put(String name, List<XmlElement> elements) {
            element = element.replace(name, elements);
            return (B) this;
        }
    }
}
