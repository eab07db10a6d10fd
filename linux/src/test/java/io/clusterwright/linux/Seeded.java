package io.clusterwright.linux;

import java.util.Random;
import java.util.function.Consumer;

/** Runs a property over random input, {@code -Dclusterwright.soak=true} more; a failure names the seed that repeats it. */
public final class Seeded {
    private static final int MORE = Boolean.getBoolean("clusterwright.soak") ? 50 : 1;

    private Seeded() {}

    public static void times(int runs, Consumer<Random> property) {
        String fixed = System.getProperty("seed");
        long first = fixed == null ? System.nanoTime() : Long.parseLong(fixed);
        for (long seed = first; seed < first + (fixed == null ? runs * MORE : 1); seed++) {
            try {
                property.accept(new Random(seed));
            } catch (AssertionError | RuntimeException e) {
                throw new AssertionError("seed " + seed + " (repeat with -Dseed=" + seed + "): " + e.getMessage(), e);
            }
        }
    }

    public static String text(Random random, String alphabet, int length) {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < length; i++) {
            text.append(alphabet.charAt(random.nextInt(alphabet.length())));
        }
        return text.toString();
    }
}
