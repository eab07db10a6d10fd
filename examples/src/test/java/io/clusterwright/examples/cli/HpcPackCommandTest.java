package io.clusterwright.examples.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.clusterwright.core.internal.json.Json;
import io.clusterwright.windows.emulator.HpcPackEmulator;
import io.clusterwright.windows.emulator.TaskRunner;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The command {@code hpcpack} against an emulated head node. */
@Timeout(60)
class HpcPackCommandTest {
    private static final String PING_PONG = "mpiexec -c 1 -affinity mpipingpong -p 1:100000 -op -s nul";

    /** What the played ping-pong measures. */
    private static String latency = "2.242";

    private final Console console = new Console();
    private final HpcPackEmulator head = HpcPackEmulator.builder()
            .addNode("CN001", 8)
            .addNode("AzureCN-0001", 16, "AzureNodes")
            .addNode("AzureCN-0002", 16, "AzureNodes")
            .addUndeployedNode("AzureCN-0003", 16, "AzureNodes")
            .plainHttp()
            .tasksRunBy(HpcPackCommandTest::play)
            .start();

    @TempDir
    private Path folder;

    @BeforeEach
    void listen() throws IOException {
        Path password = Files.createFile(
                folder.resolve("password"),
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
        Files.writeString(password, head.password().reveal() + "\n");
    }

    @AfterEach
    void restore() {
        latency = "2.242";
        head.close();
    }

    @Test
    void listsTheNodesOfAGroup() throws IOException {
        assertThat(run("nodes", "--group", "azurenodes")).isZero();
        assertThat(text().lines())
                .containsExactly(
                        "NODE          STATE        HEALTH  CORES  GROUPS",
                        "AzureCN-0001  Online       OK      16     ComputeNodes,AzureNodes",
                        "AzureCN-0002  Online       OK      16     ComputeNodes,AzureNodes",
                        "AzureCN-0003  NotDeployed  OK      16     ComputeNodes,AzureNodes");

        JsonNode nodes = json("nodes");
        assertThat(nodes).hasSize(4);
        assertThat(nodes.get(1).path("name").asText()).isEqualTo("AzureCN-0001");
        assertThat(nodes.get(1).path("takesJobs").asBoolean()).isTrue();
        assertThat(nodes.get(1).path("cores").asInt()).isEqualTo(16);
    }

    @Test
    void startsABurstNodeAndBringsItOnline() throws IOException {
        JsonNode started = json("start", "AzureCN-0003", "--wait", "20");
        assertThat(started.get(0).path("state").asText()).isEqualTo("Offline");
        JsonNode online = json("online", "AzureCN-[0001-0003]", "--wait", "20");
        assertThat(online.findValuesAsText("state")).containsExactly("Online", "Online", "Online");
        JsonNode offline = json("offline", "CN001", "--wait", "20");
        assertThat(offline.get(0).path("state").asText()).isEqualTo("Offline");
    }

    @Test
    void aHeadNodeOf2012GetsItsChangesByPowerShell() throws IOException {
        try (HpcPackEmulator old = HpcPackEmulator.builder()
                .generation(HpcPackEmulator.Generation.HPC_2012)
                .addNode("CN001", 8)
                .addNode("CN002", 8)
                .plainHttp()
                .start()) {
            Files.writeString(folder.resolve("password"), old.password().reveal());
            String line = "Add-PSSnapin Microsoft.HPC -ErrorAction SilentlyContinue;"
                    + " Set-HpcNodeState -Name @('CN001','CN002') -State Offline -Confirm:$false";

            assertThat(run(old, "offline", "CN[001-002]")).isEqualTo(1);
            assertThat(text()).isEmpty();
            assertThat(errors())
                    .isEqualTo(
                            "clusterwright: the REST interface of HPC Pack 2012 or 2012 R2 cannot change nodes; run this"
                                    + " in PowerShell on the head node, as an administrator of the cluster:\n    "
                                    + line
                                    + "\n");

            assertThat(run(old, "offline", "CN[001-002]", "--json")).isEqualTo(1);
            JsonNode refusal = Json.MAPPER.readTree(text());
            assertThat(refusal.path("error").asText())
                    .contains("cannot change nodes")
                    .endsWith(line);
            assertThat(refusal.path("commands")).hasSize(1);
            assertThat(refusal.path("commands").get(0).asText()).isEqualTo(line);

            assertThat(run(old, "online", "CN001")).isZero();
            assertThat(run(old, "groups", "--add", "Rdma", "CN001", "--json")).isEqualTo(1);
            assertThat(Json.MAPPER.readTree(text()).path("commands").get(0).asText())
                    .endsWith("; New-HpcGroup -Name 'Rdma'; Add-HpcGroup -Name 'Rdma' -NodeName @('CN001')");
            assertThat(run(old, "templates")).isZero();
            assertThat(text()).isEqualTo("Default\n");
        }
    }

    @Test
    void anUnknownNodeChangesNothing() {
        assertThat(run("offline", "CN001", "CN009")).isEqualTo(1);
        assertThat(errors()).contains("CN009");
        assertThat(head.requests()).noneMatch(request -> request.startsWith("POST"));
    }

    @Test
    void groupsAreListedAndChanged() throws IOException {
        assertThat(run("groups", "--add", "Rdma", "AzureCN-[0001-0002]")).isZero();
        assertThat(text()).containsPattern("(?m)^Rdma +AzureCN-\\[0001-0002]$");
        assertThat(run("groups", "--remove", "Rdma", "AzureCN-0002")).isZero();
        JsonNode groups = json("groups");
        assertThat(groups.findValuesAsText("name")).contains("ComputeNodes", "AzureNodes", "Rdma");
        assertThat(groups.get(groups.findValuesAsText("name").indexOf("Rdma")).path("nodes"))
                .hasSize(1);
    }

    @Test
    void submitsThePingPongOfTheArticleFromAClient() throws IOException {
        List<String> submit = new ArrayList<>(List.of(
                "submit",
                "--group",
                "AzureNodes",
                "--nodes",
                "2",
                "--template",
                "Default",
                "--env",
                "PLAYED=no",
                "--"));
        submit.addAll(List.of(PING_PONG.split(" ")));
        String id = json(submit.toArray(String[]::new)).path("id").asText();

        JsonNode job = awaitEnd(id);
        assertThat(job.path("state").asText()).isEqualTo("Finished");
        assertThat(job.path("properties").path("NodeGroups").asText()).isEqualTo("AzureNodes");
        assertThat(job.path("properties").path("MinNodes").asText()).isEqualTo("2");
        assertThat(job.path("properties").path("JobTemplate").asText()).isEqualTo("Default");
        assertThat(job.path("tasks").get(0).path("command").asText()).isEqualTo(PING_PONG);
        assertThat(job.path("tasks").get(0).path("exit").asInt()).isZero();
        assertThat(run("output", id)).isZero();
        assertThat(text()).isEqualTo("emulated, not run: " + PING_PONG + "\n");
        assertThat(run("view", id)).isZero();
        assertThat(text()).containsPattern("(?m)^" + id + "\\.1 +Finished +0 +mpiexec");
        assertThat(json("jobs", "--state", "finished").findValuesAsText("id")).containsExactly(id);
    }

    @Test
    void cancelsAndQueuesAJobAgain() throws IOException {
        head.holdQueue();
        String id = json("submit", "--", "hostname").path("id").asText();
        assertThat(json("cancel", id, "--message", "too late").path("state").asText())
                .isEqualTo("Canceled");
        head.heal();
        assertThat(run("requeue", id)).isZero();
        assertThat(awaitEnd(id).path("state").asText()).isEqualTo("Finished");
    }

    @Test
    void submitsAJobFile() throws IOException {
        Path file = Files.writeString(
                folder.resolve("job.xml"),
                "<Job Name=\"from a file\"><Tasks><Task CommandLine=\"hostname\" /></Tasks></Job>");
        String id = json("submit", "--file", file.toString()).path("id").asText();
        JsonNode job = awaitEnd(id);
        assertThat(job.path("name").asText()).isEqualTo("from a file");
        assertThat(job.path("state").asText()).isEqualTo("Finished");
        assertThat(run("submit", "--file", file.toString(), "--nodes", "2")).isEqualTo(2);
        assertThat(errors()).contains("a job file has size, groups and template");
    }

    @Test
    void templatesAreListed() {
        assertThat(run("templates")).isZero();
        assertThat(text()).isEqualTo("Default\n");
    }

    @Test
    void refusesMissingLoginAndArgumentsBeforeAnyRequest() {
        assertThat(console.run("hpcpack", head.url().toString(), "nodes")).isEqualTo(2);
        assertThat(errors()).contains("no account for").contains("--user");
        assertThat(console.run("hpcpack", head.url().toString(), "nodes", "--user", "HPC\\hpcadmin"))
                .isEqualTo(2);
        assertThat(errors()).contains("CLUSTERWRIGHT_HPCPACK_PASSWORD").contains("--password-file");
        assertThat(run("submit")).isEqualTo(2);
        assertThat(errors()).contains("no program: add -- PROGRAM");
        assertThat(run("jobs", "--state", "Sleeping")).isEqualTo(2);
        assertThat(errors()).contains("Queued, Dispatching, Running");
        assertThat(run("groups", "CN001")).isEqualTo(2);
        assertThat(errors()).contains("--add GROUP NODE");
        assertThat(run()).isEqualTo(2);
        assertThat(errors()).contains("clusterwright hpcpack").contains("--help");
        assertThat(run("submit", "--verbose")).isEqualTo(2);
        assertThat(errors()).contains("RefusedException").contains("HpcPackJobCommands");
        assertThat(head.requests()).isEmpty();
    }

    @Test
    void passwordComesFromTheEnvironmentAndTrustFromAFile() throws Exception {
        try (HpcPackEmulator secured = HpcPackEmulator.builder().start()) {
            Path certificate = Files.write(
                    folder.resolve("head.cer"), secured.certificate().getEncoded());
            ProcessBuilder program = new ProcessBuilder(
                    Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                    "-XX:TieredStopAtLevel=1",
                    "-cp",
                    System.getProperty("java.class.path"),
                    ClusterwrightMain.class.getName(),
                    "hpcpack",
                    secured.url().toString().replace("https://", ""),
                    "templates",
                    "--user",
                    secured.user(),
                    "--trust",
                    certificate.toString());
            program.environment()
                    .put("CLUSTERWRIGHT_HPCPACK_PASSWORD", secured.password().reveal());
            Process process = program.redirectErrorStream(true).start();
            String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            assertThat(process.waitFor(30, TimeUnit.SECONDS)).isTrue();
            assertThat(output).endsWith("Default\n");
            assertThat(process.exitValue()).isZero();
        }
    }

    @Test
    void verifiesEachPairOfAGroup() throws IOException {
        Path picture = folder.resolve("pairs.svg");
        assertThat(run("verify", "--group", "AzureNodes", "--size", "Standard_A9", "--plot", picture.toString()))
                .as(errors())
                .isZero();
        assertThat(text().lines())
                .contains(
                        "latency:",
                        "AzureCN-0001  AzureCN-0002             1       100000          2.24              0.45",
                        "throughput:",
                        "AzureCN-0001  AzureCN-0002       4000000         1000       1027.47           3893.06",
                        "verdict: passed");
        assertThat(picture).content().contains("AzureCN-0001 – AzureCN-0002");

        JsonNode json = json("verify", "--on", "AzureCN-[0001-0002]");
        assertThat(json.path("passed").asBoolean()).isTrue();
        assertThat(json.path("latency").path("verdict").path("status").asText()).isEqualTo("not-judged");
        assertThat(json.path("latency")
                        .path("series")
                        .get(0)
                        .path("nodes")
                        .get(1)
                        .asText())
                .isEqualTo("AzureCN-0002");
    }

    @Test
    void aSlowPairIsABadVerdict() {
        latency = "48.100";
        assertThat(run("verify", "--group", "AzureNodes", "--size", "Standard_A9"))
                .isEqualTo(3);
        assertThat(text()).contains("verdict: failed").contains("between AzureCN-0001 and AzureCN-0002");
        assertThat(run("verify", "--on", "CN001")).isEqualTo(2);
        assertThat(errors()).contains("a ping-pong needs two nodes");
    }

    @Test
    void runsAnMpiJobOnTheNodesOfASpec() throws IOException {
        Path spec = Files.writeString(folder.resolve("hpc1.yaml"), """
                name: hpc1
                region: westus
                operatingSystem: windows
                login: {user: hpcadmin, password: {secret: file:password}}
                nodes: {count: 2, size: Standard_A9}
                scheduler: hpc-pack
                hpcPack:
                  scenario: burst
                  jobTemplate: Default
                  burst: {cloudService: c1, storageAccount: store1}
                  head: {address: "%s", user: 'HPC\\hpcadmin', password: {secret: file:password}}
                """.formatted(head.url()));
        assertThat(console.run("hpcpack", spec.toString(), "mpi", "--ppn", "1", "--env", "A=1", "--", "app.exe", "a b"))
                .as(errors())
                .isZero();
        assertThat(text()).isEqualTo("emulated, not run: mpiexec -c 1 -env A 1 app.exe \"a b\"\n");
        assertThat(run("view", "1")).isZero();
        assertThat(text()).containsPattern("JobTemplate +: Default").containsPattern("NodeGroups +: AzureNodes");
        assertThat(console.run("hpcpack", spec.toString(), "nodes", "--user", "x"))
                .isEqualTo(2);
        assertThat(errors()).contains("remove --user, --password-file and --trust");

        JsonNode json = json("mpi", "--group", "AzureNodes", "--", "app.exe");
        assertThat(json.path("outcome").asText()).isEqualTo("ended");
        assertThat(json.path("ranks").asInt()).isEqualTo(32);
        assertThat(json.path("command").get(0).asText()).isEqualTo("mpiexec");
    }

    @Test
    void comesBackToJobsOfTheQueue() throws IOException {
        String good = json("submit", "--", "hostname").path("id").asText();
        assertThat(run("mpi", "--group", "AzureNodes", "--attach", good))
                .as(errors())
                .isZero();
        assertThat(text()).isEqualTo("emulated, not run: hostname\n");

        head.failTasks(3, "no such case\r\n");
        String bad = json("submit", "--", "app.exe").path("id").asText();
        assertThat(run("mpi", "--group", "AzureNodes", "--attach", bad, "--json"))
                .isEqualTo(1);
        JsonNode end = Json.MAPPER.readTree(text());
        assertThat(end.path("exit").asInt()).isEqualTo(3);
        assertThat(end.path("outcome").asText()).isEqualTo("ended");
        assertThat(end.path("output").get(0).asText()).isEqualTo("no such case");

        head.heal();
        head.holdQueue();
        String one = json("submit", "--", "hostname").path("id").asText();
        String two = json("submit", "--", "hostname").path("id").asText();
        assertThat(run("mpi", "--group", "AzureNodes", "--attach")).isEqualTo(2);
        assertThat(errors()).contains("there are " + one + ", " + two + "; write --attach " + one);
        assertThat(run("mpi", "--group", "AzureNodes", "--attach", "77")).isEqualTo(1);
        assertThat(run("mpi", "--template", "Default", "--attach", one)).isEqualTo(2);
        assertThat(errors()).contains("--template is for a new job");
    }

    @Test
    void anMpiJobIsCheckedAsThatOfAClusterIs() {
        assertThat(run("mpi", "--timeout", "0", "--", "app.exe")).isEqualTo(2);
        assertThat(errors()).contains("invalid --timeout \"0\": use 1 or more seconds");
        assertThat(run("mpi", "--env", "ONE", "--", "app.exe")).isEqualTo(2);
        assertThat(errors()).contains("--env ONE has no value: write --env ONE=VALUE");
        assertThat(run("mpi", "--retry", "-1", "--", "app.exe")).isEqualTo(2);
        assertThat(errors()).contains("invalid --retry \"-1\": use 0 or more");
        assertThat(run("mpi")).isEqualTo(2);
        assertThat(errors()).contains("no program was given: write clusterwright hpcpack " + head.url() + " mpi");
        assertThat(head.requests()).isEmpty();
    }

    @Test
    void noMpiJobSpansPlacementDomains() {
        assertThat(run("mpi", "--ppn", "1", "--", "app.exe")).isEqualTo(2);
        assertThat(errors()).contains("could span").contains("burst nodes").contains("network of the head node");
        assertThat(run("submit", "--nodes", "2", "--", "mpiexec", "app.exe")).isEqualTo(2);
        assertThat(errors()).contains("could span");
        assertThat(run("submit", "--nodes", "2", "--", "hostname")).isZero();
    }

    @Test
    void analyzesAndDrawsThePublishedTable() {
        Path sample = Path.of("../mpi/src/test/resources/io/clusterwright/mpi/bench/mpipingpong-throughput.txt");
        Path picture = folder.resolve("pairs.svg");
        assertThat(console.run("analyze", sample.toString(), "--size", "Standard_A9", "--plot", picture.toString()))
                .as(errors())
                .isZero();
        assertThat(text())
                .contains("AZURECN-0027  AZURECN-0028       4000000         1000       1049.80           3810.26")
                .contains("verdict: passed");
        assertThat(picture).content().contains("AZURECN-0027 – AZURECN-0028");
    }

    @Test
    void theExampleNamesAHeadNodeAndIsValid() {
        assertThat(console.run("validate", "specs/hpc-pack-head.yaml"))
                .as(text() + errors())
                .isZero();
        assertThat(text() + errors()).doesNotContain("CW-SPEC-003");
    }

    @Test
    void theEmulatedHeadNodeIsServedByCommand() throws IOException {
        Process served = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:TieredStopAtLevel=1",
                        "-cp",
                        System.getProperty("java.class.path"),
                        ClusterwrightMain.class.getName(),
                        "hpcpack-emulator",
                        "--nodes",
                        "CN[1-3]",
                        "--group",
                        "AzureNodes")
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        try (BufferedReader lines = served.inputReader(StandardCharsets.UTF_8)) {
            JsonNode first = Json.MAPPER.readTree(lines.readLine());
            Files.writeString(folder.resolve("password"), first.path("password").asText());
            assertThat(console.run(
                            "hpcpack",
                            first.path("url").asText(),
                            "mpi",
                            "--user",
                            first.path("user").asText(),
                            "--password-file",
                            folder.resolve("password").toString(),
                            "--group",
                            "AzureNodes",
                            "--ppn",
                            "1",
                            "--",
                            "app.exe"))
                    .as(errors())
                    .isZero();
            assertThat(text()).isEqualTo("emulated, not run: mpiexec -c 1 app.exe\n");
        } finally {
            served.destroyForcibly();
        }
    }

