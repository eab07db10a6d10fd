package io.clusterwright.windows.node;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BinaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;

/**
 * Plays machines with Windows: reads the data of each script, and answers as its last part would. Programs are not run: {@code hostname}
 * gives the computer name, a script of the library prints its marker, files are kept, all else ends well without a word.
 */
final class PlayedWindows implements BinaryOperator<String> {
    private static final Pattern VARIABLE =
            Pattern.compile("\\$cw([A-Za-z]+) = (?:'([^']*)'|(?:\\[long\\])?([0-9]+))\r?\n");
    private static final Pattern PATH = Pattern.compile("EncodedPath = '([^']*)'");
    private static final Pattern MARKER = Pattern.compile("Write-Output -InputObject '(clusterwright: [^']*)'");

    private final List<String> scripts = Collections.synchronizedList(new ArrayList<>());
    private final List<String> programs = Collections.synchronizedList(new ArrayList<>());
    private final Map<String, String> files = new ConcurrentHashMap<>();
    private final Map<String, ByteArrayOutputStream> inputs = new ConcurrentHashMap<>();

    /** All scripts, as they came. */
    List<String> scripts() {
        return List.copyOf(scripts);
    }

    /** Computer and program with its arguments, for every command. */
    List<String> programs() {
        return List.copyOf(programs);
    }

    /** The text of a file that was written last under this path of this computer. */
    String file(String computer, String path) {
        return files.getOrDefault(computer + " " + path, "");
    }

    @Override
    public String apply(String computer, String script) {
        scripts.add(script);
        Map<String, String> given = new ConcurrentHashMap<>();
        for (Matcher found = VARIABLE.matcher(script); found.find(); ) {
            given.put(found.group(1), found.group(2) == null ? found.group(3) : found.group(2));
        }
        String job = given.getOrDefault("Job", "");
        ByteArrayOutputStream input = inputs.computeIfAbsent(computer + job, key -> new ByteArrayOutputStream());
        input.writeBytes(unpacked(given.getOrDefault("Input", "")));
        if (!given.getOrDefault("Verb", "").equals("launch")) {
            return "clusterwright-relay " + job + " staged 0 0 0 - 0 0 -\r\n";
        }
        String output = output(computer, order(given.getOrDefault("Order", "")), input);
        return "clusterwright-relay " + job + " ended 0 " + piece(output) + " 0 0 -\r\n";
    }

    private String output(String computer, JsonNode order, ByteArrayOutputStream input) {
        String program = order.path("program").asText();
        String arguments = order.path("arguments").asText();
        programs.add(computer + " " + program + " " + arguments);
        if (program.equals("hostname")) {
            return computer + "\r\n";
        }
        Matcher encoded = Pattern.compile("-EncodedCommand (\\S+)").matcher(arguments);
        if (encoded.find()) {
            String text = new String(
                    Base64.getDecoder().decode(encoded.group(1)), java.nio.charset.StandardCharsets.UTF_16LE);
            Matcher path = PATH.matcher(text);
            if (path.find()) {
                String name = new String(Base64.getDecoder().decode(path.group(1)), UTF_8);
                files.put(computer + " " + name, input.toString(UTF_8));
            }
            return "";
        }
        Matcher file = Pattern.compile("& '([^']*)'").matcher(arguments);
        if (file.find()) {
            StringBuilder printed = new StringBuilder();
            for (Matcher marker = MARKER.matcher(file(computer, file.group(1))); marker.find(); ) {
                printed.append(marker.group(1)).append("\r\n");
            }
            return printed.toString();
        }
        return "";
    }

    private static JsonNode order(String text) {
        try {
            return new ObjectMapper().readTree(Base64.getDecoder().decode(text));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static byte[] unpacked(String text) {
        if (text.isEmpty()) {
            return new byte[0];
        }
        try (GZIPInputStream in =
                new GZIPInputStream(new ByteArrayInputStream(Base64.getDecoder().decode(text)))) {
            return in.readAllBytes();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String piece(String text) {
        byte[] bytes = text.getBytes(UTF_8);
        if (bytes.length == 0) {
            return "0 0 -";
        }
        ByteArrayOutputStream packed = new ByteArrayOutputStream();
        try (GZIPOutputStream out = new GZIPOutputStream(packed)) {
            out.write(bytes);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return bytes.length + " " + bytes.length + " " + Base64.getEncoder().encodeToString(packed.toByteArray());
    }
}
