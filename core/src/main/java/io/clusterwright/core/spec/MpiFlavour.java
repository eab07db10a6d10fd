package io.clusterwright.core.spec;

import io.clusterwright.core.internal.text.PrintableText;

/**
 * The MPI implementations the library knows. Use it to name the MPI of an image or of a job.
 *
 * @see Customization
 */
public enum MpiFlavour {
    /** Intel MPI. */
    INTEL_MPI,
    /** Open MPI. */
    OPEN_MPI,
    /** HPC-X: Open MPI with UCX, by NVIDIA. */
    HPC_X,
    /** MPICH. */
    MPICH,
    /** MVAPICH2. */
    MVAPICH2,
    /** Microsoft MPI. */
    MS_MPI;

    /** The name in a cluster spec, such as {@code intel-mpi}. */
    @Override
    public String toString() {
        return PrintableText.word(this);
    }
}
