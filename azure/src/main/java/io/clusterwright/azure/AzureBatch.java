package io.clusterwright.azure;

import com.azure.core.credential.TokenCredential;
import com.azure.core.http.HttpPipeline;
import com.azure.core.http.HttpPipelineBuilder;
import com.azure.core.http.policy.BearerTokenAuthenticationPolicy;
import com.azure.core.http.policy.RetryPolicy;
import com.azure.core.http.policy.UserAgentPolicy;
import com.fasterxml.jackson.databind.JsonNode;
import io.clusterwright.azure.AzureException.Reason;
import io.clusterwright.azure.internal.arm.Connections;
import io.clusterwright.azure.internal.arm.Errors;
import io.clusterwright.azure.internal.batch.BatchBodies;
import io.clusterwright.azure.internal.batch.BatchCalls;
import io.clusterwright.azure.internal.batch.Pool;
import io.clusterwright.azure.internal.resource.Tags;
import io.clusterwright.core.spec.ClusterSpec;
import io.clusterwright.core.spec.OperatingSystem;
import io.clusterwright.core.spi.NodeBackend;
import io.clusterwright.core.type.ClusterId;
import io.clusterwright.core.type.ImageReference.Marketplace;
import io.clusterwright.core.type.InvalidValueException;
import io.clusterwright.core.type.Secret;
import java.net.URI;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Objects;

/**
 * One account of Azure Batch, on which MPI jobs run as multi-instance tasks. Safe for use by several threads. A pipeline that was
 * handed in stays open.
 */
public final class AzureBatch {
    private static final String SCOPE = "https://batch.core.windows.net/.default";
    private static final int PASSWORD_BYTES = 24;
    private static final Duration POLL = Duration.ofSeconds(5);

    private final BatchCalls calls;

    private AzureBatch(BatchCalls calls) {
        this.calls = calls;
    }

    /**
     * The account at this endpoint.
     *
     * @param credential asked for tokens of the public cloud's Batch; over plain http, which is for an endpoint on this machine, it is not
     * @param account such as {@code https://name.westeurope.batch.azure.com}
     * @throws AzureException when the endpoint is plain http and not on this machine
     */
    public static AzureBatch connect(TokenCredential credential, URI account) {
        HttpPipelineBuilder pipeline =
                new HttpPipelineBuilder().policies(new UserAgentPolicy("clusterwright"), new RetryPolicy());
        if (!Connections.plain(account)) {
            pipeline.policies(new BearerTokenAuthenticationPolicy(credential, SCOPE));
        }
        return connect(pipeline.build(), account, POLL);
    }

    /**
     * The account at this endpoint through this pipeline, which must authenticate by itself.
     *
     * @param pollInterval the pause between two requests for the same state; positive
     * @throws AzureException when the endpoint is plain http and not on this machine
     */
    public static AzureBatch connect(HttpPipeline pipeline, URI account, Duration pollInterval) {
        Connections.plain(account);
        if (pollInterval.isZero() || pollInterval.isNegative()) {
            throw new InvalidValueException("poll interval", pollInterval.toString(), "a positive duration", "PT5S");
        }
        return new AzureBatch(new BatchCalls(Objects.requireNonNull(pipeline, "pipeline"), account, pollInterval));
    }

    /** {@link #createPool(ClusterSpec, String)} with the packages of the description and no script. */
    public BatchPool createPool(ClusterSpec spec) {
        return createPool(spec, "");
    }

    /**
     * Starts to make a pool of a description: its count, size, image, packages, spot machines, MPI user and tags. Its nodes may talk to each
     * other, and the MPI user goes from one to another with its own key. The nodes are billed until the pool is deleted.
     *
     * @param startScript run by {@code /bin/sh} as root on each node before it takes tasks, after the packages are installed
     * @throws AzureException when there is such a pool already, Batch has no node agent for the image, or it refuses the pool
     */
    public BatchPool createPool(ClusterSpec spec, String startScript) {
        if (spec.operatingSystem() != OperatingSystem.LINUX) {
            throw Errors.of(Reason.OTHER, "make pool " + spec.name(), "only pools of Linux nodes are made here");
        }
        Marketplace image = BatchBodies.image(spec);
        String agent = BatchBodies.agent(image, calls.list("list the images that Batch supports", "/supportedimages"));
        byte[] password = new byte[PASSWORD_BYTES];
        new SecureRandom().nextBytes(password);
        String id = ClusterId.random(spec.name()).id();
        makePool(
                spec,
                id,
                BatchBodies.pool(
                        spec,
                        id,
                        image,
                        agent,
                        NodeBackend.of(OperatingSystem.LINUX).newKeyPair("clusterwright-" + spec.name()),
                        Secret.of(Base64.getEncoder().encodeToString(password)),
                        startScript));
        return new Pool(calls, spec);
    }

    /** A pool that exists and carries the id of this call was made by it, and the answer was lost. */
    private void makePool(ClusterSpec spec, String id, JsonNode body) {
        try {
            calls.post("make pool " + spec.name(), "/pools", body);
        } catch (AzureException e) {
            boolean ours = e.code().equals("PoolExists")
                    && BatchBodies.metadata(calls.get("read pool " + spec.name(), "/pools/" + spec.name()), Tags.ID)
                            .equals(id);
            if (!ours) {
                throw e;
            }
        }
    }

    /**
     * The ids of the pools in this account that this library made, also those whose program ended before it could delete them. Each is billed
     * until it is {@linkplain #deletePool deleted}.
     */
    public List<String> pools() {
        return calls.list("list the pools", "/pools").stream()
                .filter(AzureBatch::isOurs)
                .map(pool -> pool.path("id").asText())
                .toList();
    }

    private static boolean isOurs(JsonNode pool) {
        return !BatchBodies.metadata(pool, Tags.CLUSTER).isEmpty();
    }

    /**
     * Deletes a pool that this library made, with its nodes; jobs that run there are ended. Does nothing when there is none.
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
                            "it was not made by this library; delete it in the portal if you are sure");
                }
                calls.delete("delete pool " + id, "/pools/" + id);
            }
        }
    }

    /** The pool that was made of this description before. */
    public BatchPool pool(ClusterSpec spec) {
        return new Pool(calls, spec);
    }
}
