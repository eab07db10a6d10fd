package io.clusterwright.windows.emulator.internal.task;

import java.util.List;
import java.util.Locale;

/**
 * What a command line of {@code mpipingpong} asks for.
 *
 * @param least the smallest message in bytes
 * @param most the largest
 * @param iterations how often each is sent; 0 when it does not say
 */
record PingPongArguments(long least, long most, int iterations) {
    private static final long LARGEST = 4_194_304;

    static PingPongArguments read(List<String> words) {
        for (int i = 1; i + 1 < words.size(); i++) {
            if (words.get(i).toLowerCase(Locale.ROOT).matches("[-/]p")) {
                String[] parts = words.get(i + 1).split(":");
                if (parts.length > 2 || !words.get(i + 1).matches("\\d{1,9}(:\\d{1,9})?")) {
                    throw new IllegalArgumentException(
                            "-p of mpipingpong takes SIZE or SIZE:ITERATIONS, not " + words.get(i + 1));
                }
                long bytes = Long.parseLong(parts[0]);
                return new PingPongArguments(bytes, bytes, parts.length == 2 ? Integer.parseInt(parts[1]) : 0);
            }
        }
        return new PingPongArguments(1, LARGEST, 0);
    }

    static boolean isPingPong(List<String> program) {
        return CommandLine.program(program.get(0)).equals("mpipingpong");
    }
}
