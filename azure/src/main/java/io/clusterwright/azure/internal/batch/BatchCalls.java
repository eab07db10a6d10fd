package io.clusterwright.azure.internal.batch;

import com.azure.core.http.HttpHeaderName;
import com.azure.core.http.HttpMethod;
import com.azure.core.http.HttpPipeline;
import com.azure.core.http.HttpRequest;
import com.azure.core.http.HttpResponse;
import com.azure.core.management.AzureEnvironment;
import com.azure.core.util.BinaryData;
import com.azure.core.util.Context;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import io.clusterwright.azure.AzureException;
import io.clusterwright.azure.AzureException.Reason;
import io.clusterwright.azure.internal.arm.ArmClient;
import io.clusterwright.azure.internal.arm.Errors;
import io.clusterwright.core.internal.json.Json;
import io.clusterwright.core.internal.text.TextResource;
import io.clusterwright.core.type.InvalidValueException;
import java.io.IOException;
import java.io.StringReader;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Requests to one account of Batch, as its published description has them. All calls block; what Batch refuses is an
 * {@link AzureException}.
 */
public final class BatchCalls {
    private static final String VERSION = "2024-07-01.20.0";
    private static final Set<String> BEING_DELETED = Set.of("PoolBeingDeleted", "JobBeingDeleted");
    private static final Map<String, Reason> REASONS = Map.of(
            "AuthenticationFailed", Reason.CREDENTIALS,
            "PermissionDenied", Reason.FORBIDDEN,
            "AccountCoreQuotaReached", Reason.QUOTA,
            "PoolQuotaReached", Reason.QUOTA,
            "ActiveJobAndScheduleQuotaReached", Reason.QUOTA);

    private final HttpPipeline pipeline;
    private final URI account;
    private final ArmClient waiting;

    /** Requests through this pipeline to the account at this endpoint, which is asked again at this interval. */
    public BatchCalls(HttpPipeline pipeline, URI account, Duration pollInterval) {
        this.pipeline = pipeline;
        this.account = account;
        this.waiting = new ArmClient(pollInterval);
    }

