package io.clusterwright.windows.hpcpack;

/** The generations of a head node's REST interface. */
public enum ApiGeneration {
    /** {@code /hpc} of HPC Pack 2019: jobs, nodes, node groups, operations. */
    HPC_2019("HPC Pack 2019"),
    /** {@code /hpc} of HPC Pack 2016: jobs; nodes and groups can be read. */
    HPC_2016("HPC Pack 2016"),
    /** {@code /WindowsHPC} of HPC Pack 2012 and 2012 R2: jobs; nodes and groups can be read. */
    WINDOWS_HPC("HPC Pack 2012");

    private final String title;

    ApiGeneration(String title) {
        this.title = title;
    }

    /** The generation for people. */
    @Override
    public String toString() {
        return title;
    }
}
