package io.clusterwright.mpi.spi;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The command that starts a job on its launch node. A launcher returns it.
 *
 * @param arguments the launcher and its arguments; never joined into one string
 * @param environment variables for the launcher itself; they reach it over standard input and stand on no command line
 * @param files the text files that must be in the job's folder before, by name; only the job's user can read them
 * @param programs the scripts that must be there too and can be run
 * @param release the command that gives back what a job that was ended holds besides its processes, such as an allocation; empty for
 *     nothing. It reads the job's token as a line of standard input: a sweep of the job ends every process with the token in its command
 *     line or environment
 * @see Launcher
 */
public record LaunchCommand(
        List<String> arguments,
        Map<String, String> environment,
        Map<String, String> files,
        Map<String, String> programs,
        List<String> release) {

    /** Copies the collections. */
    public LaunchCommand {
        arguments = List.copyOf(arguments);
        environment = Map.copyOf(environment);
        files = Collections.unmodifiableMap(new LinkedHashMap<>(files));
        programs = Collections.unmodifiableMap(new LinkedHashMap<>(programs));
        release = List.copyOf(release);
    }

    /** A command without variables and files, whose job holds nothing but its processes. */
    public LaunchCommand(List<String> arguments) {
        this(arguments, Map.of(), Map.of(), Map.of(), List.of());
    }

    /** Adds a file in the job's folder. */
    public LaunchCommand withFile(String name, String content) {
        return new LaunchCommand(arguments, environment, with(files, name, content), programs, release);
    }

    /** Adds a script in the job's folder. */
    public LaunchCommand withProgram(String name, String content) {
        return new LaunchCommand(arguments, environment, files, with(programs, name, content), release);
    }

    private static Map<String, String> with(Map<String, String> files, String name, String content) {
        Map<String, String> all = new LinkedHashMap<>(files);
        all.put(name, content);
        return all;
    }

    /** Sets other arguments. */
    public LaunchCommand withArguments(List<String> words) {
        return new LaunchCommand(words, environment, files, programs, release);
    }

    /** Adds variables for the launcher itself. */
    public LaunchCommand withVariables(Map<String, String> variables) {
        Map<String, String> all = new LinkedHashMap<>(environment);
        all.putAll(variables);
        return new LaunchCommand(arguments, all, files, programs, release);
    }
}
