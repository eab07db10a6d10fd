package io.clusterwright.windows.hpcpack;

import io.clusterwright.core.RunningCommand.OutputListener;
import io.clusterwright.core.type.ClusterwrightException;
import io.clusterwright.core.type.NodeName;
import io.clusterwright.mpi.job.Leftovers;
import io.clusterwright.mpi.job.QueuedJobStatus;
import io.clusterwright.mpi.job.QueuedJobStatus.State;
import io.clusterwright.mpi.spi.ScheduledJob;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/** A job of one task at the head node. */
final class HpcPackRun implements ScheduledJob {
    /** An end of a line as the head node sends it, or its first half where the other one is still to come. */
    private static final Pattern LINE_END = Pattern.compile("\\r(\\n|\\z)");

    private final HpcPackClient client;
    private final int job;
    private final int task;
    private final List<String> command;
    private final Tail tail = new Tail();

    HpcPackRun(HpcPackClient client, int job, int task, List<String> command) {
        this.client = client;
        this.job = job;
        this.task = task;
        this.command = List.copyOf(command);
    }

    @Override
    public String id() {
        return Integer.toString(job);
    }

    @Override
    public String name() {
        return "job " + job + " of " + client.connection().headNode().getHost();
    }

    @Override
    public List<String> command() {
        return command;
    }

    @Override
    public QueuedJobStatus status() {
        JobStatus now = client.jobs().get(job);
        return waits(now) ? waiting(now) : status(now, client.jobs().task(job, task));
    }

    @Override
    public QueuedJobStatus poll(OutputListener output) {
        JobStatus now = client.jobs().get(job);
        if (waits(now)) {
            return waiting(now);
        }
        TaskStatus its = client.jobs().task(job, task);
        String text = LINE_END.matcher(its.output()).replaceAll("$1");
        byte[] fresh = tail.fresh(text).getBytes(StandardCharsets.UTF_8);
        if (fresh.length > 0) {
            output.onOutput(OutputListener.Stream.STDOUT, fresh, fresh.length);
        }
        return status(now, its);
    }

    @Override
    public String output() {
        if (waits(client.jobs().get(job))) {
            throw new ClusterwrightException(name() + " has not started and has no output yet");
        }
        return client.jobs().task(job, task).output();
    }

    private static boolean waits(JobStatus now) {
        return now.state().queued() == State.WAITING;
    }

    private static QueuedJobStatus waiting(JobStatus now) {
        return QueuedJobStatus.of(State.WAITING, now.state().word(), "");
    }

    private static QueuedJobStatus status(JobStatus now, TaskStatus its) {
        if (!now.state().ended()) {
            return QueuedJobStatus.of(State.RUNNING, now.state().word(), "");
        }
        int exit = its.exitCode().orElse(0);
        State ended = now.state().queued();
        State state = ended == State.SUCCEEDED && exit != 0 ? State.FAILED : ended;
        QueuedJobStatus status = QueuedJobStatus.of(state, now.state().word(), problem(now, its));
        return its.exitCode().isEmpty() || exit == 0 && state != State.SUCCEEDED ? status : status.withExitStatus(exit);
    }

    /** A program that ends with its own status explains it in its output. */
    private static String problem(JobStatus now, TaskStatus its) {
        if (now.state() == JobState.FINISHED) {
            return "";
        }
        if (now.state() == JobState.FAILED && its.exitCode().orElse(0) > 0) {
            return "";
        }
        String why = its.errorMessage().isEmpty() ? now.errorMessage() : its.errorMessage();
        String what = now.state() == JobState.CANCELED ? "it was cancelled" : "it failed";
        return why.isEmpty() ? what : what + ": " + why;
    }

    @Override
    public Map<NodeName, Leftovers> cancel(String reason) {
        client.jobs().cancelAtOnce(job, reason);
        return Map.of();
    }

    /** The end of the output that was seen: the head node may have dropped the beginning. */
    private static final class Tail {
        private static final int KEPT = 4000;

        private String end = "";
        private int length;

        /** The output since the last time. */
        String fresh(String whole) {
            String fresh = whole.substring(overlap(whole));
            length = whole.length();
            end = whole.substring(Math.max(0, length - KEPT));
            return fresh;
        }

        private int overlap(String whole) {
            if (whole.length() >= length && whole.startsWith(end, length - end.length())) {
                return length;
            }
            // The beginning is gone: what was last seen stands somewhere, whole or in part.
            int at = end.isEmpty() ? -1 : whole.lastIndexOf(end);
            if (at >= 0) {
                return at + end.length();
            }
            for (int known = Math.min(end.length(), whole.length()); known > 0; known--) {
                if (whole.startsWith(end.substring(end.length() - known))) {
                    return known;
                }
            }
            return 0;
        }
    }
}