    /** Plays mpipingpong with the published figures, and no other program. */
    static int play(TaskRunner.Run task, Consumer<String> output) throws InterruptedException {
        Matcher test = Pattern.compile("mpipingpong -p (\\d+):(\\d+)").matcher(task.commandLine());
        if (!test.find() || task.environment().getOrDefault("PLAYED", "yes").equals("no")) {
            return TaskRunner.pretending().run(task, output);
        }
        boolean small = test.group(1).equals("1");
        String form = "%-20s %-20s %14s %14s\r\n";
        output.accept("Testing packet size " + test.group(1) + " (" + test.group(2) + " iterations per link)\r\n\r\n"
                + form.formatted("Ping Node", "Pong Node", "Latency", "Throughput")
                + form.formatted("", "", "(usec)", "(MB/sec)")
                + "-".repeat(71) + "\r\n"
                + form.formatted(
                        task.nodes().get(0),
                        task.nodes().get(1),
                        small ? latency : "1027.470",
                        small ? (latency.equals("2.242") ? "0.425" : "0.020") : "3712.710"));
        return 0;
    }

    private JsonNode awaitEnd(String id) throws IOException {
        JsonNode job = json("view", id);
        for (int i = 0;
                i < 200
                        && !List.of("Finished", "Failed", "Canceled")
                                .contains(job.path("state").asText());
                i++) {
            job = json("view", id);
        }
        return job;
    }

    private int run(String... arguments) {
        return run(head, arguments);
    }

    private int run(HpcPackEmulator on, String... arguments) {
        console.clear();
        List<String> all = new ArrayList<>(List.of("hpcpack", on.url().toString()));
        all.addAll(List.of(
                "--user",
                on.user(),
                "--password-file",
                folder.resolve("password").toString()));
        all.addAll(List.of(arguments));
        return console.run(all.toArray(String[]::new));
    }

    private JsonNode json(String... arguments) throws IOException {
        List<String> all = new ArrayList<>(List.of(arguments));
        all.add(1, "--json");
        assertThat(run(all.toArray(String[]::new))).as(errors()).isZero();
        return Json.MAPPER.readTree(text());
    }

    private String text() {
        return console.out();
    }

    private String errors() {
        return console.errors();
    }
}
