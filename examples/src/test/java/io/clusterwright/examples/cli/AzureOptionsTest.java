package io.clusterwright.examples.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import io.clusterwright.azure.emulator.ArmEmulator;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

class AzureOptionsTest {
    private static final String SUBSCRIPTION = "11111111-1111-1111-1111-111111111111";
    private static final String REFUSAL =
            "{\"error\":{\"code\":\"InvalidAuthenticationToken\",\"message\":\"The access token is invalid.\"}}";

    @TempDir
    private Path folder;

    private final List<String> asked = new CopyOnWriteArrayList<>();
    private final List<String> tokens = new CopyOnWriteArrayList<>();
    private HttpServer server;
    private String errors = "";

    @BeforeEach
    void start() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", exchange -> {
            asked.add(exchange.getRequestURI().getPath());
            if (exchange.getRequestHeaders().containsKey("Authorization")) {
                tokens.add(exchange.getRequestHeaders().getFirst("Authorization"));
            }
            byte[] body = REFUSAL.getBytes(StandardCharsets.UTF_8);
            exchange.getResponseHeaders().set("Content-Type", "application/json");
            exchange.sendResponseHeaders(401, body.length);
            exchange.getResponseBody().write(body);
            exchange.close();
        });
        server.start();
    }

    @AfterEach
    void stop() {
        server.stop(0);
    }

    private String spec() throws IOException {
        String text = "name: demo\nregion: westeurope\nnodes: {count: 2, size: Standard_HB120rs_v3}\n";
        return Files.writeString(folder.resolve("cluster.yaml"), text).toString();
    }

    private int run(String... arguments) {
        InThisJvm.Ran ran = InThisJvm.run(arguments);
        errors = ran.stderr();
        return ran.status();
    }

    @Test
    void planQueriesTheGivenEndpointWithoutATokenOverPlainHttp() throws IOException {
        String endpoint = "http://127.0.0.1:" + server.getAddress().getPort();

        int status = run("plan", spec(), "--on", "azure", "--endpoint", endpoint, "--subscription", SUBSCRIPTION);

        assertThat(status).isEqualTo(1);
        assertThat(errors).contains("The access token is invalid", "az login");
        assertThat(asked).isNotEmpty().allMatch(path -> path.startsWith("/subscriptions/" + SUBSCRIPTION + "/"));
        assertThat(tokens).isEmpty();
    }

    @Test
    void planWithoutSubscriptionOrEndpointQueriesNoProvider() throws IOException {
        assertThat(run("plan", spec(), "--on", "azure")).isZero();
        assertThat(asked).isEmpty();
    }

    @Test
    void refusesPlainHttpToAnotherMachine() throws IOException {
        assertThat(run("create", spec(), "--on", "azure", "--endpoint", "http://192.0.2.1:80", "--subscription", "x"))
                .isEqualTo(2);
        assertThat(errors).contains("plain http is for an endpoint on this machine only");
    }

    @Test
    @Timeout(60)
    void createSaysAtOnceThatTheMachinesOfAnEmulatorAreRecords() throws IOException {
        try (ArmEmulator azure = ArmEmulator.builder().retryAfter(Duration.ZERO).start()) {
            assertThat(run(
                            "create",
                            spec(),
                            "--no-capture",
                            "--on",
                            "azure",
                            "--endpoint",
                            azure.url().toString(),
                            "--subscription",
                            azure.subscriptionId()))
                    .isEqualTo(1);
            assertThat(errors)
                    .contains(
                            "the virtual machines of an emulator without --backed-by local are records without a system;"
                                    + " for a cluster with nodes run: clusterwright emulator --backed-by local")
                    .contains("everything created for it was deleted");
        }
    }

    @Test
    void refusesUnknownCloud() throws IOException {
        assertThat(run("create", spec(), "--on", "azure", "--cloud", "mars")).isEqualTo(2);
        assertThat(errors).contains("mars is no cloud; write public, china or government");
    }

    @Test
    void refusesEndpointThatIsNoUrl() throws IOException {
        assertThat(run("create", spec(), "--on", "azure", "--endpoint", "management"))
                .isEqualTo(2);
        assertThat(errors).contains("management is no full URL; write a URL");
    }
}
