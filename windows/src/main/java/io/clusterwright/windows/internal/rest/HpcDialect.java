package io.clusterwright.windows.internal.rest;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.clusterwright.core.internal.json.Json;
import io.clusterwright.windows.hpcpack.ApiGeneration;
import io.clusterwright.windows.hpcpack.HpcPackNode;
import io.clusterwright.windows.hpcpack.JobStatus;
import io.clusterwright.windows.hpcpack.NodeState;
import io.clusterwright.windows.hpcpack.TaskStatus;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** {@code /hpc}: JSON. HPC Pack 2016 has other paths for nodes and groups, and cannot change them. */
final class HpcDialect implements Dialect {
    /** A header of Microsoft's sample for 2016; the description of 2019 has no such header. */
    private static final String VERSION_2016 = "2016-11-01.5.0";

    private static final int ROWS = 100;
    private static final int MOST_PAGES = 1000;
    private static final String CONTINUATION = "x-ms-continuation-queryId";

    private final HeadNodeHttp http;
    private final ApiGeneration generation;

    HpcDialect(HeadNodeHttp http, ApiGeneration generation) {
        this.http = http;
        this.generation = generation;
    }

    @Override
    public ApiGeneration generation() {
        return generation;
    }

    @Override
    public int createJob(Map<String, String> properties) {
        return number(post("create a job", JsonText.properties(properties), "jobs"));
    }

    @Override
    public int createJobFromXml(String xml) {
        return number(post("create a job", JsonText.text(xml), "jobs", "jobFile"));
    }

    @Override
    public int addTask(int job, Map<String, String> properties) {
        return number(post("add a task to job " + job, JsonText.properties(properties), "jobs", "" + job, "tasks"));
    }

    @Override
    public void jobEnvironment(int job, Map<String, String> variables) {
        http.succeed(post(
                "set the environment of job " + job, JsonText.properties(variables), "jobs", "" + job, "envVariables"));
    }

    @Override
    public void taskEnvironment(int job, int task, Map<String, String> variables) {
        http.succeed(post(
                "set the environment of task " + job + "." + task,
                JsonText.properties(variables),
                "jobs",
                "" + job,
                "tasks",
                "" + task,
                "envVariables"));
    }

    @Override
    public void submit(int job, Map<String, String> properties) {
        http.succeed(post("submit job " + job, JsonText.properties(properties), "jobs", "" + job, "submit"));
    }

    @Override
    public void cancelJob(int job, String message, boolean forced) {
        http.succeed(post("cancel job " + job, JsonText.text(message), "jobs", "" + job, "cancel")
                .query("forced", Boolean.toString(forced)));
    }

    @Override
    public void finishJob(int job, String message) {
        http.succeed(post("finish job " + job, JsonText.text(message), "jobs", "" + job, "finish"));
    }

    @Override
    public void requeueJob(int job) {
        http.succeed(post("queue job " + job + " again", "", "jobs", "" + job, "requeue"));
    }

    @Override
    public void cancelTask(int job, int task, String message) {
        String what = "cancel task " + job + "." + task;
        http.succeed(post(what, JsonText.text(message), "jobs", "" + job, "tasks", "" + task, "cancel")
                .query("forced", "false"));
    }

    @Override
    public JobStatus job(int job) {
        Request request = get("ask for job " + job, "jobs", "" + job).query("properties", JOB);
        return new JobStatus(job, JsonText.properties(read(request)).values());
    }

    @Override
    public Map<String, String> allOfJob(int job) {
        return JsonText.properties(read(get("ask for job " + job, "jobs", "" + job)))
                .values();
    }

    @Override
    public TaskStatus task(int job, int task) {
        Request request = get("ask for task " + job + "." + task, "jobs", "" + job, "tasks", "" + task)
                .query("properties", TASK);
        return new TaskStatus(job, task, JsonText.properties(read(request)).values());
    }

    @Override
    public List<TaskStatus> tasks(int job) {
        Request request = get("list the tasks of job " + job, "jobs", "" + job, "tasks")
                .query("properties", TASK)
                .query("expandParametric", "false");
        return pages(request).stream()
                .map(row -> new TaskStatus(job, row.taskNumber(), row.values()))
                .toList();
    }

    @Override
    public List<JobStatus> jobs(String filter) {
        Request all = get("list the jobs", "jobs").query("properties", JOB);
        return pages(filter.isEmpty() ? all : all.query("$filter", filter)).stream()
                .map(row -> new JobStatus(row.jobNumber(), row.values()))
                .toList();
    }

    private List<Properties> pages(Request first) {
        List<Properties> all = new ArrayList<>();
        Request request = first.query("rowsPerRead", Integer.toString(ROWS));
        for (int page = 0; page < MOST_PAGES; page++) {
            HeadNodeHttp.Answer answer = http.succeed(request);
            all.addAll(JsonText.rows(JsonText.read(request, answer)));
            Optional<String> next = answer.header(CONTINUATION).filter(text -> !text.isBlank());
            if (next.isEmpty()) {
                break;
            }
            request = request.query("queryId", next.get());
        }
        return all;
    }

