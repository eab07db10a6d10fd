package io.clusterwright.windows.internal.rest;

import io.clusterwright.windows.hpcpack.ApiGeneration;
import io.clusterwright.windows.hpcpack.HpcPackException;
import io.clusterwright.windows.hpcpack.HpcPackNode;
import io.clusterwright.windows.hpcpack.JobStatus;
import io.clusterwright.windows.hpcpack.TaskStatus;
import java.util.List;
import java.util.Map;

/** The operations of the interface, in the form of one generation. */
public sealed interface Dialect permits HpcDialect, WindowsHpcDialect {
    /** The properties of a job that are asked for. */
    String JOB = "Id,Name,State,PreviousState,Owner,ErrorMessage";

    /** The properties of a task that are asked for. */
    String TASK = "TaskId,Name,State,CommandLine,ExitCode,ErrorMessage,Output";

    ApiGeneration generation();

    int createJob(Map<String, String> properties);

    int createJobFromXml(String xml);

    int addTask(int job, Map<String, String> properties);

    void jobEnvironment(int job, Map<String, String> variables);

    void taskEnvironment(int job, int task, Map<String, String> variables);

    void submit(int job, Map<String, String> properties);

    void cancelJob(int job, String message, boolean forced);

    void finishJob(int job, String message);

    void requeueJob(int job);

    void cancelTask(int job, int task, String message);

    JobStatus job(int job);

    Map<String, String> allOfJob(int job);

    TaskStatus task(int job, int task);

    List<TaskStatus> tasks(int job);

    List<JobStatus> jobs(String filter);

    List<HpcPackNode> nodes();

    HpcPackNode node(String name);

    void operate(String node, NodeOperation operation);

    List<String> nodeGroups();

    List<String> nodesOf(String group);

    void createNodeGroup(String name, String description);

    void deleteNodeGroup(String name);

    List<String> changeNodeGroup(String group, boolean add, List<String> nodes);

    List<String> jobTemplates();

    /** The refusal of what a generation cannot do. */
    static HpcPackException.Unsupported unsupported(ApiGeneration generation, String what, String instead) {
        return new HpcPackException.Unsupported(
                "the REST interface of " + generation + " cannot " + what + ": " + instead);
    }
}
