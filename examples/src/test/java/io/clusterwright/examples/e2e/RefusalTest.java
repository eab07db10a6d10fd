package io.clusterwright.examples.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import io.clusterwright.examples.cli.ClusterwrightMain;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a machine lacks is said before anything is made. */
@Tag("breadth")
class RefusalTest {
    private static final TestCluster CLUSTER = new TestCluster("e2e-refused", 76, 2);

    @RegisterExtension
    private final Machine machine = Machine.ofThisJvm(CLUSTER);

    private MachineSnapshot before = new MachineSnapshot(java.util.Set.of());

    @BeforeEach
    void look() {
        before = MachineSnapshot.of(CLUSTER, machine.state());
    }

    @AfterEach
    void noResourceWasCreated() {
        assertThat(MachineSnapshot.of(CLUSTER, machine.state())).isEqualTo(before);
    }

    @Nested
    class AnOrdinaryUser {
        @Test
        void mustBecomeRoot() throws IOException {
            Files.setPosixFilePermissions(machine.folder(), PosixFilePermissions.fromString("rwxrwxrwx"));
            List<String> command =
                    new ArrayList<>(List.of("setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"));
            command.addAll(Machine.plainJava(
                    readableClassPath(),
                    ClusterwrightMain.class,
                    "create",
                    machine.spec(CLUSTER).toString(),
                    "--on",
                    "local"));

            Program.Ended refused = machine.run(command);

            expectRefusal(
                    refused,
                    "local nodes need root or a range of ids, and /etc/subuid lacks the user nobody",
                    "usermod --add-subuids 100000-165535 --add-subgids 100000-165535 nobody");
        }

        /** Folders of the build may be closed to other users. */
        private String readableClassPath() throws IOException {
            Path copy = Files.createDirectory(machine.folder().resolve("lib"));
            List<String> entries = new ArrayList<>();
            for (String entry : System.getProperty("java.class.path").split(File.pathSeparator)) {
                Path from = Path.of(entry);
                Path to = copy.resolve(entries.size() + "-" + from.getFileName());
                if (Files.exists(from)) {
                    copyTree(from, to);
                    entries.add(to.toString());
                }
            }
            return String.join(File.pathSeparator, entries);
        }

        private static void copyTree(Path from, Path to) throws IOException {
            try (Stream<Path> files = Files.walk(from)) {
                for (Path file : files.toList()) {
                    Files.copy(file, to.resolve(from.relativize(file).toString()), StandardCopyOption.REPLACE_EXISTING);
                }
            }
        }
    }

    @Nested
    class AMachine {
        @ParameterizedTest(name = "without {0} is told to install {1}")
        @CsvSource({"ip, iproute2", "sshd, openssh-server", "unshare, util-linux"})
        void withoutAProgramGetsThePackageToInstall(String program, String packageName) {
            Program.Ended refused = createWhere("mount --bind /dev/null \"$(command -v " + program + ")\"");

            expectRefusal(refused, "this machine has no " + program, packageName);
        }

        @Test
        void withoutOverlayFileSystemsNeedsAnotherKernel() {
            Program.Ended refused = createWhere("""
                    grep -v overlay /proc/filesystems > "$CLUSTERWRIGHT_STATE.filesystems"
                    mount --bind "$CLUSTERWRIGHT_STATE.filesystems" /proc/filesystems
                    if modprobe=$(command -v modprobe); then mount --bind /dev/null "$modprobe"; fi""");

            expectRefusal(refused, "the kernel of this machine lacks overlayfs", "use a kernel with overlayfs");
        }

        @Test
        void withARouteToTheAddressesNeedsOtherAddresses() {
            Program.Ended refused = createWhere("""
                    ip link set lo up
                    ip link add e2elsewhere type bridge
                    ip link set e2elsewhere up
                    ip route add 10.76.128.0/17 dev e2elsewhere""");

            expectRefusal(
                    refused,
                    "network.addressSpace",
                    CLUSTER.addressSpace() + " is in use on this machine",
                    "route 10.76.128.0/17 on interface e2elsewhere",
                    "write another private range");
        }

        @Test
        void withOneOfTheAddressesNeedsOtherAddresses() {
            Program.Ended refused = createWhere("ip address add 10.76.0.12/32 dev lo");

            expectRefusal(
                    refused,
                    CLUSTER.addressSpace() + " is in use on this machine",
                    "address 10.76.0.12 of interface lo",
                    "write another private range");
        }

        /** In network and mount namespaces that are gone with the program, so that the machine itself lacks nothing. */
        private Program.Ended createWhere(String change) {
            List<String> command = new ArrayList<>(
                    List.of("unshare", "--net", "--mount", "sh", "-eu", "-c", change + "\nexec \"$@\"", "sh"));
            command.addAll(Machine.plainJava(
                    System.getProperty("java.class.path"),
                    ClusterwrightMain.class,
                    "create",
                    machine.spec(CLUSTER).toString(),
                    "--on",
                    "local"));
            return machine.run(command);
        }
    }

