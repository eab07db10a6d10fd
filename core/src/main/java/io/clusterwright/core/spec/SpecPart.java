package io.clusterwright.core.spec;

import io.clusterwright.core.internal.spec.Codec;
import io.clusterwright.core.internal.spec.Reading;
import io.clusterwright.core.internal.spec.Schemas;
import io.clusterwright.core.internal.spec.SpecText;
import io.clusterwright.core.internal.text.NearestName;
import io.clusterwright.core.type.InvalidValueException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.yaml.snakeyaml.nodes.MappingNode;
import org.yaml.snakeyaml.nodes.Node;
import org.yaml.snakeyaml.nodes.NodeTuple;

/**
 * A part of a cluster spec: the values of the fields that its {@link Table} states.
 *
 * <p>The table is the only place that states a field. Reading, writing, the JSON Schema, the builder, equality and
 * {@code toString} follow from it.
 *
 * @param <B> its builder
 */
abstract class SpecPart<B extends SpecPart.Builder<?, B>> {
    private final Values values;

    SpecPart(Values values) {
        this.values = values;
    }

    /** A builder that holds the same values. */
    @SuppressWarnings("unchecked")
    public B toBuilder() {
        B builder = (B) values.table.draft.get();
        values.byName.forEach(builder::store);
        return builder;
    }

    /** Adds the problems between the values of this part; a field whose value has a problem is absent. */
    void check(Problems problems) {}

    final <V> V get(Field<V> field) {
        return values.get(field.name);
    }

    final <V> Optional<V> find(Field<V> field) {
        return values.find(field);
    }

    final OptionalInt findInt(Field<Integer> field) {
        return find(field).map(OptionalInt::of).orElseGet(OptionalInt::empty);
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof SpecPart<?> that && getClass() == that.getClass() && state().equals(that.state());
    }

    @Override
    public int hashCode() {
        return state().hashCode();
    }

    @Override
    public String toString() {
        return getClass().getSimpleName() + state();
    }

    private Map<String, Object> state() {
        return values.table.state(this);
    }

    /** One field: its name, the codec of its values, and its default. */
    static final class Field<V> {
        private final String name;
        private final Codec<V> codec;
        private final @Nullable String remedy;
        private final @Nullable V otherwise;
        private final @Nullable Supplier<? extends Draft<?>> part;

        private Field(
                String name,
                Codec<V> codec,
                @Nullable String remedy,
                @Nullable V otherwise,
                @Nullable Supplier<? extends Draft<?>> part) {
            this.name = name;
            this.codec = codec;
            this.remedy = remedy;
            this.otherwise = otherwise;
            this.part = part;
        }

        private boolean isRequired() {
            return remedy != null;
        }

        @SuppressWarnings("unchecked")
        private @Nullable V cast(@Nullable Object value) {
            return (V) value;
        }

        private void read(Node node, String path, Draft<?> target, Reading reading) {
            V value = isNothing(node) ? null : codec.read(node, path, reading);
            if (value != null) {
                reading.attempt(node, path, () -> {
                    target.put(this, value);
                    return target;
                });
            }
        }

        private Map<String, Object> schema(boolean partial) {
            Map<String, Object> schema = codec.schema(partial);
            Map<String, Object> whole = isRequired() && !partial ? schema : Schemas.orNothing(schema);
            if (otherwise != null && !(codec instanceof Table)) {
                whole.put("default", codec.write(otherwise, true));
            }
            return whole;
        }
    }

    /** The values of the fields of one part, defaults included. */
    static final class Values {
        private final Table<?> table;
        private final Map<String, Object> byName;

        private Values(Table<?> table, Map<String, Object> byName) {
            this.table = table;
            this.byName = Collections.unmodifiableMap(new HashMap<>(byName));
        }

        /** The value of a field that is required or has a default. */
        @SuppressWarnings("unchecked")
        <V> V get(String name) {
            return (V) Objects.requireNonNull(byName.get(name), name);
        }

        <V> Optional<V> find(Field<V> field) {
            return Optional.ofNullable(field.cast(byName.get(field.name)));
        }
    }

