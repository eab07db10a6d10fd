package io.clusterwright.core.internal.session;

import io.clusterwright.core.NodeSession;
import io.clusterwright.core.type.Ipv4Address;
import io.clusterwright.core.type.NodeName;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;

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
