package io.clusterwright.core.internal.relay;

import io.clusterwright.core.NodeSession;
import io.clusterwright.core.spi.NodeTransport;

/**
 * Sessions that run commands by scripts over the relay of each node, for where there is no network way to it. Slow: each step is one
 * script, and on Azure a script takes seconds to half a minute.
 *
 * <p>What is different from a session over SSH:
 *
 * <ul>
 *   <li>Connecting asks nothing; the first command does.
 *   <li>Output comes while somebody awaits the command, in pieces, and of each stream only the last 256 KiB.
 *   <li>{@link io.clusterwright.core.Command#openInput()} is refused, and so is what needs it, such as companions that talk with
 *       a process.
 *   <li>Files of up to 16 MiB go there and of up to 1 MiB come back.
 *   <li>A command runs on when the library dies; a machine that restarts forgets it.
 * </ul>
 */
public final class RunCommandTransport implements NodeTransport {
    private final RelayShell shell;

    /** Sessions to nodes of one kind of system. */
    public RunCommandTransport(RelayShell shell) {
        this.shell = shell;
    }

    @Override
    public NodeSession connect(Target target) {
        return new RunCommandSession(shell, target);
    }

    @Override
    public void close() {}
}
