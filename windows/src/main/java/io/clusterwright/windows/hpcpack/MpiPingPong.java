package io.clusterwright.windows.hpcpack;

import io.clusterwright.core.type.InvalidValueException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A run of {@code mpipingpong}, HPC Pack's test of the network between nodes. Immutable.
 *
 * <p>{@code -s} is an order of pairs and takes no value: in {@code -op -s nul} the last word is the file for the results. Source:
 * learn.microsoft.com cc972824.
 */
public final class MpiPingPong {
    private final boolean multipleCores;
    private final @Nullable String packet;
    private final List<Output> outputs;
    private final @Nullable Order order;
    private final int ringStep;
    private final @Nullable String file;

    private MpiPingPong(Builder builder) {
        this.multipleCores = builder.multipleCores;
        this.packet = builder.packet;
        this.outputs = List.copyOf(builder.outputs);
        this.order = builder.order;
        this.ringStep = builder.ringStep;
        this.file = builder.file;
    }

    /** The article's test of latency: a byte, 100,000 times. */
    public static MpiPingPong latency() {
        return article(1, 100_000);
    }

    /** The article's test of throughput: 4,000,000 bytes, 1,000 times. */
    public static MpiPingPong throughput() {
        return article(4_000_000, 1_000);
    }

    private static MpiPingPong article(int bytes, int iterations) {
        return builder()
                .packet(bytes, iterations)
                .output(Output.PROGRESS)
                .order(Order.SERIAL)
                .file("nul")
                .build();
    }

    /** Starts with the program's own defaults. */
    public static Builder builder() {
        return new Builder();
    }

    /** The words of the command, the program first. */
    public List<String> command() {
        List<String> words = new ArrayList<>(List.of("mpipingpong"));
        if (multipleCores) {
            words.add("-m");
        }
        if (packet != null) {
            words.addAll(List.of(packet.split(" ")));
        }
        outputs.forEach(output -> words.add(output.word));
        if (order != null) {
            words.add(order.word);
        }
        if (ringStep > 0) {
            words.addAll(List.of("-rs", Integer.toString(ringStep)));
        }
        if (file != null) {
            words.add(file);
        }
        return List.copyOf(words);
    }

    /** The command as it is typed where it needs no quotes. */
    @Override
    public String toString() {
        return String.join(" ", command());
    }

    /** Which pairs run when. */
    public enum Order {
        /** One pair at a time, each node with its neighbours: {@code -r}. */
        RING("-r"),
        /** One pair at a time, every node with every other: {@code -s}. */
        SERIAL("-s"),
        /** Many pairs at once, every node with every other: {@code -t}. */
        TOURNAMENT("-t");

        private final String word;

        Order(String word) {
            this.word = word;
        }
    }

    /** The program's own sizes of packets, by their switches. */
    public enum Packets {
        /** {@code -pb}. */
        B("-pb"),
        /** {@code -pc}. */
        C("-pc"),
        /** {@code -pl}. */
        L("-pl"),
        /** {@code -pt}. */
        T("-pt");

        private final String word;

        Packets(String word) {
            this.word = word;
        }
    }

    /** What it prints, by its switches; the first two exclude each other, and so do the last two. */
    public enum Output {
        /** {@code -oa}. */
        A("-oa"),
        /** {@code -ob}. */
        B("-ob"),
        /** {@code -op}. */
        PROGRESS("-op"),
        /** {@code -oq}. */
        QUIET("-oq");

        private final String word;

        Output(String word) {
            this.word = word;
        }
    }

    /** Collects the parts of a {@link MpiPingPong}. */
    public static final class Builder {
        private final List<Output> outputs = new ArrayList<>();
        private boolean multipleCores;
        private @Nullable String packet;
        private @Nullable Order order;
        private int ringStep;
        private @Nullable String file;

        private Builder() {}

        /** Lets several cores of a node take part, which is an error otherwise. */
        public Builder multipleCores() {
            this.multipleCores = true;
            return this;
        }

        /**
         * How many bytes a packet has and how often it is sent.
         *
         * @param bytes 0 or more
         * @param iterations 1 or more
         * @throws InvalidValueException when one is out of its range
         */
        public Builder packet(int bytes, int iterations) {
            this.packet = "-p " + Checks.atLeast("number of bytes of a packet", bytes, 0) + ":"
                    + Checks.atLeast("number of iterations", iterations, 1);
            return this;
        }

        /** One of the program's own sizes. */
        public Builder packets(Packets packets) {
            this.packet = packets.word;
            return this;
        }

        /** Adds to what it prints. */
        public Builder output(Output output) {
            this.outputs.add(Objects.requireNonNull(output, "output"));
            return this;
        }

        /** Which pairs run when. */
        public Builder order(Order order) {
            this.order = Objects.requireNonNull(order, "order");
            return this;
        }

        /**
         * How far a neighbour of a ring is, 1 or more.
         *
         * @throws InvalidValueException when it is out of its range
         */
        public Builder ringStep(int nodes) {
            this.ringStep = Checks.atLeast("ring step", nodes, 1);
            return this;
        }

        /**
         * The file for the results, XML; {@code nul} for none.
         *
         * @throws InvalidValueException when no command can hold it
         */
        public Builder file(String file) {
            if (file.startsWith("-")) {
                throw new InvalidValueException("file for results", file, "a path that does not begin with '-'", "nul");
            }
            this.file = Checks.text("file for results", file);
            return this;
        }

        /**
         * The run.
         *
         * @throws InvalidValueException when two of its parts exclude each other
         */
        public MpiPingPong build() {
            if (ringStep > 0 && order != Order.RING) {
                throw new InvalidValueException(
                        "ring step without a ring",
                        Integer.toString(ringStep),
                        "a ring step with order RING",
                        "order(RING)");
            }
            boolean both = outputs.containsAll(List.of(Output.A, Output.B))
                    || outputs.containsAll(List.of(Output.PROGRESS, Output.QUIET));
            if (both || outputs.stream().distinct().count() != outputs.size()) {
                throw new InvalidValueException(
                        "choice of outputs",
                        outputs.toString(),
                        "one of A and B, and one of PROGRESS and QUIET",
                        "output(PROGRESS)");
            }
            return new MpiPingPong(this);
        }
    }
}
