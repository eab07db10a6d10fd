package io.clusterwright.azure.emulator;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What goes wrong, in order: the first fault that still has something to do decides about a request.
 *
 * <p>As a file:
 *
 * <pre>{@code
 * faults:
 *   - fault: AllocationFailed
 *     on: PUT ** /virtualMachines/cluster12
 *     skip: 0
 *     times: 1
 *   - fault: TooManyRequests
 *     on: GET **
 *     times: always
 *     wait: 5s
 * }</pre>
 *
 * (without the blank between the stars and the slash). {@code skip}, {@code times} and {@code wait} may be left out.
 *
 * @param faults the faults
 */
public record FaultScript(List<Fault> faults) {
    private static final Set<String> KEYS = Set.of("fault", "on", "skip", "times", "wait");
    private static final Pattern DURATION = Pattern.compile("(\\d+)(ms|s|m)");

    /** Copies the list. */
    public FaultScript {
        faults = List.copyOf(faults);
    }

    /** A script of these faults. */
    public static FaultScript of(Fault... faults) {
        return new FaultScript(List.of(faults));
    }

    /**
     * Reads a script.
     *
     * @throws IllegalArgumentException when it is not one, saying which fault and why
     * @throws UncheckedIOException when the file cannot be read
     */
    public static FaultScript read(Path file) {
        try {
            return parse(Files.readString(file));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * Reads a script from YAML.
     *
     * @throws IllegalArgumentException when it is not one, saying which fault and why
     */
    public static FaultScript parse(String yaml) {
        JsonNode tree;
        try {
            tree = new YAMLMapper().readTree(yaml);
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException("the fault script is not YAML: " + e.getOriginalMessage(), e);
        }
        if (!tree.path("faults").isArray() || tree.size() != 1) {
            throw new IllegalArgumentException("a fault script is one list named faults");
        }
        List<Fault> faults = new ArrayList<>();
        for (JsonNode entry : tree.path("faults")) {
            try {
                faults.add(fault(entry));
            } catch (IllegalArgumentException e) {
                throw new IllegalArgumentException("faults[" + faults.size() + "]: " + e.getMessage(), e);
            }
        }
        return new FaultScript(faults);
    }

    private static Fault fault(JsonNode entry) {
        entry.fieldNames().forEachRemaining(key -> {
            if (!KEYS.contains(key)) {
                throw new IllegalArgumentException(
                        "\"" + key + "\" is not known; a fault has fault, on, skip, times and wait");
            }
        });
        String[] on = entry.path("on").asText().trim().split("\\s+", 2);
        if (on.length != 2) {
            throw new IllegalArgumentException("on is \"" + entry.path("on").asText()
                    + "\"; write a method and a path, such as: PUT **/virtualMachines/*");
        }
        Fault fault = Fault.of(FaultKind.parse(entry.path("fault").asText()), on[0], on[1])
                .skip(number(entry, "skip", 0));
        fault = entry.path("times").asText().equals("always") ? fault.always() : fault.times(number(entry, "times", 1));
        return entry.has("wait") ? fault.waiting(duration(entry.path("wait").asText())) : fault;
    }

    private static int number(JsonNode entry, String key, int standard) {
        JsonNode value = entry.path(key);
        if (value.isMissingNode()) {
            return standard;
        }
        if (!value.isInt()) {
            throw new IllegalArgumentException(key + " is \"" + value.asText() + "\"; write a whole number");
        }
        return value.asInt();
    }

    private static Duration duration(String text) {
        Matcher matcher = DURATION.matcher(text);
        if (!matcher.matches()) {
            throw new IllegalArgumentException("wait is \"" + text + "\"; write it as 500ms, 5s or 3m");
        }
        long amount = Long.parseLong(matcher.group(1));
        return switch (matcher.group(2)) {
            case "ms" -> Duration.ofMillis(amount);
            case "s" -> Duration.ofSeconds(amount);
            default -> Duration.ofMinutes(amount);
        };
    }
}
