package io.clusterwright.mpi.internal.pingpong;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * The options of a ping-pong.
 *
 * @param smallest the smallest message in bytes, at least 1
 * @param largest the largest message in bytes, at most 2^30
 * @param repetitions round trips of each of the {@link PingPong#TRIALS} trials of a size; 0 for what fits into the time
 * @param milliseconds the time for each size where the repetitions are not given
 * @param library the MPI library to load, where it is given
 */
record PingPongOptions(int smallest, int largest, int repetitions, int milliseconds, Optional<String> library) {
    private static final List<String> NAMES = List.of("--min", "--max", "--repetitions", "--time", "--library");
    static final String USAGE =
            "usage: JavaPingPong [--min BYTES] [--max BYTES] [--repetitions N | --time MILLISECONDS] [--library FILE]\n"
                    + "measures a ping-pong between the two ranks of an MPI job; start it with mpirun";

    static PingPongOptions parse(List<String> arguments) {
        Map<String, String> given = new HashMap<>();
        for (int i = 0; i < arguments.size(); i += 2) {
            if (!NAMES.contains(arguments.get(i))) {
                throw new IllegalArgumentException("unknown option '" + arguments.get(i) + "'");
            }
            given.put(arguments.get(i), i + 1 < arguments.size() ? arguments.get(i + 1) : "");
        }
        PingPongOptions options = new PingPongOptions(
                number(given, "--min", 1, 1 << 30).orElse(1),
                number(given, "--max", 1, 1 << 30).orElse(1 << 22),
                number(given, "--repetitions", 1, 1_000_000).orElse(0),
                number(given, "--time", 1, 60_000).orElse(100),
                Optional.ofNullable(given.get("--library")));
        if (options.library.filter(String::isEmpty).isPresent()) {
            throw new IllegalArgumentException("--library needs the file or name of an MPI library");
        }
        if (options.smallest > options.largest) {
            throw new IllegalArgumentException(
                    "--min " + options.smallest + " is greater than --max " + options.largest);
        }
        return options;
    }

    private static OptionalInt number(Map<String, String> given, String name, int least, int most) {
        String value = given.get(name);
        if (value == null) {
            return OptionalInt.empty();
        }
        try {
            int number = Integer.parseInt(value);
            if (number >= least && number <= most) {
                return OptionalInt.of(number);
            }
        } catch (NumberFormatException e) {
            // Reported below, together with the numbers that are out of range.
        }
        throw new IllegalArgumentException(
                name + " takes a whole number from " + least + " to " + most + ", not '" + value + "'");
    }
}
