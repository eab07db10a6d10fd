package io.clusterwright.mpi.bench;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.clusterwright.core.plan.Finding;
import java.util.List;
import java.util.function.Function;

/** Reports as JSON: printed numbers beside normalised ones; what was not printed has no key. */
public final class BenchmarkJson {
    private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

    private BenchmarkJson() {}

    /** One report as an object, several as an array. */
    public static JsonNode of(List<BenchmarkReport> reports, Function<BenchmarkReport, Verdict> judge) {
        if (reports.size() == 1) {
            return of(reports.get(0), judge.apply(reports.get(0)));
        }
        ArrayNode array = NODES.arrayNode();
        reports.forEach(report -> array.add(of(report, judge.apply(report))));
        return array;
    }

    /** A report with its verdict. */
    public static ObjectNode of(BenchmarkReport report, Verdict verdict) {
        ObjectNode json = NODES.objectNode();
        json.put("format", report.format().key());
        json.put("tool", report.tool());
        json.put("benchmark", report.benchmark());
        report.processes().ifPresent(processes -> json.put("processes", processes));
        report.rows().stream()
                .filter(row -> row.printedRate().isPresent())
                .findFirst()
                .ifPresent(row -> json.put("bandwidthUnit", row.rateUnit().symbol()));
        ArrayNode series = json.putArray("series");
        report.rows().forEach(row -> series.add(of(row)));
        json.set("summary", of(report.summary()));
        json.set("verdict", of(verdict));
        if (!report.findings().isEmpty()) {
            ArrayNode findings = json.putArray("findings");
            report.findings().forEach(finding -> findings.add(of(finding)));
        }
        return json;
    }

    /** A verdict. */
    public static ObjectNode of(Verdict verdict) {
        ObjectNode json = NODES.objectNode();
        json.put("status", verdict.status().key());
        json.put("passed", verdict.passed());
        ArrayNode reasons = json.putArray("reasons");
        verdict.reasons().forEach(reasons::add);
        return json;
    }

    private static ObjectNode of(BenchmarkRow row) {
        ObjectNode json = NODES.objectNode();
        row.values().forEach((measure, value) -> {
            if (value == Math.rint(value) && isCount(measure)) {
                json.put(measure.key(), value.longValue());
            } else {
                json.put(measure.key(), value);
            }
        });
        row.bytesPerSecond().ifPresent(rate -> {
            json.put("bandwidthUnit", row.rateUnit().symbol());
            json.put("bandwidthBytesPerSecond", Math.round(rate));
        });
        return json;
    }

    private static boolean isCount(Measure measure) {
        return measure == Measure.BYTES || measure == Measure.REPETITIONS || measure == Measure.MESSAGE_RATE;
    }

    private static ObjectNode of(BenchmarkSummary summary) {
        ObjectNode json = NODES.objectNode();
        summary.minLatencyMicros().ifPresent(micros -> json.put("minLatencyMicros", micros));
        if (!summary.latencyMicrosAt().isEmpty()) {
            ObjectNode at = json.putObject("latencyMicrosAt");
            summary.latencyMicrosAt().forEach((bytes, micros) -> at.put(Long.toString(bytes), micros));
        }
        summary.peakRate().ifPresent(rate -> json.put("peakBandwidthMBps", rate));
        return json;
    }

    private static ObjectNode of(Finding finding) {
        ObjectNode json = NODES.objectNode();
        json.put("code", finding.code());
        json.put("severity", finding.severity().name());
        json.put("path", finding.path());
        json.put("message", finding.message());
        json.put("remedy", finding.remedy());
        return json;
    }
}
