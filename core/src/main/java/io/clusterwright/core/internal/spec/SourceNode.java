package io.clusterwright.core.internal.spec;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** A part of a description as it was written. Two parts are equal when they say the same, wherever they stand. */
public sealed interface SourceNode {
    /** Where the part begins. */
    Location at();

    /** The part in words, for a message: {@code the number 3}. */
    String found();

    /** The same part, and all it holds, at other places. */
    SourceNode relocate(UnaryOperator<Location> move);

    /** How many parts this one holds, itself included. */
    int weight();

    /** What a scalar was written as. */
    enum Kind {
        TEXT,
        NUMBER,
        BOOLEAN,
        NULL
    }

    /** One value, with its text exactly as it was written. */
    record Scalar(Kind kind, String text, Location at) implements SourceNode {
        /** A text that was never read from a file. */
        public static Scalar text(String text) {
            return new Scalar(Kind.TEXT, text, Location.NONE);
        }

        /** A number that was never read from a file. */
        public static Scalar number(String text) {
            return new Scalar(Kind.NUMBER, text, Location.NONE);
        }

        /** A truth value that was never read from a file. */
        public static Scalar bool(boolean value) {
            return new Scalar(Kind.BOOLEAN, Boolean.toString(value), Location.NONE);
        }

        @Override
        public String found() {
            return switch (kind) {
                case TEXT -> "the text \"" + Messages.shorten(text) + "\"";
                case NUMBER -> "the number " + Messages.shorten(text);
                case BOOLEAN -> "the truth value " + text;
                case NULL -> "nothing";
            };
        }

        @Override
        public Scalar relocate(UnaryOperator<Location> move) {
            return new Scalar(kind, text, move.apply(at));
        }

        @Override
        public int weight() {
            return 1;
        }

        @Override
        public boolean equals(@Nullable Object other) {
            return other instanceof Scalar that && kind == that.kind && text.equals(that.text);
        }

        @Override
        public int hashCode() {
            return text.hashCode();
        }
    }

    /** Named parts, in the order they were written. */
    record Mapping(Map<String, Entry> entries, Location at) implements SourceNode {
        /** Copies the entries. */
        public Mapping {
            entries = Collections.unmodifiableMap(new LinkedHashMap<>(entries));
        }

        /** The value of a name, or null when it is not there. */
        public @Nullable SourceNode get(String name) {
            Entry entry = entries.get(name);
            return entry == null ? null : entry.value();
        }

        @Override
        public String found() {
            return "a group of names";
        }

        @Override
        public Mapping relocate(UnaryOperator<Location> move) {
            Map<String, Entry> copy = new LinkedHashMap<>();
            entries.forEach((name, entry) -> copy.put(
                    name, new Entry(move.apply(entry.key()), entry.value().relocate(move))));
            return new Mapping(copy, move.apply(at));
        }

        @Override
        public int weight() {
            return 1
                    + entries.values().stream()
                            .mapToInt(entry -> entry.value().weight())
                            .sum();
        }

        @Override
        public boolean equals(@Nullable Object other) {
            return other instanceof Mapping that && entries.equals(that.entries);
        }

        @Override
        public int hashCode() {
            return entries.hashCode();
        }
    }

    /** A name's place and its value. */
    record Entry(Location key, SourceNode value) {
        /** An entry that was never read from a file. */
        public static Entry of(SourceNode value) {
            return new Entry(Location.NONE, value);
        }

        @Override
        public boolean equals(@Nullable Object other) {
            return other instanceof Entry that && value.equals(that.value);
        }

        @Override
        public int hashCode() {
            return value.hashCode();
        }
    }

    /** Parts one after another. */
    record Sequence(List<SourceNode> items, Location at) implements SourceNode {
        /** Copies the items. */
        public Sequence {
            items = List.copyOf(items);
        }

        @Override
        public String found() {
            return "a list";
        }

        @Override
        public Sequence relocate(UnaryOperator<Location> move) {
            List<SourceNode> copy = new ArrayList<>();
            items.forEach(item -> copy.add(item.relocate(move)));
            return new Sequence(copy, move.apply(at));
        }

        @Override
        public int weight() {
            return 1 + items.stream().mapToInt(SourceNode::weight).sum();
        }

        @Override
        public boolean equals(@Nullable Object other) {
            return other instanceof Sequence that && items.equals(that.items);
        }

        @Override
        public int hashCode() {
            return items.hashCode();
        }
    }
}
