package io.clusterwright.azure.emulator.internal.batch;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.clusterwright.azure.emulator.internal.arm.ArmException;
import io.clusterwright.azure.emulator.internal.arm.Bodies;
import io.clusterwright.azure.emulator.internal.arm.BodyCheck;
import io.clusterwright.azure.emulator.internal.arm.TextTable;
import io.clusterwright.azure.emulator.internal.arm.Versions;
import io.clusterwright.emulator.internal.http.Call;
import java.time.DateTimeException;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;

/** The forms in which Batch refuses requests, and what it refuses of all of them. */
final class BatchRefusals {
    private static final TextTable INVALID_VALUES = new TextTable(BatchRefusals.class, "invalid-values.properties");
    private static final Set<String> PARAMETERS =
            Set.of("api-version timeout timeOut maxresults select filter expand skiptoken recursive force".split(" "));
    private static final int MOST_RESULTS = 1000;

    private BatchRefusals() {}

    /** Refuses a version of the API that is no date, and unknown parameters of the request. */
    static void query(Call call) {
        String version = call.query("api-version");
        if (version.isEmpty()) {
            throw refusal("MissingRequiredQueryParameter", "QueryParameterName", "api-version");
        }
        if (!version.contains(".") || !Versions.isWellFormed(version)) {
            throw query("api-version", version, "The specified api version is not supported");
        }
        for (String name : call.query().keySet()) {
            if (!PARAMETERS.contains(name)) {
                throw refusal("UnsupportedQueryParameter", "QueryParameterName", name);
            }
        }
        String most = call.query("maxresults");
        if (!most.isEmpty() && (!most.matches("\\d{1,4}") || !isIn(Integer.parseInt(most), 1, MOST_RESULTS))) {
            throw query("maxresults", most, "It must be between 1 and " + MOST_RESULTS);
        }
    }

    static ArmException query(String name, String value, String reason) {
        return refusal(
                "InvalidQueryParameterValue",
                "QueryParameterName",
                name,
                "QueryParameterValue",
                value,
                "Reason",
                reason);
    }

    /** The body of a request, as its description has it in the version of the request. */
    static ObjectNode body(Call call, String type) {
        ObjectNode body = call.object();
        BodyCheck.run("Batch/" + type + "Parameter", call.query("api-version"), body, true);
        return body;
    }

    /**
     * Refuses a value where a condition holds.
     *
     * @param key the key in the table of invalid values, which must be there in any case
     */
    static void refuse(boolean when, String key, Object value) {
        String[] row = INVALID_VALUES.row(key).split(" ", 2);
        if (when) {
            throw invalid(row[0], value, row[1]);
        }
    }

    static ArmException invalid(String property, Object value, String reason) {
        return refusal("InvalidPropertyValue", "PropertyName", property, "PropertyValue", value, "Reason", reason);
    }

    static ArmException missing(String property) {
        return refusal("MissingRequiredProperty", "PropertyName", property);
    }

    private static ArmException refusal(String code, Object... facts) {
        return ArmException.of(code)
                .because(IntStream.range(0, facts.length / 2)
                        .mapToObj(i -> ArmException.fact(facts[2 * i].toString(), facts[2 * i + 1]))
                        .toList());
    }

    static void within(JsonNode body, String name, int least, int most) {
        if (body.has(name) && !isIn(body.path(name).asInt(), least, most)) {
            throw invalid(name, body.path(name), "It must be between " + least + " and " + most);
        }
    }

    /** A duration of a body; empty where it has none. */
    static Optional<Duration> duration(JsonNode body, String name, Duration least, Duration most) {
        String text = Bodies.text(body, name);
        if (!body.has(name)) {
            return Optional.empty();
        }
        try {
            Duration duration = Duration.parse(text);
            if (duration.compareTo(least) >= 0 && duration.compareTo(most) <= 0) {
                return Optional.of(duration);
            }
        } catch (DateTimeException | ArithmeticException e) {
            throw invalid(name, text, "It is not a duration");
        }
        throw invalid(name, text, "It must be between " + least + " and " + most);
    }

    static boolean isIn(int number, int least, int most) {
        return number >= least && number <= most;
    }
}
