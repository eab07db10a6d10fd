package io.clusterwright.windows.emulator.internal.task;

import io.clusterwright.core.Command;
import io.clusterwright.core.CommandResult;
import io.clusterwright.core.spec.MpiFlavour;
import io.clusterwright.mpi.spi.NodeTarget;

/**
 * NetPIPE on a node.
 *
 * @param path the program
 * @param flavour the MPI it was built with
 */
record NetPipe(String path, MpiFlavour flavour) {
    private static final String FIND = "command -v NPmpich2 || command -v NPopenmpi";

    static NetPipe find(NodeTarget target) {
        CommandResult found = target.session(target.nodes().get(0).name()).run(Command.of("/bin/sh", "-c", FIND));
        String path = found.stdout().strip();
        if (path.isEmpty()) {
            throw new IllegalArgumentException("no ping-pong program is on node "
                    + target.nodes().get(0).name() + ": install NetPIPE (Debian: netpipe-mpich2 or netpipe-openmpi)");
        }
        return new NetPipe(path, path.endsWith("mpich2") ? MpiFlavour.MPICH : MpiFlavour.OPEN_MPI);
    }
}
