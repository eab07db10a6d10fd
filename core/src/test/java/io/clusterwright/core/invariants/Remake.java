package io.clusterwright.core.invariants;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.RecordComponent;
import java.util.Arrays;

/** Makes objects anew, whatever their type. */
final class Remake {
    private Remake() {}

    /** A record with one part replaced. */
    static Object with(Object whole, RecordComponent part, Object value) throws ReflectiveOperationException {
        RecordComponent[] parts = whole.getClass().getRecordComponents();
        Object[] arguments = new Object[parts.length];
        for (int i = 0; i < parts.length; i++) {
            arguments[i] = parts[i].getName().equals(part.getName())
                    ? value
                    : parts[i].getAccessor().invoke(whole);
        }
        Class<?>[] types = Arrays.stream(parts).map(RecordComponent::getType).toArray(Class<?>[]::new);
        return whole.getClass().getConstructor(types).newInstance(arguments);
    }

    static boolean hasBuilder(Class<?> type) {
        return Arrays.stream(type.getMethods())
                .anyMatch(method -> method.getName().equals("toBuilder"));
    }

    static Class<?> builderType(Class<?> type) {
        return Arrays.stream(type.getDeclaredClasses())
                .filter(nested -> nested.getSimpleName().equals("Builder"))
                .findFirst()
                .orElseThrow();
    }

    static Object builder(Object whole) throws ReflectiveOperationException {
        return whole.getClass().getMethod("toBuilder").invoke(whole);
    }

    static Object build(Object builder) throws ReflectiveOperationException {
        try {
            return builder.getClass().getMethod("build").invoke(builder);
        } catch (InvocationTargetException e) {
            throw new IllegalStateException(builder.getClass() + ": " + e.getCause(), e.getCause());
        }
    }
}
