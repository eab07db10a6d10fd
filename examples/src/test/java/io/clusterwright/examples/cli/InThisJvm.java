package io.clusterwright.examples.cli;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** The program without a process: all that it does between the start and the end of its JVM, which is this one. For one thread at a time. */
public final class InThisJvm {
    private InThisJvm() {}

    /** Runs the program to its end without input; its state folder is the standard one. */
    public static Ran run(String... arguments) {
        return run("", List.of(arguments));
    }

    /** The same with this text on standard input. */
    public static Ran run(String input, List<String> arguments) {
        InputStream in = System.in;
        PrintStream out = System.out;
        PrintStream err = System.err;
        ByteArrayOutputStream printed = new ByteArrayOutputStream();
        ByteArrayOutputStream complained = new ByteArrayOutputStream();
        System.setOut(new PrintStream(printed, true, StandardCharsets.UTF_8));
        System.setErr(new PrintStream(complained, true, StandardCharsets.UTF_8));
        System.setIn(new ByteArrayInputStream(input.getBytes(StandardCharsets.UTF_8)));
        try {
            int status = ClusterwrightMain.run(arguments.toArray(String[]::new));
            return new Ran(
                    status, printed.toString(StandardCharsets.UTF_8), complained.toString(StandardCharsets.UTF_8));
        } finally {
            System.setIn(in);
            System.setOut(out);
            System.setErr(err);
        }
    }

    /** How it ended, and what it printed. */
    public record Ran(int status, String stdout, String stderr) {}
}
