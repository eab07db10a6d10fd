package io.clusterwright.azure;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.clusterwright.azure.emulator.ArmClient;
import io.clusterwright.azure.emulator.ArmEmulator;
import io.clusterwright.azure.emulator.Fault;
import io.clusterwright.azure.emulator.SeenRequest;
import io.clusterwright.core.Cluster;
import io.clusterwright.core.ClusterManager;
import io.clusterwright.core.Command;
import io.clusterwright.core.CommandException;
import io.clusterwright.core.CommandResult;
import io.clusterwright.core.NodeSession;
import io.clusterwright.core.NodeUnreachableException;
import io.clusterwright.core.RunningCommand;
import io.clusterwright.core.spec.ClusterSpec;
import io.clusterwright.core.spec.NetworkSpec.SshAccess;
import io.clusterwright.core.spec.Placement;
import io.clusterwright.core.spi.ProviderMachines;
import io.clusterwright.core.type.ClusterwrightException;
import io.clusterwright.core.type.NodeName;
import io.clusterwright.core.type.OperationInterruptedException;
import io.clusterwright.core.type.UserName;
import io.clusterwright.linux.local.LocalMachines;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.OptionalInt;
import java.util.Random;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Real nodes that nobody dials: everything goes through Run Command of an emulated Azure, with its limits. Needs root. */
@Tag("breadth")
class RunCommandTest {
    private static final NodeName NODE = new NodeName("relay11");

    @TempDir
    private static Path folder;

    private static LocalMachines local;
    private static ArmEmulator emulator;
    private static ClusterManager manager;
    private static Cluster cluster;

    private static ClusterSpec spec() {
        return ClusterSpec.builder("relay")
                .region("westeurope")
                .nodes(n -> n.count(2).firstIndex(11).size("Standard_HB120rs_v3"))
                .placement(p -> p.kind(Placement.Kind.AVAILABILITY_SET))
                .network(n -> n.addressSpace("10.55.0.0/16")
                        .subnet("Subnet-1", "10.55.0.0/24")
                        .ssh(ssh -> ssh.external(SshAccess.External.NONE)))
                .image(i -> i.base("microsoft-dsvm:ubuntu-hpc:2204:latest").capture(false))
                .verify(v -> v.hostname(true))
                .build();
    }

    @BeforeAll
    static void create() {
        local = AzureFixture.local(folder);
        emulator = ArmEmulator.builder()
                .retryAfter(Duration.ZERO)
                .recordTo(folder.resolve("traffic"))
                .machinesBackedBy(local.host())
                .start();
        AzureProvider azure = AzureFixture.open(AzureMachines.builder(
                        AzureFixture.pipeline(emulator.token()),
                        AzureFixture.profile(emulator.url(), emulator.subscriptionId()))
                .pollInterval(Duration.ofMillis(10))
                .runCommand(true)
                .build());
        manager = AzureFixture.manager(ProviderMachines.of(azure), folder);
        cluster = manager.create(spec());
    }

    @AfterAll
    static void destroy() {
        try {
            cluster.close();
            assertThat(manager.destroy(spec().name()).left()).isEmpty();
        } finally {
            manager.close();
            emulator.close();
        }
        new RecordedTraffic(folder.resolve("traffic")).requireValid();
    }

    private static NodeSession session() {
        return cluster.session(NODE);
    }

    private static CommandResult run(String... words) {
        return session().run(Command.of(List.of(words)));
    }

    private static long scripts() {
        return emulator.requests().stream()
                .filter(request -> request.path().endsWith("/runCommand"))
                .count();
    }

    @Test
    void createsAClusterWhoseNodesKnowEachOther() {
        assertThat(cluster.run(Command.of("hostname")).successes()).hasSize(2);
        assertThat(run("getent", "hosts", "relay12").stdout()).startsWith("10.55.0.");
        assertThat(emulator.requests()).extracting(SeenRequest::path).noneMatch(path -> path.contains("publicIP"));
    }

    @Test
    void aShortCommandTakesOneScriptAndEndsWithItsOwnStatus() {
        long before = scripts();
        CommandResult result = run("/bin/sh", "-c", "echo out; echo err >&2; exit 7");
        assertThat(scripts() - before).isEqualTo(1);
        assertThat(result.exitStatus()).isEqualTo(7);
        assertThat(result.stdout()).isEqualTo("out\n");
        assertThat(result.stderr()).isEqualTo("err\n");
        assertThat(run("/bin/sh", "-c", "kill -9 $$").exitStatus()).isEqualTo(137);
        assertThat(run("no-such-program").exitStatus()).isEqualTo(127);
    }

