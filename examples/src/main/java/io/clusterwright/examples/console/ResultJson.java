package io.clusterwright.examples.console;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.clusterwright.core.ClusterSummary;
import io.clusterwright.core.CommandResult;
import io.clusterwright.core.DestroyReport;
import io.clusterwright.core.Node;
import io.clusterwright.core.NodeOutcome;
import io.clusterwright.core.NodeResults;
import io.clusterwright.core.internal.json.Json;
import io.clusterwright.core.plan.Finding;
import io.clusterwright.core.plan.Plan;
import io.clusterwright.core.plan.PlanStep;
import io.clusterwright.core.plan.QuotaLine;
import io.clusterwright.core.type.ClusterwrightException;
import io.clusterwright.core.type.OperationInterruptedException;
import io.clusterwright.mpi.job.JobResult;
import io.clusterwright.mpi.job.OutputLine;
import io.clusterwright.mpi.job.QueuedJobResult;
import io.clusterwright.mpi.job.QueuedJobStatus;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.function.Supplier;

/** The JSON forms of clusters, findings and plans. */
public final class ResultJson {
    private ResultJson() {}

    /** Adds a report to the lists of deleted and of remaining resources. */
    public static void add(ObjectNode json, DestroyReport report) {
        ArrayNode deleted = json.withArray("deleted");
        report.deleted().forEach(resource -> deleted.add(resource.toString()));
        ArrayNode left = json.withArray("left");
        report.left().forEach((resource, reason) -> left.add(resource + ": " + reason));
    }

    /** Adds what one of several deletions reports; one that fails leaves its subject, and the next ones go on. */
    public static void addOneOfMany(ObjectNode json, String subject, Supplier<DestroyReport> deletion) {
        try {
            add(json, deletion.get());
        } catch (OperationInterruptedException e) {
            throw e;
        } catch (ClusterwrightException e) {
            json.withArray("deleted");
            json.withArray("left").add(subject + ": " + e.getMessage());
        }
    }

    public static ObjectNode cluster(ClusterSummary cluster) {
        ObjectNode json = Json.object();
        json.put("name", cluster.name().value());
        json.put("provider", cluster.provider());
        json.put("phase", cluster.phase().toString());
        cluster.created().ifPresent(time -> json.put("created", time.toString()));
        cluster.damage().ifPresent(damage -> json.put("damage", damage));
        cluster.expires().ifPresent(time -> json.put("expires", time.toString()));
        cluster.headNode().ifPresent(head -> json.put("headNode", head.value()));
        ArrayNode nodes = json.putArray("nodes");
        for (Node node : cluster.nodes()) {
            nodes.addObject()
                    .put("name", node.name().value())
                    .put("address", node.address().toString())
                    .put("interconnect", node.interconnect().name().toLowerCase(Locale.ROOT))
                    .put("hostKey", node.hostKey().fingerprint());
        }
        return json;
    }

    public static ArrayNode findings(List<Finding> findings) {
        ArrayNode array = Json.array();
        findings.forEach(finding -> array.add(finding(finding)));
        return array;
    }

    public static ObjectNode validation(List<Finding> findings) {
        ObjectNode json = Json.object().put("valid", findings.stream().noneMatch(Finding::isError));
        json.set("findings", findings(findings));
        return json;
    }

    public static ObjectNode plan(Plan plan) {
        ObjectNode json = Json.object().put("valid", plan.isFeasible());
        json.set("findings", findings(plan.findings()));
        ArrayNode steps = json.putArray("steps");
        for (PlanStep step : plan.steps()) {
            ArrayNode creates = steps.addObject()
                    .put("step", word(step.step()))
                    .put("description", step.description())
                    .putArray("creates");
            step.creates()
                    .forEach(made -> creates.addObject()
                            .put("kind", made.kind())
                            .put("name", made.name())
                            .put("count", made.count())
                            .put("billed", made.billed()));
        }
        ArrayNode quota = json.putArray("quota");
        for (QuotaLine line : plan.quota()) {
            ObjectNode one = quota.addObject()
                    .put("family", line.family())
                    .put("machines", line.machines())
                    .put("asked", line.visibleCores())
                    .put("billedCores", line.billedCores());
            line.use().ifPresent(use -> one.put("used", use.usedCores()).put("limit", use.limitCores()));
        }
        ObjectNode price = json.putObject("price");
        price.put("status", plan.price().isPresent() ? "checked" : "not checked");
        plan.price().ifPresent(known -> price.put("currency", known.currency()).put("perHour", known.perHour()));
        ArrayNode notChecked = json.putArray("notChecked");
        plan.notChecked().forEach(notChecked::add);
        return json;
    }

    private static ObjectNode finding(Finding finding) {
        ObjectNode json = Json.object()
                .put("code", finding.code())
                .put("severity", finding.severity().name())
                .put("path", finding.path())
                .put("message", finding.message())
                .put("remedy", finding.remedy());
        finding.line().ifPresent(line -> json.put("line", line));
        finding.column().ifPresent(column -> json.put("column", column));
        return json;
    }

    /** The outcomes of a command on nodes. */
    public static ArrayNode results(NodeResults results) {
        ArrayNode array = Json.array();
        for (NodeOutcome outcome : results.outcomes()) {
            ObjectNode node = array.addObject().put("node", outcome.node().value());
            if (outcome instanceof NodeOutcome.Completed completed) {
                CommandResult result = completed.result();
                node.put("exit", result.exitStatus())
                        .put("stdout", result.stdout())
                        .put("stderr", result.stderr())
                        .put("millis", result.duration().toMillis());
            } else {
                node.put("error", outcome.summary());
            }
        }
        return array;
    }

    /** The result of an MPI job. */
    public static ObjectNode job(JobResult result) {
        ObjectNode json = Json.object();
        result.exitStatus().ifPresent(status -> json.put("exit", status));
        json.put("outcome", word(result.outcome()));
        json.put("ranks", result.ranks());
        json.put("millis", result.duration().toMillis());
        ArrayNode command = json.putArray("command");
        result.command().forEach(command::add);
        return report(json, result.outputTail(), result.findings());
    }

    /** The result of a job of a queue: as that of another, without what the scheduler does not say, and with its id and state. */
    public static ObjectNode job(String id, QueuedJobResult result) {
        ObjectNode json = queued(id, result.status()).put("outcome", word(result.outcome()));
        result.ranks().ifPresent(number -> json.put("ranks", number));
        if (!result.duration().isZero()) {
            json.put("millis", result.duration().toMillis());
        }
        return report(json, result.outputTail(), result.findings());
    }

    private static ObjectNode report(ObjectNode json, List<OutputLine> lines, List<Finding> findings) {
        ArrayNode output = json.putArray("output");
        lines.forEach(line -> output.add(line.text()));
        json.set("findings", findings(findings));
        return json;
    }

    /** The state of a job of a queue. */
    public static ObjectNode queued(String id, QueuedJobStatus status) {
        ObjectNode json = Json.object()
                .put("id", id)
                .put("state", word(status.state()))
                .put("word", status.word())
                .put("reason", status.reason());
        status.exitStatus().ifPresent(number -> json.put("exit", number));
        status.signal().ifPresent(number -> json.put("signal", number));
        return json;
    }

    /** Values in one array. */
    public static <T> ArrayNode array(Collection<T> values, Function<T, JsonNode> form) {
        ArrayNode array = Json.array();
        values.forEach(value -> array.add(form.apply(value)));
        return array;
    }

    /** A constant in the words of this program, such as {@code timed-out}. */
    public static String word(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
