package io.clusterwright.examples.crash;

import static org.assertj.core.api.Assertions.assertThat;

import io.clusterwright.core.internal.concurrent.Tasks;
import io.clusterwright.core.internal.concurrent.WaitTime;
import io.clusterwright.examples.crash.CrashRun.Strike;
import io.clusterwright.examples.crash.CrashRun.Verdict;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Cuts operations short at their effects. By default at a sample of them; with {@code -Dclusterwright.soak=true} at all, and in 1,000 random
 * combinations, whose seeds are printed. {@code -Dclusterwright.seed=N} repeats one of these alone, and
 * {@code "-Dclusterwright.operation=resize up"} restricts all to one operation and {@code destroy}, {@code "-Dclusterwright.trouble=link|slow"} to some
 * disturbances, and {@code -Dclusterwright.runs=200} all to a random part. The random combinations have several disturbances at once.
 */
@Tag("breadth")
class CrashPointTest {
    private static final int PARALLEL = 2;
    private static final int RANDOM = 1000;
    private static final Duration SLOW = Duration.ofSeconds(10);

    @TempDir
    private Path folder;

    private final CrashTable table = new CrashTable();
    private final AtomicInteger runs = new AtomicInteger();
    private final Map<CrashedOperation, List<Effect>> effects = new EnumMap<>(CrashedOperation.class);

    @BeforeEach
    void jump() throws IOException {
        WaitTime.use(new JumpingTime());
        String only = System.getProperty("clusterwright.operation", "");
        for (CrashedOperation operation : CrashedOperation.values()) {
            if (!only.isEmpty() && !only.equals(operation.toString()) && operation != CrashedOperation.DESTROY) {
                continue;
            }
            List<Effect> all = CrashRun.effects(operation, fresh());
            effects.put(operation, all);
            table.effects(operation, all.size());
        }
    }

    @AfterEach
    void stay() {
        WaitTime.useReal();
    }

    private Path fresh() throws IOException {
        return Files.createDirectory(folder.resolve("run" + runs.incrementAndGet()));
    }

    @Test
    @Timeout(value = 2, unit = TimeUnit.HOURS)
    void everyOperationReachesItsGoalAfterwardsAndLeavesNothing() {
        Long seed = Long.getLong("clusterwright.seed");
        if (seed != null) {
            requireGood(List.of(random(seed)));
        } else if (Boolean.getBoolean("clusterwright.soak")) {
            List<CrashRun> all = new ArrayList<>(everyPoint());
            long first = System.nanoTime();
            IntStream.range(0, RANDOM).forEach(i -> all.add(random(first + i)));
            System.out.println(all.size() + " runs, seeds " + first + " to " + (first + RANDOM - 1));
            Collections.shuffle(all, new Random(first));
            requireGood(all.subList(0, Math.min(all.size(), Integer.getInteger("clusterwright.runs", all.size()))));
        } else {
            requireGood(sample());
        }
    }

    private void requireGood(List<CrashRun> all) {
        List<Verdict> bad = Tasks.each("crash", PARALLEL, all, this::verdict, (run, cause) -> {
                    throw new AssertionError(run.toString(), cause);
                })
                .stream()
                .filter(verdict -> !verdict.isGood())
                .toList();
        System.out.println(table);
        assertThat(bad).isEmpty();
    }

    private Verdict verdict(CrashRun run) {
        try {
            Instant start = Instant.now();
            Verdict verdict = run.in(fresh());
            Duration took = Duration.between(start, Instant.now());
            table.add(verdict);
            if (!verdict.isGood() || took.compareTo(SLOW) > 0) {
                System.out.println(took.toMillis() + " ms: " + verdict);
            }
            return verdict;
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    private List<CrashRun> everyPoint() {
        List<CrashRun> all = new ArrayList<>();
        effects.forEach((operation, list) -> {
            for (int point = 0; point < list.size(); point++) {
                for (Trouble trouble : fitting(list.get(point))) {
                    all.add(CrashRun.of(operation, trouble, point, true));
                    if (!operation.destroys()) {
                        all.add(CrashRun.of(operation, trouble, point, false));
                    }
                }
            }
        });
        return all;
    }

    private static List<Trouble> fitting(Effect effect) {
        Pattern only = Pattern.compile(System.getProperty("clusterwright.trouble", ""));
        return Trouble.all().stream()
                .filter(trouble -> only.matcher(trouble.toString()).find())
                .filter(trouble -> trouble.fits(effect))
                .toList();
    }

    /** Each disturbance, for each operation each kind of effect, and two disturbances at once. */
    private List<CrashRun> sample() {
        List<CrashRun> all = new ArrayList<>();
        Random random = new Random(13);
        Random pairs = new Random(17);
        effects.forEach((operation, list) -> {
            for (Effect.Kind kind : Effect.Kind.values()) {
                List<Integer> points = IntStream.range(0, list.size())
                        .filter(point -> list.get(point).kind() == kind)
                        .boxed()
                        .toList();
                if (!points.isEmpty()) {
                    Trouble trouble = random.nextBoolean() ? Trouble.KILLED_AFTER : Trouble.KILLED_BEFORE;
                    all.add(CrashRun.of(
                            operation, trouble, points.get(random.nextInt(points.size())), random.nextBoolean()));
                }
            }
            all.add(new CrashRun(
                    operation, List.of(List.of(strike(operation, pairs), strike(operation, pairs))), true, List.of()));
        });
        List<CrashRun> every = everyPoint();
        for (Trouble trouble : Trouble.all()) {
            List<CrashRun> fitting = every.stream()
                    .filter(run -> run.strikes().get(0).get(0).trouble().equals(trouble))
                    .toList();
            if (!fitting.isEmpty()) {
                all.add(fitting.get(random.nextInt(fitting.size())));
            }
        }
        return all;
    }

    private CrashRun random(long seed) {
        Random random = new Random(seed);
        List<CrashedOperation> operations = List.copyOf(effects.keySet());
        CrashedOperation operation = operations.get(random.nextInt(operations.size()));
        List<List<Strike>> strikes = new ArrayList<>();
        for (int i = 0; i <= random.nextInt(3); i++) {
            strikes.add(atOnce(operation, random));
        }
        List<List<Strike>> onDestroy =
                random.nextBoolean() ? List.of(atOnce(CrashedOperation.DESTROY, random)) : List.of();
        return new CrashRun(operation, strikes, random.nextBoolean(), onDestroy);
    }

    /** One disturbance, or two: near each other as often as not. */
    private List<Strike> atOnce(CrashedOperation operation, Random random) {
        Strike first = strike(operation, random);
        if (random.nextBoolean()) {
            return List.of(first);
        }
        if (random.nextBoolean()) {
            return List.of(first, strike(operation, random));
        }
        List<Effect> list = effects.get(operation);
        int point = Math.min(first.point() + random.nextInt(3), list.size() - 1);
        List<Trouble> fitting = fitting(list.get(point));
        return fitting.isEmpty()
                ? List.of(first)
                : List.of(first, new Strike(fitting.get(random.nextInt(fitting.size())), point));
    }

    private Strike strike(CrashedOperation operation, Random random) {
        List<Effect> list = effects.get(operation);
        List<Integer> points = IntStream.range(0, list.size())
                .filter(point -> !fitting(list.get(point)).isEmpty())
                .boxed()
                .toList();
        int point = points.get(random.nextInt(points.size()));
        List<Trouble> fitting = fitting(list.get(point));
        return new Strike(fitting.get(random.nextInt(fitting.size())), point);
    }
}