    /**
     * The fields of one kind of part, in the order to write them.
     *
     * @param <P> the part, a {@link SpecPart} or a record
     */
    static final class Table<P> implements Codec<P> {
        private final String what;
        private final Function<Values, P> create;
        private final Supplier<? extends Draft<P>> draft;
        private final Map<String, Row<P, ?>> rows = new LinkedHashMap<>();

        /** The table of a record. */
        Table(String what, Function<Values, P> create) {
            this.what = what;
            this.create = create;
            this.draft = () -> new Draft<>(this);
        }

        /** The table of a part with a builder. */
        Table(String what, Function<Values, P> create, Supplier<? extends Draft<P>> builder) {
            this.what = what;
            this.create = create;
            this.draft = builder;
        }

        /** Adds a field that must be given. */
        <V> Field<V> required(String name, Codec<V> codec, String remedy) {
            Field<V> field = new Field<>(name, codec, remedy, null, builderOf(codec));
            return add(
                    field,
                    part -> values(part).find(field),
                    (part, full) -> values(part).find(field));
        }

        /** Adds a field of a record that must be given. */
        <V> Table<P> required(String name, Codec<V> codec, Function<P, V> get, String remedy) {
            Function<P, Optional<V>> value = get.andThen(Optional::of);
            add(new Field<>(name, codec, remedy, null, builderOf(codec)), value, (part, full) -> value.apply(part));
            return this;
        }

        /** Adds a field with a default. */
        <V> Field<V> defaulted(String name, Codec<V> codec, V otherwise) {
            Field<V> field = new Field<>(name, codec, null, otherwise, null);
            return defaulted(field, part -> values(part).get(field));
        }

        /** Adds a field of a record with a default. */
        <V> Table<P> defaulted(String name, Codec<V> codec, Function<P, V> get, V otherwise) {
            defaulted(new Field<>(name, codec, null, otherwise, null), get);
            return this;
        }

        private <V> Field<V> defaulted(Field<V> field, Function<P, V> get) {
            return add(
                    field,
                    get.andThen(Optional::of),
                    (part, full) ->
                            Optional.of(get.apply(part)).filter(value -> full || !value.equals(field.otherwise)));
        }

        /** Adds a field that may be absent. */
        <V> Field<V> optional(String name, Codec<V> codec) {
            Field<V> field = new Field<>(name, codec, null, null, builderOf(codec));
            return add(
                    field,
                    part -> values(part).find(field),
                    (part, full) -> values(part).find(field));
        }

        /** Adds a field whose default follows from other fields. */
        <V> Field<V> derived(String name, Codec<V> codec, Function<P, V> get) {
            return derived(name, codec, part -> true, get);
        }

        /** Adds a field whose default follows from other fields of some parts; other parts have none. */
        <V> Field<V> derived(String name, Codec<V> codec, Predicate<P> applies, Function<P, V> get) {
            Field<V> field = new Field<>(name, codec, null, null, null);
            return add(
                    field,
                    get.andThen(Optional::of),
                    (part, full) -> full && applies.test(part)
                            ? Optional.of(get.apply(part))
                            : values(part).find(field));
        }

        /** Adds a part that every part of this kind has; it is written when one of its fields is not a default. */
        <V> Field<V> part(String name, Table<V> table) {
            Field<V> field = new Field<>(name, table, null, table.draft.get().build(), builderOf(table));
            return add(
                    field,
                    part -> values(part).find(field),
                    (part, full) -> values(part)
                            .find(field)
                            .filter(value -> full || !table.write(value, false).isEmpty()));
        }

        /** Adds a value that is neither written nor compared, such as the name of the cluster that a part belongs to. */
        <V> Field<V> hidden(String name, Class<V> type) {
            return new Field<>("(" + name + ")", SpecCodecs.hidden(type), null, null, null);
        }

        private <V> Field<V> add(Field<V> field, Function<P, Optional<V>> get, Shown<P, V> shown) {
            rows.put(field.name, new Row<>(field, get, shown));
            return field;
        }

        private static SpecPart<?> values(Object part) {
            return (SpecPart<?>) part;
        }

        private static @Nullable Supplier<? extends Draft<?>> builderOf(Codec<?> codec) {
            return codec instanceof Table<?> table && table.draft.get() instanceof Builder ? table.draft : null;
        }

