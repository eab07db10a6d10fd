package io.clusterwright.core.internal.service;

import io.clusterwright.core.type.IncompleteJarException;
import java.util.List;
import java.util.ServiceLoader;
import org.jspecify.annotations.Nullable;

/** The implementations of a service in all modules, found through {@link ServiceLoader}. */
public final class Services {
    private Services() {}

    /**
     * A new instance of each implementation that the context class loader sees, which has the extensions of an application whose server has our
     * modules. Where it does not see the service, as on the common pool of a Spring Boot jar, the class loader of the service is asked.
     *
     * @throws IncompleteJarException when a module is present and its implementations are not registered
     */
    public static <T> List<T> of(Class<T> service) {
        requireComplete();
        Services.class.getModule().addUses(service);
        ClassLoader context = Thread.currentThread().getContextClassLoader();
        ClassLoader loader = sees(context, service) ? context : service.getClassLoader();
        return ServiceLoader.load(service, loader).stream()
                .map(ServiceLoader.Provider::get)
                .toList();
    }

    /**
     * Refuses to go on without a part of a module that is present.
     *
     * @throws IncompleteJarException when the implementations of a module are not registered
     */
    public static void requireComplete() {
        ServiceFiles.requireComplete();
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
