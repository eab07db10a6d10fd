package io.clusterwright.core.spec;

import io.clusterwright.core.spec.Table.Field;
import io.clusterwright.core.spec.Table.Row;
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
import org.jspecify.annotations.Nullable;

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

        /** Takes over values of the whole before this part is built. */
        void within(Values whole) {}

        /**
         * The part.
         *
         * @throws InvalidSpecException with all problems between its fields
         */
        public P build() {
            Problems problems = new Problems();
            Map<String, Object> built = new HashMap<>();
            for (Row<P, ?> row : table.rows.values()) {
                if (row.field().remedy != null && row.field().part == null) {
                    problems.require(row.field().name, values.get(row.field().name), row.field().remedy);
                }
            }
            values.forEach((name, value) -> {
                if (!(value instanceof Draft)) {
                    built.put(name, value);
                }
            });
            for (Row<P, ?> row : table.rows.values()) {
                Field<?> field = row.field();
                Object value = values.get(field.name);
                if (value == null && field.part != null && (field.otherwise != null || field.remedy != null)) {
                    value = field.part.get();
                    values.put(field.name, value);
                }
                if (value instanceof Draft<?> part) {
                    part.within(new Values(table, built));
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
}
