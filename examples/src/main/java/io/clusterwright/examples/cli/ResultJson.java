package io.clusterwright.examples.cli;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.clusterwright.core.ClusterSummary;
import io.clusterwright.core.CommandResult;
import io.clusterwright.core.Node;
import io.clusterwright.core.NodeOutcome;
import io.clusterwright.core.internal.json.Json;
import io.clusterwright.core.plan.Finding;
import io.clusterwright.mpi.job.JobResult;
import io.clusterwright.mpi.job.OutputLine;
import io.clusterwright.mpi.job.QueuedJobResult;
import io.clusterwright.mpi.job.QueuedJobStatus;
import io.clusterwright.mpi.job.RankFailure;
import java.math.BigDecimal;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Function;

/** A result as a JSON object: its fields in their order; a value that is not known adds none. */
@SuppressWarnings("unchecked") // deepCopy, as ObjectNode declares it
final class ResultJson extends ObjectNode {
    private static final long serialVersionUID = 1L;

    ResultJson() {
        super(JsonNodeFactory.instance);
    }

    /** An object with this field. */
    static ResultJson of(String name, Object value) {
        return new ResultJson().and(name, value);
    }

    /** Adds a field, as {@link #node} writes its value. */
    ResultJson and(String name, Object value) {
        return andIf(true, name, value);
    }

    /** Adds a field where it says something. */
    ResultJson andIf(boolean useful, String name, Object value) {
        JsonNode node = useful ? node(value) : MissingNode.getInstance();
        if (!node.isMissingNode()) {
            set(name, node);
        }
        return this;
    }

    /** The JSON form of a value: a value of the library is the text of it, an empty optional is missing. */
    static JsonNode node(Object value) {
        if (value instanceof Optional<?> known) {
            return known.map(ResultJson::node).orElse(MissingNode.getInstance());
        } else if (value instanceof OptionalInt known) {
            return known.isPresent() ? node(known.getAsInt()) : MissingNode.getInstance();
        } else if (value instanceof Collection<?> several) {
            return array(several, ResultJson::node);
        } else if (value instanceof Map<?, ?> fields) {
            ResultJson json = new ResultJson();
            fields.forEach((name, each) -> json.and(name.toString(), each));
            return json;
        } else if (value instanceof Finding finding) {
            return finding(finding);
        } else if (value instanceof JsonNode json) {
            return json;
        } else if (value instanceof BigDecimal number) {
            return JsonNodeFactory.instance.numberNode(number); // with its last zeros
        }
        return Json.MAPPER.valueToTree(value instanceof Number || value instanceof Boolean ? value : value.toString());
    }

    /** Values in one array. */
    static <T> ArrayNode array(Collection<T> values, Function<? super T, ? extends JsonNode> form) {
        ArrayNode array = Json.array();
        values.forEach(value -> array.add(form.apply(value)));
        return array;
    }

    static ResultJson cluster(ClusterSummary cluster) {
        return cluster(cluster, array(cluster.nodes(), ResultJson::clusterNode));
    }

    /** A cluster with its nodes in this form. */
    static ResultJson cluster(ClusterSummary cluster, ArrayNode nodes) {
        return of("name", cluster.name())
                .and("provider", cluster.provider())
                .and("phase", cluster.phase())
                .and("created", cluster.created())
                .and("damage", cluster.damage())
                .and("expires", cluster.expires())
                .and("headNode", cluster.headNode())
                .and("nodes", nodes);
    }

    /** A node of a cluster. */
    static ResultJson clusterNode(Node node) {
        return of("name", node.name())
                .and("address", node.address())
                .and("interconnect", node.interconnect().name().toLowerCase(Locale.ROOT))
                .and("hostKey", node.hostKey().fingerprint());
    }

    /** The findings about a spec, and whether it is valid. */
    static ResultJson validation(List<Finding> findings) {
        return of("valid", findings.stream().noneMatch(Finding::isError)).and("findings", findings);
    }

    private static ResultJson finding(Finding finding) {
        return of("code", finding.code())
                .and("severity", finding.severity().name())
                .and("path", finding.path())
                .and("message", finding.message())
                .and("remedy", finding.remedy())
                .and("line", finding.line())
                .and("column", finding.column());
    }

    /** The outcome of a command on a node. */
    static ResultJson outcome(NodeOutcome outcome) {
        ResultJson json = of("node", outcome.node());
        if (outcome instanceof NodeOutcome.Completed completed) {
            CommandResult result = completed.result();
            return json.and("exit", result.exitStatus())
                    .and("stdout", result.stdout())
                    .and("stderr", result.stderr())
                    .and("millis", result.duration().toMillis());
        }
        return json.and("error", outcome.summary());
    }

    /** The result of an MPI job. */
    static ResultJson job(JobResult result) {
        return new ResultJson()
                .and("exit", result.exitStatus())
                .and("outcome", Style.word(result.outcome()))
                .and("ranks", result.ranks())
                .and("millis", result.duration().toMillis())
                .and("command", result.command())
                .and("firstFailure", result.firstFailure().map(ResultJson::rankFailure))
                .report(result.outputTail(), result.findings());
    }

    private static ResultJson rankFailure(RankFailure failure) {
        return new ResultJson()
                .and("rank", failure.rank())
                .andIf(!failure.host().isEmpty(), "node", failure.host())
                .and("exit", failure.exitStatus())
                .and("signal", failure.signal());
    }

    /** The result of a job of a queue: as that of another, without what the scheduler does not say, and with its id and state. */
    static ResultJson job(String id, QueuedJobResult result) {
        return queued(id, result.status())
                .and("outcome", Style.word(result.outcome()))
                .and("ranks", result.ranks())
                .andIf(!result.duration().isZero(), "millis", result.duration().toMillis())
                .report(result.outputTail(), result.findings());
    }

    private ResultJson report(List<OutputLine> lines, List<Finding> findings) {
        return and("output", lines.stream().map(OutputLine::text).toList()).and("findings", findings);
    }

    /** The state of a job of a queue. */
    static ResultJson queued(String id, QueuedJobStatus status) {
        return of("id", id)
                .and("state", Style.word(status.state()))
                .and("word", status.word())
                .and("reason", status.reason())
                .and("exit", status.exitStatus())
                .and("signal", status.signal());
    }
}