    @Override
    public List<HpcPackNode> nodes() {
        if (generation == ApiGeneration.HPC_2016) {
            return pages(get("list the nodes", "nodes")).stream()
                    .map(Properties::node)
                    .toList();
        }
        List<HpcPackNode> all = new ArrayList<>();
        read(get("list the nodes", "cluster", "nodes")).forEach(each -> all.add(node(each)));
        return all;
    }

    @Override
    public HpcPackNode node(String name) {
        String what = "ask for node " + name;
        return generation == ApiGeneration.HPC_2016
                ? JsonText.properties(read(get(what, "nodes", name))).node()
                : node(read(get(what, "cluster", "nodes", name)));
    }

    private static HpcPackNode node(JsonNode tree) {
        Map<String, String> others = new HashMap<>();
        for (String name : List.of("Cores", "Sockets", "MemorySize", "Template")) {
            if (tree.hasNonNull(name)) {
                others.put(name, tree.path(name).asText());
            }
        }
        return new HpcPackNode(
                tree.path("Name").asText(""),
                NodeState.parse(tree.path("State").asText("")),
                tree.path("Health").asText("Unknown"),
                JsonText.texts(tree.path("Groups")),
                others);
    }

    @Override
    public void operate(String node, NodeOperation operation) {
        requireChangeable("change nodes");
        http.succeed(
                post(operation.word() + " node " + node, "", "cluster", "nodes", node, "operations", operation.word()));
    }

    @Override
    public List<String> nodeGroups() {
        String what = "list the node groups";
        List<String> all = new ArrayList<>();
        if (generation == ApiGeneration.HPC_2016) {
            JsonText.rows(read(get(what, "nodes", "groups"))).forEach(row -> all.add(row.text("Name")));
        } else {
            read(get(what, "cluster", "nodeGroups")).forEach(each -> all.add(each.path("Name").asText("")));
        }
        return all;
    }

    @Override
    public List<String> nodesOf(String group) {
        String what = "list the nodes of group " + group;
        return JsonText.texts(read(
                generation == ApiGeneration.HPC_2016
                        ? get(what, "nodes", "groups", group)
                        : get(what, "cluster", "nodeGroups", group, "nodes")));
    }

    @Override
    public void createNodeGroup(String name, String description) {
        requireChangeable("create node groups");
        ObjectNode body = Json.object().put("Name", name).put("Description", description);
        http.succeed(post("create node group " + name, Json.write(body), "cluster", "nodeGroups"));
    }

    @Override
    public void deleteNodeGroup(String name) {
        requireChangeable("delete node groups");
        http.succeed(request("delete node group " + name, "DELETE", "cluster", "nodeGroups", name));
    }

    @Override
    public List<String> changeNodeGroup(String group, boolean add, List<String> nodes) {
        requireChangeable("change node groups");
        ObjectNode body = Json.object().put("GroupName", group).put("Operation", add ? "add" : "remove");
        ArrayNode names = body.putArray("NodeNames");
        nodes.forEach(names::add);
        Request request = request("change node group " + group, "PATCH", "cluster", "nodeGroups", group, "nodes")
                .body(Json.write(body), JsonText.TYPE);
        return JsonText.texts(read(request));
    }

    @Override
    public List<String> jobTemplates() {
        return JsonText.texts(read(get("list the job templates", "jobs", "templates")));
    }

    private void requireChangeable(String what) {
        if (generation == ApiGeneration.HPC_2016) {
            throw Dialect.unsupported(
                    generation,
                    what,
                    "use PowerShell on the head node (Set-HpcNodeState, Add-HpcGroup), or HPC Pack 2019");
        }
    }

    private Request get(String what, String... segments) {
        return request(what, "GET", segments);
    }

    private Request post(String what, String body, String... segments) {
        Request request = request(what, "POST", segments);
        return body.isEmpty() ? request : request.body(body, JsonText.TYPE);
    }

    private Request request(String what, String method, String... segments) {
        Request request = Request.of(what, method, "/hpc", List.of(segments)).header("Accept", JsonText.TYPE);
        return generation == ApiGeneration.HPC_2016 ? request.header("api-version", VERSION_2016) : request;
    }

    private int number(Request request) {
        HeadNodeHttp.Answer answer = http.succeed(request);
        JsonNode tree = JsonText.read(request, answer);
        if (!tree.canConvertToInt()) {
            throw JsonText.strange(request, answer, "number");
        }
        return tree.intValue();
    }

    private JsonNode read(Request request) {
        return JsonText.read(request, http.succeed(request));
    }
}
