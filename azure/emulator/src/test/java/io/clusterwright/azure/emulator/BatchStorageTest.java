package io.clusterwright.azure.emulator;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.Base64;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The storage account of an emulated Batch account, by plain HTTP. */
class BatchStorageTest {
    private final BatchEmulator emulator = BatchEmulator.builder().start();
    private final HttpClient http = HttpClient.newHttpClient();

    @AfterEach
    void close() {
        emulator.close();
    }

    private HttpResponse<String> send(String method, String url, String type, String body)
            throws IOException, InterruptedException {
        HttpRequest.Builder request =
                HttpRequest.newBuilder(URI.create(url)).method(method, HttpRequest.BodyPublishers.ofString(body));
        if (!type.isEmpty()) {
            request.header("x-ms-blob-type", type);
        }
        return http.send(request.build(), HttpResponse.BodyHandlers.ofString());
    }

    private static void refused(HttpResponse<String> answer, int status, String code) {
        assertThat(answer.statusCode()).isEqualTo(status);
        assertThat(answer.headers().firstValue("x-ms-error-code")).hasValue(code);
        assertThat(answer.body()).contains("<Code>" + code + "</Code>");
    }

    private String blob(String permissions, String name) {
        return emulator.container("box", permissions).reveal().replaceFirst("\\?", "/" + name + "?");
    }

    @Test
    void aBlobIsWrittenWholeOrInBlocks() throws Exception {
        assertThat(send("PUT", blob("c", "a b.txt".replace(" ", "%20")), "BlockBlob", "one")
                        .statusCode())
                .isEqualTo(201);
        assertThat(send("GET", blob("r", "a%20b.txt"), "", "").body()).isEqualTo("one");
        String first = Base64.getEncoder().encodeToString("1".getBytes());
        String second = Base64.getEncoder().encodeToString("2".getBytes());
        String to = blob("w", "deep/er");
        assertThat(send("PUT", to + "&comp=block&blockid=" + first, "", "to").statusCode())
                .isEqualTo(201);
        assertThat(send("PUT", to + "&comp=block&blockid=" + second, "", "gether")
                        .statusCode())
                .isEqualTo(201);
        String list = "<BlockList><Latest>%s</Latest><Latest>%s</Latest></BlockList>";
        refused(send("PUT", to + "&comp=blocklist", "", list.formatted(first, "Mw==")), 400, "InvalidBlockList");
        refused(send("GET", blob("r", "deep/er"), "", ""), 404, "BlobNotFound");
        assertThat(send("PUT", to + "&comp=blocklist", "", list.formatted(first, second))
                        .statusCode())
                .isEqualTo(201);
        assertThat(send("GET", blob("r", "deep/er"), "", "").body()).isEqualTo("together");
    }

    @Test
    void onlyWhatTheSignatureLetsIsDone() throws Exception {
        String url = blob("rc", "a");
        refused(send("PUT", url.replaceFirst("sp=rc", "sp=rcw"), "BlockBlob", "x"), 403, "AuthenticationFailed");
        refused(send("GET", url.replaceFirst("/box/", "/other/"), "", ""), 403, "AuthenticationFailed");
        refused(send("GET", url.replaceFirst("\\?.*", ""), "", ""), 403, "AuthenticationFailed");
        refused(send("PUT", blob("r", "a"), "BlockBlob", "x"), 403, "AuthorizationPermissionMismatch");
        refused(send("PUT", url, "", "x"), 400, "MissingRequiredHeader");
        refused(send("PUT", url, "Block", "x"), 400, "InvalidHeaderValue");
        assertThat(send("PUT", url, "BlockBlob", "x").statusCode()).isEqualTo(201);
        refused(send("PUT", url, "BlockBlob", "y"), 403, "AuthorizationPermissionMismatch");
        refused(send("GET", blob("c", "a"), "", ""), 403, "AuthorizationPermissionMismatch");
        refused(send("PUT", blob("w", "a") + "&comp=block&blockid=***", "", "x"), 400, "InvalidQueryParameterValue");
        refused(send("DELETE", url, "", ""), 405, "UnsupportedHttpVerb");
    }
}
