package io.clusterwright.azure.emulator.internal.arm;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import io.clusterwright.azure.emulator.Fault;
import io.clusterwright.core.internal.json.Json;
import io.clusterwright.core.internal.text.Reason;
import io.clusterwright.core.type.ClusterwrightException;
import io.clusterwright.core.type.InvalidValueException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Reader of files with a list of faults. {@code ArmServer} injects the faults of requests, {@code ResourceHandler} the faults of operations. */
public final class FaultScript {
    private static final Set<String> KEYS = Set.of("fault", "on", "skip", "times", "wait");
    private static final Pattern DURATION = Pattern.compile("(\\d+)(ms|s|m)");

    private FaultScript() {}

    public static List<Fault> read(Path file) {
        try {
            return parse(Files.readString(file));
        } catch (IOException e) {
            throw new ClusterwrightException(
                    "cannot read the fault script: " + Reason.of(e) + "; name a file that can be read", e);
        }
    }

    public static List<Fault> parse(String yaml) {
        JsonNode tree;
        try {
            tree = Json.yaml().readTree(yaml);
        } catch (JsonProcessingException e) {
            throw InvalidValueException.of(
                    "the fault script is not YAML: " + e.getOriginalMessage(),
                    "correct the script (example: faults: [])");
        }
        if (!tree.path("faults").isArray() || tree.size() != 1) {
            throw new InvalidValueException("fault script", yaml, "one list named faults", "faults: []");
        }
        List<Fault> faults = new ArrayList<>();
        for (JsonNode entry : tree.path("faults")) {
            faults.add(fault(entry, " of faults[" + faults.size() + "]"));
        }
        return faults;
    }

    private static Fault fault(JsonNode entry, String where) {
        entry.fieldNames().forEachRemaining(key -> {
            if (!KEYS.contains(key)) {
                throw new InvalidValueException("key" + where, key, "fault, on, skip, times or wait", "skip");
            }
        });
        String[] on = entry.path("on").asText().trim().split("\\s+", 2);
        if (on.length != 2) {
            throw new InvalidValueException(
                    "on" + where, entry.path("on").asText(), "a method and a path", "PUT **/virtualMachines/*");
        }
        Fault.Kind kind = kind(entry.path("fault").asText(), where);
        Fault fault = Fault.of(kind, on[0], on[1]).skip(number(entry, "skip", 0, where));
        fault = entry.path("times").asText().equals("always")
                ? fault.always()
                : fault.times(number(entry, "times", 1, where));
        return entry.has("wait") ? fault.waiting(duration(entry.path("wait").asText(), where)) : fault;
    }

    private static Fault.Kind kind(String code, String where) {
        return Arrays.stream(Fault.Kind.values())
                .filter(kind -> kind.code().equalsIgnoreCase(code))
                .findFirst()
                .orElseThrow(() -> new InvalidValueException(
                        "fault" + where,
                        code,
                        Arrays.stream(Fault.Kind.values())
                                .map(Fault.Kind::code)
                                .collect(Collectors.joining(", ", "one of ", "")),
                        "TooManyRequests"));
    }

    private static int number(JsonNode entry, String key, int standard, String where) {
        JsonNode value = entry.path(key);
        if (value.isMissingNode()) {
            return standard;
        }
        if (!value.isInt()) {
            throw new InvalidValueException(key + where, value.asText(), "a whole number", "2");
        }
        return value.asInt();
    }

    private static Duration duration(String text, String where) {
        Matcher matcher = DURATION.matcher(text);
        if (!matcher.matches()) {
            throw new InvalidValueException("wait" + where, text, "a whole number with ms, s or m", "5s");
        }
        long amount = Long.parseLong(matcher.group(1));
        return switch (matcher.group(2)) {
            case "ms" -> Duration.ofMillis(amount);
            case "s" -> Duration.ofSeconds(amount);
            default -> Duration.ofMinutes(amount);
        };
    }
}
