package io.clusterwright.azure.internal.batch;

import io.clusterwright.core.spec.OperatingSystem;
import io.clusterwright.core.spi.NodeBackend;
import io.clusterwright.core.type.ClusterwrightException;
import java.util.ServiceLoader;

/** The backends that are on the class path or module path. */
public final class Backends {
    private Backends() {}

    /** The backend of a system. */
    public static NodeBackend of(OperatingSystem system) {
        return ServiceLoader.load(NodeBackend.class).stream()
                .map(ServiceLoader.Provider::get)
                .filter(backend -> backend.operatingSystem() == system)
                .findFirst()
                .orElseThrow(() -> new ClusterwrightException("nothing here knows how " + system
                        + " machines start; add the module of that system to the class path or module path"));
    }
}
