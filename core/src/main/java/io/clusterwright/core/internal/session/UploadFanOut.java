package io.clusterwright.core.internal.session;

import io.clusterwright.core.Command;
import io.clusterwright.core.CommandResult;
import io.clusterwright.core.NodeOutcome;
import io.clusterwright.core.NodeResults;
import io.clusterwright.core.NodeSession;
import io.clusterwright.core.internal.concurrent.Tasks;
import io.clusterwright.core.type.ClusterwrightException;
import io.clusterwright.core.type.Ipv4Address;
import io.clusterwright.core.type.NodeName;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collection;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Copies to many nodes: a large file goes from node to node where their sessions can do that, and to each of the others from here. */
public final class UploadFanOut {
    private static final Logger LOG = LoggerFactory.getLogger(UploadFanOut.class);
    private static final long LARGE = 16L * 1024 * 1024;
    private static final int MANY = 3;

    private UploadFanOut() {}

    /** Copies a local file or folder to each node. */
    public static NodeResults run(
            Path local,
            String remotePath,
            Collection<NodeName> nodes,
            Function<NodeName, Ipv4Address> addresses,
            Function<NodeName, NodeSession> sessions) {
        Command shown = Command.of("upload", local.toString(), remotePath);
        long begin = System.nanoTime();
        Map<NodeName, ClusterwrightException> notReached = new ConcurrentHashMap<>();
        Set<NodeName> passedOn = isLarge(local) && nodes.size() >= MANY
                ? fromNodeToNode(local, remotePath, nodes, addresses, sessions, notReached)
                : Set.of();
        Duration time = Duration.ofNanos(System.nanoTime() - begin);
        Iterator<NodeOutcome> others = FanOut.copy(
                        nodes.stream().filter(node -> !passedOn.contains(node)).toList(),
                        node -> session(node, sessions, notReached),
                        shown,
                        session -> session.uploadTree(local, remotePath))
                .outcomes()
                .iterator();
        return new NodeResults(nodes.stream()
                .map(node -> passedOn.contains(node)
                        ? new NodeOutcome.Completed(new CommandResult(node, shown, 0, "", "", time))
                        : others.next())
                .toList());
    }

    /** A node that could not be reached is not dialled again. */
    private static NodeSession session(
            NodeName node, Function<NodeName, NodeSession> sessions, Map<NodeName, ClusterwrightException> notReached) {
        ClusterwrightException before = notReached.get(node);
        if (before != null) {
            throw before;
        }
        try {
            return sessions.apply(node);
        } catch (ClusterwrightException e) {
            notReached.put(node, e);
            throw e;
        }
    }

    private static boolean isLarge(Path local) {
        try {
            return Files.isRegularFile(local) && Files.size(local) >= LARGE;
        } catch (IOException e) {
            LOG.debug("the size of {} is not known", local, e);
            return false;
        }
    }

    private static Set<NodeName> fromNodeToNode(
            Path local,
            String remotePath,
            Collection<NodeName> nodes,
            Function<NodeName, Ipv4Address> addresses,
            Function<NodeName, NodeSession> sessions,
            Map<NodeName, ClusterwrightException> notReached) {
        List<SharedUpload.Place> places = Tasks.each(
                        "copy",
                        FanOut.LIMIT,
                        nodes,
                        node -> Optional.of(
                                new SharedUpload.Place(session(node, sessions, notReached), addresses.apply(node))),
                        (node, cause) -> Optional.<SharedUpload.Place>empty())
                .stream()
                .flatMap(Optional::stream)
                .toList();
        return places.size() >= MANY && places.get(0).session() instanceof SharedUpload first
                ? first.upload(local, remotePath, places)
                : Set.of();
    }

    /** A session that can send a file once, for several nodes that pass it on to each other. */
    public interface SharedUpload {
        /**
         * Copies a local file to all these nodes, to the same path as {@link NodeSession#uploadTree} does. Each node gets the whole file or nothing.
         * When this thread is interrupted, the copy ends and the flag is set.
         *
         * @return the nodes that have the file; why others have not is for the caller to find out, by a copy of the ordinary kind
         */
        Set<NodeName> upload(Path local, String remotePath, List<Place> places);

        /**
         * A node to copy to.
         *
         * @param address where the other nodes reach it
         */
        record Place(NodeSession session, Ipv4Address address) {}
    }
}
