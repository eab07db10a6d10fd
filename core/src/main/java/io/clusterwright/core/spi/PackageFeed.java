package io.clusterwright.core.spi;

import io.clusterwright.core.NodeSession;
import java.util.List;

/** Brings packages to a node that may have no way to the repositories. */
public interface PackageFeed {
    /** The feed of a node that reaches its repositories itself. */
    PackageFeed ONLINE = (node, manager, demand, packages) -> Supply.ONLINE;

    /**
     * Makes ready what an installation on this node will need.
     *
     * @param manager the node's package manager: {@code apt}, {@code zypper}, {@code dnf} or {@code tdnf}
     * @param packages the packages asked for; for updates, those that will be updated
     * @throws io.clusterwright.core.type.ClusterwrightException when they cannot be had, saying what to do
     */
    Supply supply(NodeSession node, String manager, Demand demand, List<String> packages);

    /** The use that a node has for packages. */
    enum Demand {
        /** Install these packages and what they need. */
        INSTALL,
        /** Bring these installed packages up to date. */
        UPDATE
    }

    /** The settings by which the package manager of the node gets them. */
    enum Supply {
        /** From its repositories, as usual. */
        ONLINE,
        /** From its own cache, where they have been put; it must not use the network. */
        STAGED
    }
}
