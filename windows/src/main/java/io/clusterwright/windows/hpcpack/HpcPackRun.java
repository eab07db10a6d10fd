package io.clusterwright.windows.hpcpack;

import io.clusterwright.core.OutputListener;
import io.clusterwright.mpi.RemoteJob;
import java.nio.charset.StandardCharsets;

/** A job of one task at the head node. */
final class HpcPackRun implements RemoteJob {
    private final HpcPackClient client;
    private final int job;
    private final int task;
    private final OutputTail tail = new OutputTail();

    HpcPackRun(HpcPackClient client, int job, int task) {
        this.client = client;
        this.job = job;
        this.task = task;
    }

    @Override
    public String name() {
        return "job " + job + " of " + client.connection().headNode().getHost();
    }

    @Override
    public State ask(OutputListener output) {
        JobStatus now = client.jobs().get(job);
        if (now.state() == JobState.QUEUED || now.state() == JobState.SUBMITTED) {
            return new UnderWay();
        }
        TaskStatus told = client.jobs().task(job, task);
        byte[] fresh = tail.fresh(told.output()).getBytes(StandardCharsets.UTF_8);
        if (fresh.length > 0) {
            output.onOutput(OutputListener.Stream.STDOUT, fresh, fresh.length);
        }
        return now.state().ended() ? new Over(told.exitCode().orElse(0), problem(now, told)) : new UnderWay();
    }

    /** A program that ends with a status of its own says itself what was wrong. */
    private static String problem(JobStatus now, TaskStatus told) {
        if (now.state() == JobState.FINISHED) {
            return "";
        }
        if (now.state() == JobState.FAILED && told.exitCode().orElse(0) > 0) {
            return "";
        }
        String why = told.errorMessage().isEmpty() ? now.errorMessage() : told.errorMessage();
        String what = now.state() == JobState.CANCELED ? "it was cancelled" : "it failed";
        return why.isEmpty() ? what : what + ": " + why;
    }

    @Override
    public void cancel(String reason) {
        client.jobs().cancelAtOnce(job, reason);
    }
}
