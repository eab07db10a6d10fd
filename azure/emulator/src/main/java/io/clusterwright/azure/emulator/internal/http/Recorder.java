package io.clusterwright.azure.emulator.internal.http;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.clusterwright.azure.emulator.internal.arm.Answer;
import io.clusterwright.azure.emulator.internal.arm.Call;
import io.clusterwright.azure.emulator.internal.arm.Json;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;

/** Keeps every request with its answer, one file each, numbered in the order of the answers. */
public final class Recorder {
    private final Path folder;
    private final AtomicInteger number = new AtomicInteger();

    public Recorder(Path folder) {
        this.folder = folder;
        try {
            Files.createDirectories(folder);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot make the folder of recordings " + folder, e);
        }
    }

    /** A copy in which no password stands, wherever one may be. */
    private static JsonNode withoutPasswords(JsonNode body) {
        JsonNode copy = body.deepCopy();
        copy.findParents("adminPassword").forEach(parent -> ((ObjectNode) parent).put("adminPassword", "***"));
        return copy;
    }

    void record(Call call, Answer answer, Map<String, String> budget) {
        ObjectNode record = Json.object();
        ObjectNode request =
                record.putObject("request").put("method", call.method()).put("path", call.path());
        ObjectNode query = request.putObject("query");
        call.query().forEach(query::put);
        ObjectNode headers = request.putObject("headers");
        call.headers().forEach((name, value) -> headers.put(name, name.equals("authorization") ? "***" : value));
        if (call.body() != null) {
            request.set("body", withoutPasswords(call.body()));
        }
        ObjectNode response = record.putObject("response").put("status", answer.status());
        ObjectNode sent = response.putObject("headers");
        budget.forEach(sent::put);
        answer.headers().forEach(sent::put);
        if (answer.body() != null) {
            response.set("body", answer.body());
        }
        String name = String.format(Locale.ROOT, "%06d-%s.json", number.incrementAndGet(), call.method());
        try {
            Json.MAPPER
                    .writerWithDefaultPrettyPrinter()
                    .writeValue(folder.resolve(name).toFile(), record);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot record a request in " + folder, e);
        }
    }
}
