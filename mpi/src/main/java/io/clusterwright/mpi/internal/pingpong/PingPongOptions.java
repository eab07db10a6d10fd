package io.clusterwright.mpi.internal.pingpong;

import java.util.List;
import java.util.Optional;

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
    static final String USAGE =
            "usage: JavaPingPong [--min BYTES] [--max BYTES] [--repetitions N | --time MILLISECONDS] [--library FILE]\n"
                    + "measures a ping-pong between the two ranks of an MPI job; start it with mpirun";

    static PingPongOptions parse(List<String> arguments) {
        PingPongOptions options = new PingPongOptions(1, 1 << 22, 0, 100, Optional.empty());
        for (int i = 0; i < arguments.size(); i += 2) {
            String name = arguments.get(i);
            String value = i + 1 < arguments.size() ? arguments.get(i + 1) : "";
            options = options.with(name, value);
        }
        if (options.smallest > options.largest) {
            throw new IllegalArgumentException(
                    "--min " + options.smallest + " is greater than --max " + options.largest);
        }
        return options;
    }

    private PingPongOptions with(String name, String value) {
        return switch (name) {
            case "--min" ->
                new PingPongOptions(number(name, value, 1, 1 << 30), largest, repetitions, milliseconds, library);
            case "--max" ->
                new PingPongOptions(smallest, number(name, value, 1, 1 << 30), repetitions, milliseconds, library);
            case "--repetitions" ->
                new PingPongOptions(smallest, largest, number(name, value, 1, 1_000_000), milliseconds, library);
            case "--time" ->
                new PingPongOptions(smallest, largest, repetitions, number(name, value, 1, 60_000), library);
            case "--library" -> {
                if (value.isEmpty()) {
                    throw new IllegalArgumentException("--library needs the file or name of an MPI library");
                }
                yield new PingPongOptions(smallest, largest, repetitions, milliseconds, Optional.of(value));
            }
            default -> throw new IllegalArgumentException("'" + name + "' is no option");
        };
    }

    private static int number(String name, String value, int least, int most) {
        try {
            int number = Integer.parseInt(value);
            if (number >= least && number <= most) {
                return number;
            }
        } catch (NumberFormatException e) {
            // Reported below, together with the numbers that are out of range.
        }
        throw new IllegalArgumentException(
                name + " takes a whole number from " + least + " to " + most + ", not '" + value + "'");
    }
}
