package io.clusterwright.examples.e2e;

import io.clusterwright.examples.cli.ClusterwrightMain;
import io.clusterwright.linux.internal.local.HostCommand;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;

/**
 * The program {@code clusterwright}, whose process ends at once after a number of changes of this machine: the first argument. It counts them
 * in the file that the second names.
 */
final class HaltingProgram {
    static final int HALTED = 99;

    private static int effects;

    private HaltingProgram() {}

    /** Runs the program with the other arguments. */
    public static void main(String[] arguments) {
        int last = Integer.parseInt(arguments[0]);
        Path count = Path.of(arguments[1]);
        HostCommand.observeChanges(effect -> changed(effect, last, count));
        ClusterwrightMain.main(Arrays.copyOfRange(arguments, 2, arguments.length));
    }

    private static synchronized void changed(String effect, int last, Path count) {
        effects++;
        try {
            Files.writeString(count, Integer.toString(effects));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        if (effects == last) {
            System.err.println("halted after " + effect);
            Runtime.getRuntime().halt(HALTED);
        }
    }
}
