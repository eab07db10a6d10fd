package io.clusterwright.core.internal.session;

import io.clusterwright.core.spec.OperatingSystem;
import io.clusterwright.core.spi.NodeBackend;
import io.clusterwright.core.type.ClusterwrightException;
import java.util.Locale;
import java.util.ServiceLoader;

/** Finds the backend of an operating system on the class path or module path. */
public final class NodeBackends {
    private NodeBackends() {}

    /**
     * The backend of a system.
     *
     * @throws ClusterwrightException when its module is absent, naming it
     */
    public static NodeBackend of(OperatingSystem system) {
        return ServiceLoader.load(NodeBackend.class).stream()
                .map(ServiceLoader.Provider::get)
                .filter(backend -> backend.operatingSystem() == system)
                .findFirst()
                .orElseThrow(() -> new ClusterwrightException("no module supports " + system
                        + " nodes; add clusterwright-" + system.name().toLowerCase(Locale.ROOT)
                        + " to the class path or module path"));
    }
}
