package io.clusterwright.azure.emulator.internal.batch;

import static io.clusterwright.azure.emulator.internal.batch.BatchRefusals.refuse;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.clusterwright.azure.emulator.internal.arm.Bodies;
import io.clusterwright.emulator.internal.http.Call;
import java.io.IOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SortedMap;
import java.util.regex.Pattern;

/**
 * The files that nodes get for a task: from a URL, and from containers of the emulated storage account. The emulator fetches them, where
 * Batch's node agent does so itself.
 */
final class BatchFiles {
    private static final Duration LIMIT = Duration.ofMinutes(5);
    private static final Pattern CONTAINER = Pattern.compile("(?!.*--)[a-z0-9][a-z0-9-]{1,61}[a-z0-9]");
    private static final Pattern MODE = Pattern.compile("[0-7]{3,4}");
    private static final List<String> SOURCES = List.of("autoStorageContainerName", "storageContainerUrl", "httpUrl");

    private final BlobStore store;
    private final BlobServer server;
    private final HttpClient http =
            HttpClient.newBuilder().connectTimeout(Duration.ofSeconds(30)).build();

    BatchFiles(BlobStore store, BlobServer server) {
        this.store = store;
        this.server = server;
    }

    /** Refuses a file as Batch does, by the descriptions of its properties. */
    static void check(ObjectNode file) {
        refuse(SOURCES.stream().filter(file::has).count() != 1, "fileSource", file);
        String path = Bodies.text(file, "filePath");
        if (file.has("httpUrl") && path.isEmpty()) {
            throw BatchRefusals.missing("resourceFiles.filePath");
        }
        refuse(BatchRules.OUTSIDE.matcher(path).matches(), "filePath", path);
        refuse(file.has("blobPrefix") && file.has("httpUrl"), "blobPrefix", Bodies.text(file, "blobPrefix"));
        String mode = Bodies.text(file, "fileMode");
        refuse(file.has("fileMode") && !MODE.matcher(mode).matches(), "fileMode", mode);
        String container = Bodies.text(file, "autoStorageContainerName");
        boolean named = file.has("autoStorageContainerName");
        refuse(named && !CONTAINER.matcher(container).matches(), "autoStorage", container);
        String url = Bodies.text(file, "httpUrl");
        refuse(file.has("httpUrl") && !isUrl(url), "httpUrl", url);
        String storage = Bodies.text(file, "storageContainerUrl");
        refuse(file.has("storageContainerUrl") && !isUrl(storage), "storageUrl", storage);
    }

    private static boolean isUrl(String text) {
        try {
            URI url = new URI(text);
            return url.getHost() != null
                    && List.of("http", "https")
                            .contains(String.valueOf(url.getScheme()).toLowerCase(Locale.ROOT));
        } catch (URISyntaxException e) {
            return false;
        }
    }

    /**
     * A file for a node.
     *
     * @param path relative to the folder of such files
     */
    record Fetched(String path, String mode, byte[] content) {}

    /** A file that cannot be fetched, with the code that a task gets for it. */
    static final class FetchException extends Exception {
        private static final long serialVersionUID = 1L;

        private final String code;

        FetchException(String code, String message) {
            super(message);
            this.code = code;
        }

        String code() {
            return code;
        }
    }

    /** Fetches all files; blocks. */
    List<Fetched> fetch(JsonNode files) throws FetchException {
        List<Fetched> all = new ArrayList<>();
        for (JsonNode file : files) {
            String path = Bodies.text(file, "filePath");
            String mode = Bodies.text(file, "fileMode").isEmpty() ? "0770" : Bodies.text(file, "fileMode");
            if (file.has("httpUrl")) {
                all.add(new Fetched(path, mode, get(URI.create(Bodies.text(file, "httpUrl")))));
                continue;
            }
            String folder = path.isEmpty() ? "" : path.replaceFirst("/*$", "/");
            container(file).forEach((name, content) -> all.add(new Fetched(folder + name, mode, content)));
        }
        return all;
    }

    private SortedMap<String, byte[]> container(JsonNode file) throws FetchException {
        String name = Bodies.text(file, "autoStorageContainerName");
        if (name.isEmpty()) {
            URI url = URI.create(Bodies.text(file, "storageContainerUrl"));
            if (!server.isHere(url)) {
                throw new FetchException(
                        "ResourceContainerListMiscError", "only containers of the account's storage are emulated");
            }
            name = url.getPath().replaceAll("^/+|/+$", "");
            Map<String, String> query = Call.query(url);
            String permissions = query.getOrDefault("sp", "");
            if (!store.isSignature(name, permissions, query.getOrDefault("sig", ""))
                    || !permissions.contains("r")
                    || !permissions.contains("l")) {
                throw new FetchException(
                        "ResourceContainerAccessDenied",
                        "Access to the Azure Storage resource file Container was denied");
            }
        }
        if (!store.has(name)) {
            throw new FetchException("ResourceContainerListMiscError", "there is no container " + name);
        }
        return store.blobs(name, Bodies.text(file, "blobPrefix"));
    }

    private byte[] get(URI url) throws FetchException {
        try {
            HttpResponse<byte[]> answer = http.send(
                    HttpRequest.newBuilder(url).timeout(LIMIT).build(), HttpResponse.BodyHandlers.ofByteArray());
            return switch (answer.statusCode()) {
                case 200 -> answer.body();
                case 401, 403 ->
                    throw new FetchException(
                            "BlobAccessDenied", "Access for one of the specified Azure Blob(s) is denied");
                case 404 -> throw new FetchException("BlobNotFound", "One of the specified Azure Blob(s) is not found");
                default ->
                    throw new FetchException(
                            "BlobDownloadMiscError",
                            "Miscellaneous error encountered while downloading one of the specified Azure Blob(s): HTTP status "
                                    + answer.statusCode());
            };
        } catch (IOException e) {
            throw new FetchException(
                    "BlobDownloadMiscError",
                    "Miscellaneous error encountered while downloading one of the specified Azure Blob(s)");
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new FetchException("BlobDownloadTimedOut", "interrupted");
        }
    }
}
