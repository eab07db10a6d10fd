package io.clusterwright.core;

import io.clusterwright.core.RunningCommand.OutputListener;
import io.clusterwright.core.internal.session.FanOut;
import io.clusterwright.core.internal.session.HeldCommand;
import io.clusterwright.core.internal.session.KeptSessions;
import io.clusterwright.core.internal.session.RepeatedFanOut;
import io.clusterwright.core.internal.session.UploadFanOut;
import io.clusterwright.core.spec.ClusterSpec;
import io.clusterwright.core.spec.OperatingSystem;
import io.clusterwright.core.type.ClusterName;
import io.clusterwright.core.type.ClusterwrightException;
import io.clusterwright.core.type.Interconnect;
import io.clusterwright.core.type.InvalidValueException;
import io.clusterwright.core.type.NodeName;
import io.clusterwright.core.type.NodeSet;
import io.clusterwright.core.type.UserName;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A running cluster: its nodes and the sessions to them. Use it to run commands on all nodes, and as the place of MPI
 * jobs.
 *
 * <pre>{@code
 * NodeResults results = cluster.run(Command.of("uname", "-r"));
 * results.groupedByOutput().forEach((output, nodes) -> System.out.println(NodeSet.fold(nodes) + ": " + output));
 * for (Node node : cluster.nodes()) {
 *     System.out.println(node.name() + " has the address " + node.address());
 * }
 * }</pre>
 *
 * <p>Safe for use by several threads. Sessions are opened when they are first needed and kept, and opened again when their
 * connection was lost; {@link #close()} releases them and deletes nothing.
 */
public final class Cluster implements AutoCloseable {
    private final ClusterSpec spec;
    private final List<Node> nodes;
    private final Map<NodeName, Node> byName = new HashMap<>();
    private final SessionSource sessions;

    private Cluster(ClusterSpec spec, Collection<Node> nodes, SessionSource sessions) {
        this.spec = spec;
        this.nodes = nodes.stream()
                .sorted(Comparator.comparing((Node node) -> !spec.isSeparateHead(node.name()))
                        .thenComparing(Node::name))
                .toList();
        this.nodes.forEach(node -> byName.putIfAbsent(node.name(), node));
        this.sessions = sessions;
    }

    /**
     * A cluster of nodes that run already, made by this library or not.
     *
     * @param sessions opens the sessions to the nodes; {@link #close()} closes it
     * @throws InvalidValueException when there is no node
     */
    public static Cluster of(ClusterSpec spec, Collection<Node> nodes, SessionSource sessions) {
        if (nodes.isEmpty()) {
            throw new InvalidValueException("number of nodes", "0", "1 or more", "1");
        }
        return new Cluster(spec, nodes, sessions);
    }

    /** The cluster's name. */
    public ClusterName name() {
        return spec.name();
    }

    /** The spec of the cluster. */
    public ClusterSpec spec() {
        return spec;
    }

    /** All nodes: a separate head node first, then the others in the order of their names. */
    public List<Node> nodes() {
        return nodes;
    }

    /**
     * The head: the separate head node of the spec, or else the first node. Users log in there, and a scheduler's
     * controller runs there.
     */
    public Node head() {
        return nodes.get(0);
    }

    /**
     * The nodes that run ranks, in the order of their names, the first of which runs rank 0: all but a separate head node. Empty where only
     * that exists.
     */
    public List<Node> computeNodes() {
        return nodes.stream().filter(node -> !spec.isSeparateHead(node.name())).toList();
    }

    /**
     * A node by its name.
     *
     * @throws ClusterwrightException when the cluster has no such node, listing those it has
     */
    public Node node(NodeName name) {
        Node node = byName.get(name);
        if (node == null) {
            throw new ClusterwrightException("cluster " + name() + " has no node " + name + "; its nodes: "
                    + NodeSet.fold(nodes.stream().map(Node::name).toList()));
        }
        return node;
    }

    /**
     * The fast network that all {@linkplain #computeNodes() compute nodes} have; {@link Interconnect#NONE} as soon as one node has no fast
     * network.
     */
    public Interconnect interconnect() {
        List<Interconnect> kinds =
                computeNodes().stream().map(Node::interconnect).distinct().toList();
        return kinds.size() == 1 ? kinds.get(0) : Interconnect.NONE;
    }

    /** The account that may use {@code sudo}. */
    public UserName loginUser() {
        return spec.login().user();
    }

    /** The account that MPI jobs run as. */
    public UserName mpiUser() {
        return spec.mpiUser();
    }

    /**
     * The session to a node as the login user. It belongs to the cluster: do not close it.
     *
     * @throws NodeUnreachableException when the node cannot be reached
     */
    public NodeSession session(NodeName node) {
        return session(node, loginUser());
    }

    /**
     * The session to a node as this user. It belongs to the cluster: do not close it.
     *
     * @throws NodeUnreachableException when the node cannot be reached or does not let that user in
     */
    public NodeSession session(NodeName node, UserName user) {
        return sessions.session(node(node).name(), user);
    }

    /** Runs a command on every node at once, as the login user; at most 64 at a time. */
    public NodeResults run(Command command) {
        return run(command, nodes.stream().map(Node::name).toList(), loginUser());
    }

    /**
     * Runs a command on some nodes at once; at most 64 at a time. When this thread is interrupted, the commands are ended, those
     * outcomes are {@link NodeOutcome.Cancelled}, and the interrupt flag is set.
     *
     * <p>From the third command on, a node with Python 3.8 or newer starts commands from one login shell that the session keeps: they see
     * the variables and limits that login scripts set when it began. {@link #runInNewSessions} sees the current ones.
     */
    public NodeResults run(Command command, Collection<NodeName> on, UserName user) {
        return outlivesConnection(command)
                ? FanOut.each(
                        on,
                        node -> session(node, user),
                        session -> HeldCommand.run(session, () -> session(session.node(), user), command))
                : RepeatedFanOut.run(on, node -> session(node, user), node -> ifOpen(node, user), command);
    }

    /**
     * Starts a command on a node and hands its output on as it comes, as {@link NodeSession#start} does; a command that
     * {@linkplain Command#outliveConnection() outlives its connection} survives a broken one.
     *
     * <pre>{@code
     * Command simulation = Command.of("sh", "-c", "sleep 2; echo done").outliveConnection();
     * NodeName node = cluster.head().name();
     * try (RunningCommand running = cluster.start(
     *         simulation,
     *         node,
     *         cluster.loginUser(),
     *         (stream, bytes, length) -> System.out.println(new String(bytes, 0, length)))) {
     *     System.out.println(running.await(Duration.ofHours(1))); // empty when it still runs
     * }
     * }</pre>
     *
     * @param output called one chunk at a time and never concurrently for one command
     * @throws NodeUnreachableException when the node does not answer
     */
    public RunningCommand start(Command command, NodeName node, UserName user, OutputListener output) {
        NodeSession session = session(node, user);
        return outlivesConnection(command)
                ? HeldCommand.start(session, () -> session(node, user), command, output)
                : session.start(command, output);
    }

    private boolean outlivesConnection(Command command) {
        return command.outlivesConnection() && spec.operatingSystem() == OperatingSystem.LINUX;
    }

    private Optional<NodeSession> ifOpen(NodeName node, UserName user) {
        return sessions instanceof KeptSessions kept ? kept.ifOpen(node, user) : Optional.empty();
    }

    /**
     * Runs a command on every node at once, each time in a new session: limits, groups and all else that a login
     * decides are the current ones, not the ones of the time when the kept session was opened.
     */
    public NodeResults runInNewSessions(Command command, UserName user) {
        return FanOut.runOnce(nodes.stream().map(Node::name).toList(), node -> sessions.open(node, user), command);
    }

    /**
     * Copies a local file or folder to some nodes at once, as {@link NodeSession#uploadTree} does; at most 64 at a
     * time. An outcome with exit
     * status 0 means that the node has it, one with 1 says on standard error why not.
     *
     * <p>A file of 16 MiB or more for three or more Linux nodes is sent once, to the first, and goes on from node to
     * node: each passes it on to
     * two others, over TLS 1.2 or later with a key that is made for this copy, at a port that the system chooses.
     * That needs Python 3.8 or newer
     * and a network between the nodes; a node that cannot take part gets the file from here, as all get smaller files and folders.
     */
    public NodeResults upload(Path local, String remotePath, Collection<NodeName> on, UserName user) {
        return UploadFanOut.run(local, remotePath, on, node -> node(node).address(), node -> session(node, user));
    }

    /**
     * Copies a file or folder of some nodes into a local folder at once, as {@link NodeSession#downloadTree} does,
     * each into a folder of the
     * node's name; at most 64 at a time. Outcomes are as for {@link #upload}.
     *
     * @param localFolder made where it does not exist, with the folders of the nodes
     */
    public NodeResults download(String remotePath, Path localFolder, Collection<NodeName> on, UserName user) {
        return FanOut.copy(
                on,
                node -> session(node, user),
                Command.of("download", remotePath, localFolder.toString()),
                session -> {
                    Path folder = localFolder.resolve(session.node().value());
                    try {
                        Files.createDirectories(folder);
                    } catch (IOException e) {
                        throw new ClusterwrightException("cannot create the folder " + folder + ": " + e, e);
                    }
                    session.downloadTree(remotePath, folder);
                });
    }

    /** The cluster's name and nodes, such as {@code cluster wing of wing[1-4]}. */
    @Override
    public String toString() {
        return "cluster " + name() + " of "
                + NodeSet.fold(nodes.stream().map(Node::name).toList());
    }

    /** Closes all sessions; the nodes run on. */
    @Override
    public void close() {
        sessions.close();
    }

    /** Opens sessions to the nodes of one cluster and keeps them. Safe for use by several threads. */
    public interface SessionSource extends AutoCloseable {

        /**
         * The session to a node as a user, opened if no session was opened or the session is no longer open.
         *
         * @throws NodeUnreachableException when the node cannot be reached or does not let that user in
         */
        NodeSession session(NodeName node, UserName user);

        /**
         * A new session to a node as a user, which the caller closes.
         *
         * @throws NodeUnreachableException when the node cannot be reached or does not let that user in
         */
        NodeSession open(NodeName node, UserName user);

        /** Closes all sessions that are kept. */
        @Override
        void close();
    }
}
