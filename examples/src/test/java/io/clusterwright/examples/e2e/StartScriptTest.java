package io.clusterwright.examples.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import io.clusterwright.examples.cli.TerminalOutput;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("breadth")
class StartScriptTest {
    /** What was counted with JDK 17, 548 and 3,049, and a tenth more. */
    private static final int VERSION_CLASSES = 650;

    /** The folder of the scripts by bash itself, and find. */
    private static final int PROCESSES = 2;

    private static final int VALIDATE_CLASSES = 3_350;

    private static final Pattern NO_SESSIONS = Pattern.compile(" (org[.]apache[.]sshd|org[.]bouncycastle|reactor)[.]");
    private static final Pattern UNNEEDED =
            Pattern.compile(NO_SESSIONS.pattern() + "| (com[.]fasterxml|org[.]yaml|com[.]azure)[.]");

    @RegisterExtension
    private final Machine machine = Machine.ofProcesses();

    static Stream<Path> scripts() throws IOException {
        Path root = Machine.EXAMPLES.getParent();
        return Stream.concat(
                        Stream.of(Machine.EXAMPLES.resolve("clusterwright"), Machine.EXAMPLES.resolve("quickstart")),
                        Stream.of(
                                        Machine.EXAMPLES.resolve("src/main/scripts"),
                                        Machine.EXAMPLES.resolve("specs"),
                                        root.resolve(".ci"),
                                        root.resolve("linux/src/main/resources/io/clusterwright/linux"))
                                .flatMap(StartScriptTest::scriptsBelow))
                .sorted();
    }

