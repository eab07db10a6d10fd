package io.clusterwright.windows.emulator.internal.task;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * Command line of MS-MPI's {@code mpiexec}.
 *
 * @param ranks the ranks in all; 0 when it is not stated
 * @param ranksPerNode the ranks on each node; 0 when it is not stated
 * @param environment the variables of the ranks
 * @param workingDirectory the folder they start in; empty for none
 * @param timeoutSeconds after which it ends; 0 for never
 * @param affinity whether ranks are bound to cores
 * @param program the program and its arguments
 */
record Mpiexec(
        int ranks,
        int ranksPerNode,
        Map<String, String> environment,
        String workingDirectory,
        int timeoutSeconds,
        boolean affinity,
        List<String> program) {

    /**
     * Reads the words.
     *
     * @return empty when they are no call of mpiexec
     * @throws IllegalArgumentException when an option is not translated
     */
    static Optional<Mpiexec> read(List<String> words) {
        if (words.isEmpty() || !CommandLine.program(words.get(0)).equals("mpiexec")) {
            return Optional.empty();
        }
        int ranks = 0;
        int perNode = 0;
        int timeout = 0;
        boolean affinity = false;
        String folder = "";
        Map<String, String> variables = new LinkedHashMap<>();
        int i = 1;
        while (i < words.size() && words.get(i).matches("[-/].+")) {
            String option = words.get(i).substring(1).toLowerCase(Locale.ROOT);
            switch (option) {
                case "n", "np" -> ranks = number(words, ++i);
                case "c", "cores" -> perNode = number(words, ++i);
                case "timeout" -> timeout = number(words, ++i);
                case "affinity", "a" -> affinity = true;
                case "exitcodes" -> {}
                case "wdir", "dir" -> folder = value(words, ++i);
                case "env", "genv" -> {
                    variables.put(value(words, i + 1), value(words, i + 2));
                    i += 2;
                }
                default ->
                    throw new IllegalArgumentException("the emulator does not translate the option " + words.get(i)
                            + " of mpiexec; it knows -n, -c, -env, -genv, -wdir, -timeout, -affinity and -exitcodes");
            }
            i++;
        }
        if (i >= words.size()) {
            throw new IllegalArgumentException("mpiexec was given no program");
        }
        return Optional.of(new Mpiexec(
                ranks, perNode, variables, folder, timeout, affinity, List.copyOf(words.subList(i, words.size()))));
    }

    private static int number(List<String> words, int at) {
        String text = value(words, at);
        if (text.equals("*")) {
            return 0;
        }
        if (!text.matches("\\d{1,6}")) {
            throw new IllegalArgumentException(words.get(at - 1) + " of mpiexec takes a number, not " + text);
        }
        return Integer.parseInt(text);
    }

    private static String value(List<String> words, int at) {
        if (at >= words.size()) {
            throw new IllegalArgumentException("the last option of mpiexec lacks its value");
        }
        return words.get(at);
    }

    /**
     * Command line of {@code mpipingpong}.
     *
     * @param bytes the size of each message
     * @param iterations the number of times it is sent
     */
    record PingPong(long bytes, int iterations) {
        private static final int DEFAULT_ITERATIONS = 1000;

        static PingPong read(List<String> words) {
            for (int i = 1; i + 1 < words.size(); i++) {
                if (words.get(i).toLowerCase(Locale.ROOT).matches("[-/]p")) {
                    String[] parts = words.get(i + 1).split(":");
                    if (parts.length > 2 || !words.get(i + 1).matches("\\d{1,9}(:\\d{1,9})?")) {
                        throw new IllegalArgumentException(
                                "-p of mpipingpong takes SIZE or SIZE:ITERATIONS, not " + words.get(i + 1));
                    }
                    return new PingPong(
                            Long.parseLong(parts[0]),
                            parts.length == 2 ? Integer.parseInt(parts[1]) : DEFAULT_ITERATIONS);
                }
            }
            throw new IllegalArgumentException(
                    "the emulator runs mpipingpong with -p SIZE or -p SIZE:ITERATIONS only: the"
                            + " output of its other tests is not published");
        }

        static boolean isPingPong(List<String> program) {
            return CommandLine.program(program.get(0)).equals("mpipingpong");
        }
    }
}
