package io.clusterwright.mpi.bench;

import io.clusterwright.core.plan.Finding;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/** Reports as the maps and lists that any JSON library writes: printed numbers beside normalised ones; what was not printed has no key. */
public final class BenchmarkJson {
    private BenchmarkJson() {}

    /** One report as an object, several as an array. */
    public static Object of(List<BenchmarkReport> reports, Function<BenchmarkReport, Verdict> judge) {
        List<Map<String, Object>> all =
                reports.stream().map(report -> of(report, judge.apply(report))).toList();
        return all.size() == 1 ? all.get(0) : all;
    }

    /** A report with its verdict. */
    public static Map<String, Object> of(BenchmarkReport report, Verdict verdict) {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("format", report.format().key());
        json.put("tool", report.tool());
        json.put("benchmark", report.benchmark());
        report.processes().ifPresent(processes -> json.put("processes", processes));
        report.rows().stream()
                .filter(row -> row.printedRate().isPresent())
                .findFirst()
                .ifPresent(row -> json.put("bandwidthUnit", row.rateUnit().symbol()));
        json.put("series", report.rows().stream().map(BenchmarkJson::of).toList());
        json.put("summary", of(report.summary()));
        json.put("verdict", of(verdict));
        if (!report.findings().isEmpty()) {
            json.put(
                    "findings",
                    report.findings().stream().map(BenchmarkJson::of).toList());
        }
        return json;
    }

    /** A verdict. */
    public static Map<String, Object> of(Verdict verdict) {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("status", verdict.status().key());
        json.put("passed", verdict.passed());
        json.put("reasons", verdict.reasons());
        return json;
    }

    private static Map<String, Object> of(BenchmarkRow row) {
        Map<String, Object> json = new LinkedHashMap<>();
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

    private static Map<String, Object> of(BenchmarkSummary summary) {
        Map<String, Object> json = new LinkedHashMap<>();
        summary.minLatencyMicros().ifPresent(micros -> json.put("minLatencyMicros", micros));
        if (!summary.latencyMicrosAt().isEmpty()) {
            Map<String, Object> at = new LinkedHashMap<>();
            summary.latencyMicrosAt().forEach((bytes, micros) -> at.put(Long.toString(bytes), micros));
            json.put("latencyMicrosAt", at);
        }
        summary.peakRate().ifPresent(rate -> json.put("peakBandwidthMBps", rate));
        return json;
    }

    private static Map<String, Object> of(Finding finding) {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("code", finding.code());
        json.put("severity", finding.severity().name());
        json.put("path", finding.path());
        json.put("message", finding.message());
        json.put("remedy", finding.remedy());
        return json;
    }
}
