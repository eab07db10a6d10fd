package io.clusterwright.examples.benchmark;

import java.io.File;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** Other programs of this machine: which are installed, and their runs. */
final class Peers {
    private static final Set<String> MISSING = new LinkedHashSet<>();

    private final Path folder;
    private final Map<String, String> environment;

    Peers(Path folder, Map<String, String> environment) {
        this.folder = folder;
        this.environment = environment;
    }

    /** Whether a program is installed; those that are not are named at the end. */
    static boolean installed(String program) {
        boolean found = Stream.of(System.getenv("PATH").split(File.pathSeparator))
                .anyMatch(each -> Files.isExecutable(Path.of(each, program)));
        if (!found) {
            MISSING.add(program);
        }
        return found;
    }

    static Set<String> missing() {
        return MISSING;
    }

    /**
     * Runs a program until its end.
     *
     * @param least how many lines it must print at least
     * @return what it printed
     */
    String run(Duration limit, int least, List<String> command) throws IOException, InterruptedException {
        Path out = folder.resolve("out");
        Path err = folder.resolve("err");
        ProcessBuilder builder = new ProcessBuilder(command)
                .redirectInput(Redirect.from(new File("/dev/null")))
                .redirectOutput(out.toFile())
                .redirectError(err.toFile());
        builder.environment().putAll(environment);
        Process process = builder.start();
        boolean ended = false;
        try {
            ended = process.waitFor(limit.toSeconds(), TimeUnit.SECONDS);
        } finally {
            if (!ended) {
                process.descendants().forEach(ProcessHandle::destroyForcibly);
                process.destroyForcibly().waitFor(10, TimeUnit.SECONDS);
            }
        }
        String text = Files.readString(out);
        if (!ended || process.exitValue() != 0 || text.lines().count() < least) {
            throw new IllegalStateException(
                    brief(command) + (ended ? " ended with " + process.exitValue() : " did not end within " + limit)
                            + ", and printed " + text.lines().count() + " of " + least + " lines: "
                            + last(Files.readString(err) + text));
        }
        return text;
    }

    String run(int least, String... command) throws IOException, InterruptedException {
        return run(Duration.ofMinutes(2), least, List.of(command));
    }

    /** Runs a main class in a new JVM with the class path of this one. */
    String java(int least, Class<?> main, String... arguments) throws IOException, InterruptedException {
        List<String> command = javaCommand("-XX:TieredStopAtLevel=1", main);
        command.addAll(List.of(arguments));
        return run(Duration.ofMinutes(2), least, command);
    }

    static List<String> javaCommand(String option, Class<?> main) {
        return javaCommand(List.of(option), System.getProperty("java.class.path"), main);
    }

    static List<String> javaCommand(List<String> options, String classPath, Class<?> main) {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-XX:+UseSerialGC"));
        command.addAll(options);
        command.addAll(List.of("-cp", classPath, main.getName()));
        return command;
    }

    private static String brief(List<String> command) {
        String text = String.join(" ", command);
        return text.length() > 120 ? text.substring(0, 120) + "..." : text;
    }

    private static String last(String text) {
        return text.length() > 1500 ? text.substring(text.length() - 1500) : text;
    }
}
