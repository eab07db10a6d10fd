package io.clusterwright.emulator.internal.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import io.clusterwright.core.internal.json.Json;
import io.clusterwright.core.type.ClusterwrightException;
import io.clusterwright.core.type.Secret;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
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
        server = new LoopbackServer("test", 0, null, null, new Recorder(folder), LoopbackServerTest::answer);
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
        return statusOf(server, "Host: " + host + "\r\n");
    }

    private static String statusOf(LoopbackServer server, String headers) throws IOException {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.port())) {
            socket.getOutputStream()
                    .write(("GET /a HTTP/1.1\r\n" + headers + "Connection: close\r\n\r\n")
                            .getBytes(StandardCharsets.US_ASCII));
            String answer = new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            return answer.lines().findFirst().orElse("");
        }
    }

    /** A socket on which the head of a request was sent, and some of its body. */
    private Socket begun(String head) throws IOException {
        Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.port());
        socket.setSoTimeout(30_000);
        socket.getOutputStream().write(head.getBytes(StandardCharsets.US_ASCII));
        socket.getOutputStream().flush();
        return socket;
    }

    private static String rest(Socket socket) {
        try {
            return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        } catch (SocketTimeoutException e) {
            throw new AssertionError("the connection is still open", e);
        } catch (IOException e) {
            return "";
        }
    }

    @Test
    void keepsNoProgramRunning() {
        assertThat(Thread.getAllStackTraces().keySet())
                .filteredOn(thread -> thread.getName().contains("HTTP-Dispatcher"))
                .isNotEmpty()
                .allMatch(Thread::isDaemon);
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
    void refusesRequestsWithoutOneHost() throws IOException {
        assertThat(statusOf(server, "")).contains(" 403 ");
        assertThat(statusOf(server, "Host: localhost\r\nHost: example.org\r\n")).contains(" 403 ");
    }

    @Test
    void refusesRequestsOfWebPagesOfOtherServers() throws IOException {
        String host = "Host: localhost\r\n";
        assertThat(statusOf(server, host + "Origin: http://example.org\r\n")).contains(" 403 ");
        assertThat(statusOf(server, host + "Origin: null\r\n")).contains(" 403 ");
        assertThat(statusOf(server, host + "Origin: http://localhost:1\r\n")).contains(" 403 ");
        assertThat(statusOf(server, host + "Sec-Fetch-Site: cross-site\r\n")).contains(" 403 ");
        assertThat(statusOf(server, host + "Origin: http://localhost:" + server.port() + "\r\n"))
                .contains(" 200 ");
    }

    @Test
    void servesOnlyThoseWhoKnowItsToken() throws IOException {
        Secret token = Secret.of("0123456789abcdef");
        try (LoopbackServer guarded =
                new LoopbackServer("guarded", 0, null, token, new Recorder(null), LoopbackServerTest::answer)) {
            String host = "Host: localhost\r\nAuthorization: ";
            assertThat(statusOf(guarded, "Host: localhost\r\n")).contains(" 401 ");
            assertThat(statusOf(guarded, host + "Bearer \r\n")).contains(" 401 ");
            assertThat(statusOf(guarded, host + "Bearer 0123456789abcde\r\n")).contains(" 401 ");
            assertThat(statusOf(guarded, host + "Basic 0123456789abcdef\r\n")).contains(" 401 ");
            assertThat(statusOf(guarded, host + "Bearer 0123456789abcdef\r\n")).contains(" 200 ");
            assertThat(guarded.seen()).hasSize(1);
        }
    }

    @Test
    void refusesBodiesThatAreTooLarge() throws IOException, InterruptedException {
        assertThat(send("PUT", "/a", "[" + " ".repeat(4 * 1024 * 1024) + "]").statusCode())
                .isEqualTo(413);
        assertThat(send("PUT", "/a", "{\"n\":\"" + "x".repeat(4_000_000) + "\"}")
                        .statusCode())
                .isEqualTo(200);
    }

    @Test
    void refusesBodiesThatAreTooDeep() throws IOException, InterruptedException {
        String deep = "{\"n\":" + "[".repeat(100_000) + "]".repeat(100_000) + "}";
        assertThat(send("PUT", "/a", deep).statusCode()).isEqualTo(400);
    }

    /** The answer to a request; empty when the server cuts the connection, perhaps before all was sent. */
    private String answer(String request) throws IOException {
        try (Socket socket = begun(request)) {
            return rest(socket);
        } catch (SocketException e) {
            return "";
        }
    }

    @Test
    void refusesHeadersThatAreTooLarge() throws IOException, InterruptedException {
        assertThat(answer("GET /a HTTP/1.1\r\nHost: localhost\r\nX-Long: " + "x".repeat(200_000)))
                .doesNotContain(" 200 ");
        String many =
                IntStream.range(0, 150).mapToObj(i -> "X-" + i + ": b\r\n").collect(Collectors.joining());
        assertThat(answer("GET /a HTTP/1.1\r\nHost: localhost\r\n" + many)).doesNotContain(" 200 ");
        assertThat(send("GET", "/a", "").statusCode()).isEqualTo(200);
    }

    @Test
    void refusesRequestsBeyondTheMemoryOfAll() {
        Admission admission = new Admission(0, null);
        List<Admission.Memory> open = new ArrayList<>();
        for (int i = 0; i < 16; i++) {
            open.add(admission.memory());
            open.get(i).take(4 * 1024 * 1024);
        }
        try (Admission.Memory more = admission.memory()) {
            assertThatThrownBy(() -> more.take(1))
                    .isInstanceOf(HttpRefusalException.class)
                    .hasMessageContaining("Send it later")
                    .satisfies(
                            e -> assertThat(((HttpRefusalException) e).status()).isEqualTo(503));
        }
        open.get(0).close();
        try (Admission.Memory more = admission.memory()) {
            more.take(4 * 1024 * 1024);
        }
    }

    @Test
    void endsRequestsThatDoNotArriveInTimeAndServesOthersMeanwhile() throws IOException, InterruptedException {
        long start = System.nanoTime();
        try (Socket head = begun("GET /a HTTP/1.1\r\nHost: loc");
                Socket body = begun("PUT /a HTTP/1.1\r\nHost: localhost\r\nContent-Length: 10\r\n\r\n{")) {
            assertThat(send("GET", "/a", "").statusCode()).isEqualTo(200);
            assertThat(rest(head)).doesNotContain(" 200 ");
            assertThat(rest(body)).doesNotContain(" 200 ");
        }
        assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(20));
    }

    @Test
    void remembersTheLastRequestsOnly() throws IOException {
        try (LoopbackServer busy =
                        new LoopbackServer("busy", 0, null, null, new Recorder(null), LoopbackServerTest::answer);
                Socket socket = new Socket(InetAddress.getLoopbackAddress(), busy.port())) {
            byte[] request = "HEAD /a HTTP/1.1\r\nHost: localhost\r\n\r\n".getBytes(StandardCharsets.US_ASCII);
            BufferedReader answers =
                    new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.US_ASCII));
            for (int i = 0; i < 20_010; i++) {
                socket.getOutputStream().write(request);
                String line = answers.readLine();
                for (int j = 0; line != null && !line.isEmpty() && j < 20; j++) {
                    line = answers.readLine();
                }
            }
            assertThat(busy.seen()).hasSize(20_000);
        }
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
    void masksSecretsOfEveryKindInRecordings() throws IOException, InterruptedException {
        String key = "-----BEGIN OPENSSH PRIVATE KEY-----\\nSECRET\\n-----END OPENSSH PRIVATE KEY-----";
        send("PUT", "/a?sig=SECRET&$filter=x", """
                {"properties":{"osProfile":{"customData":"SECRET","secrets":[{"vaultCertificates":[{"certificateUrl":"SECRET"}]}]},
                 "protectedSettings":{"commandToExecute":"SECRET","deep":{"storageAccountKey":"SECRET"}},
                 "note":"%s","url":"https://x.blob.core.windows.net/c?sv=1&sig=SECRET&se=2"}}""".formatted(key));
        send("POST", "/text", "{\"commandId\":\"RunShellScript\",\"script\":[\"SECRET\"]}");
        send("POST", "/text", """
                {"userAccounts":[{"name":"u","password":"SECRET","linuxUserConfiguration":{"sshPrivateKey":"SECRET","uid":5}}],
                 "environmentSettings":[{"name":"N","value":"SECRET"}]}""");
        send("PUT", "/text", """
                {"properties":{"parameters":{"hidden":{"value":"SECRET"},"shown":{"value":"plain"}},
                 "template":{"parameters":{"hidden":{"type":"secureString"},"shown":{"type":"string"}}}}}""");
        send("PUT", "/text", "<Job UserName=\"u\" Password=\"SECRET\"/>");

        try (Stream<Path> files = Files.list(folder)) {
            List<Path> all = files.sorted().toList();
            assertThat(all).hasSize(5);
            for (Path file : all) {
                assertThat(Files.readString(file)).contains("***").doesNotContain("SECRET");
                assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                        .isEqualTo("rw-------");
            }
            assertThat(Files.readString(all.get(3))).contains("plain");
            JsonNode third = Json.MAPPER.readTree(all.get(2).toFile());
            assertThat(third.at("/request/body/userAccounts/0/linuxUserConfiguration/uid")
                            .asInt())
                    .isEqualTo(5);
        }
    }

    @Test
    void keepsRecordingsInAFolderOfTheirOwner() throws IOException {
        Path fresh = folder.resolve("fresh");
        assertThat(new Recorder(fresh)).isNotNull();
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(fresh)))
                .isEqualTo("rwx------");
    }

    @Test
    void reportsAPortThatIsTaken() {
        int port = server.port();
        assertThatThrownBy(() ->
                        new LoopbackServer("other", port, null, null, new Recorder(null), call -> Optional.empty()))
                .isInstanceOf(ClusterwrightException.class)
                .hasMessageContaining("Cannot listen on port " + port)
                .hasMessageContaining("Choose another port");
    }
}
