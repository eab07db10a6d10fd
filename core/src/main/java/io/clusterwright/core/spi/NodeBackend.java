package io.clusterwright.core.spi;

import io.clusterwright.core.Cluster;
import io.clusterwright.core.NodeSession;
import io.clusterwright.core.internal.service.Services;
import io.clusterwright.core.spec.ClusterSpec;
import io.clusterwright.core.spec.OperatingSystem;
import io.clusterwright.core.type.ClusterwrightException;
import io.clusterwright.core.type.Secret;
import io.clusterwright.core.type.SshPublicKey;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Consumer;

/**
 * Supports one operating system: reaches, customises and captures its machines and joins them to a cluster. Implement
 * it for another operating system of nodes.
 *
 * <pre>{@code
 * NodeBackend linux = NodeBackend.of(OperatingSystem.LINUX);
 * SshKeyPair login = linux.newKeyPair("demo");
 * try (NodeTransport transport = linux.openTransport()) {
 *     assertThat(transport).isNotNull(); // transport.connect(target) opens a session to a node
 * }
 * }</pre>
 *
 * <p>Found through {@link java.util.ServiceLoader}. Stateless and safe for use by several threads.
 */
public interface NodeBackend {

    /**
     * The backend of a system.
     *
     * @throws ClusterwrightException when its module is absent, naming it
     */
    static NodeBackend of(OperatingSystem system) {
        return Services.of(NodeBackend.class).stream()
                .filter(backend -> backend.operatingSystem() == system)
                .findFirst()
                .orElseThrow(() -> new ClusterwrightException("no module supports " + system
                        + " nodes; add clusterwright-" + system.name().toLowerCase(Locale.ROOT)
                        + " to the class path or module path"));
    }

    /** The operating system this backend knows. */
    OperatingSystem operatingSystem();

    /**
     * Prepares this process for its first session, such as by loading classes and making keys once: about 0.2 s of processor time that the
     * first session then saves. Touches no network and no file. Called once for a process, on a thread in the background. The default
     * does nothing.
     */
    default void warmUp() {}

    /** Opens a transport, whose client may start with the first connection only; the caller closes it. */
    NodeTransport openTransport();

    /**
     * Opens a transport whose sessions need no network way to a node, but a {@link ScriptChannel}; the caller closes it. The default
     * refuses.
     *
     * @throws ClusterwrightException when this backend has no such transport
     */
    default NodeTransport openRelayTransport() {
        throw new ClusterwrightException(
                operatingSystem() + " nodes need a network connection: they cannot run scripts of a relay");
    }

    /**
     * Makes a new key pair.
     *
     * @param comment the comment of the public key
     */
    SshKeyPair newKeyPair(String comment);

    /** The bootstrap as the text a cloud hands to a new machine; it holds the private host key. */
    Secret bootstrapData(Bootstrap bootstrap);

    /**
     * Gives a node that started as one of many alike its own identity: name and host key. The key it started with is no longer shown to
     * new sessions, and the one that this session logged in with no longer opens any.
     *
     * @param session a session on that node as the login user, which stays open
     * @param own the identity it is to have
     * @param used the public key that this session logged in with; every line of it is taken out of the accounts' accepted keys
     * @return whether the node must be restarted before it has its new name
     */
    boolean identify(NodeSession session, Bootstrap own, SshPublicKey used);

    /** The last line that an {@linkplain #identityScript identity script} prints. */
    String IDENTITY_GIVEN = "clusterwright: identity given";

    /** The last line of an identity script after which the machine must restart to have its name. */
    String IDENTITY_RESTART = "clusterwright: identity given, restart";

