package io.clusterwright.examples.e2e;

import io.clusterwright.examples.cli.ClusterwrightMain;
import io.clusterwright.linux.internal.local.host.Effects;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The program {@code clusterwright}, whose process ends at once after a number of changes of this machine: the first argument. It counts them
 * in the file that the second names.
 */
final class HaltingProgram {
    static final int HALTED = 137;

    private HaltingProgram() {}

    /** Runs the program with the other arguments. */
    public static void main(String[] arguments) throws IOException {
        int last = Integer.parseInt(arguments[0]);
        Path count = Path.of(arguments[1]);
        AtomicInteger effects = new AtomicInteger();
        Effects.observe(effect -> {
            int number = effects.incrementAndGet();
            write(count, Integer.toString(number));
            if (number == last) {
                Runtime.getRuntime().halt(HALTED);
            }
        });
        ClusterwrightMain.main(Arrays.copyOfRange(arguments, 2, arguments.length));
    }

    private static synchronized void write(Path file, String text) {
        try {
            Files.writeString(file, text);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
