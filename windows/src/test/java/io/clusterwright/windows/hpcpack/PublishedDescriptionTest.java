package io.clusterwright.windows.hpcpack;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.clusterwright.windows.emulator.HpcPackEmulator;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the client sends and the emulated head node answers, against Microsoft's description of the interface. */
class PublishedDescriptionTest {
    private static final Duration LIMIT = Duration.ofSeconds(20);

    /** Operations of the description that are neither emulated nor asked for by the client. */
    private static final Set<String> NOT_EMULATED = Set.of(
            "getClusterMetricDefintions",
            "getClusterMetricHistory",
            "getClusterJobMetrics",
            "getClusterNodeMetrics",
            // There are no parametric sweeps: each is refused as one that has not been expanded.
            "getSubtask",
            "setSubtaskProperties",
            "cancelSubtask",
            "finishSubtask",
            "requeueSubtask");

    /** What the client itself asks for in this journey. */
    private static final Set<String> ASKED_BY_THE_CLIENT = Set.of(
            "getClusterVersion",
            "createJob",
            "createJobFromXml",
            "addTask",
            "setJobEnvironmentVariables",
            "setTaskEnvironmentVariables",
            "submitJob",
            "cancelJob",
            "finishJob",
            "requeueJob",
            "cancelTask",
            "getJob",
            "getJobs",
            "getTask",
            "getTasks",
            "getJobTemplates",
            "getClusterNodes",
            "getClusterNode",
            "operateClusterNode",
            "getNodeGroups",
            "createNodeGroup",
            "deleteNodeGroup",
            "getNodesOfGroup",
            "moveNodesOfGroup");

    @TempDir
    private Path folder;

    private final OpenApiDocument document = new OpenApiDocument();

    @Test
    void clientTrafficIsValid() {
        try (HpcPackEmulator head = emulator();
                HpcPackClient client = HeadNode.open(head)) {
            journey(client);
        }
        OpenApiDocument.Verdict verdict = document.check(Recordings.of(folder));

        assertThat(verdict.wrong()).isEmpty();
        assertThat(verdict.succeeded()).containsExactlyInAnyOrderElementsOf(ASKED_BY_THE_CLIENT);
    }

    @Test
    void otherOperationsAreAnsweredAsDescribed() throws IOException, InterruptedException {
        try (HpcPackEmulator head = emulator()) {
            try (HpcPackClient client = HeadNode.open(head)) {
                int job = client.jobs().create(HpcPackJob.named("job"));
                client.jobs().addTask(job, HpcPackTask.of("hostname"));
                client.nodes().takeOffline("CN002");
                client.nodes().createGroup("Racks", "by rack");
            }
            Caller call = new Caller(head);
            for (String path : List.of(
                    "/cluster/activeHeadNode",
                    "/cluster/info/dateTimeFormat",
                    "/cluster/userRoles",
                    "/cluster/nodes?names=CN001&group=ComputeNodes&state=Online&health=OK",
                    "/cluster/nodes/stats/state",
                    "/cluster/nodes/stats/health",
                    "/cluster/operations?withDetail=true&nodeNames=CN002",
                    "/cluster/operations/first",
                    "/cluster/nodeGroups/Racks",
                    "/jobs?startRow=0&rowsPerRead=5",
                    "/jobs/1/envVariables?names=a",
                    "/jobs/1/customProperties",
                    "/jobs/1/tasks/1/envVariables",
                    "/jobs/1/tasks/1/customProperties")) {
                call.expect(200, "GET", path, "");
            }
            String id = call.expect(200, "GET", "/cluster/operations", "")
                    .at("/0/Id")
                    .asText();
            call.expect(200, "GET", "/cluster/operations/" + id, "");
            call.expect(200, "PUT", "/cluster/nodeGroups/Racks", "{\"Name\":\"Racks\",\"Description\":\"new\"}");
            String pair = "[{\"Name\":\"a\",\"Value\":\"b\"}]";
            call.expect(204, "POST", "/jobs/1/customProperties", pair);
            call.expect(204, "POST", "/jobs/1/tasks/1/customProperties", pair);
            call.expect(204, "PUT", "/jobs/1", "[{\"Name\":\"Priority\",\"Value\":\"Lowest\"}]");
            call.expect(204, "PUT", "/jobs/1/tasks/1", "[{\"Name\":\"Name\",\"Value\":\"first\"}]");
            call.expect(204, "POST", "/jobs/1/tasks/1/finish", "\"enough\"");
            call.expect(204, "POST", "/jobs/1/tasks/1/requeue", "\"again\"");
            call.expect(400, "GET", "/jobs/1/tasks/1/subtasks/1", "");
        }
        OpenApiDocument.Verdict verdict = document.check(Recordings.of(folder));
        Set<String> seen = new TreeSet<>(verdict.succeeded());
        seen.addAll(ASKED_BY_THE_CLIENT);

        assertThat(verdict.wrong()).isEmpty();
        assertThat(verdict.refused()).containsExactly("getSubtask");
        Set<String> emulated = document.operationIds();
        emulated.removeAll(NOT_EMULATED);
        assertThat(seen).containsExactlyInAnyOrderElementsOf(emulated);
    }

