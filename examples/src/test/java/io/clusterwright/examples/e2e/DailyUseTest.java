package io.clusterwright.examples.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What a user of a cluster does every day: jobs with their files, input and variables, logging in, copying, and files for other tools. */
@Tag("breadth")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class DailyUseTest {
    private static final TestCluster CLUSTER = new TestCluster("e2e-daily", 83, 2);

    private final Machine machine = Machine.ofThisJvm(CLUSTER);

    @BeforeAll
    void create() {
        machine.open();
        machine.create(CLUSTER);
    }

    @AfterAll
    void destroy() {
        machine.close();
    }

    @Nested
    class Input {
        @Test
        void pipedInputReachesRank0() {
            Program.Ended job = clusterwright(
                    "first\nsecond\n", "mpi", CLUSTER.name(), "-np", "2", "--label", "--", "sh", "-c", "cat");

            assertThat(job.status()).as(job.toString()).isZero();
            assertThat(job.stdout().lines()).containsExactly("[0] first", "[0] second");
        }

        @Test
        void pipedInputReachesEveryNode() {
            Program.Ended run = clusterwright("to all\n", "run", CLUSTER.name(), "--", "cat");

            assertThat(run.status()).as(run.toString()).isZero();
            assertThat(run.stdout()).isEqualTo("--- e2e83n[1-2]\nto all\n");
        }

        @Test
        void aShellLineIsNoProgramAndTheMessageNamesItsForm() {
            Program.Ended run = machine.fails("run %s -- %s", CLUSTER.name(), "echo a; echo b");

            assertThat(run.stderr())
                    .contains("there is no program with the name \"echo a; echo b\"")
                    .contains("clusterwright run " + CLUSTER.name() + " -- sh -c 'echo a; echo b'");
            assertThat(machine.succeeds("run %s -- sh -c %s", CLUSTER.name(), "echo a; echo b")
                            .stdout())
                    .endsWith("a\nb\n");
        }

        @Test
        void inputComesFromAFile() {
            Path file = machine.write("input.txt", "of a file\n");

            Program.Ended run =
                    machine.clusterwright("run %s --stdin %s --nodes %s -- cat", CLUSTER.name(), file, CLUSTER.node(2));
            Program.Ended job = machine.clusterwright("mpi %s --stdin %s -- cat", CLUSTER.name(), file);

            assertThat(run.stdout()).isEqualTo("of a file\n");
            assertThat(job.stdout()).isEqualTo("of a file\n");
        }

        @Test
        void aMissingFileIsRefused() {
            Program.Ended run = machine.refuses("run %s --stdin absent -- cat", CLUSTER.name());
            assertThat(run.stderr()).contains("cannot read --stdin absent; - reads standard input");
        }
    }

    @Nested
    class Job {
        @Test
        void takesVariablesNodesAndABinding() {
            Program.Ended job = machine.succeeds(
                    "mpi %s --nodes %s --env %s --env TWO= --bind none --mpi mpich --workdir /tmp --json -- sh -c %s",
                    CLUSTER.name(), CLUSTER.node(2), "ONE=a b", "echo $(hostname) \"$ONE\" \"${TWO-unset}\" $PWD");
            assertThat(job.stdout())
                    .contains("\"e2e83n2 a b  /tmp\"", "\"-bind-to\", \"none\"")
                    .contains("mpirun.mpich");
        }

        /** The article's choice for programs that do not use shared memory and MPI together. */
        @Test
        void takesTheFabricsOfTheArticle() {
            Program.Ended job = machine.succeeds(
                    "mpi %s --ppn 1 --env I_MPI_FABRICS=dapl -- sh -c %s", CLUSTER.name(), "echo $I_MPI_FABRICS");
            assertThat(job.stdout()).isEqualTo("dapl\ndapl\n");
        }

        @Test
        void filesAreStagedInAndOut() throws IOException {
            Path input = machine.write("case.txt", "case 7\n");
            Path results = machine.folder().resolve("results");

            Program.Ended job = machine.succeeds(
                    "mpi %s --stage-in %s --stage-in %s --stage-out %s --output %s -- sh -c %s",
                    CLUSTER.name(),
                    input,
                    input + ":/tmp/other.txt",
                    "/tmp/result.txt:" + results,
                    machine.folder().resolve("ranks").toString(),
                    "cat case.txt /tmp/other.txt > /tmp/result.txt; echo rank $PMI_RANK");
            assertThat(results.resolve("result.txt")).hasContent("case 7\ncase 7\n");
            assertThat(Files.readString(machine.folder().resolve("ranks/rank-1.out")))
                    .isEqualTo("rank 1\n");
            assertThat(job.stdout().lines()).containsExactlyInAnyOrder("rank 0", "rank 1");
        }

        @Test
        void filesOfAJobAreBelowItsFolderOrTheHomeOfItsAccount() {
            Path input = machine.write("own.txt", "own\n");
            Path results = machine.folder().resolve("own");
            machine.succeeds("run %s --user %s -- mkdir case", CLUSTER.name(), CLUSTER.user());

            machine.succeeds(
                    "mpi %s --workdir ~/case --stage-in %s --stage-in %s --stage-in %s --stage-out %s --stage-out %s"
                            + " -n 1 -- sh -c %s",
                    CLUSTER.name(),
                    input,
                    input + ":~/home.txt",
                    input + ":second.txt",
                    "all.txt:" + results,
                    "~/here.txt:" + results,
                    "pwd > ~/here.txt; cat own.txt ~/home.txt second.txt > all.txt");

            assertThat(results.resolve("all.txt")).hasContent("own\nown\nown\n");
            assertThat(results.resolve("here.txt")).hasContent("/home/" + CLUSTER.user() + "/case\n");
        }

        @Test
        void isRetriedOnlyAfterALoss() {
            Program.Ended job = machine.fails("mpi %s --retry 2 -- sh -c %s", CLUSTER.name(), "echo run; exit 3");
            assertThat(job.stdout().lines()).containsOnly("run");
            assertThat(job.stderr())
                    .containsOnlyOnce("attempt 1 on e2e83n[1-2]: ended")
                    .containsPattern(
                            "the job failed: ended, exit status 3; first, rank [01] on e2e83n[12] ended with status 3")
                    .doesNotContain("attempt 2");
        }

        @Test
        void runsOnHostsThatExist() throws IOException {
            Path hosts = machine.write("hosts", CLUSTER.address(1) + ":1\n" + CLUSTER.address(2) + ":1\n");
            Path known = machine.write("known", knownHosts());
            Path key = secrets().resolve("login");

            Program.Ended job = machine.succeeds(
                    "mpi --hostfile %s --user %s --key %s --known-hosts %s --mpi mpich -- hostname",
                    hosts, CLUSTER.user(), key, known);
            assertThat(job.stdout().lines()).containsExactlyInAnyOrder(CLUSTER.node(1), CLUSTER.node(2));
        }
    }

    @Nested
    class LostOutput {
        @ParameterizedTest
        @ValueSource(strings = {"mpi %s -n 1 -- ", "run %s --nodes head -- "})
        void aReaderThatIsGoneEndsTheWork(String command) throws IOException {
            Program.Ended ended = ended(command.formatted(CLUSTER.name()) + repeated("0.14") + " | head -n 1");

            assertThat(ended.stdout()).isEqualTo("line\nstatus 1\n");
            assertThat(ended.stderr()).isEmpty();
            MachineWatch.awaitProcesses("sh -c while sleep 0.14", 0);
        }

        @ParameterizedTest
        @ValueSource(strings = {"mpi %s -n 1 -- ", "run %s --nodes head -- ", "run %s --json -- echo "})
        void aFullDiskEndsTheWorkAndIsNamed(String command) throws IOException {
            Program.Ended ended = ended(command.formatted(CLUSTER.name()) + repeated("0.15") + " >/dev/full");

            assertThat(ended.stdout()).isEqualTo("status 1\n");
            assertThat(ended.stderr())
                    .isEqualTo("standard output could not be written: No space left on device; make room for it,"
                            + " or write it to another file\n");
            MachineWatch.awaitProcesses("sh -c while sleep 0.15", 0);
        }

        @ParameterizedTest
        @CsvSource({"'--version | true', 1, ''", "'validate /absent --json >/dev/full', 2, '; make room for it, or'"})
        void shortCommandsNameLostOutput(String line, int status, String error) throws IOException {
            Program.Ended ended = ended(line);

            assertThat(ended.stdout()).isEqualTo("status " + status + "\n");
            assertThat(ended.stderr()).contains(error);
            assertThat(ended.stderr().isEmpty()).isEqualTo(error.isEmpty());
        }

        private static String repeated(String seconds) {
            return "sh -c 'while sleep " + seconds + "; do echo line; done'";
        }

        private Program.Ended ended(String line) throws IOException {
            Path program = Machine.clusterwrightIn(machine.folder());
            return machine.run(
                    List.of("timeout", "60", "bash", "-c", program + " " + line + "; echo status ${PIPESTATUS[0]}"));
        }
    }

    @Nested
    class Login {
        @Test
        void sshRunsACommandWithThePinnedKeys() {
            Program.Ended head = ssh("--", "hostname");
            Program.Ended words = ssh(CLUSTER.node(2), "--", "echo", "a  b", "$HOME");
            Program.Ended line = ssh(CLUSTER.node(2), "--", "hostname | tr a-z A-Z; exit 3");

            assertThat(head.stdout()).isEqualTo(CLUSTER.node(1) + "\n");
            assertThat(words.stdout()).isEqualTo("a  b $HOME\n");
            assertThat(line.status()).isEqualTo(3);
            assertThat(line.stdout()).isEqualTo("E2E83N2\n");
        }

        @Test
        void sshRefusesAnotherHostKey() throws IOException {
            Path known = secrets().resolve("known_hosts");
            machine.clusterwright("export %s --ssh-config", CLUSTER.name());
            String config = machine.clusterwright("export %s --ssh-config", CLUSTER.name())
                    .stdout();
            Path other = machine.write(
                    "config",
                    config.replace(known.toString(), machine.write("none", "").toString()));

            Program.Ended ssh = machine.run(List.of("ssh", "-F", other.toString(), CLUSTER.node(1), "true"));

            assertThat(ssh.status()).isEqualTo(255);
            assertThat(ssh.stderr()).contains("Host key verification failed");
        }

        @Test
        void sshGivesJsonForACommandOnly() throws IOException {
            Program.Ended done = ssh("--json", "--", "echo hi");
            Program.Ended refused = ssh("--json");

            assertThat(AnalyzeTest.json(done.stdout()).path("stdout").asText()).isEqualTo("hi\n");
            assertThat(refused.status()).isEqualTo(2);
            assertThat(refused.stderr()).contains("--json needs a command");
        }
    }

    @Nested
    class Copy {
        @Test
        void foldersGoToAllNodesAndComeBackFromEach() throws IOException {
            Path folder = machine.folder().resolve("tree");
            Files.createDirectories(folder.resolve("sub"));
            Files.writeString(folder.resolve("sub/run.sh"), "#!/bin/sh\nhostname > /tmp/copied/own\n");
            Files.setPosixFilePermissions(folder.resolve("sub/run.sh"), PosixFilePermissions.fromString("rwxr-x---"));

            Program.Ended up = machine.succeeds("cp %s %s :/tmp/copied", CLUSTER.name(), folder);
            machine.clusterwright("run %s -- /tmp/copied/sub/run.sh", CLUSTER.name());
            Path back = machine.folder().resolve("back");
            Program.Ended down = machine.succeeds("cp %s :/tmp/copied %s", CLUSTER.name(), back);
            for (int i = 1; i <= 2; i++) {
                Path own = back.resolve(CLUSTER.node(i)).resolve("copied");
                assertThat(own.resolve("own")).hasContent(CLUSTER.node(i));
                assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(own.resolve("sub/run.sh"))))
                        .isEqualTo("rwxr-x---");
            }
        }

        @Test
        void aFileOfOneNodeKeepsItsPlace() {
            Path file = machine.folder().resolve("name");

            Program.Ended copied =
                    machine.succeeds("cp %s %s %s", CLUSTER.name(), CLUSTER.node(2) + ":/etc/hostname", file);
            assertThat(file).hasContent(CLUSTER.node(2));
        }

        /** Jobs run as another account than the login user, and start in its home folder. */
        @Test
        void theAccountOfJobsIsNamedWhereFilesAreItsOwn() {
            Path program = machine.write("own.sh", "#!/bin/sh\nid -un > own.out\n");
            Path results = machine.folder().resolve("own.out");
            program.toFile().setExecutable(true);
            String hint = "this was the account azureuser; jobs run as " + CLUSTER.user()
                    + ": for files of jobs, write --user " + CLUSTER.user();

            machine.succeeds("cp %s %s %s", CLUSTER.name(), program, ":~/");
            Program.Ended job = machine.fails("mpi %s -- ./own.sh", CLUSTER.name());
            Program.Ended denied =
                    machine.fails("cp %s %s %s", CLUSTER.name(), program, ":/home/" + CLUSTER.user() + "/");
            machine.succeeds("cp %s --user %s %s :", CLUSTER.name(), CLUSTER.user(), program);
            machine.succeeds("mpi %s --ppn 1 -- ./own.sh", CLUSTER.name());
            Program.Ended absent =
                    machine.fails("cp %s %s %s", CLUSTER.name(), CLUSTER.node(2) + ":~/own.out", results);
            Program.Ended run = machine.fails("run %s --nodes %s -- ./own.out", CLUSTER.name(), CLUSTER.node(2));
            machine.succeeds(
                    "cp %s --user %s %s %s", CLUSTER.name(), CLUSTER.user(), CLUSTER.node(2) + ":~/own.out", results);

            assertThat(job.stderr())
                    .contains("or " + CLUSTER.user() + " may not execute it there", "cp --user " + CLUSTER.user());
            assertThat(denied.stderr())
                    .contains("as azureuser failed: permission denied")
                    .containsOnlyOnce(hint);
            assertThat(absent.stderr())
                    .contains("there is no such file or folder")
                    .containsOnlyOnce(hint);
            assertThat(run.stderr()).containsOnlyOnce(hint);
            assertThat(results).hasContent(CLUSTER.user() + "\n");
        }

        @Test
        void aMissingFileFailsAndIsNamed() {
            Program.Ended none = machine.fails(
                    "cp %s :/no/such %s", CLUSTER.name(), machine.folder().toString());
            Program.Ended local = machine.refuses("cp %s /no/such :/tmp/", CLUSTER.name());
            Program.Ended both = machine.refuses("cp %s a b", CLUSTER.name());
            assertThat(none.stderr()).contains(CLUSTER.node(1) + ": ", "there is no such file or folder");
            assertThat(local.stderr()).contains("there is no file or folder /no/such on this machine");
        }
    }

    @Nested
    class Describe {
        @Test
        void aNodeHasItsConsoleItsLogsAndTheLastChecks() throws IOException {
            machine.clusterwright("run %s -- sudo sh -c %s", CLUSTER.name(), "seq 1 50 > /var/log/waagent.log");

            Program.Ended text = machine.succeeds("describe %s %s --lines 3", CLUSTER.name(), CLUSTER.node(2));
            Program.Ended all = machine.clusterwright("describe %s --json", CLUSTER.name());
            assertThat(text.stdout())
                    .contains(CLUSTER.node(2) + "\n  state      running\n  address    10.83.0.12\n")
                    .contains("  ssh        10.83.0.12 port 22\n")
                    .contains("  console\n")
                    .contains("  /var/log/waagent.log\n    48\n    49\n    50\n")
                    .contains("last checks")
                    .containsPattern("hostname +passed")
                    .containsPattern(
                            "^e2e-daily on local, ready, created \\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d:\\d\\d \\w+\n")
                    .containsPattern("\n  \\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d:\\d\\d \\w+  hostname +passed")
                    .doesNotContain(CLUSTER.node(1) + "\n");
            JsonNode json = AnalyzeTest.json(all.stdout());
            assertThat(json.path("nodes").findValuesAsText("state")).containsExactly("running", "running");
            assertThat(json.path("checks").findValuesAsText("check")).containsExactly("hostname", "memlock");
        }

        @Test
        void jobsOverSessionsCannotBeAttachedTo() {
            Program.Ended refused = machine.refuses("mpi %s --attach", CLUSTER.name());
            assertThat(refused.stderr())
                    .contains("jobs of cluster e2e-daily end with the program that runs them, so --attach has no"
                            + " job; write scheduler: slurm in its spec, and start jobs with clusterwright submit");
        }

        @Test
        void showFitsATerminalAndHasLocalTimesInSeconds() {
            Program.Ended show = machine.clusterwright("show %s", CLUSTER.name());

            assertThat(show.stdout().lines()).isNotEmpty().allMatch(line -> line.length() <= 80);
            assertThat(show.stdout())
                    .containsPattern(
                            "^e2e-daily on local, ready, created \\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d:\\d\\d \\w+\n");
        }

        @Test
        void stopNamesTheNodesOnWhichAJobRuns() {
            Program job = machine.startClusterwright("mpi %s -- sleep 4720", CLUSTER.name());
            Program command =
                    machine.startClusterwright("run %s --nodes %s -- sleep 4723", CLUSTER.name(), CLUSTER.node(2));
            MachineWatch.awaitProcesses("sleep 4720", 2);
            MachineWatch.awaitProcesses("sleep 4723", 1);

            Program.Ended stopped = machine.succeeds("stop %s", CLUSTER.name());
            Program.Ended ended = job.end();
            Program.Ended commandEnded = command.end();
            Program.Ended started = machine.succeeds("start %s", CLUSTER.name());

            assertThat(stopped.stderr()).contains("warning: a job runs on e2e83n[1-2]; ");
            assertThat(ended.status()).as(ended.toString()).isEqualTo(1);
            assertThat(ended.stderr().lines().reduce((first, second) -> second))
                    .hasValueSatisfying(last -> assertThat(last)
                            .startsWith("the job failed: ")
                            .containsPattern("; nodes? e2e83n\\[?[12].* (was|were) lost"));
            assertThat(commandEnded.status()).isNotZero();
            assertThat(commandEnded.toString())
                    .contains("broke while `sleep 4723` was running; it ended with the machine, which is stopped");
        }

        @Test
        void aTimeLimitThatPassedIsNamedWithItsOption() {
            Program.Ended job = machine.fails("mpi %s --timeout 1 -- sleep 4721", CLUSTER.name());
            Program.Ended run = machine.fails("run %s --timeout 1 -- sleep 4722", CLUSTER.name());

            assertThat(job.stderr())
                    .containsPattern(
                            "the job failed: timed-out, .*; the time limit passed after .* s: raise --timeout\n");
            assertThat(run.stdout())
                    .contains("did not end within the command's timeout of 1 s", "--timeout SECONDS (Command.timeout)");
        }

        @Test
        void anUnknownNodeIsRefused() {
            Program.Ended refused = machine.fails("describe %s e2e83n9", CLUSTER.name());
            assertThat(refused.stderr()).contains("has no node e2e83n9; its nodes: e2e83n[1-2]");
        }
    }

    @Nested
    class Export {
        @Test
        void sshAndScpUseTheConfiguration() {
            Path config = machine.folder().resolve("ssh_config");
            machine.clusterwright("export %s --ssh-config --output %s", CLUSTER.name(), config);

            Program.Ended byName = machine.run(List.of("ssh", "-F", config.toString(), CLUSTER.node(2), "hostname"));
            Program.Ended byAddress =
                    machine.run(List.of("ssh", "-F", config.toString(), CLUSTER.address(1), "hostname"));

            assertThat(byName.stdout()).isEqualTo(CLUSTER.node(2) + "\n");
            assertThat(byAddress.stdout()).isEqualTo(CLUSTER.node(1) + "\n");
        }

        @Test
        void theInventoryLeadsToEachNode() throws IOException {
            Program.Ended export = machine.clusterwright("export %s --ansible", CLUSTER.name());

            JsonNode all = new YAMLMapper().readTree(export.stdout()).path("all");
            assertThat(all.at("/children/compute/hosts").fieldNames())
                    .toIterable()
                    .containsExactly(CLUSTER.node(1), CLUSTER.node(2));
            assertThat(all.at("/children/head/hosts").fieldNames()).toIterable().containsExactly(CLUSTER.node(1));
            JsonNode host = all.path("hosts").path(CLUSTER.node(2));
            List<String> ssh = new ArrayList<>(List.of("ssh"));
            ssh.addAll(List.of(host.path("ansible_ssh_common_args").asText().split(" ")));
            ssh.addAll(
                    List.of("-i", all.at("/vars/ansible_ssh_private_key_file").asText()));
            ssh.addAll(List.of("-p", host.path("ansible_port").asText(), "-l"));
            ssh.addAll(List.of(
                    all.at("/vars/ansible_user").asText(),
                    host.path("ansible_host").asText(),
                    "hostname"));
            Program.Ended reached = machine.run(ssh);
            assertThat(reached.stdout()).as(reached.toString()).isEqualTo(CLUSTER.node(2) + "\n");
        }

        @Test
        void hostfilesHaveTheWordsOfEachLauncher() {
            assertThat(export("--hostfile", "hydra")).isEqualTo("10.83.0.11:1\n10.83.0.12:1\n");
            assertThat(export("--hostfile", "openmpi")).isEqualTo("10.83.0.11 slots=1\n10.83.0.12 slots=1\n");
            assertThat(export("--hostfile", "slurm")).isEqualTo("e2e83n1\ne2e83n2\n");
        }

        @Test
        void aClusterWithoutSlurmHasNoSlurmConf() {
            Program.Ended refused = machine.refuses("export %s --slurm", CLUSTER.name());
            Program.Ended queue = machine.refuses("jobs %s", CLUSTER.name());
            assertThat(refused.stderr()).contains("has no Slurm; write scheduler: slurm");
            assertThat(queue.stderr()).contains("has no queue: write scheduler: slurm");
        }

        @Test
        void listsTheHostKeysOfAnExistingCluster() throws IOException {
            Path files = machine.folder().resolve("out");
            machine.succeeds(
                    "render %s --to %s --on local", machine.spec(CLUSTER).toString(), files);

            String known = Files.readString(files.resolve("ssh_known_hosts"));

            assertThat(known).hasLineCount(2).startsWith(CLUSTER.node(1) + "," + CLUSTER.address(1) + " ssh-ed25519 ");
            Program.Ended onTheNode = machine.clusterwright(
                    "run %s --nodes %s -- cat /etc/ssh/ssh_host_ed25519_key.pub", CLUSTER.name(), CLUSTER.node(2));
            String key = onTheNode
                    .stdout()
                    .lines()
                    .filter(line -> line.startsWith("ssh-ed25519"))
                    .findFirst()
                    .orElseThrow();
            assertThat(known).contains(CLUSTER.address(2) + " " + key.substring(0, key.indexOf(' ', 20)));
            Program.Ended hosts =
                    machine.clusterwright("run %s --nodes %s -- cat /etc/hosts", CLUSTER.name(), CLUSTER.node(1));
            assertThat(hosts.stdout())
                    .contains(CLUSTER.address(1) + " " + CLUSTER.node(1), CLUSTER.address(2) + " " + CLUSTER.node(2));
            assertThat(files.resolve("hosts")).content().contains(CLUSTER.address(2) + " " + CLUSTER.node(2));
        }

        private String export(String... options) {
            List<String> all = new ArrayList<>(List.of("export", CLUSTER.name()));
            all.addAll(List.of(options));
            return machine.clusterwright(all.toArray(String[]::new)).stdout();
        }
    }

    /** A process, as it hands its input and output to ssh. */
    private Program.Ended ssh(String... arguments) {
        List<String> words = new ArrayList<>(List.of("ssh", CLUSTER.name()));
        words.addAll(List.of(arguments));
        return machine.startClusterwright(words.toArray(String[]::new)).end();
    }

    private Path secrets() {
        return machine.state().resolve("clusters").resolve(CLUSTER.name()).resolve("secrets");
    }

    private String knownHosts() throws IOException {
        List<String> lines = new ArrayList<>();
        for (int i = 1; i <= 2; i++) {
            Path file = secrets().resolve("host-" + CLUSTER.node(i) + ".pub");
            lines.add(CLUSTER.address(i) + " " + Files.readString(file).strip());
        }
        return String.join("\n", lines) + "\n";
    }

    private Program.Ended clusterwright(String input, String... arguments) {
        return machine.clusterwright(input, List.of(arguments));
    }
}