    @Test
    void aCommandWhoseAnswerIsLostRunsOnce() {
        byte[] input = "0123456789\n".repeat(30_000).getBytes(UTF_8);
        run("/bin/sh", "-c", "rm -f once");
        long before = scripts();
        emulator.faults(
                Fault.of(Fault.Kind.LOST_ANSWER, "POST", "**/runCommand").times(2));
        CommandResult result = run("/bin/sh", "-c", "echo again >>once; cat once; exit 5");
        assertThat(scripts() - before).as("delivered").isGreaterThanOrEqualTo(2);
        assertThat(result.exitStatus()).isEqualTo(5);
        assertThat(result.stdout()).isEqualTo("again\n");

        Fault lost = Fault.of(Fault.Kind.LOST_ANSWER, "POST", "**/runCommand");
        emulator.faults(lost, lost.skip(2), lost.skip(3));
        result = session()
                .run(Command.of("/bin/sh", "-c", "wc -c; echo twice >>once").input(input));
        emulator.faults();
        assertThat(result.stdout().strip()).isEqualTo("330000");
        assertThat(run("cat", "once").stdout()).isEqualTo("again\ntwice\n");
    }

    @Test
    void argumentsEnvironmentAndInputArriveAsTheyAre() {
        List<String> odd = List.of("it's", "", "a  b", "$HOME `id` \\", "zwei\nZeilen", "Grüße, 世界 🚀", "-n", "*");
        Command command = Command.of("/bin/sh", "-c", "printf '<%s>' \"$@\" \"$SIGN\"; cat", "sh");
        List<String> words = new ArrayList<>(command.arguments());
        words.addAll(odd);
        CommandResult result =
                session().run(Command.of(words).environment("SIGN", "→ 'x' $y").input("Eingabe: äöü"));
        assertThat(result.stdout())
                .isEqualTo(odd.stream().map(word -> "<" + word + ">").collect(Collectors.joining()) + "<→ 'x' $y>"
                        + "Eingabe: äöü");
    }

    @Test
    void commandsRunAsTheSessionsUserAndElevatedAsRoot() {
        assertThat(run("/bin/sh", "-c", "id -un; echo ~; pwd").stdout())
                .isEqualTo("azureuser\n/home/azureuser\n/home/azureuser\n");
        assertThat(session().run(Command.of("id", "-un").elevate()).stdout()).isEqualTo("root\n");
        assertThat(cluster.session(NODE, UserName.ROOT)
                        .run(Command.of("id", "-un"))
                        .stdout())
                .isEqualTo("root\n");
    }

    @Test
    void largeOutputKeepsItsEnd() {
        long before = scripts();
        CommandResult result = run("/bin/sh", "-c", "yes x | head -c 300000; echo end; seq 1 9000 >&2");
        assertThat(result.stdout()).isEqualTo("x\n".repeat(128 * 1024 - 2) + "end\n");
        assertThat(result.stderr()).isEqualTo(lines(9000));
        assertThat(scripts() - before).as("scripts of 4,096 bytes each").isBetween(5L, 20L);
    }

    private static String lines(int count) {
        return IntStream.rangeClosed(1, count).mapToObj(i -> i + "\n").collect(Collectors.joining());
    }

    @Test
    void transfersFilesBothWays() throws IOException {
        byte[] noise = new byte[300_000];
        new Random(1).nextBytes(noise);
        Path source = Files.write(folder.resolve("noise"), noise);
        session().upload(source, "up load.bin", 0640);
        assertThat(run("sha256sum", "up load.bin").stdout()).startsWith(sha256(noise));
        assertThat(run("stat", "-c", "%a %U", "up load.bin").stdout()).isEqualTo("640 azureuser\n");

        session().write("klein: ü\n".getBytes(UTF_8), "/home/azureuser/small", 0600);
        session().download("small", folder.resolve("back"));
        assertThat(folder.resolve("back")).hasContent("klein: ü\n");
        run("/bin/sh", "-c", "head -c 9000 'up load.bin' > part");
        session().download("part", folder.resolve("part"));
        assertThat(Files.readAllBytes(folder.resolve("part"))).isEqualTo(Arrays.copyOf(noise, 9000));

        assertThatThrownBy(() -> session().write(new byte[1], "/etc/not-mine", 0600))
                .isInstanceOf(ClusterwrightException.class)
                .hasMessageContaining("cannot write /etc/not-mine on relay11 as azureuser");
        run("truncate", "-s", "2M", "large");
        assertThatThrownBy(() -> session().download("large", folder.resolve("large")))
                .isInstanceOf(ClusterwrightException.class)
                .hasMessageContaining("large has 2097152 bytes")
                .hasMessageContaining("or connect to the node over SSH");
    }

