package io.clusterwright.examples.e2e;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import io.clusterwright.core.StateStore;
import io.clusterwright.examples.cli.ClusterwrightMain;
import io.clusterwright.examples.cli.InThisJvm;
import io.clusterwright.examples.quickstart.Quickstart;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * A user at this machine, with a folder and a state store of the test's own. Ends what is still running after a test, and destroys the
 * clusters that it was told of.
 */
final class Machine implements BeforeEachCallback, AfterEachCallback {
    static final Path EXAMPLES = Path.of(System.getProperty("basedir", "")).toAbsolutePath();
    /** Held while this JVM lives: the names and addresses of a test's clusters are fixed. */
    private static final Map<Integer, FileChannel> ALONE = new ConcurrentHashMap<>();

    /** The machine that has the state folder of this JVM, which it empties. */
    private static final AtomicReference<@Nullable Machine> OPEN = new AtomicReference<>();

    private static final Pattern IMAGE = Pattern.compile("image-[0-9a-f]{16}");

    private final boolean here;
    private final List<TestCluster> clusters;
    private final List<Program> started = new ArrayList<>();
    private Path folder = Path.of("");

    private Machine(boolean here, TestCluster... clusters) {
        this.here = here;
        this.clusters = List.of(clusters);
    }

    /** Each command is a process, as for users: for tests of what the processes of commands share, begin and leave. */
    static Machine ofProcesses(TestCluster... clusters) {
        return new Machine(false, clusters);
    }

    /**
     * Commands that are run to their end are run in this JVM, which takes less than half of the time of a process; those that are only started, and
     * those with input, are processes. All use the state folder that the build names for this JVM; where it names none, as in an editor, all are
     * processes.
     */
    static Machine ofThisJvm(TestCluster... clusters) {
        return new Machine(System.getenv("CLUSTERWRIGHT_STATE") != null, clusters);
    }

