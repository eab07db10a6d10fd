package io.clusterwright.azure.internal.arm;

import com.azure.core.credential.TokenCredential;
import com.azure.core.http.HttpClient;
import com.azure.core.http.HttpHeaderName;
import com.azure.core.http.HttpPipeline;
import com.azure.core.http.HttpPipelineBuilder;
import com.azure.core.http.policy.HttpLogDetailLevel;
import com.azure.core.http.policy.HttpLogOptions;
import com.azure.core.http.policy.RetryPolicy;
import com.azure.core.http.policy.UserAgentPolicy;
import com.azure.core.management.AzureEnvironment;
import com.azure.core.management.profile.AzureProfile;
import com.azure.core.util.Configuration;
import com.azure.resourcemanager.resources.ResourceManager;
import com.azure.resourcemanager.resources.fluentcore.utils.HttpPipelineProvider;
import com.azure.resourcemanager.resources.models.Subscription;
import io.clusterwright.azure.AzureException.Reason;
import io.clusterwright.core.type.InvalidValueException;
import io.clusterwright.core.type.Secret;
import java.net.URI;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import reactor.core.publisher.Mono;

/** Ways to Resource Manager. */
public final class Connections {
    /** For plain http, over which no token is sent. */
    public static final TokenCredential NO_TOKEN =
            request -> Mono.error(new IllegalStateException("no token is sent over plain http"));

    private Connections() {}

    /** A profile of public Azure, with another Resource Manager. */
    public static AzureProfile profile(URI endpoint, String subscription) {
        Map<String, String> endpoints = new HashMap<>(AzureEnvironment.AZURE.getEndpoints());
        endpoints.put("resourceManagerEndpointUrl", endpoint.toString());
        endpoints.put("managementEndpointUrl", endpoint.toString());
        return new AzureProfile(null, subscription, new AzureEnvironment(endpoints));
    }

    /** A pipeline to an endpoint on this machine that asks for a separate token, which is sent there only. */
    public static HttpPipeline onLoopback(URI endpoint, Secret token, HttpClient client) {
        if (!isLoopback(endpoint)) {
            throw InvalidValueException.of(
                    "cannot connect to " + endpoint
                            + ": the token of an emulator is for an endpoint on this machine only",
                    "use an endpoint such as http://127.0.0.1:8080");
        }
        return new HttpPipelineBuilder()
                .policies(new UserAgentPolicy("clusterwright"), ArmRetry.pipelinePolicy(), (context, next) -> {
                    if (endpoint.getAuthority()
                            .equals(context.getHttpRequest().getUrl().getAuthority())) {
                        context.getHttpRequest().setHeader(HttpHeaderName.AUTHORIZATION, "Bearer " + token.reveal());
                    }
                    return next.process();
                })
                .httpClient(client)
                .build();
    }

    /**
     * A pipeline of our own: with the credential over https, and without any over plain http, which is for an endpoint on this machine.
     */
    public static HttpPipeline pipeline(TokenCredential credential, AzureProfile profile, HttpClient client) {
        RetryPolicy retries = ArmRetry.pipelinePolicy();
        if (plain(profile.getEnvironment())) {
            return new HttpPipelineBuilder()
                    .policies(new UserAgentPolicy("clusterwright"), retries)
                    .httpClient(client)
                    .build();
        }
        return HttpPipelineProvider.buildHttpPipeline(
                credential,
                profile,
                null,
                withoutBodies(new HttpLogOptions()),
                Configuration.getGlobalConfiguration(),
                retries,
                List.of(),
                client);
    }

    /**
     * These options without the logging of bodies, which hold custom data, passwords and protected settings. The environment variable
     * AZURE_HTTP_LOG_DETAIL_LEVEL may ask for them.
     */
    public static HttpLogOptions withoutBodies(HttpLogOptions options) {
        return options.getLogLevel().shouldLogBody() ? options.setLogLevel(HttpLogDetailLevel.HEADERS) : options;
    }

    /** The subscriptions that are visible. */
    public static List<Subscription> subscriptions(HttpPipeline pipeline, AzureProfile profile) {
        plain(profile.getEnvironment());
        return new ArmClient(Duration.ofSeconds(1))
                .list(
                        "list the subscriptions",
                        () -> ResourceManager.authenticate(pipeline, profile)
                                .subscriptions()
                                .list());
    }

    /** The profile with a subscription: its own, or the only one that is visible. */
    public static AzureProfile complete(HttpPipeline pipeline, AzureProfile profile) {
        plain(profile.getEnvironment());
        String named = profile.getSubscriptionId();
        if (named != null && !named.isBlank()) {
            return profile;
        }
        List<Subscription> visible = subscriptions(pipeline, profile);
        if (visible.size() != 1) {
            throw Errors.of(
                    Reason.SUBSCRIPTION,
                    "choose a subscription",
                    visible.isEmpty()
                            ? "the credential sees no subscription"
                            : "the credential sees several: "
                                    + visible.stream()
                                            .map(one -> one.subscriptionId() + " (" + one.displayName() + ", "
                                                    + one.state() + ")")
                                            .toList()
                                    + "; set one in the AzureProfile");
        }
        return new AzureProfile(profile.getTenantId(), visible.get(0).subscriptionId(), profile.getEnvironment());
    }

    private static boolean plain(AzureEnvironment environment) {
        return plain(URI.create(environment.getResourceManagerEndpoint()));
    }

    /**
     * Whether the endpoint is plain http.
     *
     * @throws InvalidValueException when it is, and is not on this machine
     */
    public static boolean plain(URI endpoint) {
        if (!"http".equalsIgnoreCase(endpoint.getScheme())) {
            return false;
        }
        if (!isLoopback(endpoint)) {
            throw InvalidValueException.of(
                    "cannot connect to " + endpoint
                            + ": plain http is for an endpoint on this machine only, such as http://127.0.0.1:8080",
                    "use https");
        }
        return true;
    }

    /** Whether an endpoint is on this machine. */
    public static boolean isLoopback(URI endpoint) {
        String host = String.valueOf(endpoint.getHost()).toLowerCase(Locale.ROOT);
        return host.equals("localhost") || host.matches("127\\.[0-9.]+") || host.equals("[::1]") || host.equals("::1");
    }
}
