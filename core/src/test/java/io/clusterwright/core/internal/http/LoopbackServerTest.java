package io.clusterwright.core.internal.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import io.clusterwright.core.internal.json.Json;
import io.clusterwright.core.type.ClusterwrightException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LoopbackServerTest {
    @TempDir
    private Path folder;

    private LoopbackServer server;

    @BeforeEach
    void start() {
        server = new LoopbackServer("test", 0, null, new Recorder(folder), LoopbackServerTest::answer);
    }

    @AfterEach
    void stop() {
        server.close();
    }

    private static Optional<Reply> answer(Call call) {
        return switch (call.path()) {
            case "/broken" -> Optional.empty();
            case "/text" -> Optional.of(Reply.text(200, "plain", "text/plain").with("X-Served-By", "test"));
            default ->
                Optional.of(Reply.ok(Json.object()
                        .put("filter", call.query("filter"))
                        .put("segments", call.segments().size())
                        .set("body", call.objectOrEmpty())));
        };
    }

    private HttpResponse<String> send(String method, String target, String body)
            throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + server.port() + target))
                .header("Authorization", "Bearer secret")
                .method(method, HttpRequest.BodyPublishers.ofString(body))
                .build();
        return HttpClient.newHttpClient().send(request, HttpResponse.BodyHandlers.ofString());
    }

    /** The status line that a request with this {@code Host} gets. */
    private String statusFor(String host) throws IOException {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.port())) {
            socket.getOutputStream()
                    .write(("GET /a HTTP/1.1\r\nHost: " + host + "\r\nConnection: close\r\n\r\n")
                            .getBytes(StandardCharsets.US_ASCII));
            String answer = new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            return answer.lines().findFirst().orElse("");
        }
    }

    @Test
    void decodesQueryPathAndJsonBody() throws IOException, InterruptedException {
        JsonNode answer = Json.MAPPER.readTree(
                send("PUT", "/a/b%20c?$Filter=x%20y", "{\"n\":1}").body());

        assertThat(answer.path("filter").asText()).isEqualTo("x y");
        assertThat(answer.path("segments").asInt()).isEqualTo(2);
        assertThat(answer.at("/body/n").asInt()).isEqualTo(1);
    }

    @Test
    void sendsTextWithItsContentType() throws IOException, InterruptedException {
        HttpResponse<String> answer = send("GET", "/text", "");

        assertThat(answer.body()).isEqualTo("plain");
        assertThat(answer.headers().firstValue("Content-Type")).hasValue("text/plain");
        assertThat(answer.headers().firstValue("X-Served-By")).hasValue("test");
    }

    @ParameterizedTest
    @CsvSource({
        "localhost, 200",
        "localhost:8080, 200",
        "127.0.0.1:1, 200",
        "[::1]:1, 200",
        "example.org, 403",
        "localhost.example.org, 403",
        "127.0.0.1.example.org:80, 403"
    })
    void refusesForeignHostHeaders(String host, String status) throws IOException {
        assertThat(statusFor(host)).contains(" " + status + " ");
    }

    @Test
    void breaksConnectionsWithoutReply() {
        assertThatThrownBy(() -> send("POST", "/broken", "")).isInstanceOf(IOException.class);
        assertThat(server.seen()).isNotEmpty().allSatisfy(seen -> {
            assertThat(seen.method()).isEqualTo("POST");
            assertThat(seen.status()).isEmpty();
        });
    }

    @Test
    void masksLoginsAndPasswordsInRecordings() throws IOException, InterruptedException {
        send("PUT", "/text", "{\"osProfile\":{\"adminPassword\":\"secret\"}}");
        send(
                "PUT",
                "/text",
                "[{\"Name\":\"Password\",\"Value\":\"secret\"},{\"Name\":\"Priority\",\"Value\":\"Low\"}]");
        send("PUT", "/text", "<Property><Name>Password</Name><Value>secret</Value></Property>");

        try (Stream<Path> files = Files.list(folder)) {
            List<Path> all = files.sorted().toList();
            assertThat(all).hasSize(3);
            for (Path file : all) {
                assertThat(Files.readString(file)).contains("***").doesNotContain("secret");
            }
            assertThat(Json.MAPPER
                            .readTree(all.get(1).toFile())
                            .at("/request/body/1/Value")
                            .asText())
                    .isEqualTo("Low");
        }
    }

    @Test
    void reportsAPortThatIsTaken() {
        int port = server.port();
        assertThatThrownBy(() -> new LoopbackServer("other", port, null, new Recorder(null), call -> Optional.empty()))
                .isInstanceOf(ClusterwrightException.class)
                .hasMessageContaining("Cannot listen on port " + port)
                .hasMessageContaining("Choose another port");
    }
}
