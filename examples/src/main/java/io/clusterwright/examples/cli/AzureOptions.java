package io.clusterwright.examples.cli;

import com.azure.core.credential.TokenCredential;
import com.azure.core.management.AzureEnvironment;
import com.azure.core.management.profile.AzureProfile;
import com.azure.identity.DefaultAzureCredentialBuilder;
import io.clusterwright.azure.AzureMachines;
import io.clusterwright.core.Machines;
import io.clusterwright.core.type.Secret;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Option;
import reactor.core.publisher.Mono;

/** The options that select an Azure endpoint and subscription; credentials come from the environment, as azure-identity finds them. */
final class AzureOptions {
    /** The credential for an endpoint on this machine, which gets no token. */
    static final TokenCredential NO_CREDENTIAL =
            request -> Mono.error(new IllegalStateException("no token is sent over plain http"));

    private static final String EMULATOR_TOKEN = "CLUSTERWRIGHT_EMULATOR_TOKEN";

    private static final Duration ANSWER = Duration.ofSeconds(5);

    /** An emulator with real machines asks for a token. */
    private static final String RECORDS =
            "the virtual machines of an emulator without --backed-by local are records without a system; for a cluster"
                    + " with nodes run: clusterwright emulator --backed-by local, and create the cluster with --on emulator";

    @Option(
            names = "--subscription",
            paramLabel = "ID",
            description =
                    "The Azure subscription; needed if the credential sees several. Default: AZURE_SUBSCRIPTION_ID.")
    private @Nullable String subscription;

    @Option(
            names = "--cloud",
            paramLabel = "CLOUD",
            converter = CloudName.class,
            description = "public, china or government. Default: public.")
    private String cloud = "public";

    @Option(
            names = "--endpoint",
            paramLabel = "URL",
            converter = Endpoint.class,
            description =
                    "Another Resource Manager endpoint. Plain http only on this machine, without a token of Azure."
                            + " The token of an emulator comes from CLUSTERWRIGHT_EMULATOR_TOKEN or the state folder.")
    private @Nullable URI endpoint;

    @Option(
            names = "--private-addresses",
            description = "Connect to nodes at their private addresses, from inside their network or over a VPN.")
    private boolean privateAddresses;

    @Option(
            names = "--managed-images",
            description =
                    "Store new captured images as managed images (about 20 machines boot at a time) instead of in a"
                            + " gallery.")
    private boolean managedImages;

    @Option(
            names = "--boot-diagnostics",
            description =
                    "Keep the console of new machines for describe NAME NODE; Azure bills the storage of the log and a"
                            + " screenshot.")
    private boolean bootDiagnostics;

    /** Whether the command line names a subscription or an endpoint. */
    boolean given() {
        return subscription != null || endpoint != null;
    }

    /** The provider; it connects on first use. */
    Machines provider() {
        AzureEnvironment environment = environment();
        return SharedAzure.machines(AzureMachines.NAME, () -> connect(environment));
    }

