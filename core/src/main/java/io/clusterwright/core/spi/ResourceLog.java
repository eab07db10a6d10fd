package io.clusterwright.core.spi;

import io.clusterwright.core.ResourceId;

/**
 * The journal of resources, to which a provider announces each one. Only the core keeps it, on disk before the call returns.
 *
 * <p>Safe for use by several threads.
 */
public interface ResourceLog {

    /** About to make this resource: called before anything of it exists. */
    void creating(ResourceId resource);

    /** The resource exists. */
    void created(ResourceId resource);

    /** The resource is gone. */
    void deleted(ResourceId resource);
}