    @Nested
    class ASpec {
        @Test
        void withUnknownKeyIsRefusedWithLineAndNearestKey() {
            Path spec = machine.write("unknown.yaml", CLUSTER.spec().replace("  addressSpace:", "  adressSpace:"));

            Program.Ended refused = create(spec);

            expectRefusal(refused, spec + ":7:3: network.adressSpace", "adressSpace", "addressSpace");
        }

        @Test
        void withSeveralMistakesIsRefusedWithAllOfThem() {
            Path spec = machine.write(
                    "several.yaml",
                    CLUSTER.spec()
                            .replace("count: 2", "count: none")
                            .replace("user: {name: e2e76user", "user: {name: E2E user"));

            Program.Ended refused = create(spec);

            expectRefusal(
                    refused,
                    spec + ":4:",
                    "nodes.count",
                    "none",
                    spec + ":13:",
                    "image.customize.user.name",
                    "E2E user");
        }

        @Test
        void thatIsMissingIsRefusedByPath() {
            Program.Ended refused = create(Path.of("/nowhere/cluster.yaml"));

            expectRefusal(refused, "/nowhere/cluster.yaml", "there is no such file", "name the file of a cluster spec");
        }

        @Test
        void withMissingScriptIsRefused() {
            Path spec = machine.write(
                    "script.yaml",
                    CLUSTER.spec()
                            .replace(
                                    "    mpi: {flavour",
                                    "    scripts: [{name: missing, path: ./missing.sh}]\n    mpi: {flavour"));

            Program.Ended refused = create(spec);

            assertThat(refused.status()).as(refused.toString()).isEqualTo(2);
            assertThat(refused.stderr()).contains("missing.sh").doesNotContain("\tat ");
        }

        private Program.Ended create(Path spec) {
            return machine.clusterwright("create %s --on local --json", spec);
        }
    }

    @Nested
    class AName {
        @ParameterizedTest
        @CsvSource({"show", "run", "mpi", "verify", "destroy"})
        void ofNoClusterIsRefused(String command) {
            List<String> arguments = new ArrayList<>(List.of(command, "e2e-nobody"));
            if (command.equals("run") || command.equals("mpi")) {
                arguments.addAll(List.of("--", "true"));
            }

            Program.Ended refused = machine.clusterwright(arguments.toArray(String[]::new));

            expectRefusal(refused, "there is no cluster e2e-nobody");
        }

        @Test
        void ofARecordThatANewerVersionWroteIsRefused() throws IOException {
            Path journal = machine.state().resolve("clusters/e2e-newer/journal.jsonl");
            Files.createDirectories(journal.getParent());
            String text = "{\"at\":\"2026-11-28T08:00:00Z\",\"entry\":\"began\",\"format\":9,\"by\":\"9.0.0\","
                    + "\"id\":\"3f09c1d27a5be804\",\"provider\":\"local\",\"folder\":\"/\",\"spec\":\"{}\"}\n";
            Files.writeString(journal, text);
            String told = "the record of cluster e2e-newer was written by version 9.0.0, which knows more";

            for (String line : List.of(
                    "run e2e-newer -- true",
                    "mpi e2e-newer -- true",
                    "resize e2e-newer 3",
                    "stop e2e-newer",
                    "ssh e2e-newer -- true",
                    "adopt e2e-newer --on local",
                    "destroy e2e-newer")) {
                Program.Ended refused = machine.clusterwright(line.split(" "));
                assertThat(refused.status()).as(line).isNotZero();
                assertThat(refused.stderr())
                        .as(line)
                        .contains(told, "Use version 9.0.0 of clusterwright for this cluster")
                        .doesNotContain("damaged");
            }
            assertThat(machine.succeeds("list").stdout()).contains("e2e-newer", "newer", told);
            assertThat(machine.succeeds("destroy --expired").stderr()).contains(told);
            assertThat(journal).hasContent(text);
            Machine.deleteTree(machine.state().resolve("clusters"));
        }

        @Test
        void thatIsInvalidIsRefused() {
            expectRefusal(machine.clusterwright("destroy ../etc"), "../etc");
        }
    }

    @Test
    void refusesUnknownCommand() {
        expectRefusal(machine.clusterwright("destry x"), "destry", "destroy");
    }

    @Test
    void refusesUnknownProvider() {
        expectRefusal(
                machine.clusterwright(
                        "create %s --on moon", machine.spec(CLUSTER).toString()),
                "moon",
                "local");
    }

    private static void expectRefusal(Program.Ended refused, String... said) {
        assertThat(refused.status()).as(refused.toString()).isEqualTo(2);
        // With --json, the findings.
        assertThat(refused.stdout()).matches("(?s)|\\{\\s*\"valid\" : false,.*");
        assertThat(refused.stderr()).contains(said).doesNotContain("\tat ");
    }
}
