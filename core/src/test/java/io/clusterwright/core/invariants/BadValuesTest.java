package io.clusterwright.core.invariants;

import static org.assertj.core.api.Assertions.assertThat;

import io.clusterwright.core.type.ClusterwrightException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.RecordComponent;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Values that are wrong wherever they stand are refused by every builder and record, with an error of our own. */
class BadValuesTest {
    private static final Map<Class<?>, List<Object>> WRONG = Map.of(
            int.class, List.of(Integer.MIN_VALUE, Integer.MAX_VALUE),
            double.class, List.of(Double.NaN, Double.NEGATIVE_INFINITY, -1.0),
            Duration.class, List.of(Duration.ofSeconds(-1)),
            BigDecimal.class, List.of(new BigDecimal("-1")),
            String.class, List.of("a\0b"));

    @Test
    void everyBuilderRefusesWrongValues() throws Exception {
        List<String> holes = new ArrayList<>();
        int tried = 0;
        for (Class<?> type : PublicTypes.all()) {
            if (!Remake.hasBuilder(type) || Samples.of(type).isEmpty()) {
                continue;
            }
            Object sample = Samples.of(type).get(0);
            for (Method setter : Remake.builderType(type).getMethods()) {
                Class<?> kind = setter.getParameterCount() == 1 ? setter.getParameterTypes()[0] : void.class;
                for (Object wrong : WRONG.getOrDefault(kind, List.of())) {
                    tried++;
                    Object builder = Remake.builder(sample);
                    answer(() -> {
                                setter.invoke(builder, wrong);
                                return builder.getClass().getMethod("build").invoke(builder);
                            })
                            .ifPresent(hole -> holes.add(
                                    type.getSimpleName() + "." + setter.getName() + "(" + wrong + ") " + hole));
                }
            }
        }
        assertThat(tried).isGreaterThan(40);
        assertThat(holes).isEmpty();
    }

    @Test
    void everyRecordRefusesWrongValues() throws Exception {
        List<String> holes = new ArrayList<>();
        int tried = 0;
        for (Class<?> type : PublicTypes.all()) {
            boolean described = type.getPackageName().endsWith(".type")
                    || type.getPackageName().endsWith(".spec");
            for (RecordComponent part : parts(type)) {
                for (Object wrong : described ? WRONG.getOrDefault(part.getType(), List.of()) : List.of()) {
                    if (wrong.equals(Integer.MIN_VALUE) && type.getSimpleName().equals("Ipv4Address")
                            || wrong.equals(Integer.MAX_VALUE)
                                    && type.getSimpleName().equals("Ipv4Address")) {
                        continue;
                    }
                    tried++;
                    Object sample = Samples.of(type).get(0);
                    answer(() -> Remake.with(sample, part, wrong))
                            .ifPresent(hole ->
                                    holes.add(type.getSimpleName() + "." + part.getName() + "(" + wrong + ") " + hole));
                }
            }
        }
        assertThat(tried).isGreaterThan(20);
        assertThat(holes).isEmpty();
    }

    @Test
    void recordsRefuseNullUnlessNullable() throws Exception {
        List<String> holes = new ArrayList<>();
        int tried = 0;
        for (Class<?> type : PublicTypes.all()) {
            for (RecordComponent part : parts(type)) {
                boolean mayBeNull = part.getAnnotatedType().isAnnotationPresent(Nullable.class);
                if (!part.getType().isPrimitive() && !mayBeNull) {
                    tried++;
                    Object sample = Samples.of(type).get(0);
                    answer(() -> Remake.with(sample, part, null))
                            .ifPresent(
                                    hole -> holes.add(type.getSimpleName() + "." + part.getName() + "(null) " + hole));
                }
            }
        }
        assertThat(tried).isGreaterThan(40);
        assertThat(holes).isEmpty();
    }

    @Test
    void everySetterRefusesNull() throws Exception {
        List<String> holes = new ArrayList<>();
        int tried = 0;
        for (Class<?> type : PublicTypes.all()) {
            if (!Remake.hasBuilder(type)) {
                continue;
            }
            for (Method setter : Remake.builderType(type).getMethods()) {
                boolean sets = setter.getParameterCount() == 1
                        && setter.getDeclaringClass() != Object.class
                        && !setter.getParameterTypes()[0].isPrimitive();
                if (sets) {
                    tried++;
                    Object builder = Remake.builder(Samples.of(type).get(0));
                    answer(() -> setter.invoke(builder, (Object) null))
                            .ifPresent(hole ->
                                    holes.add(type.getSimpleName() + "." + setter.getName() + "(null) " + hole));
                }
            }
        }
        assertThat(tried).isGreaterThan(100);
        assertThat(holes).isEmpty();
    }

    private static RecordComponent[] parts(Class<?> type) {
        return type.isRecord() && !Samples.of(type).isEmpty() ? type.getRecordComponents() : new RecordComponent[0];
    }

    /** What is wrong with the answer to a wrong value; empty where it is refused as it should be. */
    private static Optional<String> answer(Call call) throws ReflectiveOperationException {
        try {
            return Optional.of("is taken: " + call.make());
        } catch (InvocationTargetException e) {
            Throwable cause = e.getCause();
            boolean told = cause instanceof NullPointerException || isOurs(cause);
            return told ? Optional.empty() : Optional.of("answers with " + cause);
        }
    }

    /** Errors of records that only this library makes are errors of programs, and told by the exception of Java for that. */
    private static boolean isOurs(Throwable cause) {
        return cause instanceof ClusterwrightException
                || cause.getClass() == IllegalArgumentException.class
                        && cause.getMessage() != null
                        && !cause.getMessage().isBlank();
    }

    /** A call that should be refused. */
    private interface Call {
        Object make() throws ReflectiveOperationException;
    }
}
