package io.clusterwright.mpi.internal.fabric;

import io.clusterwright.core.plan.Finding;
import io.clusterwright.core.type.NodeName;
import io.clusterwright.mpi.bench.Transport;
import io.clusterwright.mpi.check.FabricEnvelope;
import io.clusterwright.mpi.check.FabricReport;
import io.clusterwright.mpi.check.NodePair;
import io.clusterwright.mpi.check.PairResult;
import io.clusterwright.mpi.internal.bench.BenchmarkJson;
import io.clusterwright.mpi.check.FabricReport.Outlier;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** A report as maps and lists; what was not measured has no key. */
final class FabricJson {
    private FabricJson() {}

    static Map<String, Object> of(FabricResult report) {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("kind", report.kind());
        json.put("nodes", names(report.nodes()));
        json.put("interconnect", report.interconnect().toString());
        json.put("sharesOneMachine", report.sharesOneMachine());
        json.put("start", report.start().toString());
        json.put("millis", report.duration().toMillis());
        json.put("parallel", report.parallel());
        report.hostnames().ifPresent(hostnames -> {
            Map<String, Object> one = new LinkedHashMap<>();
            one.put("passed", hostnames.passed());
            one.put("answered", names(hostnames.answered()));
            one.put("silent", names(hostnames.silent()));
            json.put("hostname", one);
        });
        json.put(
                "rounds",
                report.rounds().stream()
                        .map(round ->
                                round.stream().map(pair -> names(pair.nodes())).toList())
                        .toList());
        json.put("pairs", report.pairs().stream().map(FabricJson::of).toList());
        json.put("transport", of(report.transport()));
        json.put("slowNodes", report.slowNodes().stream().map(FabricJson::node).toList());
        json.put("slowPairs", report.slowPairs().stream().map(FabricJson::pair).toList());
        json.put("brokenNodes", names(report.brokenNodes()));
        json.put("envelope", of(report.envelope()));
        json.put("outlierRule", of(report.outlierRule()));
        json.put("verdict", BenchmarkJson.of(report.verdict()));
        json.put("findings", report.findings().stream().map(BenchmarkJson::of).toList());
        return json;
    }

    private static Map<String, Object> of(PairResult pair) {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("nodes", names(pair.pair().nodes()));
        json.put("round", pair.round());
        json.put("measured", pair.measured());
        pair.latencyMicros().ifPresent(micros -> json.put("latencyMicros", micros));
        pair.bytesPerSecond().ifPresent(rate -> json.put("bandwidthBytesPerSecond", Math.round(rate)));
        json.put("millis", pair.duration().toMillis());
        pair.transport().ifPresent(transport -> json.put("transport", of(transport)));
        if (!pair.transportProblem().isEmpty()) {
            json.put("transportProblem", pair.transportProblem());
        }
        if (!pair.problem().isEmpty()) {
            json.put("problem", pair.problem());
        }
        json.put("verdict", BenchmarkJson.of(pair.verdict()));
        return json;
    }

    private static Map<String, Object> of(Transport transport) {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("kind", transport.kind().key());
        json.put("names", transport.names());
        if (!transport.evidence().isEmpty()) {
            json.put("evidence", transport.evidence());
        }
        return json;
    }

    private static Map<String, Object> node(Outlier<NodeName> slow) {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("node", slow.what().value());
        json.put("factor", slow.factor());
        json.put("reason", slow.reason());
        return json;
    }

    private static Map<String, Object> pair(Outlier<NodePair> slow) {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("nodes", names(slow.what().nodes()));
        json.put("factor", slow.factor());
        json.put("reason", slow.reason());
        return json;
    }

    private static Map<String, Object> of(FabricEnvelope envelope) {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("maxLatencyMicros", envelope.maxMicros());
        json.put("upToBytes", envelope.upToBytes());
        json.put("latencySource", envelope.latencySource());
        if (envelope.minBytesPerSecond() > 0) {
            json.put("minBandwidthBytesPerSecond", Math.round(envelope.minBytesPerSecond()));
        }
        json.put("bandwidthSource", envelope.bandwidthSource());
        return json;
    }

    private static Map<String, Object> of(OutlierRule rule) {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("relative", rule.relative());
        json.put("deviations", rule.deviations());
        json.put("floorMicros", rule.floorMicros());
        return json;
    }

    private static List<String> names(List<NodeName> nodes) {
        return nodes.stream().map(NodeName::value).toList();
    }
}
