package io.clusterwright.core.internal.spec;

import io.clusterwright.core.spec.InvalidSpecException;
import io.clusterwright.core.spec.SpecProblem;
import io.clusterwright.core.type.InvalidValueException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Reads and writes a record by the table of its fields, the one place that has their names.
 *
 * @param <R> the record
 * @param <B> its builder
 */
public final class RecordCodec<R, B> implements Codec<R> {
    private final String what;
    private final Supplier<B> builder;
    private final Function<B, R> build;
    private final Map<String, Field<R, B, ?>> fields = new LinkedHashMap<>();

    private RecordCodec(String what, Supplier<B> builder, Function<B, R> build) {
        this.what = what;
        this.builder = builder;
        this.build = build;
    }

    /**
     * A codec without fields yet.
     *
     * @param what the record in words, such as {@code the network}
     */
    public static <R, B> RecordCodec<R, B> of(String what, Supplier<B> builder, Function<B, R> build) {
        return new RecordCodec<>(what, builder, build);
    }

    /** Adds a field that must be given. */
    public <V> RecordCodec<R, B> required(String name, Codec<V> codec, Function<R, V> get, BiConsumer<B, V> set) {
        return add(name, codec, (record, full) -> Optional.of(get.apply(record)), set, true, null);
    }

    /** Adds a field that has a value when none is given. */
    public <V> RecordCodec<R, B> defaulted(
            String name, Codec<V> codec, Function<R, V> get, BiConsumer<B, V> set, V value) {
        return add(
                name,
                codec,
                (record, full) -> Optional.of(get.apply(record)).filter(current -> full || !current.equals(value)),
                set,
                false,
                value);
    }

    /** Adds a field whose value, when none is given, follows from other fields. */
    public <V> RecordCodec<R, B> derived(
            String name, Codec<V> codec, Function<R, V> get, Function<R, Optional<V>> given, BiConsumer<B, V> set) {
        return derived(name, codec, record -> true, get, given, set);
    }

    /** Adds a field whose value, when none is given, follows from other fields of some records and of others does not. */
    public <V> RecordCodec<R, B> derived(
            String name,
            Codec<V> codec,
            Predicate<R> applies,
            Function<R, V> get,
            Function<R, Optional<V>> given,
            BiConsumer<B, V> set) {
        return add(
                name,
                codec,
                (record, full) -> full && applies.test(record) ? Optional.of(get.apply(record)) : given.apply(record),
                set,
                false,
                null);
    }

    /** Adds a field that may be absent. */
    public <V> RecordCodec<R, B> optional(
            String name, Codec<V> codec, Function<R, Optional<V>> get, BiConsumer<B, V> set) {
        return add(name, codec, (record, full) -> get.apply(record), set, false, null);
    }

    /** Adds a field that is a description of its own, written when anything in it is not a default. */
    public <V> RecordCodec<R, B> part(String name, RecordCodec<V, ?> codec, Function<R, V> get, BiConsumer<B, V> set) {
        return add(
                name,
                codec,
                (record, full) -> Optional.of(get.apply(record))
                        .filter(value ->
                                full || !codec.write(value, false).entries().isEmpty()),
                set,
                false,
                null);
    }

    /** The names of the fields, in order. */
    public List<String> names() {
        return List.copyOf(fields.keySet());
    }

    private <V> RecordCodec<R, B> add(
            String name,
            Codec<V> codec,
            Shown<R, V> shown,
            BiConsumer<B, V> set,
            boolean required,
            @Nullable V otherwise) {
        fields.put(name, new Field<>(name, codec, shown, set, required, otherwise));
        return this;
    }

    @Override
    public @Nullable R read(SourceNode node, String path, Reading reading) {
        SourceNode.Mapping mapping = mapping(node, path, reading);
        if (mapping == null) {
            return null;
        }
        int before = reading.count();
        B target = builder.get();
        mapping.entries().forEach((name, entry) -> {
            Field<R, B, ?> field = reading.isFull() ? null : field(name, entry, path, reading);
            if (field != null) {
                field.read(entry.value(), join(path, name), target, reading);
            }
        });
        for (Field<R, B, ?> field : fields.values()) {
            if (field.required && isAbsent(mapping.get(field.name))) {
                reading.report(
                        mapping, join(path, field.name), field.name + " is missing", "give " + field.codec.expected());
            }
        }
        return reading.count() > before ? null : build(target, mapping, path, reading);
    }

