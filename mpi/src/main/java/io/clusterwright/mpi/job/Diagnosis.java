package io.clusterwright.mpi.job;

import io.clusterwright.core.plan.Finding;
import io.clusterwright.core.plan.Severity;
import io.clusterwright.mpi.internal.explain.Diagnoser;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;

/**
 * A known failure that was recognised in an output. Use it to explain the output of a failed job.
 *
 * <pre>{@code
 * for (Diagnosis diagnosis : Diagnosis.of(output)) { // the output of a job, of any scheduler
 *     System.out.println("line " + diagnosis.line() + ": " + diagnosis.cause() + "; " + diagnosis.remedy());
 * }
 * }</pre>
 *
 * @param code stable, such as {@code CW-DIAG-101}
 * @param severity ERROR for what makes a run worthless even where its exit status is 0, otherwise WARNING
 * @param line where its text begins, counted from 1
 * @param cause what it means
 * @param remedy what to do about it
 */
public record Diagnosis(String code, Severity severity, int line, String cause, String remedy) {

    /**
     * The failures that are recognised in a text of any length, each once, at most 200. They stand in the order of its lines; where a line says
     * how the program ended, warnings with which a program goes on come last.
     *
     * @throws IOException when the text cannot be read
     */
    public static List<Diagnosis> of(InputStream text) throws IOException {
        return Diagnoser.diagnose(text);
    }

    /** This diagnosis as a finding; it has no path, since it is about no field of a spec. */
    public Finding toFinding() {
        return new Finding(code, severity, "", cause, remedy);
    }
}
