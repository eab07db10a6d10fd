package io.clusterwright.azure.internal.batch;

import com.azure.core.http.HttpHeaderName;
import com.azure.core.http.HttpMethod;
import com.azure.core.http.HttpPipeline;
import com.azure.core.http.HttpPipelineBuilder;
import com.azure.core.http.HttpRequest;
import com.azure.core.http.HttpResponse;
import com.azure.core.http.policy.RetryPolicy;
import com.azure.core.http.policy.UserAgentPolicy;
import com.azure.core.util.BinaryData;
import com.azure.core.util.Context;
import io.clusterwright.azure.internal.arm.ArmClient;
import io.clusterwright.azure.internal.arm.Connections;
import io.clusterwright.azure.internal.arm.DefaultClient;
import io.clusterwright.azure.internal.arm.Errors;
import io.clusterwright.core.type.ClusterwrightException;
import io.clusterwright.core.type.InvalidValueException;
import io.clusterwright.core.type.Secret;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.DigestInputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.Base64;
import java.util.HexFormat;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A container of Azure Blob Storage, through which files of this machine reach the nodes of a pool. A file is kept under a name that holds
 * the digest of its content, so that the same content is sent once.
 *
 * @param url of the container, without its signature
 * @param signature the query of the URL, with which the container is read and written
 */
public record BatchStorage(String url, Secret signature) {
    private static final Pattern CONTAINER = Pattern.compile(
            "(?<url>https?://[^/?#]+/(?<name>[a-z0-9](-?[a-z0-9]){2,62}))/?\\?(?<query>\\S*\\bsig=\\S+)");
    private static final HttpHeaderName BLOB_TYPE = HttpHeaderName.fromString("x-ms-blob-type");
    private static final HttpHeaderName ERROR = HttpHeaderName.fromString("x-ms-error-code");
    private static final Duration POLL = Duration.ofSeconds(1);
    /** Larger files go in blocks of this size. */
    private static final int BLOCK = 4 * 1024 * 1024;

    private static final int DIGEST = 16;

    /**
     * The container of a URL with its signature.
     *
     * @throws InvalidValueException when it has another form; the message does not hold the signature
     */
    public static BatchStorage of(Secret container) {
        Matcher parts = CONTAINER.matcher(container.reveal());
        if (!parts.matches()) {
            throw new InvalidValueException(
                    "container URL for job files",
                    container.reveal().replaceFirst("\\?.*", "?…"),
                    "a container URL with a shared access signature for read, create and write",
                    "https://account.blob.core.windows.net/container?sv=…&sp=rcw&sig=…");
        }
        Connections.plain(URI.create(parts.group("url")));
        return new BatchStorage(parts.group("url"), Secret.of(parts.group("query")));
    }

    /**
     * Sends a file, unless its content is there.
     *
     * @return the URL from which a node gets it, with the signature
     */
    String upload(Path file) {
        String what = "send " + file + " to " + url;
        String name = url + "/clusterwright/" + digest(file) + "/"
                + URLEncoder.encode(String.valueOf(file.getFileName()), StandardCharsets.UTF_8)
                        .replace("+", "%20");
        String blob = name + "?" + signature.reveal();
        HttpPipeline pipeline = new HttpPipelineBuilder()
                .policies(new UserAgentPolicy("clusterwright"), new RetryPolicy())
                .httpClient(DefaultClient.create())
                .build();
        ArmClient waiting = new ArmClient(POLL);
        boolean there = waiting.read(what, () -> send(pipeline, what, new HttpRequest(HttpMethod.HEAD, blob)));
        if (there) {
            return blob;
        }
        try (InputStream in = Files.newInputStream(file)) {
            byte[] piece = in.readNBytes(BLOCK);
            if (piece.length < BLOCK) {
                put(waiting, pipeline, what, blob, piece);
                return blob;
            }
            StringBuilder list = new StringBuilder("<?xml version=\"1.0\" encoding=\"utf-8\"?><BlockList>");
            for (int number = 0; piece.length > 0; number++) {
                String id = Base64.getEncoder()
                        .encodeToString(
                                String.format(Locale.ROOT, "%06d", number).getBytes(StandardCharsets.US_ASCII));
                put(waiting, pipeline, what, blob + "&comp=block&blockid=" + id, piece);
                list.append("<Latest>").append(id).append("</Latest>");
                piece = in.readNBytes(BLOCK);
            }
            put(
                    waiting,
                    pipeline,
                    what,
                    blob + "&comp=blocklist",
                    list.append("</BlockList>").toString().getBytes(StandardCharsets.UTF_8));
            return blob;
        } catch (IOException e) {
            throw unreadable(file, e);
        }
    }

    private static void put(ArmClient waiting, HttpPipeline pipeline, String what, String target, byte[] content) {
        HttpRequest request = new HttpRequest(HttpMethod.PUT, target)
                .setHeader(BLOB_TYPE, "BlockBlob")
                .setHeader(HttpHeaderName.CONTENT_TYPE, "application/octet-stream")
                .setBody(BinaryData.fromBytes(content));
        waiting.read(what, () -> send(pipeline, what, request.copy()));
    }

    /** Whether what the request is about is there. */
    private static boolean send(HttpPipeline pipeline, String what, HttpRequest request) {
        try (HttpResponse response = pipeline.sendSync(request, Context.NONE)) {
            int status = response.getStatusCode();
            String code = response.getHeaderValue(ERROR) == null ? "" : response.getHeaderValue(ERROR);
            if (status < 300) {
                return true;
            }
            if (status == 404 && request.getHttpMethod() == HttpMethod.HEAD && !code.equals("ContainerNotFound")) {
                return false;
            }
            String remedy = status == 401 || status == 403
                    ? "the signature is wrong, has expired, or may not read, create and write (sp=rcw)"
                    : "HTTP status " + status;
            throw Errors.of(Errors.ofStatus(status), code, what, remedy, null);
        }
    }

    private static String digest(Path file) {
        try (InputStream in = new DigestInputStream(Files.newInputStream(file), MessageDigest.getInstance("SHA-256"))) {
            in.transferTo(OutputStream.nullOutputStream());
            return HexFormat.of()
                    .formatHex(((DigestInputStream) in).getMessageDigest().digest())
                    .substring(0, DIGEST * 2);
        } catch (IOException e) {
            throw unreadable(file, e);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }

    private static ClusterwrightException unreadable(Path file, IOException cause) {
        return new ClusterwrightException("cannot read " + file, cause);
    }
}
