package io.clusterwright.windows.internal.rest;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.clusterwright.core.internal.json.Json;
import io.clusterwright.windows.hpcpack.HpcPackException;
import io.clusterwright.windows.hpcpack.HpcPackJob;
import io.clusterwright.windows.hpcpack.HpcPackNode;
import io.clusterwright.windows.hpcpack.HpcPackTask;
import io.clusterwright.windows.hpcpack.JobStatus;
import io.clusterwright.windows.hpcpack.NodeHealth;
import io.clusterwright.windows.hpcpack.NodeState;
import io.clusterwright.windows.hpcpack.TaskStatus;
import io.clusterwright.windows.internal.jobs.Netmask;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * The operations of a head node's REST interface, in the form of its generation.
 *
 * <p>{@code /hpc} of 2016 and 2019 is JSON; 2016 has other paths for nodes and groups, and cannot change them. {@code /WindowsHPC} of 2012 is
 * XML, its names begin with capitals, and a part of it is missing.
 */
public final class HeadNodeApi {
    private static final String JOB = "Id,Name,State,PreviousState,Owner,ErrorMessage";
    private static final String TASK = "TaskId,Name,State,CommandLine,ExitCode,ErrorMessage,Output";
    private static final String NODE = "Name,Id,State,Reachable,NumberOfCores,NumberOfSockets,MemorySize,NodeGroups";
    private static final String CONTINUATION = "x-ms-continuation-queryId";
    private static final int MOST_PAGES = 1000;

    private final HeadNodeHttp http;
    private final Generation generation;
    private final Bodies bodies;
    private final String version;

    /** The generations of the interface. */
    private enum Generation {
        HPC_2019("HPC Pack 2019", ""),
        /** Its version is that of Microsoft's sample; the description of 2019 has no such header. */
        HPC_2016("HPC Pack 2016", "2016-11-01.5.0"),
        WINDOWS_HPC("HPC Pack 2012", "2012-11-01.4.0");

        private final String title;
        private final String apiVersion;

        Generation(String title, String apiVersion) {
            this.title = title;
            this.apiVersion = apiVersion;
        }
    }

    private HeadNodeApi(HeadNodeHttp http, Generation generation, String version) {
        this.http = http;
        this.generation = generation;
        this.bodies = generation == Generation.WINDOWS_HPC ? new XmlText() : new JsonText();
        this.version = version;
    }

    /**
     * The interface of a head node, which is asked for its generation.
     *
     * @throws HpcPackException.NotFound when it has none
     */
    public static HeadNodeApi of(HeadNodeHttp http) {
        Request request =
                new HeadNodeApi(http, Generation.HPC_2019, "").get("ask for the version", "cluster", "version");
        HeadNodeHttp.Answer answer = http.send(request);
        if (answer.status() == 404) {
            return old(http);
        }
        if (answer.status() / 100 != 2) {
            throw ErrorText.of(request, answer, http.headNode());
        }
        String text = JsonText.read(request, answer).asText("");
        if (!text.matches("\\d+(\\.\\d+)*")) {
            throw JsonText.strange(request, answer, "version");
        }
        int major = Integer.parseInt(text.replaceFirst("\\..*", ""));
        return new HeadNodeApi(http, major >= 6 ? Generation.HPC_2019 : Generation.HPC_2016, text);
    }

    private static HeadNodeApi old(HeadNodeHttp http) {
        HeadNodeApi api = new HeadNodeApi(http, Generation.WINDOWS_HPC, "");
        try {
            api.nodeGroups();
        } catch (HpcPackException.NotFound e) {
            throw new HpcPackException.NotFound("there is no REST interface of HPC Pack at " + http.headNode()
                    + ": neither /hpc nor /WindowsHPC is known there; check the address, and that the service is on"
                    + " (Set-HPCWebComponents.ps1 -Service REST -enable)");
        }
        return api;
    }

    /** The version of HPC Pack; empty when it was not sent. */
    public String version() {
        return version;
    }

    /** The generation for people, such as {@code HPC Pack 2019}. */
    public String title() {
        return generation.title;
    }

    /** Creates a job with its tasks. */
    public int create(HpcPackJob job) {
        requireVariables(job.environment());
        int id = number(post("create a job", bodies.write(job.properties()), jobsPath()));
        setVariables("job " + id, job.environment(), jobPath(id, "envVariables"));
        job.tasks().forEach(task -> addTask(id, task));
        return id;
    }

    /** Creates a job from the text of a job file. */
    public int createFromXml(String xml) {
        return number(post("create a job", isOld() ? xml : bodies.write(xml), jobsPath("jobFile")));
    }

    /** Adds a task to a job. */
    public int addTask(int job, HpcPackTask task) {
        requireVariables(task.environment());
        int id = number(post("add a task to job " + job, bodies.write(task.properties()), jobPath(job, "tasks")));
        setVariables("task " + job + "." + id, task.environment(), taskPath(job, id, "envVariables"));
        return id;
    }

    private void requireVariables(Map<String, String> variables) {
        variables.forEach(Netmask::checked);
        if (!variables.isEmpty()) {
            requireHpc("set environment variables", "give them to mpiexec with -env, or create the job from XML");
        }
    }

