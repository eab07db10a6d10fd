package io.clusterwright.core.spec;

import io.clusterwright.core.internal.spec.Codec;
import io.clusterwright.core.internal.spec.PlainValues;
import io.clusterwright.core.internal.spec.Reading;
import io.clusterwright.core.internal.spec.Schemas;
import io.clusterwright.core.internal.spec.SpecPrinter;
import io.clusterwright.core.internal.spec.YamlTree;
import io.clusterwright.core.internal.text.NearestName;
import io.clusterwright.core.spec.SpecPart.Builder;
import io.clusterwright.core.spec.SpecPart.Draft;
import io.clusterwright.core.spec.SpecPart.Values;
import io.clusterwright.core.type.InvalidValueException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.yaml.snakeyaml.nodes.MappingNode;
import org.yaml.snakeyaml.nodes.Node;
import org.yaml.snakeyaml.nodes.NodeTuple;

/**
 * The fields of one kind of part, in the order to write them.
 *
 * @param <P> the part, a {@link SpecPart} or a record
 */
final class Table<P> implements Codec<P> {
    final Function<Values, P> create;
    final Supplier<? extends Draft<P>> draft;
    final Map<String, Row<P, ?>> rows = new LinkedHashMap<>();
    private final String what;

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
        return add(new Field<>(name, codec, remedy, null));
    }

    /** Adds a field of a record that must be given. */
    <V> Table<P> required(String name, Codec<V> codec, Function<P, V> get, String remedy) {
        Function<P, Optional<V>> value = get.andThen(Optional::of);
        add(new Field<>(name, codec, remedy, null), value, value);
        return this;
    }

    /** Adds a field with a default. */
    <V> Field<V> defaulted(String name, Codec<V> codec, V otherwise) {
        Field<V> field = new Field<>(name, codec, null, otherwise);
        return defaulted(field, part -> values(part).get(field));
    }

    /** Adds a field of a record with a default. */
    <V> Table<P> defaulted(String name, Codec<V> codec, Function<P, V> get, V otherwise) {
        defaulted(new Field<>(name, codec, null, otherwise), get);
        return this;
    }

    private <V> Field<V> defaulted(Field<V> field, Function<P, V> get) {
        Function<P, Optional<V>> value = get.andThen(Optional::of);
        return add(field, value, part -> value.apply(part).filter(given -> !given.equals(field.otherwise)));
    }

    /** Adds a field that may be absent. */
    <V> Field<V> optional(String name, Codec<V> codec) {
        return add(new Field<>(name, codec, null, null));
    }

    /** Adds a field whose default follows from other fields. */
    <V> Field<V> derived(String name, Codec<V> codec, Function<P, V> get) {
        Field<V> field = new Field<>(name, codec, null, null);
        return add(field, get.andThen(Optional::of), part -> values(part).find(field));
    }

    /** Adds a part that every part of this kind has; it is written when one of its fields is not a default. */
    <V> Field<V> part(String name, Table<V> table) {
        Field<V> field = new Field<>(name, table, null, table.draft.get().build());
        return add(
                field,
                part -> values(part).find(field),
                part -> values(part)
                        .find(field)
                        .filter(value -> !table.write(value).isEmpty()));
    }

    /** Adds a value that is neither written nor compared, such as the name of the cluster that a part belongs to. */
    <V> Field<V> hidden(String name, Class<V> type) {
        return new Field<>("(" + name + ")", SpecCodecs.hidden(type), null, null);
    }

    private <V> Field<V> add(Field<V> field) {
        return add(field, part -> values(part).find(field), part -> values(part).find(field));
    }

    private <V> Field<V> add(Field<V> field, Function<P, Optional<V>> compared, Function<P, Optional<V>> written) {
        rows.put(field.name, new Row<>(field, compared, written));
        return field;
    }

    private static SpecPart<?> values(Object part) {
        return (SpecPart<?>) part;
    }

    /** The values that make two parts equal. */
    @SuppressWarnings("unchecked")
    Map<String, Object> state(Object part) {
        Map<String, Object> state = new LinkedHashMap<>();
        rows.forEach((name, row) -> state.put(name, row.compared.apply((P) part)));
        return state;
    }

    /**
     * The part that these plain values describe.
     *
     * @throws InvalidSpecException with all problems
     */
    P of(Map<String, @Nullable Object> values) {
        Reading reading = new Reading();
        P part = read(PlainValues.tree(values), "", reading);
        if (part == null) {
            throw new InvalidSpecException(reading.problems());
        }
        return part;
    }

    @Override
    public @Nullable P read(Node node, String path, Reading reading) {
        MappingNode mapping = mapping(node, path, reading);
        if (mapping == null) {
            return null;
        }
        int before = reading.count();
        Draft<P> target = draft.get();
        YamlTree.entries(mapping).forEach((name, entry) -> {
            Field<?> field = reading.isFull() ? null : field(name, entry, path, reading);
            if (field != null) {
                field.read(entry.getValueNode(), join(path, name), target, reading);
            }
        });
        rows.forEach((name, row) -> {
            if (row.field.remedy != null && isNothing(YamlTree.get(mapping, name))) {
                reading.add(SpecProblem.missing(join(path, name), "give " + row.field.codec.expected()), mapping);
            }
        });
        return reading.count() > before ? null : build(target, mapping, path, reading);
    }

    @Override
    public void check(Node node, String path, Reading reading) {
        MappingNode mapping = mapping(node, path, reading);
        if (mapping != null) {
            YamlTree.entries(mapping).forEach((name, entry) -> {
                Field<?> field = reading.isFull() ? null : field(name, entry, path, reading);
                if (field != null && !isNothing(entry.getValueNode())) {
                    field.codec.check(entry.getValueNode(), join(path, name), reading);
                }
            });
        }
    }

    private @Nullable MappingNode mapping(Node node, String path, Reading reading) {
        if (node instanceof MappingNode mapping) {
            return mapping;
        }
        reading.reportKind(node, path, "a group of names", "give " + expected());
        return null;
    }

    @Override
    public Map<String, Object> write(P part) {
        Map<String, Object> entries = new LinkedHashMap<>();
        rows.values().forEach(row -> row.write(part, entries));
        return entries;
    }

    /** The part as YAML that is read as an equal one. */
    String yaml(P part) {
        return SpecPrinter.yaml(write(part));
    }

    /** The part as JSON that is read as an equal one. */
    String json(P part) {
        return SpecPrinter.json(write(part), true);
    }

    @Override
    public Map<String, Object> schema(boolean partial) {
        Map<String, Object> properties = new LinkedHashMap<>();
        rows.forEach((name, row) -> properties.put(name, row.field.schema(partial)));
        List<String> required = rows.values().stream()
                .filter(row -> row.field.remedy != null && !partial)
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
        String remedy =
                NearestName.question(name, rows.keySet()).orElse("known here: " + String.join(", ", rows.keySet()));
        String shown = YamlTree.shorten(name);
        String message = what + " has no field " + shown;
        reading.add(SpecProblem.of(join(path, shown), message, remedy).withCode(SpecProblem.NAME), entry.getKeyNode());
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
                    reading.add(whole, YamlTree.locate(mapping, problem.path()));
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

    private static boolean isNothing(@Nullable Node node) {
        return node == null || YamlTree.kind(node) == YamlTree.Kind.NULL;
    }

    /** One field: its name, the codec of its values, its default, and the remedy where it must be given. */
    static final class Field<V> {
        final String name;
        final Codec<V> codec;
        final @Nullable String remedy;
        final @Nullable V otherwise;
        /** The builder of a part that has one. */
        final @Nullable Supplier<? extends Draft<?>> part;

        private Field(String name, Codec<V> codec, @Nullable String remedy, @Nullable V otherwise) {
            this.name = name;
            this.codec = codec;
            this.remedy = remedy;
            this.otherwise = otherwise;
            this.part = codec instanceof Table<?> table && table.draft.get() instanceof Builder ? table.draft : null;
        }

        @SuppressWarnings("unchecked")
        @Nullable
        V cast(@Nullable Object value) {
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
            Map<String, Object> whole = remedy != null && !partial ? schema : Schemas.orNothing(schema);
            if (otherwise != null && !(codec instanceof Table)) {
                whole.put("default", codec.write(otherwise));
            }
            return whole;
        }
    }

    /**
     * A field of a part.
     *
     * @param compared the value that takes part in equality
     * @param written the value to write, which is no default
     */
    record Row<P, V>(Field<V> field, Function<P, Optional<V>> compared, Function<P, Optional<V>> written) {
        void write(P part, Map<String, Object> entries) {
            written.apply(part).ifPresent(value -> entries.put(field.name, field.codec.write(value)));
        }
    }
}
