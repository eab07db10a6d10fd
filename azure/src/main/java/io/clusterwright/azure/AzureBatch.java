package io.clusterwright.azure;

import com.azure.core.credential.TokenCredential;
import com.azure.core.http.HttpPipeline;
import com.azure.core.http.HttpPipelineBuilder;
import com.azure.core.http.policy.BearerTokenAuthenticationPolicy;
import com.azure.core.http.policy.RetryPolicy;
import com.azure.core.http.policy.UserAgentPolicy;
import com.azure.core.management.AzureEnvironment;
import com.fasterxml.jackson.databind.JsonNode;
import io.clusterwright.azure.AzureException.Reason;
import io.clusterwright.azure.internal.arm.Connections;
import io.clusterwright.azure.internal.arm.DefaultClient;
import io.clusterwright.azure.internal.arm.Errors;
import io.clusterwright.azure.internal.batch.BatchBodies;
import io.clusterwright.azure.internal.batch.BatchCalls;
import io.clusterwright.azure.internal.batch.BatchJob;
import io.clusterwright.azure.internal.resource.Tags;
import io.clusterwright.core.spec.ClusterSpec;
import io.clusterwright.core.type.InvalidValueException;
import io.clusterwright.core.type.Secret;
import io.clusterwright.mpi.job.QueuedJob;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Set;

/**
 * One account of Azure Batch, on which MPI jobs run as multi-instance tasks. Use it to run jobs on a pool that Azure
 * manages, without clusters of this library. Safe for use by several threads. A pipeline that was handed in stays
 * open.
 *
 * <pre>{@code
 * BatchPool pool = batch.createPool(spec); // billed until it is deleted
 * try {
 *     pool.awaitReady(Duration.ofMinutes(30)).forEach(System.out::println);
 * } finally {
 *     pool.delete();
 * }
 * }</pre>
 *
 * @see BatchPool
 */
public final class AzureBatch {
    private static final Duration POLL = Duration.ofSeconds(5);

    private final BatchCalls calls;

    private AzureBatch(BatchCalls calls) {
        this.calls = calls;
    }

    /**
     * The account at this endpoint.
     *
     * @param credential asked for tokens of Batch in the account's cloud (public, China or US Government); over plain http, which is for an
     *     endpoint on this machine, it is not
     * @param account such as {@code https://name.westeurope.batch.azure.com}
     * @throws InvalidValueException when the endpoint is plain http and not on this machine, or its name is of none of these clouds; a pipeline can serve it
     */
    public static AzureBatch connect(TokenCredential credential, URI account) {
        HttpPipelineBuilder pipeline = new HttpPipelineBuilder()
                .policies(new UserAgentPolicy("clusterwright"), new RetryPolicy())
                .httpClient(DefaultClient.create());
        if (!Connections.plain(account)) {
            pipeline.policies(new BearerTokenAuthenticationPolicy(credential, BatchCalls.scope(account)));
        }
        return connect(pipeline.build(), account, POLL);
    }

    /**
     * The account at this endpoint through this pipeline, which must authenticate by itself.
     *
     * @param pollInterval the pause between two requests for the same state; positive
     * @throws InvalidValueException when the endpoint is plain http and not on this machine
     */
    public static AzureBatch connect(HttpPipeline pipeline, URI account, Duration pollInterval) {
        Connections.plain(account);
        if (pollInterval.isZero() || pollInterval.isNegative()) {
            throw new InvalidValueException("poll interval", pollInterval, "a positive duration", "PT5S");
        }
        return new AzureBatch(new BatchCalls(Objects.requireNonNull(pipeline, "pipeline"), account, pollInterval));
    }

    /**
     * An account on this machine that asks for a separate token, such as an emulator whose nodes are real.
     *
     * @param account where it listens, such as {@code http://127.0.0.1:40123}
     * @param token the token, which is sent to this endpoint only
     * @throws InvalidValueException when the endpoint is not on this machine
     */
    public static AzureBatch onLoopback(URI account, Secret token) {
        return connect(Connections.onLoopback(account, token, DefaultClient.create()), account, Duration.ofMillis(200));
    }

    /**
     * The cloud of the account at this endpoint, whose credentials it takes.
     *
     * @throws InvalidValueException when its name is of no cloud
     */
    public static AzureEnvironment cloud(URI account) {
        return BatchCalls.cloud(account);
    }

    /** Starts to make the {@linkplain #pool pool} of a spec without further settings. */
    public BatchPool createPool(ClusterSpec spec) {
        return pool(spec).create();
    }

    /**
     * Starts to make the {@linkplain #pool pool} of a spec.
     *
     * @param startScript as in {@link BatchPool#startScript}
     */
    public BatchPool createPool(ClusterSpec spec, String startScript) {
        return pool(spec).startScript(startScript).create();
    }

    /**
     * The ids of the pools in this account that this library made, also pools whose program ended before it could
     * delete them. Each is billed
     * until it is {@linkplain #deletePool deleted}.
     */
    public List<String> pools() {
        return calls.list("list the pools", "/pools").stream()
                .filter(AzureBatch::isOurs)
                .map(pool -> pool.path("id").asText())
                .toList();
    }

    /** The jobs on the pools that this library made, as {@link QueuedJob#list} has the jobs of one pool. */
    public List<QueuedJob.Listed> jobs() {
        return BatchJob.list(calls, Set.copyOf(pools()));
    }

    /**
     * The job of this id; does not ask the account.
     *
     * @throws InvalidValueException when no job can have such an id
     */
    public QueuedJob job(String id) {
        return BatchJob.find(calls, id);
    }

    private static boolean isOurs(JsonNode pool) {
        return !BatchBodies.metadata(pool, Tags.CLUSTER).isEmpty();
    }

    /**
     * Deletes a pool that this library made, with its nodes; its jobs are ended. Does nothing when there is no such pool.
     *
     * @throws AzureException when the pool was not made by this library
     */
    public void deletePool(String id) {
        for (JsonNode pool : calls.list("list the pools", "/pools")) {
            if (pool.path("id").asText().equals(id)) {
                if (!isOurs(pool)) {
                    throw Errors.of(
                            Reason.CONFLICT,
                            "delete pool " + id,
                            "this library did not create it; delete it in the Azure portal if you are sure");
                }
                BatchJob.deletePool(calls, id);
            }
        }
    }

    /**
     * The pool of a spec: its count, size, image, packages, spot machines, existing subnet, MPI user, variables and preset, and tags.
     * Asks nothing: the pool was made before, or is made by {@link BatchPool#create}.
     */
    public BatchPool pool(ClusterSpec spec) {
        return BatchPool.of(calls, spec);
    }
}
