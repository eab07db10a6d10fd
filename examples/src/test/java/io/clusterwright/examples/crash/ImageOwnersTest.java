package io.clusterwright.examples.crash;

import static org.assertj.core.api.Assertions.assertThat;

import io.clusterwright.core.StoredImage;
import io.clusterwright.core.internal.concurrent.WaitTime;
import io.clusterwright.examples.crash.CrashRun.Strike;
import io.clusterwright.examples.crash.CrashRun.Verdict;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Two users of one emulated Azure, whose images have the same names. */
@Tag("breadth")
class ImageOwnersTest {
    private static final CrashedOperation BUILD = CrashedOperation.BUILD_IMAGE;

    @TempDir
    private Path folder;

    @BeforeEach
    void jump() {
        WaitTime.use(new JumpingTime());
    }

    @AfterEach
    void restore() {
        WaitTime.useReal();
    }

    private static SimulatedProcess process(World world) {
        return new SimulatedProcess(world, List.of());
    }

    @Test
    void pruningLeavesAnImageThatAnotherUserCapturedAndThatBothUse() {
        Path other = folder.resolve("other");
        try (World world = new World(folder.resolve("records"))) {
            List<StoredImage> built = new ArrayList<>();
            world.as(process(world), manager -> {
                BUILD.run(manager);
                built.addAll(manager.images());
                assertThat(built).singleElement().matches(StoredImage::proven).matches(manager::owns);
            });
            SimulatedProcess another = process(world);
            world.as(another, other, manager -> {
                assertThat(manager.pruneImages()).isEmpty();
                BUILD.run(manager);
                assertThat(manager.images()).isEqualTo(built).noneMatch(manager::owns);
                assertThat(manager.pruneImages()).isEmpty();
            });
            assertThat(another.effects()).isEmpty();
            world.as(process(world), manager -> {
                assertThat(manager.pruneImages()).isEqualTo(built);
                assertThat(manager.images()).isEmpty();
            });
        }
    }

    @Test
    void pruningLeavesAnImageThatIsBeingMade() {
        SimulatedProcess whole;
        try (World world = new World(folder.resolve("first"))) {
            whole = process(world);
            world.as(whole, BUILD::run);
        }
        List<String> effects = whole.effects().stream().map(Effect::toString).toList();
        int kept = effects.indexOf("JOURNAL kept");
        assertThat(kept).isPositive();
        try (World world = new World(folder.resolve("records"))) {
            SimulatedProcess killed = new SimulatedProcess(world, List.of(new Strike(Trouble.KILLED_BEFORE, kept)));
            try {
                world.as(killed, BUILD::run);
            } catch (SimulatedProcess.Died e) {
                assertThat(killed.isDead()).isTrue();
            }
            world.as(process(world), manager -> {
                assertThat(manager.images()).singleElement().matches(manager::owns);
                assertThat(manager.pruneImages()).isEmpty();
                assertThat(manager.pruneImagesOfEveryone()).isEmpty();
                BUILD.run(manager);
                assertThat(manager.pruneImages()).hasSize(1);
            });
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void theClaimOfACreationThatWasKilledAfterTheProofIsEnded(boolean again) {
        CrashedOperation create = CrashedOperation.CREATE_WITH_CAPTURE;
        List<String> effects = CrashRun.effects(create, folder.resolve("whole")).stream()
                .map(Effect::toString)
                .toList();
        int end = IntStream.range(0, effects.size())
                .filter(i -> effects.get(i).matches("AZURE DELETE .*-building-1\\b.*"))
                .findFirst()
                .orElseThrow();

        assertThat(CrashRun.of(create, Trouble.KILLED_BEFORE, end, again).in(folder.resolve("killed")))
                .matches(Verdict::isGood);
    }
}