    /**
     * A script that gives a machine all of a bootstrap, run on it as root by its cloud, before it was ever reached: for machines that come
     * with accounts, keys and a name already, so that the cloud hands them no {@linkplain #bootstrapData bootstrap
     * data}. The host keys that
     * it had are gone then, the login account accepts the bootstrap's keys and no others; its other accounts stay. The last line that it
     * prints is {@link #IDENTITY_GIVEN} or {@link #IDENTITY_RESTART}. The default refuses.
     *
     * @return the script, which holds the private host key
     */
    default Secret identityScript(Bootstrap own) {
        throw new ClusterwrightException("machines of a specialised image that run " + operatingSystem()
                + " cannot be given an identity; use a generalised image");
    }

    /**
     * Brings the system up to date as the spec says; the first and slowest part of a customisation, kept apart so that a
     * provider may keep its result.
     */
    void update(NodeSession session, ClusterSpec spec, PackageFeed feed, Consumer<String> progress);

    /**
     * Carries out the rest of the spec's customisation, logged in as the login user. An image may serve several clusters, so nothing that
     * names a cluster, its nodes or its addresses is written, and no key of it: {@link #join} does.
     */
    void customize(NodeSession session, ClusterSpec spec, PackageFeed feed, Consumer<String> progress);

    /**
     * Takes away what must not be in an image, such as host keys and the keys that log in, and returns when that is complete: proven by a
     * separate marker, in the same session.
     * The node takes no new sessions after this.
     */
    void deprovision(NodeSession session, ClusterSpec spec, Consumer<String> progress);

    /**
     * Waits until no other process changes the node's packages, which would make an installer fail that comes from outside, such as a
     * driver extension. The default returns at once.
     *
     * @param session a session on that node as the login user
     * @param limit how long to wait; zero looks once
     * @param progress receives the process that it waits for
     * @throws io.clusterwright.core.type.ClusterwrightException when the limit passed, naming the process
     */
    default void awaitPackages(NodeSession session, Duration limit, Consumer<String> progress) {}

    /**
     * The last lines of the logs of a node that tell how it was set up, by the path of the file. The default has no logs.
     *
     * @param session a session on that node as the login user
     * @param lines the most lines of each, at least 1
     */
    default Map<String, String> logs(NodeSession session, int lines) {
        return Map.of();
    }

    /**
     * Makes a node a member: the host keys and names of all, the cluster's own key, the hostfile. Idempotent.
     *
     * @param session a session on that node as the login user
     */
    void join(NodeSession session, ClusterSpec spec, List<Machine> members, Trust trust);

    /**
     * Makes the scheduler that the spec names know exactly these nodes, and returns when every one of them takes jobs. Called after all
     * have joined: when a cluster is made, when nodes came or went, and when it was started again. Idempotent; jobs that run on nodes
     * which stay go on. The default refuses.
     *
     * @param cluster all members, the first of which controls the others; it stays open
     * @param progress takes lines for people
     * @throws ClusterwrightException when the backend knows no such scheduler, or some node takes no jobs, saying which and why
     */
    default void startScheduler(Cluster cluster, Trust trust, Consumer<String> progress) {
        throw new ClusterwrightException("scheduler: " + cluster.spec().scheduler() + " is not set up on "
                + operatingSystem() + " nodes; write scheduler: none");
    }

    /**
     * The keys by which the accounts and services of a cluster trust each other.
     *
     * @param clusterKey the key pair that every node's MPI user holds and accepts
     * @param loginKey the public key the library itself logs in with
     * @param schedulerKey the secret of a scheduler's services: 256 random hexadecimal digits, the same for the cluster's life
     */
    record Trust(SshKeyPair clusterKey, SshPublicKey loginKey, Secret schedulerKey) {}

    /** Brings packages to a node that may have no way to the repositories. */
    interface PackageFeed {
        /** The feed of a node that reaches its repositories itself. */
        PackageFeed ONLINE = (node, manager, demand, packages) -> Supply.ONLINE;

        /**
         * Makes ready what an installation on this node will need.
         *
         * @param manager the node's package manager: {@code apt}, {@code zypper}, {@code dnf} or {@code tdnf}
         * @param packages the packages asked for; for updates, the packages that will be updated
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
}