    private void setVariables(String what, Map<String, String> variables, String[] path) {
        if (!variables.isEmpty()) {
            http.succeed(post("set the environment of " + what, bodies.write(variables), path));
        }
    }

    /** Submits a job, with further properties. */
    public void submit(int job, Map<String, String> properties) {
        http.succeed(post("submit job " + job, bodies.write(properties), jobPath(job, "submit")));
    }

    /** Cancels a job, with or without a grace period for its tasks. */
    public void cancelJob(int job, String message, boolean forced) {
        Request request = post("cancel job " + job, bodies.write(message), jobPath(job, "cancel"));
        http.succeed(request.query(name("forced"), Boolean.toString(forced)));
    }

    /** Ends a job as if it had finished. */
    public void finishJob(int job, String message) {
        requireHpc("finish a job", "cancel it, or use job finish on the head node");
        http.succeed(post("finish job " + job, bodies.write(message), jobPath(job, "finish")));
    }

    /** Queues a job that ended again. */
    public void requeueJob(int job) {
        requireHpc("queue a job again", "create it anew, or use job requeue on the head node");
        http.succeed(post("queue job " + job + " again", "", jobPath(job, "requeue")));
    }

    /** Cancels one task after its grace period. */
    public void cancelTask(int job, int task, String message) {
        requireHpc("cancel one task", "cancel its job, or use task cancel on the head node");
        Request request = post("cancel task " + job + "." + task, bodies.write(message), taskPath(job, task, "cancel"));
        http.succeed(request.query("forced", "false"));
    }

    /** The state of a job. */
    public JobStatus job(int job) {
        Request request = get("ask for job " + job, jobPath(job)).query(name("properties"), JOB);
        return new JobStatus(job, properties(request).values());
    }

    /** All properties of a job. */
    public Map<String, String> allOfJob(int job) {
        return properties(get("ask for job " + job, jobPath(job))).values();
    }

    /** The state and output of a task. */
    public TaskStatus task(int job, int task) {
        Request request = get("ask for task " + job + "." + task, taskPath(job, task));
        return new TaskStatus(
                job, task, properties(request.query(name("properties"), TASK)).values());
    }

    /** The tasks of a job. */
    public List<TaskStatus> tasks(int job) {
        Request request =
                get("list the tasks of job " + job, jobPath(job, "tasks")).query(name("properties"), TASK);
        return pages(isOld() ? request : request.query("expandParametric", "false")).stream()
                .map(row -> new TaskStatus(job, row.taskNumber(), row.values()))
                .toList();
    }

    /** The jobs that pass a filter; all of them where it is empty. */
    public List<JobStatus> jobs(String filter) {
        Request request = get("list the jobs", jobsPath()).query(name("properties"), JOB);
        if (!filter.isEmpty()) {
            request = request.query("$filter", filter);
            request = isOld() ? request.query("Render", "RestPropRender") : request;
        }
        return pages(request).stream()
                .map(row -> new JobStatus(row.jobNumber(), row.values()))
                .toList();
    }

    /** The names of the job templates. */
    public List<String> jobTemplates() {
        requireHpc("list job templates", "use Get-HpcJobTemplate on the head node");
        return texts(get("list the job templates", "jobs", "templates"));
    }

    /** The nodes. */
    public List<HpcPackNode> nodes() {
        String what = "list the nodes";
        return switch (generation) {
            case WINDOWS_HPC -> nodes(pages(get(what, "Nodes").query("Properties", NODE)));
            case HPC_2016 -> nodes(pages(get(what, "nodes")));
            case HPC_2019 -> {
                List<HpcPackNode> all = new ArrayList<>();
                read(get(what, "cluster", "nodes")).forEach(each -> all.add(node(each)));
                yield all;
            }
        };
    }

    private static List<HpcPackNode> nodes(List<Properties> rows) {
        return rows.stream().map(Properties::node).toList();
    }