    /** An emulator of somebody else may have machines without a token. */
    private static boolean isOurEmulator(URI endpoint, String subscription) {
        URI groups = endpoint.resolve("/subscriptions/" + subscription + "/resourcegroups?api-version=2021-04-01");
        HttpRequest question = HttpRequest.newBuilder(groups).timeout(ANSWER).build();
        try {
            HttpResponse<Void> answer = HttpClient.newBuilder()
                    .connectTimeout(ANSWER)
                    .build()
                    .send(question, HttpResponse.BodyHandlers.discarding());
            return answer.headers()
                    .firstValue("Server")
                    .filter("Clusterwright"::equals)
                    .isPresent();
        } catch (IOException e) {
            return false;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    private AzureMachines connect(AzureEnvironment environment) {
        String tenant = System.getenv("AZURE_TENANT_ID");
        String named = subscription == null ? System.getenv("AZURE_SUBSCRIPTION_ID") : subscription;
        AzureMachines.Builder machines = emulatorToken()
                .map(token -> AzureMachines.onLoopback(
                        Objects.requireNonNull(endpoint), Objects.requireNonNullElse(named, ""), token))
                .orElseGet(() ->
                        AzureMachines.builder(credential(environment), new AzureProfile(tenant, named, environment)));
        if (isPlain(environment)) {
            machines.pollInterval(SharedAzure.POLL);
            if (emulatorToken().isEmpty()
                    && isOurEmulator(Objects.requireNonNull(endpoint), Objects.requireNonNullElse(named, ""))) {
                machines.refuseSessions(RECORDS);
            }
        }
        return machines.privateAddresses(privateAddresses)
                .managedImages(managedImages)
                .bootDiagnostics(bootDiagnostics)
                .build();
    }

    /** The connection itself. */
    AzureMachines machines() {
        return connect(environment());
    }

    /** The token of an emulator at a plain endpoint, where its user has it. */
    private Optional<Secret> emulatorToken() {
        if (endpoint == null || !"http".equalsIgnoreCase(endpoint.getScheme())) {
            return Optional.empty();
        }
        return tokenOfEmulator().or(() -> new SharedAzure().emulator().token(Objects.requireNonNull(endpoint)));
    }

    /** The token of an emulator, from the environment. */
    static Optional<Secret> tokenOfEmulator() {
        return Optional.ofNullable(System.getenv(EMULATOR_TOKEN))
                .filter(token -> !token.isBlank())
                .map(token -> Secret.of(token.strip()));
    }

    private static boolean isPlain(AzureEnvironment environment) {
        return environment.getResourceManagerEndpoint().startsWith("http:");
    }

    /** No token is sent over plain http, so no credential is looked up. */
    private static TokenCredential credential(AzureEnvironment environment) {
        return isPlain(environment)
                ? NO_CREDENTIAL
                : new DefaultAzureCredentialBuilder()
                        .authorityHost(environment.getActiveDirectoryEndpoint())
                        .build();
    }

    /** The name of the cloud with this authority, as {@code --cloud} takes it. */
    static String cloudOf(String authority) {
        return Stream.of("public", "china", "government")
                .filter(name -> cloud(name).getActiveDirectoryEndpoint().equals(authority))
                .findFirst()
                .orElse(authority);
    }

    static AzureEnvironment cloud(String name) {
        return switch (name.toLowerCase(Locale.ROOT)) {
            case "public" -> AzureEnvironment.AZURE;
            case "china" -> AzureEnvironment.AZURE_CHINA;
            case "government" -> AzureEnvironment.AZURE_US_GOVERNMENT;
            default ->
                throw new CommandLine.TypeConversionException(name + " is no cloud; write public, china or government");
        };
    }

    private AzureEnvironment environment() {
        AzureEnvironment named = cloud(cloud);
        if (endpoint == null) {
            return named;
        }
        Map<String, String> endpoints = new HashMap<>(named.getEndpoints());
        endpoints.put("resourceManagerEndpointUrl", endpoint.toString());
        endpoints.put("managementEndpointUrl", endpoint.toString());
        return new AzureEnvironment(endpoints);
    }

    /** Reads the value of {@code --cloud}, also where no cloud is asked. */
    static final class CloudName implements CommandLine.ITypeConverter<String> {
        @Override
        public String convert(String value) {
            Objects.requireNonNull(cloud(value));
            return value;
        }
    }

    /** Reads the value of {@code --endpoint}, also where it is not asked. */
    static final class Endpoint implements CommandLine.ITypeConverter<URI> {
        @Override
        public URI convert(String value) {
            if (!value.matches("(?i)https?://[^/].*") || URI.create(value).getHost() == null) {
                throw new CommandLine.TypeConversionException(
                        value + " is no full URL; write a URL such as https://management.azure.com");
            }
            return URI.create(value);
        }
    }
}
