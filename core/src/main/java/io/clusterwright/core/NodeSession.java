package io.clusterwright.core;

import io.clusterwright.core.RunningCommand.OutputListener;
import io.clusterwright.core.type.ClusterwrightException;
import io.clusterwright.core.type.NodeName;
import io.clusterwright.core.type.OperationInterruptedException;
import io.clusterwright.core.type.UserName;
import java.nio.file.Path;

/**
 * An open session to one node, as one user: runs commands and copies files. Use it to copy files and to follow a
 * command on one node; {@link Cluster#run(Command)} runs a command on all nodes.
 *
 * <pre>{@code
 * NodeSession session = cluster.session(cluster.head().name());
 * session.upload(Path.of("specs", "install-app.sh"), "/tmp/install-app.sh", 0755);
 * CommandResult result =
 *         session.run(Command.of("/bin/sh", "-n", "/tmp/install-app.sh")).orThrow();
 * session.download("/etc/os-release", folder.resolve("os-release"));
 * }</pre>
 *
 * <p>Sessions are safe for use by several threads; commands run side by side. All methods block and can be interrupted:
 * the running command is ended on the node, the interrupt flag is set again, and a {@link OperationInterruptedException}
 * is thrown.
 */
public interface NodeSession extends AutoCloseable {

    /** The node at the other end. */
    NodeName node();

    /** The account this session is logged in as. */
    UserName user();

    /**
     * Whether the connection still stands, as far as is known here. A session that is not open stays so: a
     * {@link Cluster} opens another one in its place.
     */
    boolean isOpen();

    /**
     * Runs a command to its end and keeps its output: the last 16 MiB of each stream. {@link CommandResult#lostBytes} says how much is
     * missing; {@link #start} hands on output of any size.
     *
     * @return the result, whatever the exit status
     * @throws CommandException.TimedOut when the command's time passed; it has been ended on the node
     * @throws NodeUnreachableException when the node does not answer or the connection broke
     */
    CommandResult run(Command command);

    /**
     * Starts a command and hands its output on as it comes.
     *
     * @param output called on a thread of the session, one chunk at a time and never concurrently for one command
     * @throws NodeUnreachableException when the node does not answer
     */
    RunningCommand start(Command command, OutputListener output);

    /**
     * Writes a file on the node as this session's user: to a temporary name beside it, then renamed over it. Over SSH, a copy whose connection
     * breaks is repeated over another one, for 3 minutes.
     *
     * @param mode the permissions, such as {@code 0600}
     * @throws NodeUnreachableException when the connection broke, and could not be opened again
     */
    void write(byte[] content, String remotePath, int mode);

    /** Copies a local file to the node, as {@link #write} does, without holding it in memory. */
    void upload(Path local, String remotePath, int mode);

    /** Copies a file of the node to a local path, replacing it; repeated as {@link #write} is. */
    void download(String remotePath, Path local);

    /**
     * Copies a local file or folder with all it holds to the node: into the remote path where that is a folder, and to that path otherwise.
     * Permissions are kept, links are followed, files that exist are replaced, others stay.
     *
     * @throws io.clusterwright.core.type.ClusterwrightException when something cannot be read or written, or this session copies single files
     *     only
     */
    default void uploadTree(Path local, String remotePath) {
        throw new ClusterwrightException("the session to " + node() + " copies single files only; use upload");
    }

    /**
     * Copies a file or folder of the node with all it holds to this machine: into the local path where that is a folder, and to that path
     * otherwise. Permissions are kept as far as the umask of this process allows, links that stay in the folder are copied as links, files
     * that exist are replaced, others stay. Nothing is written outside of the target.
     *
     * @throws io.clusterwright.core.type.ClusterwrightException as {@link #uploadTree} does; also when the folder has more than 1,000,000
     *     entries, 100 folders in each other, or more bytes than 95 % of the free space; and after the copy, when links that lead out of the
     *     folder, devices, or names that this machine does not allow were left out
     */
    default void downloadTree(String remotePath, Path local) {
        throw new ClusterwrightException("the session to " + node() + " copies single files only; use download");
    }

    /** Ends the session; commands still running on it are ended on the node. */
    @Override
    void close();
}