    @Override
    public void check(SourceNode node, String path, Reading reading) {
        SourceNode.Mapping mapping = mapping(node, path, reading);
        if (mapping == null) {
            return;
        }
        mapping.entries().forEach((name, entry) -> {
            Field<R, B, ?> field = reading.isFull() ? null : field(name, entry, path, reading);
            if (field != null && !isAbsent(entry.value())) {
                field.codec.check(entry.value(), join(path, name), reading);
            }
        });
    }

    @Override
    public SourceNode.Mapping write(R value, boolean full) {
        Map<String, SourceNode.Entry> entries = new LinkedHashMap<>();
        fields.values().forEach(field -> field.write(value, full, entries));
        return new SourceNode.Mapping(entries, Location.NONE);
    }

    @Override
    public Map<String, Object> schema(boolean partial) {
        Map<String, Object> properties = new LinkedHashMap<>();
        fields.values().forEach(field -> properties.put(field.name, field.schema(partial, builder)));
        List<String> required = fields.values().stream()
                .filter(field -> field.required && !partial)
                .map(Field::name)
                .toList();
        return Schemas.group(properties, required);
    }

    @Override
    public String expected() {
        return what + " with " + fields.keySet().stream().limit(6).collect(Collectors.joining(", "))
                + (fields.size() > 6 ? " …" : "");
    }

    private SourceNode.@Nullable Mapping mapping(SourceNode node, String path, Reading reading) {
        if (node instanceof SourceNode.Mapping mapping) {
            return mapping;
        }
        reading.reportKind(node, path, "a group of names", "give " + expected());
        return null;
    }

    private @Nullable Field<R, B, ?> field(String name, SourceNode.Entry entry, String path, Reading reading) {
        Field<R, B, ?> field = fields.get(name);
        if (field == null) {
            String remedy = Messages.nearest(name, fields.keySet())
                    .map(near -> "did you mean " + near + "?")
                    .orElse("known here: " + String.join(", ", fields.keySet()));
            String shown = Messages.shorten(name);
            reading.report(entry.key(), join(path, shown), what + " has no name " + shown, remedy);
        }
        return field;
    }

    private @Nullable R build(B target, SourceNode.Mapping mapping, String path, Reading reading) {
        try {
            return build.apply(target);
        } catch (InvalidSpecException e) {
            for (SpecProblem problem : e.problems()) {
                Location at = Paths.locate(mapping, problem.path());
                SpecProblem whole = problem.under(path);
                reading.add(problem.line().isPresent() ? whole : whole.at(at.line(), at.column()));
            }
            return null;
        } catch (InvalidValueException e) {
            reading.report(mapping, path, e);
            return null;
        }
    }

    private static boolean isAbsent(@Nullable SourceNode node) {
        return node == null || node instanceof SourceNode.Scalar scalar && scalar.kind() == SourceNode.Kind.NULL;
    }

    private static String join(String path, String name) {
        return path.isEmpty() ? name : path + "." + name;
    }

    /** What of a field is written: all of it, or only what is not its default. */
    private interface Shown<R, V> {
        Optional<V> of(R record, boolean full);
    }

    private record Field<R, B, V>(
            String name,
            Codec<V> codec,
            Shown<R, V> shown,
            BiConsumer<B, V> set,
            boolean required,
            @Nullable V otherwise) {
        Map<String, Object> schema(boolean partial, Supplier<B> builder) {
            Map<String, Object> schema = codec.schema(partial, value -> accepts(builder.get(), value));
            Map<String, Object> whole = required && !partial ? schema : Schemas.orNothing(schema);
            if (otherwise != null) {
                whole.put("default", PlainValues.toValue(codec.write(otherwise, true)));
            }
            return whole;
        }

        private boolean accepts(B target, V value) {
            try {
                set.accept(target, value);
                return true;
            } catch (InvalidValueException e) {
                return false;
            }
        }

        void read(SourceNode node, String path, B target, Reading reading) {
            if (isAbsent(node)) {
                return;
            }
            V value = codec.read(node, path, reading);
            if (value != null) {
                reading.attempt(node, path, () -> {
                    set.accept(target, value);
                    return target;
                });
            }
        }

        void write(R record, boolean full, Map<String, SourceNode.Entry> entries) {
            shown.of(record, full)
                    .map(value -> codec.write(value, full))
                    .ifPresent(node -> entries.put(name, SourceNode.Entry.of(node)));
        }
    }
}
