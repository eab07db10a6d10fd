package io.clusterwright.mpi.fabric;

import static io.clusterwright.core.internal.json.JsonFields.object;

import io.clusterwright.core.plan.Finding;
import io.clusterwright.core.type.NodeName;
import io.clusterwright.mpi.bench.Transport;
import io.clusterwright.mpi.fabric.FabricReport.Rail;
import java.util.List;
import java.util.Map;

/** A report as maps and lists; what was not measured has no key. */
final class FabricJson {
    private FabricJson() {}

    static Map<String, Object> of(FabricReport report) {
        Map<String, Object> json = object(
                "kind", report.kind(),
                "nodes", names(report.nodes()),
                "interconnect", report.interconnect().toString(),
                "sharesOneMachine", report.sharesOneMachine(),
                "start", report.start().toString(),
                "millis", report.duration().toMillis(),
                "parallel", report.parallel());
        report.hostnames()
                .ifPresent(hostnames -> json.put(
                        "hostname",
                        object(
                                "passed", hostnames.succeeded(),
                                "answered", names(hostnames.answered()),
                                "silent", names(hostnames.silent()))));
        json.putAll(object(
                "rounds",
                report.rounds().stream()
                        .map(round ->
                                round.stream().map(pair -> names(pair.nodes())).toList())
                        .toList(),
                "pairs",
                report.pairs().stream().map(FabricJson::of).toList(),
                "transport",
                of(report.transport()),
                "slowNodes",
                report.slowNodes().stream()
                        .map(slow ->
                                object("node", slow.what().value(), "factor", slow.factor(), "reason", slow.reason()))
                        .toList(),
                "slowPairs",
                report.slowPairs().stream()
                        .map(slow -> object(
                                "nodes", names(slow.what().nodes()), "factor", slow.factor(), "reason", slow.reason()))
                        .toList(),
                "brokenNodes",
                names(report.brokenNodes()),
                "slowRails",
                report.slowRails().stream()
                        .map(slow -> {
                            Map<String, Object> rail = of(slow.what());
                            rail.putAll(object("factor", slow.factor(), "reason", slow.reason()));
                            return rail;
                        })
                        .toList(),
                "brokenRails",
                report.judgement().deadRails().entrySet().stream()
                        .map(dead -> {
                            Map<String, Object> rail = of(dead.getKey());
                            rail.put("reason", dead.getValue());
                            return rail;
                        })
                        .toList(),
                "envelope",
                of(report.envelope()),
                "outlierRule",
                object(
                        "relative", report.outlierRule().relative(),
                        "deviations", report.outlierRule().deviations(),
                        "floorMicros", report.outlierRule().floorMicros()),
                "verdict",
                report.verdict().toMap(),
                "findings",
                report.findings().stream().map(Finding::toMap).toList()));
        return json;
    }

    private static Map<String, Object> of(PairResult pair) {
        Map<String, Object> json = object(
                "nodes", names(pair.pair().nodes()),
                "round", pair.round(),
                "measured", pair.measured());
        if (!pair.rails().isEmpty()) {
            json.put("rail", pair.rails().get(0).number());
            json.put("devices", pair.rails().stream().map(Rail::device).toList());
        }
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
        json.put("verdict", pair.verdict().toMap());
        return json;
    }

    private static Map<String, Object> of(Rail rail) {
        return object("node", rail.node().value(), "rail", rail.number(), "device", rail.device());
    }

    private static Map<String, Object> of(Transport transport) {
        Map<String, Object> json = object("kind", transport.kind().key(), "names", transport.names());
        if (!transport.evidence().isEmpty()) {
            json.put("evidence", transport.evidence());
        }
        return json;
    }

    private static Map<String, Object> of(FabricEnvelope envelope) {
        Map<String, Object> json = object(
                "maxLatencyMicros", envelope.maxMicros(),
                "upToBytes", envelope.upToBytes(),
                "latencySource", envelope.latencySource());
        if (envelope.minBytesPerSecond() > 0) {
            json.put("minBandwidthBytesPerSecond", Math.round(envelope.minBytesPerSecond()));
        }
        json.put("bandwidthSource", envelope.bandwidthSource());
        return json;
    }

    private static List<String> names(List<NodeName> nodes) {
        return nodes.stream().map(NodeName::value).toList();
    }
}
