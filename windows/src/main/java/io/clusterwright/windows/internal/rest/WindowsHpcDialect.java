package io.clusterwright.windows.internal.rest;

import io.clusterwright.windows.hpcpack.ApiGeneration;
import io.clusterwright.windows.hpcpack.HpcPackException;
import io.clusterwright.windows.hpcpack.HpcPackNode;
import io.clusterwright.windows.hpcpack.JobStatus;
import io.clusterwright.windows.hpcpack.TaskStatus;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** {@code /WindowsHPC}: XML. */
final class WindowsHpcDialect implements Dialect {
    private static final String VERSION = "2012-11-01.4.0";
    private static final String CONTINUATION = "x-ms-continuation-QueryId";
    private static final int MOST_PAGES = 1000;
    private static final String NODE = "Name,Id,State,Reachable,NumberOfCores,NumberOfSockets,MemorySize,NodeGroups";

    private final HeadNodeHttp http;

    WindowsHpcDialect(HeadNodeHttp http) {
        this.http = http;
    }

    @Override
    public ApiGeneration generation() {
        return ApiGeneration.WINDOWS_HPC;
    }

    @Override
    public int createJob(Map<String, String> properties) {
        return number(post("create a job", XmlText.properties(properties), "Jobs"));
    }

    @Override
    public int createJobFromXml(String xml) {
        return number(post("create a job", xml, "Jobs", "JobFile"));
    }

    @Override
    public int addTask(int job, Map<String, String> properties) {
        return number(post("add a task to job " + job, XmlText.properties(properties), "Job", "" + job, "Tasks"));
    }

    @Override
    public void jobEnvironment(int job, Map<String, String> variables) {
        if (!variables.isEmpty()) {
            throw unsupported(
                    "set environment variables", "give them to mpiexec with -env, or create the job from XML");
        }
    }

    @Override
    public void taskEnvironment(int job, int task, Map<String, String> variables) {
        jobEnvironment(job, variables);
    }

    @Override
    public void submit(int job, Map<String, String> properties) {
        http.succeed(post("submit job " + job, XmlText.properties(properties), "Job", "" + job, "Submit"));
    }

    @Override
    public void cancelJob(int job, String message, boolean forced) {
        http.succeed(post("cancel job " + job, XmlText.string(message), "Job", "" + job, "Cancel")
                .query("Forced", Boolean.toString(forced)));
    }

    @Override
    public void finishJob(int job, String message) {
        throw unsupported("finish a job", "cancel it, or use job finish on the head node");
    }

    @Override
    public void requeueJob(int job) {
        throw unsupported("queue a job again", "create it anew, or use job requeue on the head node");
    }

    @Override
    public void cancelTask(int job, int task, String message) {
        throw unsupported("cancel one task", "cancel its job, or use task cancel on the head node");
    }

    @Override
    public JobStatus job(int job) {
        Request request = get("ask for job " + job, "Job", "" + job).query("Properties", JOB);
        return new JobStatus(
                job, XmlText.properties(request, http.succeed(request)).values());
    }

    @Override
    public Map<String, String> allOfJob(int job) {
        Request request = get("ask for job " + job, "Job", "" + job);
        return XmlText.properties(request, http.succeed(request)).values();
    }

    @Override
    public TaskStatus task(int job, int task) {
        Request request = get("ask for task " + job + "." + task, "Job", "" + job, "Task", "" + task)
                .query("Properties", TASK);
        return new TaskStatus(
                job, task, XmlText.properties(request, http.succeed(request)).values());
    }

    @Override
    public List<TaskStatus> tasks(int job) {
        return pages(get("list the tasks of job " + job, "Job", "" + job, "Tasks")
                        .query("Properties", TASK))
                .stream()
                .map(row -> new TaskStatus(job, row.taskNumber(), row.values()))
                .toList();
    }

    @Override
    public List<JobStatus> jobs(String filter) {
        Request all = get("list the jobs", "Jobs").query("Properties", JOB);
        return pages(filter.isEmpty() ? all : all.query("$filter", filter).query("Render", "RestPropRender")).stream()
                .map(row -> new JobStatus(row.jobNumber(), row.values()))
                .toList();
    }

    @Override
    public List<HpcPackNode> nodes() {
        return pages(get("list the nodes", "Nodes").query("Properties", NODE)).stream()
                .map(Properties::node)
                .toList();
    }

    @Override
    public HpcPackNode node(String name) {
        Request request = get("ask for node " + name, "Node", name);
        return XmlText.properties(request, http.succeed(request)).node();
    }

    @Override
    public void operate(String node, NodeOperation operation) {
        throw unsupported("change nodes", "use PowerShell on the head node (Set-HpcNodeState, Start-HpcAzureNode)");
    }

    @Override
    public List<String> nodeGroups() {
        return pages(get("list the node groups", "Nodegroups")).stream()
                .map(row -> row.text("Name"))
                .toList();
    }

    @Override
    public List<String> nodesOf(String group) {
        Request request = get("list the nodes of group " + group, "Nodegroup", group);
        return XmlText.strings(request, http.succeed(request));
    }

    @Override
    public void createNodeGroup(String name, String description) {
        throw unsupported("create node groups", "use New-HpcGroup on the head node");
    }

    @Override
    public void deleteNodeGroup(String name) {
        throw unsupported("delete node groups", "use Remove-HpcGroup on the head node");
    }

    @Override
    public List<String> changeNodeGroup(String group, boolean add, List<String> nodes) {
        throw unsupported("change node groups", "use Add-HpcGroup or Remove-HpcGroup on the head node");
    }

    @Override
    public List<String> jobTemplates() {
        throw unsupported("list job templates", "use Get-HpcJobTemplate on the head node");
    }

    private HpcPackException.Unsupported unsupported(String what, String instead) {
        return Dialect.unsupported(generation(), what, instead);
    }

    private List<Properties> pages(Request first) {
        List<Properties> all = new ArrayList<>();
        Request request = first;
        for (int page = 0; page < MOST_PAGES; page++) {
            HeadNodeHttp.Answer answer = http.succeed(request);
            all.addAll(XmlText.rows(request, answer));
            Optional<String> next = answer.header(CONTINUATION).filter(text -> !text.isBlank());
            if (next.isEmpty()) {
                break;
            }
            request = request.query("QueryId", next.get());
        }
        return all;
    }

    private Request get(String what, String... segments) {
        return request(what, "GET", segments);
    }

    private Request post(String what, String body, String... segments) {
        return request(what, "POST", segments).body(body, XmlText.TYPE);
    }

    private static Request request(String what, String method, String... segments) {
        return Request.of(what, method, "/WindowsHPC", List.of(segments))
                .header("Accept", "application/xml")
                .header("api-version", VERSION);
    }

    private int number(Request request) {
        HeadNodeHttp.Answer answer = http.succeed(request);
        String text = XmlText.root(request, answer);
        if (!text.matches("\\d{1,9}")) {
            throw JsonText.strange(request, answer, "number");
        }
        return Integer.parseInt(text);
    }
}
