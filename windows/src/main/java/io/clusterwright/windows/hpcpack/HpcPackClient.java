package io.clusterwright.windows.hpcpack;

import io.clusterwright.core.internal.concurrent.Backoff;
import io.clusterwright.windows.internal.rest.HeadNodeRest;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;

/**
 * A client of a head node over REST: {@link #jobs()}, with their tasks and output, and {@link #nodes()}, with their
 * groups. Use it to manage a head node; {@link HpcPackTarget} runs MPI jobs on it.
 *
 * <pre>{@code
 * try (HpcPackClient client = HpcPackClient.open(connection)) {
 *     System.out.println(client.version() + ", groups " + client.nodes().groups());
 * }
 * }</pre>
 *
 * <p>All methods block, for the connection's operation limit at most where they name no other, and end with
 * {@link io.clusterwright.core.type.OperationInterruptedException} when this thread is interrupted. Reading is retried when the head node
 * is busy or the connection breaks; a change is sent once. Nothing ever prompts: a head node that lacks a password refuses, with
 * {@link HpcPackException.LoginRefused}. Safe for use by several threads; the caller that opened it closes it.
 */
public final class HpcPackClient implements AutoCloseable {
    private final HpcPackConnection connection;
    private final HeadNodeRest rest;

    private HpcPackClient(HpcPackConnection connection, HeadNodeRest rest) {
        this.connection = connection;
        this.rest = rest;
    }

    /**
     * Connects, and asks for the generation of the interface.
     *
     * @throws HpcPackException.Unavailable when nothing answers, or the certificate is not trusted
     * @throws HpcPackException.LoginRefused when the login is not accepted
     * @throws HpcPackException.NotFound when there is no such interface
     * @throws HpcPackException.Unsupported when it is to act for another user, and the generation cannot
     */
    public static HpcPackClient open(HpcPackConnection connection) {
        return new HpcPackClient(connection, HeadNodeRest.open(Objects.requireNonNull(connection, "connection")));
    }

    /** The version of HPC Pack, such as {@code 6.1.7531.0}; absent when the generation does not send it. */
    public Optional<String> version() {
        return Optional.of(rest.version()).filter(text -> !text.isEmpty());
    }

    /** The connection it was opened with. */
    public HpcPackConnection connection() {
        return connection;
    }

    static Backoff pauses() {
        return new Backoff(Duration.ofMillis(200), Duration.ofSeconds(5));
    }

    /** Its jobs, their tasks and the templates of jobs. */
    public HpcPackJobs jobs() {
        return new HpcPackJobs(rest);
    }

    /** Its nodes and their groups. */
    public HpcPackNodes nodes() {
        return new HpcPackNodes(rest);
    }

    /** The generation of the interface and the head node, such as {@code HPC Pack 2019 at https://head.hpc.example}. */
    @Override
    public String toString() {
        return rest.title() + " at " + connection.headNode();
    }

    /** Frees the connections; jobs go on. */
    @Override
    public void close() {
        rest.close();
    }
}
