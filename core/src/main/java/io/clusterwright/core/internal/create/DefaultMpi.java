package io.clusterwright.core.internal.create;

import io.clusterwright.core.catalog.SizeDefaults;
import io.clusterwright.core.spec.ClusterSpec;
import io.clusterwright.core.spec.OperatingSystem;
import io.clusterwright.core.spi.Facts;

/** Puts the MPI of the size into a description that names none, so that all who carry it out install the same. */
public final class DefaultMpi {
    private DefaultMpi() {}

    /** The description with an MPI, where one goes without saying; on Windows, HPC Pack brings it. */
    public static ClusterSpec named(ClusterSpec spec, Facts facts) {
        if (spec.operatingSystem() != OperatingSystem.LINUX || facts.local()) {
            return spec;
        }
        return SizeDefaults.unnamedMpi(spec, facts.sizes())
                .map(mpi -> spec.toBuilder()
                        .image(image -> image.customize(customize -> customize.mpi(mpi)))
                        .build())
                .orElse(spec);
    }
}
