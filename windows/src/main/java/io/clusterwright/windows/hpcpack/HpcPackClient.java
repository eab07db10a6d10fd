package io.clusterwright.windows.hpcpack;

import io.clusterwright.windows.internal.rest.Dialect;
import io.clusterwright.windows.internal.rest.HeadNodeHttp;
import io.clusterwright.windows.internal.rest.Probe;
import java.util.Objects;
import java.util.Optional;

/**
 * Asks a head node over REST: {@link #jobs()}, with their tasks and output, and {@link #nodes()}, with their groups.
 *
 * <p>All methods block, for the connection's operation limit at most where they say nothing else, and can be interrupted. Reading is tried
 * again when the head node is busy or the connection breaks; what changes something is sent once. Nothing ever prompts: a head node
 * that lacks a password refuses, and {@link HpcPackCredentialsException} says so. Safe for use by several threads; whoever opened it
 * closes it.
 */
public final class HpcPackClient implements AutoCloseable {
    private final HpcPackConnection connection;
    private final HeadNodeHttp http;
    private final Dialect dialect;
    private final String version;
    private final HpcPackJobs jobs;
    private final HpcPackNodes nodes;

    private HpcPackClient(HpcPackConnection connection, HeadNodeHttp http, Probe probe) {
        this.connection = connection;
        this.http = http;
        this.dialect = probe.dialect();
        this.version = probe.version();
        this.jobs = new HpcPackJobs(dialect);
        this.nodes = new HpcPackNodes(dialect);
    }

    /**
     * Connects, and asks which generation of the interface it is unless the connection says it.
     *
     * @throws HpcPackUnavailableException when nothing answers, or the certificate is not trusted
     * @throws HpcPackLoginException when the login is not accepted
     * @throws HpcPackNotFoundException when there is no such interface
     */
    public static HpcPackClient open(HpcPackConnection connection) {
        HeadNodeHttp http = new HeadNodeHttp(Objects.requireNonNull(connection, "connection"));
        try {
            return new HpcPackClient(connection, http, Probe.of(http, connection));
        } catch (RuntimeException e) {
            http.close();
            throw e;
        }
    }

    /** The generation of the interface. */
    public ApiGeneration generation() {
        return dialect.generation();
    }

    /** The version of HPC Pack, such as {@code 6.1.7531.0}; absent when it was not asked for or the generation does not tell. */
    public Optional<String> version() {
        return version.isEmpty() ? Optional.empty() : Optional.of(version);
    }

    /** How the head node is reached. */
    public HpcPackConnection connection() {
        return connection;
    }

    /** Its jobs, their tasks and the templates of jobs. */
    public HpcPackJobs jobs() {
        return jobs;
    }

    /** Its nodes and the groups they are in. */
    public HpcPackNodes nodes() {
        return nodes;
    }

    /** Frees the connections; jobs go on. */
    @Override
    public void close() {
        http.close();
    }
}
