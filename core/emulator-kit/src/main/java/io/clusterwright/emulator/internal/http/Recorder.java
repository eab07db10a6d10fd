package io.clusterwright.emulator.internal.http;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import io.clusterwright.core.internal.file.PrivateFiles;
import io.clusterwright.core.internal.json.Json;
import io.clusterwright.core.type.ClusterwrightException;
import io.clusterwright.core.type.InvalidValueException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Writes every request with its answer to a file, numbered in the order of the answers. Secrets are masked, and only
 * the owner may read it.
 */
public final class Recorder {
    private final @Nullable Path folder;
    private final AtomicInteger number = new AtomicInteger();

    /** @param folder the folder, which is made; null to record nothing */
    public Recorder(@Nullable Path folder) {
        this.folder = folder;
        if (folder != null) {
            try {
                PrivateFiles.createFolders(folder);
            } catch (IOException e) {
                throw InvalidValueException.of(
                        "cannot create the folder of recordings " + folder,
                        "name a folder that you may write; a missing folder is created");
            }
        }
    }

    /** Writes one file, when there is a folder. */
    public void record(Call call, Reply reply) {
        if (folder == null) {
            return;
        }
        ObjectNode record = Json.object();
        ObjectNode request = record.putObject("request")
                .put("method", call.method())
                .put("target", SecretMask.text(call.target()))
                .put("path", call.path());
        ObjectNode query = request.putObject("query");
        call.query().forEach((name, value) -> query.put(name, SecretMask.parameter(name, value)));
        ObjectNode headers = request.putObject("headers");
        call.headers().forEach((name, value) -> headers.put(name, SecretMask.header(name, value)));
        if (!call.text().isEmpty()) {
            request.set("body", body(call));
        }
        ObjectNode response = record.putObject("response").put("status", reply.status());
        ObjectNode sent = response.putObject("headers");
        reply.headers().forEach((name, value) -> sent.put(name, SecretMask.header(name, value)));
        if (reply.body() != null) {
            response.set("body", SecretMask.tree(reply.body()));
        }
        String name = String.format(Locale.ROOT, "%06d-%s.json", number.incrementAndGet(), call.method());
        try {
            PrivateFiles.writeNew(folder.resolve(name), Json.indented(record));
        } catch (IOException e) {
            throw new ClusterwrightException(
                    "cannot record a request in " + folder + "; check the disk of this folder", e);
        }
    }

    /** The body as JSON, or as text where it is something else. */
    private static JsonNode body(Call call) {
        try {
            return SecretMask.tree(call.json());
        } catch (HttpRefusalException e) {
            return TextNode.valueOf(SecretMask.text(call.text()));
        }
    }
}
