package io.clusterwright.mpi.bench;

import io.clusterwright.core.internal.json.JsonFields;
import io.clusterwright.core.plan.Finding;
import java.util.LinkedHashMap;
import java.util.Map;

/** Reports as the maps and lists that any JSON library writes: printed numbers beside normalised ones; what was not printed has no key. */
final class BenchmarkJson {
    private BenchmarkJson() {}

    /** A report with its verdict. */
    static Map<String, Object> of(BenchmarkReport report, Verdict verdict) {
        Map<String, Object> json = JsonFields.object(
                "format", report.format().key(), "tool", report.tool(), "benchmark", report.benchmark());
        report.processes().ifPresent(processes -> json.put("processes", processes));
        report.rows().stream()
                .filter(row -> row.printedRate().isPresent())
                .findFirst()
                .ifPresent(row -> json.put("bandwidthUnit", row.rateUnit().symbol()));
        json.put("series", report.rows().stream().map(BenchmarkJson::of).toList());
        json.put("summary", summary(report));
        json.put("verdict", verdict.toMap());
        if (!report.findings().isEmpty()) {
            json.put("findings", report.findings().stream().map(Finding::toMap).toList());
        }
        return json;
    }

    private static Map<String, Object> of(BenchmarkRow row) {
        Map<String, Object> json = new LinkedHashMap<>();
        if (!row.nodes().isEmpty()) {
            json.put("nodes", row.nodes());
        }
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

    private static Map<String, Object> summary(BenchmarkReport report) {
        Map<String, Object> json = new LinkedHashMap<>();
        report.minLatencyMicros().ifPresent(micros -> json.put("minLatencyMicros", micros));
        if (!report.latencyMicrosAt().isEmpty()) {
            Map<String, Object> at = new LinkedHashMap<>();
            report.latencyMicrosAt().forEach((bytes, micros) -> at.put(Long.toString(bytes), micros));
            json.put("latencyMicrosAt", at);
        }
        report.peakRate().ifPresent(rate -> json.put("peakBandwidthMBps", rate));
        return json;
    }
}