    @Test
    void detectsAWrongAnswer() throws IOException {
        ObjectMapper json = new ObjectMapper();
        JsonNode node =
                json.readTree("{\"request\":{\"method\":\"GET\",\"target\":\"/hpc/cluster/nodes/A?colour=red\"},"
                        + "\"response\":{\"status\":200,\"body\":{\"Name\":\"A\",\"State\":\"Asleep\",\"Speed\":1}}}");
        ObjectNode job = (ObjectNode)
                json.readTree("{\"request\":{\"method\":\"POST\",\"target\":\"/hpc/jobs\",\"body\":[{\"Name\":1}]},"
                        + "\"response\":{\"status\":200,\"body\":\"19\"}}");

        List<String> wrong = document.check(List.of(node, job)).wrong();

        assertThat(wrong).hasSize(5);
        assertThat(String.join("\n", wrong)).contains("colour", "/State", "Speed", "request: ", "response: ");
    }

    private HpcPackEmulator emulator() {
        return HpcPackEmulator.builder()
                .addNode("CN001", 8)
                .addNode("CN002", 8)
                .addUndeployedNode("AzureCN-0001", 8, "AzureNodes")
                .transition(Duration.ofMillis(20))
                .recordTo(folder)
                .start();
    }

    private static void journey(HpcPackClient client) {
        int job = client.jobs()
                .create(HpcPackJob.named("latency")
                        .nodes(2, 2)
                        .nodeGroups(List.of("ComputeNodes"))
                        .environment("A", "1"));
        int task = client.jobs()
                .addTask(
                        job, HpcPackTask.of("mpiexec -c 1 hostname").nodes(2, 2).environment("B", "2"));
        client.jobs().submit(job);
        assertThat(client.jobs().await(job, LIMIT).orElseThrow().state()).isEqualTo(JobState.FINISHED);
        assertThat(client.jobs().task(job, task).output()).contains("mpiexec -c 1 hostname");
        assertThat(client.jobs().tasks(job)).hasSize(1);
        assertThat(client.jobs().list(JobState.FINISHED)).hasSize(1);
        assertThat(client.jobs().templates()).contains("Default");

        int endless = client.jobs()
                .createFromXml("<Job RunUntilCanceled=\"true\"><Tasks><Task CommandLine=\"hostname\" /></Tasks></Job>");
        client.jobs().submit(endless);
        client.jobs().cancelAtOnce(endless, "enough");
        assertThat(client.jobs().await(endless, LIMIT).orElseThrow().errorMessage())
                .contains("enough");
        client.jobs().requeue(endless);
        client.jobs().finish(endless, "done");
        assertThat(client.jobs().await(endless, LIMIT).orElseThrow().state()).isEqualTo(JobState.FINISHED);
        int other = client.jobs().create(HpcPackJob.named("other"));
        client.jobs().addTask(other, HpcPackTask.of("hostname"));
        client.jobs().cancelTask(other, 1, "not this one");

        assertThat(client.nodes().list()).hasSize(3);
        client.nodes().start("AzureCN-0001");
        client.nodes().await("AzureCN-0001", NodeState.OFFLINE, LIMIT);
        client.nodes().bringOnline("AzureCN-0001");
        assertThat(client.nodes().await("AzureCN-0001", NodeState.ONLINE, LIMIT).takesJobs())
                .isTrue();

        client.nodes().createGroup("My group", "of mine");
        assertThat(client.nodes().addToGroup("My group", List.of("CN001", "CN002")))
                .containsExactly("CN001", "CN002");
        assertThat(client.nodes().removeFromGroup("My group", List.of("CN001"))).containsExactly("CN002");
        assertThat(client.nodes().inGroup("My group")).containsExactly("CN002");
        client.nodes().deleteGroup("My group");
        assertThat(client.nodes().groups()).doesNotContain("My group");
        assertThatThrownBy(() -> client.nodes().deleteGroup("HeadNodes")).isInstanceOf(HpcPackException.Refused.class);
    }

    /** Asks what the client has no method for. */
    private static final class Caller {
        private final HttpClient http;
        private final HpcPackConnection connection;

        Caller(HpcPackEmulator head) {
            connection = HeadNode.connection(head);
            http = HttpClient.newBuilder()
                    .sslContext(connection.tls().orElseThrow())
                    .build();
        }

        JsonNode expect(int status, String method, String path, String body) throws IOException, InterruptedException {
            HttpRequest request = HttpRequest.newBuilder(URI.create(connection.headNode() + "/hpc" + path))
                    .header("Authorization", connection.login().authorization().reveal())
                    .method(method, HttpRequest.BodyPublishers.ofString(body))
                    .build();
            HttpResponse<String> response = http.send(request, HttpResponse.BodyHandlers.ofString());
            assertThat(response.statusCode())
                    .as(method + " " + path + ": " + response.body())
                    .isEqualTo(status);
            return new ObjectMapper().readTree(response.body());
        }
    }
}
