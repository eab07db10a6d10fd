package io.clusterwright.mpi.internal.command;

import io.clusterwright.core.internal.text.TextResource;

/** Lines of shell that find the InfiniBand devices of the node they run on. */
public final class InfiniBandDevices {
    /** The variable with the number of the rail, from 1, that ranks are to use alone. */
    public static final String RAIL = "CW_RAIL";

    /** Before a rank: tells its MPI which devices to use. */
    public static final String CHOICE = TextResource.read(
            InfiniBandDevices.class.getResourceAsStream("infiniband-devices.sh"), "infiniband-devices.sh");

    /** Prints a line for each rail of the node, in their order: PCI address, device with its port, and state. */
    public static final String LIST = RAIL + "=1\n" + CHOICE + "echo \"$cw_rails\"\n";

    private InfiniBandDevices() {}
}
