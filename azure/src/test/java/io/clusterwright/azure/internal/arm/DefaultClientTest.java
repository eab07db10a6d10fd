package io.clusterwright.azure.internal.arm;

import static org.assertj.core.api.Assertions.assertThat;

import com.azure.core.http.HttpClient;
import com.azure.core.http.HttpMethod;
import com.azure.core.http.HttpPipeline;
import com.azure.core.http.HttpPipelineBuilder;
import com.azure.core.http.HttpRequest;
import com.azure.core.http.HttpResponse;
import com.azure.core.http.policy.RetryPolicy;
import com.azure.core.util.BinaryData;
import com.azure.core.util.Context;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class DefaultClientTest {
    private final List<String> seen = new CopyOnWriteArrayList<>();
    private HttpServer server;

    @BeforeEach
    void starts() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", exchange -> {
            String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
            seen.add(exchange.getRequestMethod() + " " + body + " "
                    + exchange.getRequestHeaders().getFirst("Content-Length") + " "
                    + exchange.getRequestHeaders().getFirst("Transfer-Encoding"));
            exchange.sendResponseHeaders(seen.size() == 1 ? 503 : 200, -1);
            exchange.close();
        });
        server.start();
    }

    @AfterEach
    void stops() {
        server.stop(0);
    }

    /** Azure's storage accepts no body of unknown length. */
    @Test
    void sendsTheLengthOfABodyAlsoWhenItTriesAgain() {
        send(new HttpRequest(HttpMethod.PUT, url()).setBody(BinaryData.fromString("twelve bytes")));

        assertThat(seen).containsExactly("PUT twelve bytes 12 null", "PUT twelve bytes 12 null");
    }

    /** Its own class is checked by name: of another client nothing is known. */
    @Test
    void wrapsTheClientOfTheJdk() {
        assertThat(HttpClient.createDefault().getClass().getName())
                .isEqualTo("com.azure.core.http.jdk.httpclient.JdkHttpClient");
        assertThat(DefaultClient.create()).isInstanceOf(DefaultClient.class);
    }

    private void send(HttpRequest request) {
        HttpPipeline pipeline = new HttpPipelineBuilder()
                .policies(new RetryPolicy())
                .httpClient(DefaultClient.create())
                .build();
        try (HttpResponse answer = pipeline.sendSync(request, Context.NONE)) {
            assertThat(answer.getStatusCode()).isEqualTo(200);
        }
    }

    private String url() {
        return "http://127.0.0.1:" + server.getAddress().getPort() + "/";
    }
}