    /**
     * The scope of the tokens for an account, by the cloud that its name tells. The resource keeps its own slash before the slash of the scope.
     *
     * @throws InvalidValueException when the name is of no cloud
     */
    public static String scope(URI account) {
        String host = account.getHost() == null ? "" : account.getHost().toLowerCase(Locale.ROOT);
        Properties clouds = new Properties();
        try {
            clouds.load(new StringReader(
                    TextResource.read(BatchCalls.class.getResourceAsStream("clouds.properties"), "clouds.properties")));
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
        return clouds.stringPropertyNames().stream()
                .filter(host::endsWith)
                .findFirst()
                .map(end -> clouds.getProperty(end) + "/.default")
                .orElseThrow(() -> new InvalidValueException(
                        "Batch account endpoint",
                        account,
                        "a host name that ends in " + String.join(" or ", new TreeSet<>(clouds.stringPropertyNames()))
                                + "; for another endpoint, connect with a pipeline that authenticates",
                        "https://name.westeurope.batch.azure.com"));
    }

    /**
     * The cloud of an account, by its name.
     *
     * @throws InvalidValueException when the name is of no cloud
     */
    public static AzureEnvironment cloud(URI account) {
        String scope = scope(account);
        return scope.contains("chinacloudapi")
                ? AzureEnvironment.AZURE_CHINA
                : scope.contains("usgovcloudapi") ? AzureEnvironment.AZURE_US_GOVERNMENT : AzureEnvironment.AZURE;
    }

    /** Reads something. */
    public JsonNode get(String what, String path) {
        String text = send(what, HttpMethod.GET, path, null);
        try {
            return Json.MAPPER.readTree(text);
        } catch (JsonProcessingException e) {
            throw Errors.of(Reason.OTHER, "", what, "the answer is not JSON: " + e.getOriginalMessage(), e);
        }
    }

    /** All items of a list, page by page. */
    public List<JsonNode> list(String what, String path) {
        List<JsonNode> all = new ArrayList<>();
        String next = path;
        while (!next.isEmpty()) {
            JsonNode page = get(what, next);
            page.path("value").forEach(all::add);
            next = page.path("odata.nextLink").asText("");
        }
        return all;
    }

    /** Reads a file. */
    public byte[] file(String what, String path) {
        return waiting.read(what, () -> sendOnce(what, HttpMethod.GET, path, null));
    }

    /** Sends something to be made or done. */
    public void post(String what, String path, JsonNode body) {
        send(what, HttpMethod.POST, path, body);
    }

    /**
     * Sends something to be made under a name that only this caller knows. That it exists means that it was made
     * before, and that the answer
     * was lost.
     *
     * @param exists the code of Batch's refusal of what exists
     */
    void postNew(String what, String path, JsonNode body, String exists) {
        try {
            post(what, path, body);
        } catch (AzureException e) {
            if (!e.code().equals(exists)) {
                throw e;
            }
        }
    }

    /** Changes some properties of something. */
    void patch(String what, String path, JsonNode body) {
        send(what, HttpMethod.PATCH, path, body);
    }

    /** Deletes something; what is not there, or is being deleted, is deleted already. */
    public void delete(String what, String path) {
        try {
            send(what, HttpMethod.DELETE, path, null);
        } catch (AzureException e) {
            if (e.reason() != Reason.NOT_FOUND && !BEING_DELETED.contains(e.code())) {
                throw e;
            }
        }
    }

    /** Waits for one interval. */
    public void pause(String what) {
        waiting.pause(what);
    }

    /** Sends a request, again while nothing answers: what was made or deleted before is recognised by the callers. */
    private String send(String what, HttpMethod method, String path, @Nullable JsonNode body) {
        return new String(waiting.read(what, () -> sendOnce(what, method, path, body)), StandardCharsets.UTF_8);
    }

    private byte[] sendOnce(String what, HttpMethod method, String path, @Nullable JsonNode body) {
        String url = path.startsWith("http")
                ? path
                : account + path + (path.contains("?") ? "&" : "?") + "api-version=" + VERSION;
        HttpRequest request = new HttpRequest(method, url);
        request.setHeader(HttpHeaderName.ACCEPT, "application/json, application/octet-stream");
        if (body != null) {
            request.setHeader(HttpHeaderName.CONTENT_TYPE, "application/json; odata=minimalmetadata");
            request.setBody(BinaryData.fromString(body.toString()));
        }
        try (HttpResponse response = pipeline.sendSync(request, Context.NONE)) {
            byte[] content = response.getBodyAsBinaryData() == null
                    ? new byte[0]
                    : response.getBodyAsBinaryData().toBytes();
            if (response.getStatusCode() >= 300) {
                throw refused(what, response.getStatusCode(), new String(content, StandardCharsets.UTF_8));
            }
            return content;
        }
    }

    private static AzureException refused(String what, int status, String text) {
        JsonNode error = MissingNode.getInstance();
        try {
            error = Json.MAPPER.readTree(text.isBlank() ? "{}" : text);
        } catch (JsonProcessingException e) {
            return Errors.of(reason(status, ""), what, "HTTP status " + status);
        }
        String code = error.path("code").asText("");
        String message = error.path("message").path("value").asText("HTTP status " + status);
        StringBuilder all = new StringBuilder(message);
        error.path("values")
                .forEach(value -> all.append("; ")
                        .append(value.path("key").asText())
                        .append(": ")
                        .append(value.path("value").asText()));
        return Errors.of(reason(status, code), code, what, all.toString(), null);
    }

    private static Reason reason(int status, String code) {
        Reason known = REASONS.get(code);
        return known == null ? Errors.ofStatus(status) : known;
    }
}
