package io.clusterwright.core;

/**
 * The place where a cluster's machines come from, such as {@code LocalMachines.create()} or {@code AzureMachines.connect(...)}: handed to
 * {@link ClusterManager#on}. Applications get such an object from a module and do not implement this interface; a new provider implements
 * {@code core.spi.ProviderMachines}.
 *
 * @see ClusterManager
 */
public interface Machines {

    /** The provider's short name, as in the spec's {@code on}: {@code "local"}, {@code "azure"}. */
    String name();
}
