package io.clusterwright.examples.emulator;

import io.clusterwright.core.spi.MachineProvider;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.function.Supplier;

/** A provider that connects on first use. */
public final class LazyProvider {
    private LazyProvider() {}

    /** The provider of this name. */
    public static MachineProvider of(String name, Supplier<? extends MachineProvider> connect) {
        Object[] connected = new Object[1];
        return (MachineProvider) Proxy.newProxyInstance(
                LazyProvider.class.getClassLoader(),
                new Class<?>[] {MachineProvider.class},
                (proxy, method, arguments) -> {
                    if (method.getName().equals("name")) {
                        return name;
                    }
                    synchronized (connected) {
                        if (connected[0] == null && method.getName().equals("close")) {
                            return null;
                        }
                        if (connected[0] == null) {
                            connected[0] = connect.get();
                        }
                    }
                    try {
                        return method.invoke(connected[0], arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }
}
