package io.clusterwright.windows.emulator;

/** The versions of HPC Pack that can be emulated. */
public enum HpcPackGeneration {
    /** {@code /hpc} as Microsoft describes it for 2019. */
    HPC_2019("6.1.7531.0"),
    /** {@code /hpc} with the paths that 2016 has for nodes and groups, which can be read only; from Microsoft's tests and samples. */
    HPC_2016("5.3.6420.0"),
    /** {@code /WindowsHPC} with the part that Microsoft's samples use. */
    HPC_2012("4.5.5079.0");

    private final String version;

    HpcPackGeneration(String version) {
        this.version = version;
    }

    /** The version that the head node reports. */
    public String version() {
        return version;
    }
}
