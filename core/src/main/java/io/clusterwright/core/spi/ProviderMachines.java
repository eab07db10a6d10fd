package io.clusterwright.core.spi;

import io.clusterwright.core.Machines;

/**
 * The form of {@link Machines} that modules implement: opens the provider when it is first needed. Safe for use by several threads.
 *
 * @see MachineProvider
 */
public interface ProviderMachines extends Machines {

    /** Opens the provider; called at most once by each cluster manager, when it first needs more than the name. */
    MachineProvider open();

    /** Closes a provider that {@link #open} returned, when the cluster manager is closed. Default: {@link MachineProvider#close()}. */
    default void close(MachineProvider opened) {
        opened.close();
    }

    /** The machines of a provider that the caller made; the caller closes it. */
    static ProviderMachines of(MachineProvider provider) {
        return new ProviderMachines() {
            @Override
            public String name() {
                return provider.name();
            }

            @Override
            public MachineProvider open() {
                return provider;
            }

            @Override
            public void close(MachineProvider opened) {}
        };
    }
}