    /** A node. */
    public HpcPackNode node(String name) {
        String what = "ask for node " + name;
        return switch (generation) {
            case WINDOWS_HPC -> properties(get(what, "Node", name)).node();
            case HPC_2016 -> properties(get(what, "nodes", name)).node();
            case HPC_2019 -> node(read(get(what, "cluster", "nodes", name)));
        };
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
                NodeState.of(tree.path("State").asText("")),
                NodeHealth.of(tree.path("Health").asText("")),
                JsonText.texts(tree.path("Groups")),
                others);
    }

    /** Begins an operation on a node, such as {@code bringOnline}, unless this is its goal and the node has it. */
    public void operate(String node, String operation, Optional<NodeState> reached) {
        requireHpc2019("change nodes", "use PowerShell on the head node (Set-HpcNodeState, Start-HpcAzureNode)");
        if (reached.isEmpty() || node(node).state() != reached.get()) {
            http.succeed(post(operation + " node " + node, "", "cluster", "nodes", node, "operations", operation));
        }
    }

    /** The names of the node groups. */
    public List<String> nodeGroups() {
        String what = "list the node groups";
        return switch (generation) {
            case WINDOWS_HPC -> names(pages(get(what, "Nodegroups")));
            case HPC_2016 -> {
                Request request = get(what, "nodes", "groups");
                yield names(bodies.rows(request, http.succeed(request)));
            }
            case HPC_2019 -> {
                List<String> all = new ArrayList<>();
                read(get(what, "cluster", "nodeGroups"))
                        .forEach(each -> all.add(each.path("Name").asText("")));
                yield all;
            }
        };
    }

    private static List<String> names(List<Properties> rows) {
        return rows.stream().map(row -> row.text("Name")).toList();
    }

    /** The names of the nodes of a group. */
    public List<String> nodesOf(String group) {
        String what = "list the nodes of group " + group;
        return texts(
                switch (generation) {
                    case WINDOWS_HPC -> get(what, "Nodegroup", group);
                    case HPC_2016 -> get(what, "nodes", "groups", group);
                    case HPC_2019 -> get(what, "cluster", "nodeGroups", group, "nodes");
                });
    }

    /** Creates a node group. */
    public void createNodeGroup(String name, String description) {
        requireHpc2019("create node groups", "use New-HpcGroup on the head node");
        ObjectNode body = Json.object().put("Name", name).put("Description", description);
        http.succeed(post("create node group " + name, Json.write(body), "cluster", "nodeGroups"));
    }

    /** Deletes a node group. */
    public void deleteNodeGroup(String name) {
        requireHpc2019("delete node groups", "use Remove-HpcGroup on the head node");
        http.succeed(request("delete node group " + name, "DELETE", "cluster", "nodeGroups", name));
    }

    /** Adds nodes to a group or removes them; the nodes that it has then. */
    public List<String> changeNodeGroup(String group, boolean add, List<String> nodes) {
        requireHpc2019("change node groups", "use Add-HpcGroup or Remove-HpcGroup on the head node");
        ObjectNode body = Json.object().put("GroupName", group).put("Operation", add ? "add" : "remove");
        ArrayNode names = body.putArray("NodeNames");
        nodes.forEach(names::add);
        return texts(request("change node group " + group, "PATCH", "cluster", "nodeGroups", group, "nodes")
                .body(Json.write(body), bodies.type()));
    }

    private boolean isOld() {
        return generation == Generation.WINDOWS_HPC;
    }

    private void requireHpc(String what, String instead) {
        if (isOld()) {
            throw new HpcPackException.Unsupported(
                    "the REST interface of " + generation.title + " cannot " + what + ": " + instead);
        }
    }

    private void requireHpc2019(String what, String instead) {
        requireHpc(what, instead);
        if (generation == Generation.HPC_2016) {
            throw new HpcPackException.Unsupported("the REST interface of " + generation.title + " cannot " + what
                    + ": use PowerShell on the head node (Set-HpcNodeState, Add-HpcGroup), or HPC Pack 2019");
        }
    }

    private String[] jobsPath(String... more) {
        return path(List.of("jobs"), more);
    }

    private String[] jobPath(int job, String... more) {
        return path(List.of(isOld() ? "job" : "jobs", "" + job), more);
    }

    private String[] taskPath(int job, int task, String... more) {
        return path(List.of(isOld() ? "job" : "jobs", "" + job, isOld() ? "task" : "tasks", "" + task), more);
    }

    private String[] path(List<String> start, String... more) {
        List<String> all = new ArrayList<>(start);
        all.addAll(List.of(more));
        return all.stream().map(this::name).toArray(String[]::new);
    }

    /** A name of the interface, in the spelling of the generation. */
    private String name(String name) {
        return isOld() ? name.substring(0, 1).toUpperCase(Locale.ROOT) + name.substring(1) : name;
    }

    private Request get(String what, String... segments) {
        return request(what, "GET", segments);
    }

    private Request post(String what, String body, String... segments) {
        Request request = request(what, "POST", segments);
        return body.isEmpty() ? request : request.body(body, bodies.type());
    }

    private Request request(String what, String method, String... segments) {
        Request request = Request.of(what, method, isOld() ? "/WindowsHPC" : "/hpc", List.of(segments))
                .header("Accept", bodies.accepted());
        return generation.apiVersion.isEmpty() ? request : request.header("api-version", generation.apiVersion);
    }

    private int number(Request request) {
        return bodies.number(request, http.succeed(request));
    }

    private Properties properties(Request request) {
        return bodies.properties(request, http.succeed(request));
    }

    private List<String> texts(Request request) {
        return bodies.texts(request, http.succeed(request));
    }

    private JsonNode read(Request request) {
        return JsonText.read(request, http.succeed(request));
    }

    private List<Properties> pages(Request first) {
        List<Properties> all = new ArrayList<>();
        Request request = isOld() ? first : first.query("rowsPerRead", "100");
        for (int page = 0; page < MOST_PAGES; page++) {
            HeadNodeHttp.Answer answer = http.succeed(request);
            all.addAll(bodies.rows(request, answer));
            Optional<String> next = answer.header(CONTINUATION).filter(text -> !text.isBlank());
            if (next.isEmpty()) {
                break;
            }
            request = request.query(name("queryId"), next.get());
        }
        return all;
    }
}
