package io.clusterwright.mpi.internal.explain;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.clusterwright.core.plan.Severity;
import io.clusterwright.mpi.internal.explain.KnownFailures.KnownFailure;
import io.clusterwright.mpi.job.Diagnosis;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class DiagnoserTest {

    /** Real outputs: line 1 of each tells how it was made. */
    @Nested
    class CapturedOutputs {
        @ParameterizedTest
        @CsvSource({
            "agent_missing_ompi,           214, 4",
            "as_root_ompi,                 211, 4",
            "binary_missing_one_node,      204 206, 3 7",
            "btl_interface_ompi,           404 413, 12 4",
            "btl_self_ompi,                404, 4",
            "executable_missing_mpich,     204, 3",
            "executable_missing_ompi,      206, 4",
            "exit3_ompi,                   509, 8",
            "first_label_ompi,             106, 3",
            "host_down_ompi,               107, 3",
            "hostfile_dialect_mpich,       213, 3",
            "hostkey_changed_mpich,        102, 4",
            "hostkey_changed_ompi,         102, 4",
            "hostkey_prompt_pty_mpich,     101, 3",
            "hostkey_unknown_notty_mpich,  101, 4",
            "hostkey_unknown_ompi,         101, 3",
            "killed_mpich,                 501, 6",
            "killed_ompi,                  504, 8",
            "library_missing_mpich,        208, 3",
            "link_down_mpich,              113, 2",
            "mixed_launcher_mpich_runs_ompi, 210, 31",
            "moved_ompi,                   219, 5",
            "not_executable_mpich,         205, 3",
            "not_executable_ompi,          206, 4",
            "orted_missing_ompi,           202, 3",
            "orted_command_missing_ompi,   233, 3",
            "pml_ucx_ompi,                 409, 4",
            "proxy_missing_mpich,          201, 3",
            "rank_killed_ompi,             504, 7",
            "segfault_ompi,                505, 8",
            "slots_ompi,                   212, 4",
            "slurm_errors,                 207 602 603 604 605, 17 2 7 12 14",
            "slurm_node_down,              606, 7",
            "ssh_loose_key_ompi,           105, 4",
            "ssh_no_key_mpich,             104, 4",
            "ssh_no_key_ompi,              104, 3",
            "ssh_refused_ompi,             108, 3",
            "ssh_silent_ompi,              110, 3",
            "ssh_too_many_ompi,            111, 3",
            "timeout_mpich,                510, 3",
            "timeout_ompi,                 511, 4",
            "ucx_device_missing_mpich,     401, 3",
            "ucx_tls_missing_mpich,        402, 3",
            "unknown_hostname_mpich,       106, 4",
            "unknown_option_mpich,         215, 3",
            "unknown_option_ompi,          216, 3",
            "wrong_launcher_mpich_runs_ompi, 210, 5",
            "wrong_launcher_ompi_runs_mpich, 210, 5",
        })
        void areExplained(String sample, String codes, String lines) throws IOException {
            List<Diagnosis> found = Diagnoser.diagnose(FailureSamples.open(sample));

            assertThat(new TreeSet<>(found.stream()
                            .map(diagnosis -> diagnosis.code().replace("CW-DIAG-", ""))
                            .toList()))
                    .containsExactly(codes.split(" "));
            String[] expected = lines.split(" ");
            String[] names = codes.split(" ");
            for (int i = 0; i < names.length; i++) {
                String code = "CW-DIAG-" + names[i];
                int line = Integer.parseInt(expected[i]);
                assertThat(found)
                        .filteredOn(diagnosis -> diagnosis.code().equals(code))
                        .extracting(Diagnosis::line)
                        .contains(line);
            }
        }

        @Test
        void eachIsInTheTableAboveOrIsAGoodRun() throws Exception {
            Path folder = Path.of(Objects.requireNonNull(DiagnoserTest.class.getResource("failures"))
                    .toURI());
            try (Stream<Path> files = Files.list(folder)) {
                assertThat(files.filter(file -> !file.endsWith("ok_again.txt")).count())
                        .isEqualTo(48);
            }
        }

        @Test
        void nameWhatTheTextNames() {
            assertThat(Diagnoser.diagnose(FailureSamples.read("binary_missing_one_node")))
                    .extracting(Diagnosis::cause)
                    .containsExactly(
                            "the program /opt/onlyhere is not on cluster13",
                            "the program /opt/onlyhere is not on 10.32.0.13, or may not be executed there");
            assertThat(Diagnoser.diagnose(FailureSamples.read("rank_killed_ompi"))
                            .get(0)
                            .cause())
                    .startsWith("rank 1 on 10.32.0.12 was killed by signal 9");
            assertThat(Diagnoser.diagnose(FailureSamples.read("slots_ompi"))
                            .get(0)
                            .cause())
                    .startsWith("the job has 99 ranks");
        }

        @Test
        void aWorldOfOneIsAnErrorWhateverTheExitStatus() {
            assertThat(Diagnoser.diagnose(FailureSamples.read("mixed_launcher_mpich_runs_ompi")))
                    .singleElement()
                    .extracting(Diagnosis::severity)
                    .isEqualTo(Severity.ERROR);
        }
    }

    /** Texts of failures that cannot be made here, as their sources quote them. */
    @Nested
    class QuotedTexts {
        static Stream<String[]> quoted() {
            return FailureSamples.text("quoted.txt")
                    .lines()
                    .filter(line -> !line.startsWith("#") && !line.isBlank())
                    .map(line -> line.split(" \\| ", 2));
        }

        @ParameterizedTest
        @MethodSource("quoted")
        void areExplained(String code, String text) {
            assertThat(Diagnoser.diagnose("started\n" + text + "\nended\n"))
                    .extracting(Diagnosis::code, Diagnosis::line)
                    .containsExactly(tuple("CW-DIAG-" + code, 2));
        }
    }

    @Test
    void everyKnownFailureHasASample() throws Exception {
        TreeSet<String> seen = new TreeSet<>();
        QuotedTexts.quoted().forEach(parts -> seen.add("CW-DIAG-" + parts[0]));
        Path folder = Path.of(Objects.requireNonNull(DiagnoserTest.class.getResource("failures"))
                .toURI());
        try (Stream<Path> files = Files.list(folder)) {
            for (Path file : files.toList()) {
                Diagnoser.diagnose(Files.readString(file)).forEach(diagnosis -> seen.add(diagnosis.code()));
            }
        }

        assertThat(seen)
                .containsExactlyElementsOf(new TreeSet<>(
                        KnownFailures.all().stream().map(KnownFailure::code).toList()));
        assertThat(seen).hasSizeGreaterThan(120);
    }

    /** The block of a rank that Hydra killed may come before the words of the rank that aborted, and neither may hide the other. */
    @Test
    void anyTwoFailuresInAnyOrderGiveOneAtLeast() throws Exception {
        Map<String, String> byCode = new TreeMap<>();
        QuotedTexts.quoted().forEach(parts -> byCode.putIfAbsent(parts[0], parts[1]));
        byCode.put("501", FailureSamples.read("killed_mpich"));
        byCode.keySet()
                .removeIf(code -> KnownFailures.get("CW-DIAG-" + code).unless().isEmpty()); // nothing hides these
        Collection<String> texts = byCode.values();
        for (String first : texts) {
            for (String second : texts) {
                assertThat(Diagnoser.diagnose(first + "\n" + second))
                        .as("%s%n%s", first, second)
                        .isNotEmpty();
            }
        }
    }

    @Test
    void anAbortIsReportedAlsoAfterTheBlockOfAKilledRank() {
        String abort =
                "Abort(0) on node 2 (rank 2 in comm 0): application called MPI_Abort(MPI_COMM_WORLD, 0) - process 2\n";

        assertThat(List.of(FailureSamples.read("killed_mpich") + abort, abort + FailureSamples.read("killed_mpich")))
                .allSatisfy(text -> assertThat(Diagnoser.diagnose(text))
                        .extracting(Diagnosis::code)
                        .containsExactly("CW-DIAG-513"));
    }

    /** Intel MPI prints a block for each rank, in the order of the ranks, also for the ranks that it killed itself. */
    @ParameterizedTest
    @CsvSource({
        "KILLED BY SIGNAL: 11 (Segmentation fault), 502",
        "KILLED BY SIGNAL: 4 (Illegal instruction), 518",
        "KILLED BY SIGNAL: 6 (Aborted), 520",
        "KILLED BY SIGNAL: 8 (Floating point exception), 531",
        "EXIT STATUS: 2, 503",
        "EXIT STATUS: 137, 501",
        "KILLED BY SIGNAL: 9 (Killed), 519"
    })
    void ofIntelMpiTheRankCountsThatWasNotKilledByIt(String end, String code) {
        String killed =
                intelBlock(0, "KILLED BY SIGNAL: 9 (Killed)") + intelBlock(1, "KILLED BY SIGNAL: 15 (Terminated)");

        assertThat(Diagnoser.diagnose(killed + intelBlock(2, end)))
                .extracting(Diagnosis::code)
                .containsOnly("CW-DIAG-" + code);
        assertThat(Diagnoser.diagnose(intelBlock(2, end) + killed))
                .extracting(Diagnosis::code)
                .containsOnly("CW-DIAG-" + code);
    }

    private static String intelBlock(int rank, String end) {
        String line = "=".repeat(83) + "\n";
        return "\n" + line + "=   BAD TERMINATION OF ONE OF YOUR APPLICATION PROCESSES\n=   RANK " + rank
                + " PID 4711 RUNNING AT node1\n=   " + end + "\n" + line;
    }

    @Test
    void aCauseIsNamedBeforeItsConsequencesInAnyOrder() {
        assertThat(codes("""
                        srun: error: Task launch for StepId=71.0 failed on node node2: Protocol authentication error
                        srun: error: Application launch failed: Protocol authentication error
                        slurmd: error: Munge decode failed: Expired credential
                        """)).containsExactly("CW-DIAG-614");
        assertThat(codes("""
                        Access denied: user hpc (uid=1001) has no active jobs on this node.
                        Connection closed by 10.1.0.12 port 22
                        ORTE was unable to reliably start one or more daemons.
                        """)).containsExactly("CW-DIAG-120");
        assertThat(codes("""
                        A call to mkdir was unable to create the desired directory:

                          Directory: /tmp/ompi.node1.1001/pid.222
                          Error:     No space left on device
                        """)).containsExactly("CW-DIAG-523");
    }

    /** A signal and a status say less than the line of the scheduler, of ssh or of the kernel that explains them. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "608 | error: *** JOB 12 ON node1 CANCELLED AT 2026-11-20T13:44:01 DUE TO TIME LIMIT ***",
                "621 | error: *** JOB 12 ON node1 CANCELLED AT 2026-11-20T13:44:01 DUE TO PREEMPTION ***",
                "607 | slurmstepd: error: Detected 1 oom_kill event in StepId=5.0.",
                "620 | srun: error: Node failure on node2",
                "538 | kernel: Out of memory: Killed process 12345 (solver) total-vm:123456kB"
            })
    void aKilledRankIsExplainedByTheLineThatSaysWhy(String code, String why) {
        String openMpi = "mpirun noticed that process rank 1 with PID 0 on node node2 exited on signal 9 (Killed).";
        String killed = FailureSamples.read("killed_mpich");
        String srun = "srun: error: node2: tasks 0-3: Killed\nsrun: error: node3: task 4: Exited with exit code 137";
        for (String consequence : List.of(openMpi, killed, srun)) {
            assertThat(codes(why + "\n" + consequence)).containsExactly("CW-DIAG-" + code);
            assertThat(codes(consequence + "\n" + why)).containsExactly("CW-DIAG-" + code);
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "116 | Load key \"/home/hpc/.ssh/id_rsa\": Permission denied",
                "116 | Warning: Identity file /home/hpc/.ssh/id_cluster not accessible: No such file or directory.",
                "117 | sign_and_send_pubkey: no mutual signature supported",
                "129 | sign_and_send_pubkey: signing failed for ED25519 \"/home/hpc/.ssh/id\" from agent: agent refused operation"
            })
    void aKeyThatSshCannotUseIsNotAKeyThatTheNodeRefuses(String code, String line) {
        assertThat(codes(line + "\nhpc@node2: Permission denied (publickey).")).containsExactly("CW-DIAG-" + code);
    }

    @Test
    void aRefusalOfSlurmIsExplainedByTheLineBeforeIt() {
        String refusal = "\nsalloc: error: Job submit/allocate failed: Requested node configuration is not available";

        assertThat(codes("salloc: error: Memory specification can not be satisfied" + refusal))
                .containsExactly("CW-DIAG-626");
        assertThat(codes("salloc: error: CPU count per node can not be satisfied" + refusal))
                .containsExactly("CW-DIAG-613");
        assertThat(Diagnoser.diagnose(refusal))
                .singleElement()
                .satisfies(found ->
                        assertThat(found.cause()).contains("CPUs", "memory", "gres", "--constraint", "--nodelist"));
    }

    /** Logs, containers and launchers write before each line, also where a text has several lines. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "3: ",
                "[1,0]<stderr>:",
                "[prterun-node1-1@1,0]<stderr>: ",
                "Sun May 27 12:24:33 2018[1,0]<stderr>:",
                "2026-11-20T13:44:01Z ",
                "[launcher] ",
                "[pod/osu-launcher-x/launcher] ",
                "launcher-1  | ",
                "[0] "
            })
    void labelsBeforeEachLineAreReadOver(String label) {
        String text = """
                A call to mkdir was unable to create the desired directory:

                  Directory: /tmp/ompi.node1.1001
                  Error:     No space left on device
                =   BAD TERMINATION OF ONE OF YOUR APPLICATION PROCESSES
                =   RANK 3 PID 12345 RUNNING AT node2
                =   KILLED BY SIGNAL: 11 (Segmentation fault)
                """;

        assertThat(codes(text.lines().map(line -> label + line).collect(Collectors.joining("\n"))))
                .containsExactly("CW-DIAG-523", "CW-DIAG-502");
    }

    @Test
    void whereATextAllowsTwoCausesBothAreNamed() {
        assertThat(Diagnoser.diagnose("ibv_reg_mr(address=0x7f, length=1) failed: Cannot allocate memory"))
                .singleElement()
                .satisfies(found -> {
                    assertThat(found.cause()).contains("may not lock enough").contains("vm.max_map_count");
                    assertThat(found.remedy()).contains("ulimit -l");
                });
        assertThat(Diagnoser.diagnose(FailureSamples.read("killed_mpich")))
                .singleElement()
                .satisfies(found -> {
                    assertThat(found.cause()).contains("signal 9").contains("status");
                    assertThat(found.remedy()).contains("EXIT STRING: Killed (signal 9)");
                });
    }

    /** Each of these warnings stands in outputs of healthy programs, too. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "414 | WARNING: There was an error initializing an OpenFabrics device. | 512 | MPI_ABORT was invoked on rank 0 in communicator MPI_COMM_WORLD",
                "401 | UCX WARN network device 'mlx5_2:1' is not available, please use one or more of: 'eth0'(tcp) | 513 | application called MPI_Abort(MPI_COMM_WORLD, 1) - process 0",
                "515 | CMA support is not available due to restrictive ptrace settings | 520 | [n1:31] Signal: Aborted (6)",
                "305 | libibverbs: Warning: RLIMIT_MEMLOCK is 65536 bytes. | 520 | srun: error: n1: task 0: Aborted",
                "407 | By default, for Open MPI 4.0 and later, infiniband ports on a device are not used by default. | 505 | mpirun noticed that process rank 1 with PID 7 on node n1 exited on signal 11 (Segmentation fault).",
                "541 | cd: /work: Stale file handle | 628 | slurmstepd: error: *** STEP 5.0 ON n1 CANCELLED AT 2026-11-20T13:44:01 ***"
            })
    void aWarningStandsBehindTheEndOfTheProgram(String warning, String first, String end, String second) {
        assertThat(codes(first + "\n" + second)).containsExactly("CW-DIAG-" + end, "CW-DIAG-" + warning);
    }

    @Test
    void aWaitOfSlurmThatEndedIsNoFailure() {
        String down = "srun: Required node not available (down, drained or reserved)\n";
        String busy = "srun: Job 9553 step creation temporarily disabled, retrying (Requested nodes are busy)\n";

        assertThat(codes(down + "srun: job 15 queued and waiting for resources\n"))
                .containsExactly("CW-DIAG-602");
        assertThat(codes(down + "srun: job 15 has been allocated resources\n")).isEmpty();
        assertThat(codes(down.replace("srun", "salloc") + "salloc: Granted job allocation 15\n"))
                .isEmpty();
        assertThat(codes(busy + "srun: Step created for StepId=9553.1\n")).isEmpty();
        assertThat(codes("srun: Step created for StepId=9553.0\n" + busy)).containsExactly("CW-DIAG-622");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                "240 | plm_rsh_agent: ssh : rsh | [n1:7] Signal: Segmentation fault (11)",
                "445 | NCCL WARN Cuda failure 'CUDA driver version is insufficient for CUDA runtime version' | n1: Test NCCL failure common.cu:1 'unhandled cuda error'",
                "241 | bash: ./run.sh: /bin/bash^M: bad interpreter: No such file or directory | srun: error: n1: task 0: Exited with exit code 126"
            })
    void theFirstLineIsTheOnlyCause(String code, String cause, String consequence) {
        assertThat(codes(cause + "\n" + consequence)).containsExactly("CW-DIAG-" + code);
        assertThat(codes(consequence + "\n" + cause)).containsExactly("CW-DIAG-" + code);
    }

    private static List<String> codes(String text) {
        return Diagnoser.diagnose(text).stream().map(Diagnosis::code).toList();
    }

    @ParameterizedTest
    @MethodSource("known")
    void aKnownFailureIsComplete(KnownFailure failure) {
        assertThat(failure.code()).matches("CW-DIAG-[1-7]\\d\\d");
        assertThat(failure.source()).isNotBlank();
        assertThat(failure.unless())
                .allMatch(code -> code.equals("any") || KnownFailures.find(code).isPresent());
        for (String text : failure.texts()) {
            String holes = text.replace("#}", "}");
            Stream.of(failure.cause(), failure.remedy())
                    .flatMap(sentence ->
                            Pattern.compile("\\{[a-z]+}").matcher(sentence).results())
                    .forEach(hole -> assertThat(holes).contains(hole.group()));
        }
    }

    static List<KnownFailure> known() {
        return KnownFailures.all();
    }

    @Test
    void findsTheWordOfEachTextWhereverItStands() {
        List<String> words = KnownFailures.patterns().stream()
                .map(KnownFailures.TextPattern::anchor)
                .toList();
        for (int i = 0; i < words.size(); i++) {
            for (String line : List.of(words.get(i), "x" + words.get(i), "xy" + words.get(i) + "z")) {
                List<Integer> found = new ArrayList<>();
                KnownFailures.anchors().find(line.getBytes(StandardCharsets.UTF_8), found::add);
                assertThat(found).as(line).contains(i);
            }
        }
    }
}