        /** The names of the fields, in order. */
        List<String> names() {
            return List.copyOf(rows.keySet());
        }

        private Map<String, Object> state(Object part) {
            Map<String, Object> state = new LinkedHashMap<>();
            rows.forEach((name, row) -> state.put(name, row.state(part)));
            return state;
        }

        @Override
        public @Nullable P read(Node node, String path, Reading reading) {
            if (!(node instanceof MappingNode mapping)) {
                reading.reportKind(node, path, "a group of names", "give " + expected());
                return null;
            }
            int before = reading.count();
            Draft<P> target = draft.get();
            SpecText.entries(mapping).forEach((name, entry) -> {
                Field<?> field = reading.isFull() ? null : field(name, entry, path, reading);
                if (field != null) {
                    field.read(entry.getValueNode(), join(path, name), target, reading);
                }
            });
            rows.forEach((name, row) -> {
                if (row.field.isRequired() && isNothing(SpecText.get(mapping, name))) {
                    reading.report(
                            mapping, join(path, name), name + " is missing", "give " + row.field.codec.expected());
                }
            });
            return reading.count() > before ? null : build(target, mapping, path, reading);
        }

        @Override
        public void check(Node node, String path, Reading reading) {
            if (!(node instanceof MappingNode mapping)) {
                reading.reportKind(node, path, "a group of names", "give " + expected());
                return;
            }
            SpecText.entries(mapping).forEach((name, entry) -> {
                Field<?> field = reading.isFull() ? null : field(name, entry, path, reading);
                if (field != null && !isNothing(entry.getValueNode())) {
                    field.codec.check(entry.getValueNode(), join(path, name), reading);
                }
            });
        }

        @Override
        public Map<String, Object> write(P part, boolean full) {
            Map<String, Object> entries = new LinkedHashMap<>();
            rows.values().forEach(row -> row.write(part, full, entries));
            return entries;
        }

        @Override
        public Map<String, Object> schema(boolean partial) {
            Map<String, Object> properties = new LinkedHashMap<>();
            rows.forEach((name, row) -> properties.put(name, row.field.schema(partial)));
            List<String> required = rows.values().stream()
                    .filter(row -> row.field.isRequired() && !partial)
                    .map(row -> row.field.name)
                    .toList();
            return Schemas.group(properties, required);
        }

        @Override
        public String expected() {
            return what + " with " + rows.keySet().stream().limit(6).collect(Collectors.joining(", "))
                    + (rows.size() > 6 ? " …" : "");
        }

        private @Nullable Field<?> field(String name, NodeTuple entry, String path, Reading reading) {
            Row<P, ?> row = rows.get(name);
            if (row != null) {
                return row.field;
            }
            String remedy = NearestName.of(name, rows.keySet())
                    .map(near -> "did you mean " + near + "?")
                    .orElse("known here: " + String.join(", ", rows.keySet()));
            String shown = SpecText.shorten(name);
            reading.report(entry.getKeyNode(), join(path, shown), what + " has no name " + shown, remedy);
            return null;
        }

        private @Nullable P build(Draft<P> target, MappingNode mapping, String path, Reading reading) {
            try {
                return target.build();
            } catch (InvalidSpecException e) {
                for (SpecProblem problem : e.problems()) {
                    SpecProblem whole = problem.under(path);
                    if (problem.line().isPresent()) {
                        reading.add(whole);
                    } else {
                        reading.add(whole, SpecText.locate(mapping, problem.path()));
                    }
                }
            } catch (InvalidValueException e) {
                reading.add(SpecProblem.of(path, e), mapping);
            }
            return null;
        }

        private static String join(String path, String name) {
            return path.isEmpty() ? name : path + "." + name;
        }
    }

    /** The value of a field to write: with its default, or only where it is not the default. */
    private interface Shown<P, V> {
        Optional<V> of(P part, boolean full);
    }

    private record Row<P, V>(Field<V> field, Function<P, Optional<V>> get, Shown<P, V> shown) {
        void write(P part, boolean full, Map<String, Object> entries) {
            shown.of(part, full).ifPresent(value -> entries.put(field.name, field.codec.write(value, full)));
        }