    private static FileChannel alone(int octet) {
        try {
            FileChannel channel = FileChannel.open(
                    Path.of(System.getProperty("java.io.tmpdir"), "clusterwright-e2e-" + octet + ".lock"),
                    StandardOpenOption.CREATE,
                    StandardOpenOption.WRITE);
            channel.lock();
            return channel;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void beforeEach(ExtensionContext context) {
        open();
    }

    @Override
    public void afterEach(ExtensionContext context) {
        close();
    }

    void open() {
        if (here && !OPEN.compareAndSet(null, this) && OPEN.get() != this) {
            throw new IllegalStateException("another test of this JVM uses " + state()
                    + ": run these classes one after the other, as mvn -Dtest=A,B does");
        }
        clusters.forEach(cluster -> ALONE.computeIfAbsent(cluster.octet(), Machine::alone));
        try {
            folder = Files.createTempDirectory("cwtest");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        deleteTree(state());
        destroyAll();
    }

    void close() {
        started.forEach(Program::close);
        started.clear();
        // Without its lock this test owns neither a cluster nor a folder: the empty path is that of the module.
        if (!folder.toString().isEmpty()) {
            destroyAll();
            deleteTree(state());
            deleteTree(folder);
            folder = Path.of("");
        }
        OPEN.compareAndSet(this, null);
    }

    private void destroyAll() {
        for (TestCluster cluster : clusters) {
            if (!MachineSnapshot.of(cluster, state()).isEmpty()) {
                clusterwright("destroy %s", cluster.name());
                for (String left : cluster.leftovers()) {
                    clusterwright("adopt %s --on local", left);
                    clusterwright("destroy %s", left);
                }
            }
        }
    }

    static void deleteTree(Path root) {
        if (!Files.exists(root)) {
            return;
        }
        try (var files = Files.walk(root)) {
            files.sorted((a, b) -> b.compareTo(a)).forEach(file -> file.toFile().delete());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** A folder that only this test uses. */
    Path folder() {
        return folder;
    }

    /** Where the programs keep their records. */
    Path state() {
        return here ? StateStore.standardFolder().toAbsolutePath() : folder.resolve("state");
    }

    Path write(String name, String text) {
        try {
            return Files.writeString(folder.resolve(name), text);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The cluster's description in a file. */
    Path spec(TestCluster cluster) {
        return write(cluster.octet() + ".yaml", cluster.spec());
    }

    /** Creates a plain cluster, and expects it to work. */
    void create(TestCluster cluster) {
        Path spec = write(cluster.octet() + "-plain.yaml", cluster.plainSpec());
        succeeds("create %s --on local", spec);
    }

    /** Deletes the image of a spec that an earlier run left on this machine, with which nothing would be customised. */
    void deleteImage(Path spec) {
        Matcher names = IMAGE.matcher(succeeds("plan %s --on local", spec).stdout());
        while (names.find()) {
            clusterwright("image delete %s --on local", names.group());
        }
    }

    /** The words of a command line: each {@code %s} is one word, whatever its value holds. */
    static String[] words(String line, Object... values) {
        Iterator<Object> next = List.of(values).iterator();
        String[] words = Stream.of(line.split(" "))
                .map(word -> word.equals("%s") ? next.next().toString() : word)
                .toArray(String[]::new);
        if (next.hasNext()) {
            throw new IllegalArgumentException(line + " has no %s for " + next.next());
        }
        return words;
    }

    /** Runs the program {@code clusterwright} with these words to its end. */
    Program.Ended clusterwright(String line, Object... values) {
        return clusterwright(words(line, values));
    }

    Program.Ended clusterwright(String[] arguments) {
        if (here) {
            InThisJvm.Ran ran = InThisJvm.run(arguments);
            return new Program.Ended(ran.status(), ran.stdout(), ran.stderr());
        }
        return start(java(ClusterwrightMain.class, arguments), "", builder -> builder)
                .end();
    }

    /** Runs the program {@code clusterwright} to its end, and expects it to succeed. */
    Program.Ended succeeds(String line, Object... values) {
        return expect(0, line, values);
    }

    /** Runs the program {@code clusterwright} to its end, and expects one JSON document. */
    JsonNode json(String line, Object... values) {
        String printed = succeeds(line, values).stdout();
        try {
            return AnalyzeTest.json(printed);
        } catch (JsonProcessingException e) {
            throw new AssertionError(printed, e);
        }
    }

    /** Runs the program {@code clusterwright} to its end, and expects it to fail. */
    Program.Ended fails(String line, Object... values) {
        return expect(1, line, values);
    }

    /** Runs the program {@code clusterwright} to its end, and expects it to refuse its input. */
    Program.Ended refuses(String line, Object... values) {
        return expect(2, line, values);
    }

    private Program.Ended expect(int status, String line, Object... values) {
        Program.Ended ended = clusterwright(line, values);
        if (ended.status() != status) {
            throw new AssertionError(line + " ended otherwise than with " + status + ": " + ended);
        }
        return ended;
    }

    /** Runs the program {@code clusterwright} to its end as a process, with this text in the pipe of its standard input. */
    Program.Ended clusterwright(String input, List<String> arguments) {
        return start(java(ClusterwrightMain.class, arguments.toArray(String[]::new)), input, builder -> builder)
                .end();
    }

    Program startClusterwright(String line, Object... values) {
        return start(java(ClusterwrightMain.class, words(line, values)), "", builder -> builder);
    }

    Program startClusterwright(String[] arguments) {
        return start(java(ClusterwrightMain.class, arguments), "", builder -> builder);
    }

    Program startQuickstart(String line, Object... values) {
        return startQuickstart(words(line, values));
    }

    Program startQuickstart(String[] arguments) {
        return start(java(Quickstart.class, arguments), "", builder -> builder);
    }

    /** Runs any command to its end. */
    Program.Ended run(List<String> command) {
        return start(command, "", builder -> builder).end();
    }

    Program.Ended run(List<String> command, String input) {
        return start(command, input, builder -> builder).end();
    }

    Program start(List<String> command, String input, UnaryOperator<ProcessBuilder> change) {
        ProcessBuilder builder = new ProcessBuilder(command).directory(folder.toFile());
        builder.environment().put("CLUSTERWRIGHT_STATE", state().toString());
        Program program = new Program(change.apply(builder), input);
        started.add(program);
        return program;
    }

    /** The command line of a program: the leader of a process group that hears signals, whatever started the tests. */
    static List<String> java(Class<?> main, String... arguments) {
        List<String> command = new ArrayList<>(List.of("env", "--default-signal=INT", "setsid"));
        command.addAll(program(main, arguments));
        return command;
    }

    /** The command line of a program, as the start scripts have it. */
    static List<String> program(Class<?> main, String... arguments) {
        ProgramClasses classes = ProgramClasses.own();
        return command(classes.flags(), classes.path(), main, arguments);
    }

    /** The program {@code clusterwright} as a file in a folder, for scripts that start it. */
    static Path clusterwrightIn(Path folder) throws IOException {
        Path program = folder.resolve("clusterwright");
        Files.writeString(
                program,
                program(ClusterwrightMain.class).stream()
                        .collect(Collectors.joining("' '", "#!/bin/sh\nexec '", "' \"$@\"\n")));
        if (!program.toFile().setExecutable(true)) {
            throw new IOException("cannot make " + program + " executable");
        }
        return program;
    }

    /** The command line of a program with another class path. */
    static List<String> plainJava(String classPath, Class<?> main, String... arguments) {
        return command(
                List.of("-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-Xshare:auto"), classPath, main, arguments);
    }

    private static List<String> command(List<String> flags, String classPath, Class<?> main, String... arguments) {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(flags);
        command.addAll(List.of("-Dclusterwright.examples=" + EXAMPLES, "-cp", classPath, main.getName()));
        command.addAll(Arrays.asList(arguments));
        return command;
    }
}
