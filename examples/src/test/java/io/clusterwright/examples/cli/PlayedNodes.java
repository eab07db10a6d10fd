package io.clusterwright.examples.cli;

import com.fasterxml.jackson.databind.JsonNode;
import io.clusterwright.core.internal.json.Json;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BinaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;

/** Plays nodes with Windows as far as their creation needs: scripts of the library print their markers, hostname the node's name. */
final class PlayedNodes implements BinaryOperator<String> {
    private static final Pattern VARIABLE = Pattern.compile("\\$cw([A-Za-z]+) = '([^']*)'");
    private static final Pattern MARKER = Pattern.compile("Write-Output -InputObject '(clusterwright: [^']*)'");

    private final Map<String, ByteArrayOutputStream> inputs = new ConcurrentHashMap<>();
    private final Map<String, String> last = new ConcurrentHashMap<>();

    @Override
    public String apply(String computer, String script) {
        Map<String, String> given = new HashMap<>();
        for (Matcher found = VARIABLE.matcher(script); found.find(); ) {
            given.put(found.group(1), found.group(2));
        }
        try {
            String job = given.getOrDefault("Job", "");
            ByteArrayOutputStream input = inputs.computeIfAbsent(computer + job, key -> new ByteArrayOutputStream());
            String part = given.getOrDefault("Input", "");
            if (!part.isEmpty()) {
                input.writeBytes(new GZIPInputStream(new ByteArrayInputStream(decoded(part))).readAllBytes());
            }
            if (!given.getOrDefault("Verb", "").equals("launch")) {
                return "clusterwright-relay " + job + " staged 0 0 0 - 0 0 -\r\n";
            }
            JsonNode order = Json.MAPPER.readTree(decoded(given.getOrDefault("Order", "")));
            String output = output(computer, order, input.toString(StandardCharsets.UTF_8));
            return "clusterwright-relay " + job + " ended 0 " + piece(output) + " 0 0 -\r\n";
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private String output(String computer, JsonNode order, String input) {
        if (order.path("program").asText().equals("hostname")) {
            return computer + "\r\n";
        }
        if (!input.isEmpty()) {
            last.put(computer, input);
        }
        StringBuilder printed = new StringBuilder();
        if (order.path("arguments").asText().contains("& '")) {
            for (Matcher marker = MARKER.matcher(last.getOrDefault(computer, "")); marker.find(); ) {
                printed.append(marker.group(1)).append("\r\n");
            }
        }
        return printed.toString();
    }

    private static byte[] decoded(String text) {
        return Base64.getDecoder().decode(text);
    }

    private static String piece(String text) throws IOException {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        if (bytes.length == 0) {
            return "0 0 -";
        }
        ByteArrayOutputStream packed = new ByteArrayOutputStream();
        try (GZIPOutputStream out = new GZIPOutputStream(packed)) {
            out.write(bytes);
        }
        return bytes.length + " " + bytes.length + " " + Base64.getEncoder().encodeToString(packed.toByteArray());
    }
}
