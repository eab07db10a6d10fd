package io.clusterwright.windows.emulator.internal.http;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;

/** Keeps what went over the wire, one file for each request with its answer. A login, and a password in a body, are not kept. */
public final class Recorder {
    private static final ObjectMapper MAPPER = new ObjectMapper();

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

    void record(Call call, String target, Reply reply, Map<String, String> sent) {
        ObjectNode record = MAPPER.createObjectNode();
        ObjectNode request =
                record.putObject("request").put("method", call.method()).put("target", target);
        ObjectNode headers = request.putObject("headers");
        call.headers().forEach((name, value) -> headers.put(name, name.equals("authorization") ? "***" : value));
        request.put("body", withoutPassword(call.body()));
        ObjectNode response = record.putObject("response").put("status", reply.status());
        ObjectNode answered = response.putObject("headers");
        sent.forEach(answered::put);
        response.put("body", reply.body());
        Path file = folder.resolve(String.format(Locale.ROOT, "%06d-%s.json", number.incrementAndGet(), call.method()));
        try {
            MAPPER.writerWithDefaultPrettyPrinter().writeValue(file.toFile(), record);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot record a request in " + folder, e);
        }
    }

    private static String withoutPassword(String body) {
        return body.replaceAll(
                        "(\"Name\"\\s*:\\s*\"Password\"\\s*,\\s*\"Value\"\\s*:\\s*)\"(?:[^\"\\\\]|\\\\.)*\"",
                        "$1\"***\"")
                .replaceAll("(<Name>Password</Name><Value>)[^<]*", "$1***");
    }
}