    private static Stream<Path> scriptsBelow(Path folder) {
        try (Stream<Path> files = Files.walk(folder)) {
            return files
                    .filter(Files::isRegularFile)
                    .filter(file ->
                            file.toString().endsWith(".sh") || file.startsWith(Machine.EXAMPLES.resolveSibling(".ci")))
                    .toList()
                    .stream();
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    @ParameterizedTest
    @MethodSource("scripts")
    void everyScriptIsValid(Path script) {
        Program.Ended checked = machine.run(List.of("bash", "-n", script.toString()));

        assertThat(checked.status()).as(checked.toString()).isZero();
        assertThat(checked.stderr()).isEmpty();
    }

    /** In a copy of the layout, whose build is this test's class path. */
    @Nested
    class ABuiltTree {
        @Test
        void startsTheProgramFromAnyFolderAndThroughALink() throws IOException {
            Path examples = tree();
            stamp(examples);
            Path link = Files.createSymbolicLink(machine.folder().resolve("cw"), examples.resolve("clusterwright"));

            Program.Ended help = machine.run(List.of(link.toString(), "--help"));

            assertThat(help.status()).as(help.toString()).isZero();
            assertThat(help.stdout()).contains("create", "destroy", "analyze", "verify");
            assertThat(help.stderr()).isEmpty();
        }

        @Test
        void aClosedInputIsAnEmptyOne() throws IOException {
            String start = "exec <&-; here=" + tree() + "; . $here/src/main/scripts/java.sh; readlink /proc/self/fd/0";

            assertThat(machine.run(List.of("bash", "-c", start)).stdout()).isEqualTo("/dev/null\n");
        }

        @ParameterizedTest
        @ValueSource(strings = {"LC_ALL=C", "LANG=POSIX", "LANG="})
        void lettersOfArgumentsSurviveALocaleOfAscii(String locale) throws IOException {
            Path examples = tree();
            stamp(examples);
            String script = examples.resolve("clusterwright").toString();

            Program.Ended refused = machine.run(List.of(
                    "env", "-u", "LC_ALL", "-u", "LC_CTYPE", "-u", "LANG", locale, script, "validate", "é.yaml"));

            assertThat(refused.stdout() + refused.stderr()).contains("é.yaml");
        }

        @Test
        void passesTheExitStatusThrough() throws IOException {
            Path examples = tree();
            stamp(examples);

            Program.Ended refused =
                    machine.run(List.of(examples.resolve("clusterwright").toString(), "show", "e2e-nobody"));

            assertThat(refused.status()).as(refused.toString()).isEqualTo(2);
            assertThat(refused.stdout()).isEmpty();
        }

        /** {@code script} gives the program a terminal. */
        @ParameterizedTest
        @ValueSource(strings = {"TERM=xterm", "TERM=xterm NO_COLOR=1", "TERM=dumb"})
        void nothingControlsTheTerminalWhateverItsColours(String variables) throws IOException {
            Path examples = tree();
            stamp(examples);
            String print = variables + "; here=" + examples + "; . $here/src/main/scripts/java.sh; run_java '"
                    + HostilePrinter.class.getName() + "'";

            assertThat(onTerminal(print)).contains("out ?]52;", "err ?]52;");
            assertThat(onTerminal(print + " | cat")).contains("out \u001b]52;", "err ?]52;");
            assertThat(onTerminal("(" + print + " 2>&1 >&3 | cat) 3>&1")).contains("out ?]52;", "err \u001b]52;");
        }

        @Test
        void theProgramItselfFiltersWhatItPrints() throws IOException {
            Path examples = tree();
            stamp(examples);
            String validate = examples.resolve("clusterwright") + " validate $'x\\e]52;c;cHduZWQ=\\a'";

            assertThat(onTerminal(validate)).contains("x?]52;c;cHduZWQ=?").doesNotContain("\u001b]");
            assertThat(onTerminal(validate + " | cat")).contains("x\u001b]52;c;cHduZWQ=\u0007");
        }

        @Test
        void withoutTheScriptTheProgramLooksItself() throws IOException {
            Path examples = tree();
            stamp(examples);
            String print = "java -cp '" + examples + "/target/lib/*' '" + HostilePrinter.class.getName() + "'";
            String file = machine.folder().resolve("printed").toString();

            assertThat(onTerminal(print)).contains("out ?]52;", "err ?]52;");
            assertThat(onTerminal(print + " | cat")).contains("out \u001b]52;", "err ?]52;");
            assertThat(onTerminal(print + " 2>" + file + "; cat " + file)).contains("out ?]52;", "err \u001b]52;");
        }

        private String onTerminal(String line) {
            Program.Ended ended =
                    machine.run(List.of("script", "--quiet", "--command", "bash -c " + quoted(line), "/dev/null"));
            return ended.stdout();
        }

        private static String quoted(String line) {
            return "'" + line.replace("'", "'\\''") + "'";
        }

        @Test
        void printsTheHelpOfTheQuickstartWithoutInstallingAnything() throws IOException {
            Path examples = tree();
            stamp(examples);

            Program.Ended help =
                    machine.run(List.of(examples.resolve("quickstart").toString(), "--help"));

            assertThat(help.status()).as(help.toString()).isZero();
            assertThat(help.stdout()).contains("--nodes");
            assertThat(help.stderr()).isEmpty();
        }

        @Test
        void keepsItsClassesAndStartsWithThem() throws IOException {
            Path examples = tree();
            stamp(examples);
            Path spec = Files.createDirectory(examples.resolve("specs")).resolve("quickstart.yaml");
            Files.copy(Machine.EXAMPLES.resolve("specs/quickstart.yaml"), spec);
            Files.copy(Machine.EXAMPLES.resolve("specs/install-app.sh"), spec.resolveSibling("install-app.sh"));
            Program.Ended made = machine.run(List.of(
                    "bash",
                    "-c",
                    "here=$1; . \"$1/src/main/scripts/java.sh\"; keep_classes",
                    "bash",
                    examples.toString()));
            assertThat(made.status()).as(made.toString()).isZero();
            assertThat(examples.resolve("target/clusterwright.jsa"))
                    .as(Files.readString(examples.resolve("target/archive.log")))
                    .exists();

            List<String> classes = classesOf(examples, "--version");

            assertThat(classes.stream().filter(line -> line.contains("io.clusterwright.") && !line.contains("Lambda")))
                    .isNotEmpty()
                    .allMatch(line -> line.contains("shared objects file"));
            assertThat(classes.size()).isLessThan(VERSION_CLASSES);
            assertThat(classes.stream().filter(line -> UNNEEDED.matcher(line).find()))
                    .isEmpty();
            List<String> validating = classesOf(examples, "validate", spec.toString());
            assertThat(validating.size()).isLessThan(VALIDATE_CLASSES);
            assertThat(validating.stream()
                            .filter(line -> NO_SESSIONS.matcher(line).find()))
                    .isEmpty();
            assertThat(Files.readAllLines(examples.resolve("target/archive.log")))
                    .noneMatch(line -> line.contains("Skipping org/bouncycastle/"));

            for (String option : List.of("-r", "-a")) {
                Path copy = machine.folder().resolve("copy" + option);
                machine.run(List.of("cp", option, examples.getParent().toString(), copy.toString()));
                startsWithoutABuild(copy.resolve("examples"));
            }

            Files.setLastModifiedTime(examples.resolve("target/lib/0.jar"), FileTime.fromMillis(0));
            startsWithoutABuild(examples);
        }

        private List<String> classesOf(Path examples, String... arguments) throws IOException {
            Path log = machine.folder().resolve("classes.txt");
            Files.deleteIfExists(log);
            List<String> line =
                    new ArrayList<>(List.of(examples.resolve("clusterwright").toString()));
            line.addAll(List.of(arguments));
            Program.Ended ended = machine.start(line, "", builder -> {
                        builder.environment().put("JDK_JAVA_OPTIONS", "-Xlog:class+load:file=" + log);
                        return builder;
                    })
                    .end();
            assertThat(ended.status()).as(ended.toString()).isZero();
            return Files.readAllLines(log);
        }

        @Test
        void startsFewProcessesBeforeTheJvm() throws IOException {
            Path examples = tree();
            stamp(examples);
            Path bin = Files.createDirectory(machine.folder().resolve("bin"));
            Path java = bin.resolve("java");
            Files.writeString(java, "#!/bin/sh\n");
            assertThat(java.toFile().setExecutable(true)).isTrue();
            Path trace = machine.folder().resolve("trace.txt");
            Path settings = machine.folder().resolve("settings.sh");
            Files.writeString(settings, "exec 9>'" + trace + "'; BASH_XTRACEFD=9; PS4='+$BASHPID '; set -x\n");

            Program.Ended ended = machine.run(List.of(
                    "env",
                    "BASH_ENV=" + settings,
                    "JAVA_HOME=",
                    "PATH=" + bin + ":/usr/bin:/bin",
                    examples.resolve("clusterwright").toString(),
                    "--version"));

            assertThat(ended.status()).as(ended.toString()).isZero();
            assertThat(Files.readAllLines(trace).stream()
                            .map(traced -> traced.replaceFirst("^[+]+(\\d+) .*", "$1"))
                            .distinct())
                    .as(Files.readString(trace))
                    .hasSizeLessThanOrEqualTo(1 + PROCESSES);
        }

        @Test
        void printsTheReasonOfAFailedBuild() throws IOException {
            Path examples = tree();

            Program.Ended failed = withMaven(examples.resolve("clusterwright").toString(), "--help");

            assertThat(failed.status()).isEqualTo(1);
            assertThat(failed.stdout()).isEmpty();
            assertThat(failed.stderr())
                    .contains("[ERROR] cannot find symbol")
                    .contains("The build failed; its whole output is in " + examples.resolve("target/build.log"));
        }

        /** As where an emulator is started in the background, and the next command of a script uses it. */
        @Test
        void ofTwoCommandsThatFindNoBuildOneBuilds() throws IOException {
            Path examples = tree();
            Files.writeString(examples.getParent().resolve("pom.xml"), "<project/>\n");
            addClasses(examples);
            Path builds = machine.folder().resolve("builds");
            String start = "here=$1; builds=$2; . \"$1/src/main/scripts/java.sh\"; keep_classes() { :; };"
                    + " mvn() { echo built >>\"$builds\"; sleep 1; }; build_if_stale & build_if_stale; wait";

            Program.Ended both = machine.run(
                    List.of("bash", "-euo", "pipefail", "-c", start, "bash", examples.toString(), builds.toString()));

            assertThat(both.status()).as(both.toString()).isZero();
            assertThat(both.stderr().lines())
                    .containsExactlyInAnyOrder(
                            "Building Clusterwright (only when its sources changed)...",
                            "Waiting for another command that builds Clusterwright...");
            assertThat(builds).hasContent("built");
        }

        @Test
        void namesThePackagesToInstallWithoutABuildTool() throws IOException {
            Path examples = tree();
            Path bin = Files.createDirectory(machine.folder().resolve("bin"));
            for (String tool : List.of("bash", "find", "mkdir")) {
                Files.createSymbolicLink(bin.resolve(tool), Path.of("/usr/bin", tool));
            }

            Program.Ended failed = machine.start(
                            List.of(
                                    "/usr/bin/env",
                                    "PATH=" + bin,
                                    examples.resolve("clusterwright").toString(),
                                    "list"),
                            "",
                            builder -> builder)
                    .end();

            assertThat(failed.status()).isEqualTo(1);
            assertThat(failed.stderr()).contains("apt-get install unzip (or maven)");
        }

        @Test
        void aCopyWithNewTimesStartsWithoutABuild() throws IOException {
            Path copy = copyOfABuiltTree();

            startsWithoutABuild(copy.resolve("examples"));

            assertThat(Files.getLastModifiedTime(copy.resolve("examples/target/clusterwright.built")))
                    .isGreaterThan(FileTime.fromMillis(0));
        }

        @Test
        void aCopyThatCannotBeWrittenToStartsWithoutABuild() throws IOException {
            Path copy = copyOfABuiltTree();

            Program.Ended started = machine.run(List.of(
                    "unshare",
                    "--map-root-user",
                    "--mount",
                    "bash",
                    "-euc",
                    "mount --bind \"$1\" \"$1\"; mount -o remount,bind,ro \"$1\"; \"$1\"/examples/clusterwright --version",
                    "bash",
                    copy.toString()));

            assertThat(started.status()).as(started.toString()).isZero();
            assertThat(started.stdout()).startsWith("clusterwright ").hasLineCount(1);
            assertThat(started.stderr()).isEmpty();
        }

        @ParameterizedTest
        @ValueSource(
                strings = {
                    "echo '<!-- -->' >>pom.xml",
                    "echo '// changed' >>core/src/main/java/Some.java",
                    "rm core/src/main/java/Some.java",
                    "mv core/src/main/java/Some.java core/src/main/java/Other.java",
                    "cp core/src/main/java/Some.java core/src/main/java/Other.java",
                    "echo other >>examples/target/lib/clusterwright-core.jar",
                })
        void aCopyWithAChangeIsBuilt(String change) throws IOException {
            Path copy = copyOfABuiltTree();
            Program.Ended changed =
                    machine.run(List.of("bash", "-euc", "cd \"$1\"; " + change, "bash", copy.toString()));
            assertThat(changed.status()).as(changed.toString()).isZero();

            Program.Ended failed =
                    withMaven(copy.resolve("examples/clusterwright").toString(), "--version");

            assertThat(failed.status()).as(failed.toString()).isEqualTo(1);
            assertThat(failed.stderr()).startsWith("Building Clusterwright").contains("[ERROR] cannot find symbol");
        }

        private void startsWithoutABuild(Path examples) {
            Program.Ended started =
                    machine.run(List.of(examples.resolve("clusterwright").toString(), "--version"));

            assertThat(started.status()).as(started.toString()).isZero();
            assertThat(started.stdout()).startsWith("clusterwright ").hasLineCount(1);
            assertThat(started.stderr()).isEmpty();
        }

        /** All files of the copy are newer than its stamp. */
        private Path copyOfABuiltTree() throws IOException {
            Path examples = tree();
            Path root = examples.getParent();
            Path source =
                    Files.createDirectories(root.resolve("core/src/main/java")).resolve("Some.java");
            Files.writeString(source, "class Some {}\n");
            Files.writeString(root.resolve("pom.xml"), "<project/>\n");
            addClasses(examples);
            Files.writeString(examples.resolve("target/lib/clusterwright-core.jar"), "");
            Program.Ended built = machine.run(List.of(
                    "bash",
                    "-euo",
                    "pipefail",
                    "-c",
                    "here=$1; . \"$1/src/main/scripts/java.sh\"; mvn() { :; }; keep_classes() { :; }; build_if_stale",
                    "bash",
                    examples.toString()));
            assertThat(built.status()).as(built.toString()).isZero();
            Path copy = machine.folder().resolve("copy");
            machine.run(List.of("cp", "-r", root.toString(), copy.toString()));
            Files.setLastModifiedTime(copy.resolve("examples/target/clusterwright.built"), FileTime.fromMillis(0));
            return copy;
        }

        /** With a Maven whose builds fail. */
        private Program.Ended withMaven(String... command) throws IOException {
            Path maven = Files.createDirectory(machine.folder().resolve("bin")).resolve("mvn");
            Files.writeString(maven, "#!/bin/sh\necho '[ERROR] cannot find symbol'\nexit 1\n");
            assertThat(maven.toFile().setExecutable(true)).isTrue();
            return machine.start(List.of(command), "", builder -> {
                        builder.environment().merge("PATH", maven.getParent() + ":", (path, own) -> own + path);
                        return builder;
                    })
                    .end();
        }

        private Path tree() throws IOException {
            Path examples = machine.folder().resolve("tree/examples");
            Path scripts = Files.createDirectories(examples.resolve("src/main/scripts"));
            for (String script : List.of("clusterwright", "quickstart")) {
                Files.copy(Machine.EXAMPLES.resolve(script), examples.resolve(script));
                assertThat(examples.resolve(script)).isExecutable();
            }
            for (String script : List.of("java.sh", "debian.sh")) {
                Files.copy(Machine.EXAMPLES.resolve("src/main/scripts").resolve(script), scripts.resolve(script));
            }
            return examples;
        }

        private void stamp(Path examples) throws IOException {
            addClasses(examples);
            Files.createFile(examples.resolve("target/clusterwright.built"));
        }

        private void addClasses(Path examples) throws IOException {
            Path lib = Files.createDirectories(examples.resolve("target/lib"));
            int number = 0;
            for (String entry : System.getProperty("java.class.path").split(File.pathSeparator)) {
                if (Files.isDirectory(Path.of(entry))) {
                    FolderJar.pack(Path.of(entry), lib.resolve(number++ + ".jar"));
                } else if (Files.exists(Path.of(entry))) {
                    Files.createSymbolicLink(lib.resolve(Path.of(entry).getFileName()), Path.of(entry));
                }
            }
        }
    }

    /** Prints to both streams what writes to the clipboard of a terminal. */
    static final class HostilePrinter {
        private HostilePrinter() {}

        public static void main(String[] arguments) {
            TerminalOutput.install();
            System.out.println("out \u001b]52;c;cHduZWQ=\u0007");
            System.err.println("err \u001b]52;c;cHduZWQ=\u0007");
        }
    }
}
