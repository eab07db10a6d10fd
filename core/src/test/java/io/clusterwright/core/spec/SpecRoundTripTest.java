package io.clusterwright.core.spec;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** Whatever is written is read as the same. */
class SpecRoundTripTest {
    private static final int SPECS = 150;
    private static final long FIRST_SEED = 20261120L;

    @Test
    void readsWhatItWrote() {
        for (long seed = FIRST_SEED; seed < FIRST_SEED + SPECS; seed++) {
            ClusterSpec spec = new SpecGenerator(seed).next();
            assertSame(seed, spec.toString(), spec, "x.yaml");
            assertSame(seed, spec.toJson(), spec, "x.json");
        }
    }

    @Test
    void buildersReproduceAnySpec() {
        for (long seed = FIRST_SEED; seed < FIRST_SEED + SPECS; seed++) {
            ClusterSpec spec = new SpecGenerator(seed).next();
            assertThat(spec.toBuilder().build())
                    .as("seed %d", seed)
                    .isEqualTo(spec)
                    .hasSameHashCodeAs(spec);
        }
    }

    @Test
    void writesTheSameTextTwice() {
        ClusterSpec spec = new SpecGenerator(FIRST_SEED).next();
        assertThat(SpecReader.read(spec.toString(), "x")).hasToString(spec.toString());
    }

    private static void assertSame(long seed, String text, ClusterSpec spec, String name) {
        ClusterSpec read;
        try {
            read = SpecReader.read(text, name);
        } catch (InvalidSpecException e) {
            throw new AssertionError("seed " + seed + ": " + e.getMessage() + "\n" + text, e);
        }
        assertThat(read).as("seed %d:%n%s", seed, text).isEqualTo(spec);
    }
}
