package io.clusterwright.mpi.internal.pingpong;

import io.clusterwright.mpi.internal.pingpong.MpiLibrary.MpiUnavailableException;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * The measurement between rank 0, which keeps the time, and rank 1, which answers. For each size rank 0 first tells
 * rank 1 how many round trips come; the first and the last message of a size are checked byte by byte on both sides.
 */
final class PingPong {
    /** The number of times that a size is measured; the best mean counts, as in NetPIPE. */
    static final int TRIALS = 3;

    private static final int LONGEST_CONTROL = Integer.BYTES;
    private static final int WARM_UP_ROUND_TRIPS = 30_000;
    private static final long WARM_UP_TIME = TimeUnit.SECONDS.toNanos(1);
    private static final int PROBES = 10;

    private final MpiLibrary mpi;
    private final PingPongOptions options;
    private final MpiLibrary.Buffer buffer;
    private final MpiLibrary.Buffer control;
    private final MpiLibrary.Transfer agreement;
    private final boolean first;
    private final int other;

    PingPong(MpiLibrary mpi, PingPongOptions options, int rank) {
        this.mpi = mpi;
        this.options = options;
        this.buffer = mpi.buffer(options.largest());
        this.control = mpi.buffer(LONGEST_CONTROL);
        this.first = rank == 0;
        this.other = 1 - rank;
        this.agreement =
                first ? mpi.sending(control, LONGEST_CONTROL, other) : mpi.receiving(control, LONGEST_CONTROL, other);
    }

    /** Measures all sizes; the rows go to this listener on rank 0 only. */
    void run(Consumer<String> rows) {
        try (Messages smallest = new Messages(options.smallest())) {
            warmUp(smallest);
        }
        int row = 0;
        for (long size = options.smallest(); size <= options.largest(); size *= 2) {
            try (Messages messages = new Messages((int) size)) {
                measure(messages, row, rows);
            }
            row++;
        }
        agreement.close();
    }

    private void measure(Messages messages, int row, Consumer<String> rows) {
        messages.checked(row);
        int repetitions = agree(repetitions(messages));
        long best = Long.MAX_VALUE;
        for (int trial = 0; trial < TRIALS; trial++) {
            best = Math.min(best, messages.roundTrips(repetitions));
        }
        messages.checked(row + 1);
        if (first) {
            rows.accept(row(row, messages.bytes, repetitions, best / (2.0 * repetitions)));
        }
    }

    /** NetPIPE's row: its megabit is 2^20 bit. */
    private static String row(int number, int bytes, int repetitions, double nanosPerWay) {
        double rate = bytes * 8.0 / (1 << 20) / (nanosPerWay / 1e9);
        return String.format(
                Locale.ROOT,
                "%3d: %7d bytes %6d times --> %9.2f Mbps in %10.2f usec",
                number,
                bytes,
                repetitions,
                rate,
                nanosPerWay / 1e3);
    }

    /** The compiler of the JVM replaces what is called often; until then no time counts. */
    private void warmUp(Messages messages) {
        long begin = System.nanoTime();
        int batch = 1_000;
        for (int done = 0; done < WARM_UP_ROUND_TRIPS; done += batch) {
            int next = agree(first && System.nanoTime() - begin > WARM_UP_TIME ? 0 : batch);
            if (next == 0) {
                return;
            }
            messages.roundTrips(next);
        }
    }

    /** The number of round trips of this size that fit into the time of one trial; both ranks take part in finding out. */
    private int repetitions(Messages messages) {
        long probe = Long.MAX_VALUE;
        for (int i = 0; i < PROBES; i++) {
            probe = Math.min(probe, messages.roundTrips(1));
        }
        if (options.repetitions() != 0) {
            return options.repetitions();
        }
        long time = TimeUnit.MILLISECONDS.toNanos(options.milliseconds()) / TRIALS;
        return (int) Math.max(3, Math.min(1_000_000, time / Math.max(1, probe)));
    }

    /** The number that rank 0 has. */
    private int agree(int number) {
        if (first) {
            control.content().putInt(0, number);
        }
        agreement.run();
        return control.content().getInt(0);
    }

    /** Differs for neighbours, for pages and for salts. */
    private static byte content(int index, int salt) {
        return (byte) ((index + salt) * 0x9E3779B1 >>> 24);
    }

    /** The messages of one size, there and back. */
    final class Messages implements AutoCloseable {
        private final int bytes;
        private final MpiLibrary.Transfer there;
        private final MpiLibrary.Transfer back;

        Messages(int bytes) {
            this.bytes = bytes;
            this.there = mpi.sending(buffer, bytes, other);
            this.back = mpi.receiving(buffer, bytes, other);
        }

        /** The time of this number of round trips in nanoseconds. */
        long roundTrips(int number) {
            MpiLibrary.Transfer one = first ? there : back;
            MpiLibrary.Transfer two = first ? back : there;
            long begin = System.nanoTime();
            for (int i = 0; i < number; i++) {
                one.run();
                two.run();
            }
            return System.nanoTime() - begin;
        }

        /** One round trip in which each side sends distinct content and checks every byte of the other's. */
        void checked(int salt) {
            if (first) {
                fill(salt);
                there.run();
                back.run();
                verify(salt + 1);
            } else {
                back.run();
                verify(salt);
                fill(salt + 1);
                there.run();
            }
        }

        private void fill(int salt) {
            for (int i = 0; i < bytes; i++) {
                buffer.content().put(i, content(i, salt));
            }
        }

        private void verify(int salt) {
            for (int i = 0; i < bytes; i++) {
                byte found = buffer.content().get(i);
                if (found != content(i, salt)) {
                    throw new MpiUnavailableException("a message of " + bytes + " bytes arrived with byte " + i
                            + " being " + found + ", expected " + content(i, salt)
                            + ": the fabric or the MPI library corrupts data");
                }
            }
        }

        @Override
        public void close() {
            there.close();
            back.close();
        }
    }
}
