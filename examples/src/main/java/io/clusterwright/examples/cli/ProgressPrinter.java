package io.clusterwright.examples.cli;

import io.clusterwright.core.CheckReport;
import io.clusterwright.core.ClusterEvent;
import io.clusterwright.core.ClusterEvent.NodePhase;
import io.clusterwright.core.ClusterListener;
import io.clusterwright.core.internal.text.PrintableText;
import io.clusterwright.core.plan.Finding;
import io.clusterwright.core.plan.Severity;
import io.clusterwright.core.type.NodeName;
import io.clusterwright.mpi.job.JobResult;
import java.io.PrintStream;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.OptionalInt;

/**
 * Prints progress: a line when a step ends, a line per node when it has joined. On a terminal one more line shows the current
 * step. Remembers failed checks, for the exit code.
 */
public final class ProgressPrinter implements ClusterListener {
    private static final int TITLE_WIDTH = 14;
    private static final int NODE_WIDTH = 18;

    private final PrintStream out;
    private final Map<NodeName, Duration> ready = new LinkedHashMap<>();
    private boolean live;
    private boolean checksPassed = true;

    /** A printer to standard error. */
    public ProgressPrinter() {
        this(System.err);
    }

    ProgressPrinter(PrintStream out) {
        this.out = out;
    }

    @Override
    public synchronized void onEvent(ClusterEvent event) {
        if (event instanceof ClusterEvent.StepStarted started) {
            live(title(started.step().title()) + started.what());
        } else if (event instanceof ClusterEvent.StepProgress progress) {
            line("  " + " ".repeat(TITLE_WIDTH) + Style.dim(progress.line()));
        } else if (event instanceof ClusterEvent.StepFinished finished) {
            line(Style.good(mark(true)) + title(finished.step().title()) + Style.seconds(finished.took()));
        } else if (event instanceof ClusterEvent.StepFailed failed) {
            line(Style.bad(mark(false)) + title(failed.step().title()) + Style.seconds(failed.took()) + "  "
                    + MethodNames.removed(failed.reason()));
        } else if (event instanceof ClusterEvent.NodeChanged changed) {
            node(changed);
        } else if (event instanceof ClusterEvent.Noticed noticed) {
            finding(noticed.finding());
        } else if (event instanceof ClusterEvent.Checked checked) {
            report(checked.report(), checked.took());
            checksPassed &= checked.report().status() != CheckReport.Status.FAILED;
        }
    }

    /** Whether no check has failed so far. */
    public synchronized boolean checksPassed() {
        return checksPassed;
    }

    /** Shows a line on a terminal until the next one takes its place. */
    public synchronized void status(String text) {
        live(text);
    }

    /** Prints a separate line. */
    public synchronized void line(String text) {
        TerminalOutput.beginLine(live);
        live = false;
        out.println(indented(text));
        out.flush();
    }

    /** A message whose further lines, which may be of a node, cannot be taken for other messages. */
    static String indented(String message) {
        return message.replaceAll("\\R$", "").replaceAll("\\R", "\n    ");
    }

    /** Prints how a job failed. */
    void failure(JobResult.Outcome outcome, OptionalInt status, String more) {
        line("the job failed: " + PrintableText.word(outcome) + ", exit status "
                + (status.isPresent() ? status.getAsInt() : "unknown") + more);
    }

    /** Prints a finding. */
    public synchronized void finding(Finding finding) {
        String path = finding.path().isEmpty() ? "" : finding.path() + ": ";
        String text = MethodNames.removed(finding.code() + " " + path + finding.message() + " - " + finding.remedy());
        if (finding.severity() == Severity.ERROR) {
            line(Style.bad("error ") + text);
        } else if (finding.severity() == Severity.WARNING) {
            line(Style.warn("warning ") + text);
        } else {
            line(Style.dim("note " + text));
        }
    }

    private void report(CheckReport report, Duration took) {
        String status = switch (report.status()) {
            case PASSED -> Style.good(mark(true));
            case FAILED -> Style.bad(mark(false));
            case NOT_JUDGED, NOT_CHECKED -> Style.warn("- ");
        };
        line(status + title(report.check()) + Style.seconds(took) + "  " + report.summary());
        report.details().forEach(detail -> line("  " + " ".repeat(TITLE_WIDTH) + detail));
        report.findings().forEach(this::finding);
    }

    private void node(ClusterEvent.NodeChanged changed) {
        if (changed.phase() == NodePhase.READY) {
            ready.put(changed.node(), changed.sinceStart());
        }
        switch (changed.phase()) {
            case READY -> nodeLine(changed, "ready", changed.detail());
            case JOINED -> nodeLine(changed, "joined", changed.detail());
            case FAILED -> nodeLine(changed, Style.bad("failed"), changed.detail());
            case RESTARTING -> nodeLine(changed, Style.warn("restarting"), changed.detail());
            case REPLACING -> nodeLine(changed, Style.warn("replacing"), changed.detail());
            case DELETED -> nodeLine(changed, "deleted", "");
            case STOPPED -> nodeLine(changed, "stopped", "");
            case CREATING, BOOTING ->
                live(changed.node() + " " + changed.phase().name().toLowerCase(java.util.Locale.ROOT));
        }
    }

    private void nodeLine(ClusterEvent.NodeChanged changed, String phase, String detail) {
        String name = pad(changed.node().value(), NODE_WIDTH);
        String tail = detail.isEmpty() ? "" : "  " + Style.dim(detail);
        line("  " + " ".repeat(TITLE_WIDTH) + name + pad(phase, 10) + Style.seconds(changed.sinceStart()) + tail);
    }

    private void live(String text) {
        if (Style.terminal()) {
            TerminalOutput.beginLine(live);
            out.print(Style.dim("… " + text));
            out.flush();
            live = true;
        }
    }

    private static String mark(boolean good) {
        return good ? "+ " : "! ";
    }

    private static String title(String title) {
        return pad(title, TITLE_WIDTH);
    }

    private static String pad(String text, int width) {
        return text.length() >= width ? text + " " : text + " ".repeat(width - text.length());
    }
}
