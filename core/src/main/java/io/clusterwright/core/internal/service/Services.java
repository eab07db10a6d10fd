package io.clusterwright.core.internal.service;

import io.clusterwright.core.type.IncompleteJarException;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.ServiceLoader;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The implementations of a service in all modules, found through {@link ServiceLoader}. */
public final class Services {
    private Services() {}

    /**
     * A new instance of each implementation: first the implementations that the class loader of the service sees, then further ones of the
     * context class loader, such as extensions of an application whose server has our modules. The context class loader is not enough: on the
     * common pool of a Spring Boot jar it sees no module.
     *
     * @throws IncompleteJarException when a module is present and its implementations are not registered
     */
    public static <T> List<T> of(Class<T> service) {
        requireComplete();
        Services.class.getModule().addUses(service);
        Map<String, ServiceLoader.Provider<T>> found = new LinkedHashMap<>();
        for (ClassLoader loader : loaders(service)) {
            ServiceLoader.load(service, loader).stream()
                    .forEach(provider -> found.putIfAbsent(provider.type().getName(), provider));
        }
        return found.values().stream().map(ServiceLoader.Provider::get).toList();
    }

    /**
     * Refuses to go on without a part of a module that is present.
     *
     * @throws IncompleteJarException when the implementations of a module are not registered
     */
    public static void requireComplete() {
        ServiceFiles.requireComplete();
    }

    private static Set<ClassLoader> loaders(Class<?> service) {
        Set<ClassLoader> loaders = new LinkedHashSet<>(List.of(service.getClassLoader()));
        ClassLoader context = Thread.currentThread().getContextClassLoader();
        if (sees(context, service)) {
            loaders.add(context);
        }
        return loaders;
    }

    /** Whether implementations that the loader finds are implementations of this service, and not of a copy. */
    private static boolean sees(@Nullable ClassLoader loader, Class<?> service) {
        try {
            return loader != null && Class.forName(service.getName(), false, loader) == service;
        } catch (ClassNotFoundException e) {
            return false;
        }
    }
}
