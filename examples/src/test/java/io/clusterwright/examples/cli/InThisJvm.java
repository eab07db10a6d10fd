package io.clusterwright.examples.cli;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.function.IntSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The program without a process: all that it does between the start and the end of its JVM, which is this one. Several threads may run it at the same time: what it
 * prints is found by the thread that prints, or by the thread that started that one.
 */
public final class InThisJvm {
    private static final InheritableThreadLocal<@Nullable Streams> CURRENT = new InheritableThreadLocal<>();

    static {
        PrintStream out = System.out;
        PrintStream err = System.err;
        System.setOut(printing(out, false));
        System.setErr(printing(err, true));
        System.setIn(new Input(System.in));
    }

    private InThisJvm() {}

    /** Runs the program to its end without input; its state folder is the standard one. */
    public static Ran run(String... arguments) {
        return run("", List.of(arguments));
    }

    /** Runs the program to its end with this text on standard input. */
    public static Ran run(String input, List<String> arguments) {
        return run(input, () -> ClusterwrightMain.run(arguments.toArray(String[]::new)));
    }

    /** Runs a part of the program, which returns an exit status. */
    static Ran run(String input, IntSupplier program) {
        Streams streams = new Streams(new ByteArrayInputStream(input.getBytes(StandardCharsets.UTF_8)));
        Streams before = CURRENT.get();
        CURRENT.set(streams);
        try {
            int status = program.getAsInt();
            return new Ran(
                    status, streams.out.toString(StandardCharsets.UTF_8), streams.err.toString(StandardCharsets.UTF_8));
        } finally {
            CURRENT.set(before);
        }
    }

    private static PrintStream printing(PrintStream outside, boolean errors) {
        OutputStream of = new OutputStream() {
            private OutputStream target() {
                Streams streams = CURRENT.get();
                return streams == null ? outside : errors ? streams.err : streams.out;
            }

            @Override
            public void write(int value) throws IOException {
                target().write(value);
            }

            @Override
            public void write(byte[] bytes, int offset, int length) throws IOException {
                target().write(bytes, offset, length);
            }

            @Override
            public void flush() throws IOException {
                target().flush();
            }
        };
        return new PrintStream(of, true, StandardCharsets.UTF_8);
    }

    /** How it ended, and what it printed. */
    public record Ran(int status, String stdout, String stderr) {}

    private static final class Streams {
        private final InputStream in;
        private final ByteArrayOutputStream out = new ByteArrayOutputStream();
        private final ByteArrayOutputStream err = new ByteArrayOutputStream();

        private Streams(InputStream in) {
            this.in = in;
        }
    }

    /** The input of the program that this thread runs. */
    private static final class Input extends FilterInputStream {
        private Input(InputStream outside) {
            super(outside);
        }

        private InputStream source() {
            Streams streams = CURRENT.get();
            return streams == null ? in : streams.in;
        }

        @Override
        public int read() throws IOException {
            return source().read();
        }

        @Override
        public int read(byte[] bytes, int offset, int length) throws IOException {
            return source().read(bytes, offset, length);
        }

        @Override
        public int available() throws IOException {
            return source().available();
        }

        @Override
        public void close() {}
    }
}
