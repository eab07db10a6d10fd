package io.clusterwright.core.invariants;

import io.clusterwright.core.internal.planning.ComputedPlan;
import io.clusterwright.core.spec.ClusterSpec;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

/** The types of the API whose objects carry a description, a fact or a plan: found by looking, so that a new one is among them. */
final class PublicTypes {
    private static final List<String> PACKAGES = List.of("type", "spec", "catalog", "plan");

    private PublicTypes() {}

    /** Public classes and records that have objects, in the order of their names; no exceptions, enums and builders. */
    static List<Class<?>> all() {
        // The only class of plans, which the API shows as an interface.
        List<Class<?>> types = new ArrayList<>(List.of(ComputedPlan.class));
        for (String name : PACKAGES) {
            try (Stream<Path> files = Files.list(classes().resolve(name))) {
                files.map(file -> file.getFileName().toString())
                        .filter(file -> file.endsWith(".class") && !file.endsWith("-info.class"))
                        .sorted()
                        .map(file -> load("io.clusterwright.core." + name + "." + file.replace(".class", "")))
                        .filter(PublicTypes::hasObjects)
                        .forEach(types::add);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
        return types;
    }

    private static Path classes() {
        try {
            return Path.of(ClusterSpec.class
                            .getProtectionDomain()
                            .getCodeSource()
                            .getLocation()
                            .toURI())
                    .resolve("io/clusterwright/core");
        } catch (URISyntaxException e) {
            throw new IllegalStateException(e);
        }
    }

    private static Class<?> load(String name) {
        try {
            return Class.forName(name);
        } catch (ClassNotFoundException e) {
            throw new IllegalStateException(e);
        }
    }

    private static boolean hasObjects(Class<?> type) {
        return isPublic(type)
                && !type.isInterface()
                && !type.isEnum()
                && !type.getSimpleName().isEmpty()
                && !type.getSimpleName().equals("Builder")
                && !Throwable.class.isAssignableFrom(type)
                && Arrays.stream(type.getDeclaredMethods())
                        .anyMatch(method ->
                                !Modifier.isStatic(method.getModifiers()) && Modifier.isPublic(method.getModifiers()));
    }

    private static boolean isPublic(Class<?> type) {
        Class<?> outer = type.getEnclosingClass();
        return Modifier.isPublic(type.getModifiers()) && (outer == null || isPublic(outer));
    }

    /** The methods that tell what an object holds. */
    static List<Method> accessors(Class<?> type) {
        return Arrays.stream(type.getMethods())
                .filter(method -> method.getParameterCount() == 0
                        && !Modifier.isStatic(method.getModifiers())
                        && method.getDeclaringClass() != Object.class
                        && method.getReturnType() != void.class
                        && !method.isBridge()
                        && !List.of("toBuilder", "hashCode", "toString").contains(method.getName()))
                .toList();
    }
}
