package io.clusterwright.examples.emulator;

import io.clusterwright.core.Machines;
import io.clusterwright.core.spi.MachineProvider;
import io.clusterwright.core.spi.ProviderMachines;
import java.util.function.Supplier;

/** Machines of a provider that is connected to on first use. */
public final class LazyProvider {
    private LazyProvider() {}

    /** The machines of the provider of this name. */
    public static Machines of(String name, Supplier<? extends Machines> connect) {
        return new ProviderMachines() {
            @Override
            public String name() {
                return name;
            }

            @Override
            public MachineProvider open() {
                return ((ProviderMachines) connect.get()).open();
            }
        };
    }
}
