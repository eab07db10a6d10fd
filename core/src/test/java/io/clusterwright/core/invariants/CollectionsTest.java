package io.clusterwright.core.invariants;

import static org.assertj.core.api.Assertions.assertThat;

import io.clusterwright.core.type.HasJson;
import java.lang.reflect.Method;
import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What an object was made from can change without it, and what it lends out cannot be changed. */
class CollectionsTest {

    @Test
    void everyTypeWithCollectionsHasASample() {
        assertThat(PublicTypes.all())
                .hasSizeGreaterThan(60)
                .filteredOn(type -> Samples.of(type).isEmpty())
                .as("types without a sample: add one to Samples")
                .isEmpty();
    }

    @Test
    void returnedCollectionsAreUnmodifiable() throws Exception {
        List<String> holes = new ArrayList<>();
        int tried = 0;
        for (Class<?> type : PublicTypes.all()) {
            for (Object sample : Samples.of(type)) {
                for (Method accessor : PublicTypes.accessors(type)) {
                    if (isCollection(accessor.getReturnType()) && !makesANewMap(accessor)) {
                        tried++;
                        if (canBeChanged(accessor.invoke(sample))) {
                            holes.add(type.getSimpleName() + "." + accessor.getName());
                        }
                    }
                }
            }
        }
        assertThat(tried).isGreaterThan(500);
        assertThat(holes).as("can be changed from outside").isEmpty();
    }

    private static boolean makesANewMap(Method accessor) {
        return accessor.getName().equals("toMap") && HasJson.class.isAssignableFrom(accessor.getDeclaringClass());
    }

    @Test
    void recordsCopyCollections() throws Exception {
        List<String> holes = new ArrayList<>();
        List<String> tried = new ArrayList<>();
        for (Class<?> type : PublicTypes.all()) {
            for (RecordComponent part : type.isRecord() ? type.getRecordComponents() : new RecordComponent[0]) {
                Optional<Object> sample =
                        isCollection(part.getType()) ? filled(type, part.getAccessor()) : Optional.empty();
                if (sample.isPresent()) {
                    Object given = copy(part.getAccessor().invoke(sample.get()));
                    Object made = Remake.with(sample.get(), part, given);
                    Object before = copy(part.getAccessor().invoke(made));
                    clear(given);
                    tried.add(type.getSimpleName() + "." + part.getName());
                    if (!copy(part.getAccessor().invoke(made)).equals(before)) {
                        holes.add(type.getSimpleName() + "." + part.getName());
                    }
                } else if (isCollection(part.getType())) {
                    holes.add(type.getSimpleName() + "." + part.getName() + " has no sample that is not empty");
                }
            }
        }
        assertThat(tried).hasSizeGreaterThan(7);
        assertThat(holes).isEmpty();
    }

    @Test
    void buildersAndTheirResultsCopyCollections() throws Exception {
        List<String> holes = new ArrayList<>();
        List<String> tried = new ArrayList<>();
        for (Class<?> type : PublicTypes.all()) {
            for (Method accessor : PublicTypes.accessors(type)) {
                Optional<Method> setter =
                        isCollection(accessor.getReturnType()) ? setter(type, accessor) : Optional.empty();
                if (setter.isEmpty()) {
                    continue;
                }
                String name = type.getSimpleName() + "." + accessor.getName();
                Object sample = filled(type, accessor).orElse(null);
                if (sample == null) {
                    holes.add(name + " has no sample that is not empty");
                    continue;
                }
                tried.add(name);
                Object given = copy(accessor.invoke(sample));
                Object builder = Remake.builder(sample);
                setter.get().invoke(builder, given);
                Object made = Remake.build(builder);
                Object before = copy(accessor.invoke(made));
                clear(given);
                setter.get().invoke(builder, given);
                if (!copy(accessor.invoke(made)).equals(before)) {
                    holes.add(name);
                }
                Object again = Remake.builder(sample);
                Object kept = copy(accessor.invoke(sample));
                setter.get().invoke(again, kept);
                clear(kept);
                if (!copy(accessor.invoke(Remake.build(again))).equals(before)) {
                    holes.add(name + " of the builder");
                }
            }
        }
        assertThat(tried).hasSizeGreaterThan(10);
        assertThat(holes).isEmpty();
    }

    @Test
    void equalBuildersBuildEqualValues() throws Exception {
        List<String> others = new ArrayList<>();
        int tried = 0;
        for (Class<?> type : PublicTypes.all()) {
            for (Object sample : Remake.hasBuilder(type) ? Samples.of(type) : List.of()) {
                tried++;
                Object again = Remake.build(Remake.builder(sample));
                if (!again.toString().equals(sample.toString()) || isValue(type) && !again.equals(sample)) {
                    others.add(type.getSimpleName() + ": " + sample + " became " + again);
                }
            }
        }
        assertThat(tried).isGreaterThan(60);
        assertThat(others).isEmpty();
    }

    private static boolean isValue(Class<?> type) throws NoSuchMethodException {
        return type.getMethod("equals", Object.class).getDeclaringClass() != Object.class;
    }

    private static Optional<Method> setter(Class<?> type, Method accessor) {
        return Remake.hasBuilder(type)
                ? Arrays.stream(Remake.builderType(type).getMethods())
                        .filter(method -> method.getName().equals(accessor.getName())
                                && method.getParameterCount() == 1
                                && method.getParameterTypes()[0] == accessor.getReturnType())
                        .findFirst()
                : Optional.empty();
    }

    private static Optional<Object> filled(Class<?> type, Method accessor) throws ReflectiveOperationException {
        for (Object sample : Samples.of(type)) {
            Object value = accessor.invoke(sample);
            if (value instanceof Collection<?> all ? !all.isEmpty() : !((Map<?, ?>) value).isEmpty()) {
                return Optional.of(sample);
            }
        }
        return Optional.empty();
    }

    private static boolean isCollection(Class<?> type) {
        return Collection.class.isAssignableFrom(type) || Map.class.isAssignableFrom(type);
    }

    private static Object copy(Object collection) {
        if (collection instanceof Map<?, ?> map) {
            return new LinkedHashMap<>(map);
        }
        return collection instanceof Set<?> set
                ? new LinkedHashSet<>(set)
                : new ArrayList<>((Collection<?>) collection);
    }

    private static void clear(Object collection) {
        if (collection instanceof Map<?, ?> map) {
            map.clear();
        } else {
            ((Collection<?>) collection).clear();
        }
    }

    private static boolean canBeChanged(Object collection) {
        try {
            if (collection instanceof Map<?, ?> map) {
                map.put(null, null);
            } else {
                ((Collection<?>) collection).add(null);
            }
            return true;
        } catch (UnsupportedOperationException e) {
            return false;
        } catch (NullPointerException e) {
            // It refuses null, not the change.
            return true;
        }
    }
}