    private static String sha256(byte[] bytes) {
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
        } catch (NoSuchAlgorithmException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void aCommandThatTakesTooLongIsEndedWithAllItsProcesses() {
        Command slow = Command.of("/bin/sh", "-c", "echo began; sleep 4711 & sleep 4711")
                .timeout(Duration.ofSeconds(2));
        assertThatThrownBy(() -> session().run(slow))
                .isInstanceOf(CommandException.TimedOut.class)
                .hasMessageContaining("timeout of 2 s")
                .hasMessageContaining("last on standard output: began");
        assertThat(run("pgrep", "-xf", "sleep 4711").stdout()).isEmpty();
    }

    @Test
    void aStartedCommandIsAwaitedOrCancelled() {
        ByteArrayOutputStream seen = new ByteArrayOutputStream();
        try (RunningCommand running = session()
                .start(
                        Command.of("/bin/sh", "-c", "echo one; sleep 1; echo two; exit 3"),
                        (stream, bytes, length) -> seen.write(bytes, 0, length))) {
            assertThat(running.await(Duration.ofSeconds(30))).isEqualTo(OptionalInt.of(3));
        }
        assertThat(seen.toString(UTF_8)).isEqualTo("one\ntwo\n");
        try (RunningCommand endless = session().start(Command.of("sleep", "4712"), (stream, bytes, length) -> {})) {
            assertThat(endless.await(Duration.ZERO)).isEmpty();
            endless.cancel(Duration.ofSeconds(1));
        }
        assertThat(run("pgrep", "-xf", "sleep 4712").stdout()).isEmpty();
    }

    @Test
    void aStartedCommandHandsOnAllOutput() {
        ByteArrayOutputStream seen = new ByteArrayOutputStream();
        try (RunningCommand running = session()
                .start(
                        Command.of("/bin/sh", "-c", "echo begin; yes x | head -c 600000"),
                        (stream, bytes, length) -> seen.write(bytes, 0, length))) {
            assertThat(running.await(Duration.ofMinutes(2))).isEqualTo(OptionalInt.of(0));
        }
        assertThat(seen.toString(UTF_8)).isEqualTo("begin\n" + "x\n".repeat(300_000));
    }

    @Test
    void aCopyReplacesALinkAndDoesNotFollowIt() throws IOException {
        Path kept = Files.writeString(folder.resolve("kept"), "kept");
        Path link = Files.createSymbolicLink(folder.resolve("link"), kept);
        session().write("new".getBytes(UTF_8), "for-a-link", 0600);

        session().download("for-a-link", link);

        assertThat(kept).hasContent("kept");
        assertThat(link).isRegularFile().hasContent("new");
        assertThat(Files.isSymbolicLink(link)).isFalse();
    }

    @Test
    void anInterruptEndsTheCommandOnTheNode() throws Exception {
        FutureTask<Boolean> task = new FutureTask<>(() -> {
            assertThatThrownBy(() -> session().run(Command.of("sleep", "4713")))
                    .isInstanceOf(OperationInterruptedException.class);
            return Thread.currentThread().isInterrupted();
        });
        long before = scripts();
        Thread thread = new Thread(task, "to-be-interrupted");
        thread.start();
        await().until(() -> scripts() > before);
        thread.interrupt();
        assertThat(task.get(60, TimeUnit.SECONDS)).as("the flag is set").isTrue();
        assertThat(run("pgrep", "-xf", "sleep 4713").stdout()).isEmpty();
    }

    @Test
    void scriptsWaitForEachOther() throws ExecutionException, InterruptedException {
        ArmClient other = new ArmClient(emulator);
        String machine = emulator.requests().stream()
                .map(SeenRequest::path)
                .filter(path -> path.endsWith("/relay11/runCommand"))
                .findFirst()
                .orElseThrow();
        assertThat(other.post(machine, "{'commandId':'RunShellScript','script':['sleep 1']}")
                        .status())
                .isEqualTo(202);
        assertThat(other.post(machine, "{'commandId':'RunShellScript','script':['true']}")
                        .status())
                .as("Azure runs one at a time")
                .isEqualTo(409);
        List<FutureTask<String>> both = List.of(
                new FutureTask<>(() -> run("echo", "first").stdout()),
                new FutureTask<>(() -> run("echo", "second").stdout()));
        both.forEach(task -> new Thread(task, "command").start());
        assertThat(both.get(0).get()).isEqualTo("first\n");
        assertThat(both.get(1).get()).isEqualTo("second\n");
    }

    @Test
    void refusesCommandsWithOpenInput() {
        assertThatThrownBy(() -> session().run(Command.of("cat").openInput()))
                .isInstanceOf(ClusterwrightException.class)
                .hasMessageContaining("run as scripts without it");
        CommandResult left = session()
                .run(Command.of("/bin/sh", "-c", "ls /var/lib/clusterwright-relay/*/out | wc -l")
                        .elevate());
        assertThat(left.stdout().strip()).as("this command's own").isEqualTo("1");
    }

    @Test
    void reportsAStoppedMachineAsUnreachable() {
        manager.stop(spec().name());
        try {
            assertThatThrownBy(() -> run("true"))
                    .isInstanceOf(NodeUnreachableException.class)
                    .hasMessageContaining("OperationNotAllowed")
                    .hasMessageContaining("check that the machine and Azure's agent are running");
        } finally {
            manager.start(spec().name()).close();
        }
    }
}