        @SuppressWarnings("unchecked")
        Object state(Object part) {
            return get.apply((P) part);
        }
    }

    /**
     * Collects the values of one part.
     *
     * @param <P> the part
     */
    static class Draft<P> {
        private final Table<P> table;
        private final Map<String, Object> values = new HashMap<>();

        Draft(Table<P> table) {
            this.table = table;
        }

        final <V> void put(Field<V> field, V value) {
            store(field.name, field.codec.accept(Objects.requireNonNull(value, field.name)));
        }

        /** Stores a value as it is; a part with a builder is stored as its builder. */
        final void store(String name, Object value) {
            values.put(name, value instanceof SpecPart<?> part ? part.toBuilder() : value);
        }

        final <V> @Nullable V given(Field<V> field) {
            return field.cast(values.get(field.name));
        }

        /** Hands values of the whole to a part before the part is built. */
        void link(Draft<?> part, Values built) {}

        /**
         * The part.
         *
         * @throws InvalidSpecException with all problems between its fields
         */
        public P build() {
            Problems problems = new Problems();
            Map<String, Object> built = new HashMap<>();
            for (Row<P, ?> row : table.rows.values()) {
                if (row.field.remedy != null && row.field.part == null) {
                    problems.require(row.field.name, values.get(row.field.name), row.field.remedy);
                }
            }
            values.forEach((name, value) -> {
                if (!(value instanceof Draft)) {
                    built.put(name, value);
                }
            });
            for (Row<P, ?> row : table.rows.values()) {
                Field<?> field = row.field;
                Object value = values.get(field.name);
                if (value == null && field.part != null && (field.otherwise != null || field.isRequired())) {
                    value = field.part.get();
                    values.put(field.name, value);
                }
                if (value instanceof Draft<?> part) {
                    link(part, new Values(table, built));
                    Object whole = problems.part(field.name, part::build);
                    if (whole != null) {
                        built.put(field.name, whole);
                    }
                } else if (value == null && field.otherwise != null) {
                    built.put(field.name, field.otherwise);
                }
            }
            Values all = new Values(table, built);
            P whole = problems.isEmpty() || this instanceof Builder ? table.create.apply(all) : null;
            if (whole instanceof SpecPart<?> part) {
                part.check(problems);
            }
            problems.throwIfAny();
            return Objects.requireNonNull(whole);
        }
    }

    /**
     * The setters of a part: a plural setter replaces, {@code addX} appends, {@code putX} adds to a map.
     *
     * @param <P> the part
     * @param <B> the builder
     */
    abstract static class Builder<P, B extends Builder<P, B>> extends Draft<P> {
        Builder(Table<P> table) {
            super(table);
        }

        @SuppressWarnings("unchecked")
        private B self() {
            return (B) this;
        }

        final <V> B set(Field<V> field, V value) {
            put(field, value);
            return self();
        }

        final <V> B parse(Field<V> field, String text) {
            return set(field, field.codec.parse(Objects.requireNonNull(text, field.name)));
        }

        final <V> B add(Field<List<V>> field, V value) {
            List<V> all = new ArrayList<>(Objects.requireNonNullElse(given(field), List.of()));
            all.add(Objects.requireNonNull(value, field.name));
            return set(field, all);
        }

        final <V> B add(Field<Map<String, V>> field, String name, V value) {
            Map<String, V> all = new LinkedHashMap<>(Objects.requireNonNullElse(given(field), Map.of()));
            all.put(Objects.requireNonNull(name, "name"), Objects.requireNonNull(value, "value"));
            return set(field, all);
        }

        /** Describes a part that has a builder, starting from its values so far. */
        @SuppressWarnings("unchecked")
        final <C extends Builder<?, C>> B edit(Field<?> field, Consumer<C> change) {
            Object draft = ((Draft<?>) this).values.get(field.name);
            if (draft == null) {
                draft = Objects.requireNonNull(field.part).get();
            }
            change.accept((C) draft);
            ((Draft<?>) this).values.put(field.name, draft);
            return self();
        }
    }

    private static boolean isNothing(@Nullable Node node) {
        return node == null || SpecText.kind(node) == SpecText.Kind.NULL;
    }
}
