package io.clusterwright.azure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.azure.core.credential.AccessToken;
import com.azure.core.credential.TokenCredential;
import com.azure.core.http.HttpClient;
import com.azure.core.http.HttpHeaderName;
import com.azure.core.http.policy.HttpLogDetailLevel;
import com.azure.core.http.policy.HttpLogOptions;
import com.azure.core.management.AzureEnvironment;
import com.azure.core.management.profile.AzureProfile;
import com.azure.resourcemanager.AzureResourceManager;
import io.clusterwright.azure.internal.arm.Connections;
import io.clusterwright.core.spi.MachineProvider.Inspection;
import io.clusterwright.core.type.InvalidValueException;
import java.net.URI;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.publisher.Mono;

class ConnectionTest {
    private final AtomicInteger tokens = new AtomicInteger();
    private final TokenCredential credential = request -> {
        tokens.incrementAndGet();
        return Mono.just(new AccessToken("secret-token", OffsetDateTime.now().plusHours(1)));
    };

    @AutoClose
    private TestAzure server = new TestAzure();

    private void restart(String... visible) {
        server.close();
        server = new TestAzure(emulator -> emulator.visibleSubscriptions(visible));
    }

    @Test
    void acceptsTheUmbrellaObjectOfAnApplication() {
        AzureResourceManager azure = AzureResourceManager.authenticate(
                        AzureFixture.pipeline(), AzureFixture.profile(server.endpoint(), server.subscription()))
                .withSubscription(server.subscription());

        Inspection inspection = AzureFixture.open(AzureMachines.connect(azure)).inspect(AzureFixture.spec(1));

        assertThat(inspection.quota()).isNotEmpty();
    }

    @ParameterizedTest
    @CsvSource({"NONE, NONE", "BASIC, BASIC", "BODY, HEADERS", "BODY_AND_HEADERS, HEADERS"})
    void noLogHasBodiesOfRequests(HttpLogDetailLevel wanted, HttpLogDetailLevel logged) {
        HttpLogOptions options = Connections.withoutBodies(new HttpLogOptions().setLogLevel(wanted));

        assertThat(options.getLogLevel()).isEqualTo(logged);
        assertThat(options.getAllowedHttpHeaderNames()).doesNotContain(HttpHeaderName.AUTHORIZATION);
        assertThat(options.getAllowedQueryParamNames()).noneMatch("sig"::equalsIgnoreCase);
    }

    @Test
    void sendsNoTokenOverPlainHttp() {
        AzureProfile profile = AzureFixture.profile(server.endpoint(), server.subscription());

        AzureFixture.open(AzureMachines.connect(credential, profile)).inspect(AzureFixture.spec(1));

        assertThat(server.requests()).isNotEmpty();
        assertThat(tokens).hasValue(0);
        assertThat(server.anyToken()).isFalse();
    }

    @Test
    void plainHttpToAnotherMachineIsRefused() {
        AzureProfile profile = AzureFixture.profile(URI.create("http://192.0.2.1:8080"), server.subscription());

        assertThatThrownBy(() -> AzureMachines.connect(credential, profile))
                .isInstanceOf(InvalidValueException.class)
                .hasMessageContaining("plain http is for an endpoint on this machine only");
        assertThat(tokens).hasValue(0);
    }

    @ParameterizedTest
    @ValueSource(strings = {"AZURE", "AZURE_CHINA", "AZURE_US_GOVERNMENT"})
    void everyCloudIsReachedAtItsOwnEndpointWithATokenThroughTheCallersClient(String cloud) throws Exception {
        AzureEnvironment environment =
                (AzureEnvironment) AzureEnvironment.class.getField(cloud).get(null);
        AzureProfile profile = new AzureProfile("tenant", server.subscription(), environment);
        AtomicInteger calls = new AtomicInteger();
        List<String> sent = new CopyOnWriteArrayList<>();
        HttpClient plain = HttpClient.createDefault();
        String host = URI.create(environment.getResourceManagerEndpoint()).getHost();
        HttpClient client = request -> {
            assertThat(request.getUrl().getHost()).isEqualTo(host);
            calls.incrementAndGet();
            sent.add(request.getHeaders().getValue(HttpHeaderName.AUTHORIZATION));
            return plain.send(AzureFixture.rewritten(request, server.endpoint()));
        };

        AzureFixture.open(AzureMachines.builder(credential, profile, client).build())
                .inspect(AzureFixture.spec(1));

        assertThat(calls.get()).isPositive().isEqualTo(server.requests().size());
        assertThat(sent).hasSameSizeAs(server.requests()).containsOnly("Bearer secret-token");
    }

    @Test
    void theOnlyVisibleSubscriptionIsTakenWhenNoneIsNamed() {
        AzureProvider azure = AzureFixture.open(
                AzureMachines.connect(AzureFixture.pipeline(), AzureFixture.profile(server.endpoint(), null)));

        azure.inspect(AzureFixture.spec(1));

        assertThat(server.requests())
                .contains("GET /subscriptions/" + server.subscription() + "/providers/Microsoft.Compute");
    }

    @Test
    void namesSeveralSubscriptionsAndGuessesNone() {
        restart("11111111-1111-1111-1111-111111111111", "22222222-2222-2222-2222-222222222222");
        AzureProfile profile = AzureFixture.profile(server.endpoint(), null);

        assertThatThrownBy(() -> AzureMachines.connect(AzureFixture.pipeline(), profile))
                .satisfies(AzureFixture.is(AzureException.Reason.SUBSCRIPTION))
                .hasMessageContaining("11111111-1111-1111-1111-111111111111 (Emulated subscription, Enabled)")
                .hasMessageContaining("22222222-2222-2222-2222-222222222222 (Emulated subscription, Enabled)");
        assertThat(AzureMachines.subscriptions(AzureFixture.pipeline(), profile))
                .hasSize(2);
    }

    @Test
    void reportsThatNoSubscriptionIsVisible() {
        restart();

        assertThatThrownBy(() ->
                        AzureMachines.connect(AzureFixture.pipeline(), AzureFixture.profile(server.endpoint(), null)))
                .isInstanceOf(AzureException.class)
                .hasMessageContaining("the credential sees no subscription");
    }
}
