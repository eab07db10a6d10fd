package io.clusterwright.windows.emulator.internal.scheduler;

import java.util.Map;

/** A task of a job. */
public final class Task extends Item {
    /** Most characters of a task's output that a head node keeps: enough for a table. */
    private static final int LONGEST_OUTPUT = 1_000_000;

    private final int jobId;
    private final int id;
    private final StringBuilder output = new StringBuilder();
    private int exitCode;

    Task(int jobId, int id) {
        this.jobId = jobId;
        this.id = id;
    }

    public int id() {
        return id;
    }

    void append(String text) {
        output.append(text);
        if (output.length() > LONGEST_OUTPUT) {
            output.delete(0, output.length() - LONGEST_OUTPUT);
        }
    }

    void end(State how, int code, String message) {
        exitCode = code;
        explain(message);
        enter(how);
    }

    void again() {
        output.setLength(0);
        end(State.CONFIGURING, 0, "");
    }

    @Override
    public Map<String, String> properties() {
        Map<String, String> all = super.properties();
        all.put("TaskId", jobId + "." + id);
        all.put("JobTaskId", Integer.toString(id));
        all.put("ParentJobId", Integer.toString(jobId));
        all.put("InstanceId", "0");
        all.put("ExitCode", Integer.toString(exitCode));
        all.put("Output", property("StdOutFilePath", "").isEmpty() ? output.toString() : "");
        return all;
    }
}
