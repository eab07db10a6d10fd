package io.clusterwright.mpi.job;

import io.clusterwright.core.internal.json.JsonFields;
import io.clusterwright.core.internal.text.PrintableText;
import io.clusterwright.core.plan.Finding;
import io.clusterwright.core.plan.Severity;
import io.clusterwright.core.type.HasJson;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;

/**
 * The end of a job of a queue that was watched by {@link QueuedJob#follow}. Use it to decide whether to use the
 * output of the job.
 *
 * @param status its last state
 * @param ranks the number of its ranks; empty when the scheduler does not say
 * @param duration the time that it ran; zero when the scheduler does not say
 * @param outputTail the last lines of output, at most 200
 * @param findings the findings about the run, from the scheduler and from its output
 * @see QueuedJob
 */
public record QueuedJobResult(
        QueuedJobStatus status,
        OptionalInt ranks,
        Duration duration,
        List<OutputLine> outputTail,
        List<Finding> findings)
        implements HasJson {

    /** Copies the lists. */
    public QueuedJobResult {
        outputTail = List.copyOf(outputTail);
        findings = List.copyOf(findings);
    }

    /** Whether the job ended by itself with status 0 and no finding is an error. */
    public boolean succeeded() {
        return status.succeeded() && findings.stream().noneMatch(finding -> finding.severity() == Severity.ERROR);
    }

    /** The way the job ended, as {@link JobResult#outcome()} has it. */
    public JobResult.Outcome outcome() {
        return status.outcome();
    }

    @Override
    public Map<String, Object> toMap() {
        return JsonFields.of(status)
                .and("outcome", PrintableText.word(outcome()))
                .and("ranks", ranks)
                .andIf(!duration.isZero(), "millis", duration.toMillis())
                .and("output", outputTail.stream().map(OutputLine::text).toList())
                .and("findings", findings);
    }

    /** The result for people: its last state, the findings and the last line of output. */
    @Override
    public String toString() {
        StringBuilder text = new StringBuilder(status.toString());
        findings.forEach(finding -> text.append("; ").append(finding));
        if (!outputTail.isEmpty()) {
            text.append("; output ends: ")
                    .append(PrintableText.line(
                            outputTail.get(outputTail.size() - 1).text()));
        }
        return text.toString();
    }
}
