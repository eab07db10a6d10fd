package io.clusterwright.examples.crash;

import io.clusterwright.core.Cluster;
import io.clusterwright.core.ClusterManager;
import io.clusterwright.core.ClusterSummary;
import io.clusterwright.core.Command;
import io.clusterwright.core.CreateFailedException;
import io.clusterwright.core.DestroyReport;
import io.clusterwright.core.MachineState;
import io.clusterwright.core.StoredImage;
import io.clusterwright.core.type.ClusterwrightException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * An operation that is carried out once for each list of strikes, then undisturbed where {@code again} says so and it has not succeeded; then
 * the destruction of the cluster, once for each list of strikes on it and once undisturbed.
 */
record CrashRun(CrashedOperation operation, List<List<Strike>> strikes, boolean again, List<List<Strike>> onDestroy) {
    /**
     * A disturbance at an effect.
     *
     * @param point the number of the effect, from 0
     */
    record Strike(Trouble trouble, int point) {
        @Override
        public String toString() {
            return trouble + " at " + point;
        }
    }

    /** A run with one strike. */
    static CrashRun of(CrashedOperation operation, Trouble trouble, int point, boolean again) {
        return new CrashRun(operation, List.of(List.of(new Strike(trouble, point))), again, List.of());
    }

    /** The effects of the operation without any disturbance. */
    static List<Effect> effects(CrashedOperation operation, Path folder) {
        List<Effect> effects = new ArrayList<>();
        Verdict verdict = new CrashRun(operation, List.of(List.of()), false, List.of()).in(folder, effects);
        if (!verdict.isGood()) {
            throw new AssertionError(verdict);
        }
        return effects;
    }

    /** Carries it out. */
    Verdict in(Path folder) {
        return in(folder, new ArrayList<>());
    }

    private Verdict in(Path folder, List<Effect> effects) {
        Verdict verdict = new Verdict(this);
        try (World world = new World(folder)) {
            fine(world, operation::prepare).ifPresent(e -> verdict.untyped("preparation", e));
            world.machines().disks().forEach(disk -> disk.userFile = true);
            boolean reached = false;
            for (int i = 0; i < strikes.size(); i++) {
                reached = struck(world, strikes.get(i), operation, i == 0, verdict, effects);
            }
            if (again && !reached) {
                Optional<Throwable> second = fine(world, operation::run);
                second.ifPresent(e -> verdict.missed("the same operation failed again: " + e));
                reached = second.isEmpty();
            }
            if (reached) {
                goal(world, verdict);
            }
            onDestroy.forEach(
                    struck -> struck(world, struck, CrashedOperation.DESTROY, false, verdict, new ArrayList<>()));
            fine(world, manager -> {
                        DestroyReport report = manager.destroy(CrashedOperation.NAME);
                        report.left()
                                .forEach((resource, why) -> verdict.leak("destroy reports " + resource + ": " + why));
                    })
                    .ifPresent(e -> verdict.leak("destroy failed: " + e));
            empty(world, verdict, "after destroy");
        }
        return verdict;
    }

    /**
     * Carries out an operation that is disturbed. A first creation that fails leaves nothing; one that goes on with an earlier one deletes
     * what itself made, and keeps the record of the rest.
     *
     * @return whether it succeeded all the same
     */
    private static boolean struck(
            World world,
            List<Strike> strikes,
            CrashedOperation operation,
            boolean first,
            Verdict verdict,
            List<Effect> effects) {
        SimulatedProcess process = new SimulatedProcess(world, strikes);
        Optional<Throwable> end = run(world, process, operation::run);
        List<Effect> met = process.effects();
        effects.addAll(met);
        List<Strike> hits =
                strikes.stream().filter(strike -> strike.point() < met.size()).toList();
        hits.forEach(strike -> verdict.at(met.get(strike.point())));
        world.heal();
        if (process.isDead()) {
            return false;
        }
        end.ifPresent(e -> typed(verdict, e));
        end.filter(e -> hits.stream().allMatch(strike -> strike.trouble().passes(met.get(strike.point()))))
                .ifPresent(e -> verdict.missed(strikes + " end by themselves, and yet: " + e));
        boolean saysWhatIsLeft = end.filter(e -> e instanceof CreateFailedException failed
                        && !failed.left().isEmpty())
                .isPresent();
        if (end.isPresent() && first && operation.creates() && !saysWhatIsLeft) {
            empty(world, verdict, "after the rollback");
        }
        return end.isEmpty();
    }

    private static Optional<Throwable> fine(World world, Consumer<ClusterManager> use) {
        return run(world, new SimulatedProcess(world, List.of()), use);
    }

    private static Optional<Throwable> run(World world, SimulatedProcess process, Consumer<ClusterManager> use) {
        try {
            world.as(process, use);
            return Optional.empty();
        } catch (RuntimeException | Error e) {
            return Optional.of(e);
        }
    }

    private static void typed(Verdict verdict, Throwable thrown) {
        boolean known = thrown instanceof ClusterwrightException || thrown instanceof CrashedOperation.LeftException;
        String message = String.valueOf(thrown.getMessage());
        if (!known || message.contains("null")) {
            verdict.untyped("error", thrown);
        }
    }

    private void goal(World world, Verdict verdict) {
        if (operation.destroys()) {
            return;
        }
        fine(world, manager -> {
                    List<StoredImage> images = manager.images();
                    images.stream()
                            .filter(image -> !image.proven())
                            .forEach(image -> verdict.missed("image " + image.name() + " is not proven"));
                    if (operation == CrashedOperation.BUILD_IMAGE) {
                        return;
                    }
                    List<ClusterSummary> clusters = manager.list();
                    if (clusters.size() != 1) {
                        verdict.missed("the list shows " + clusters);
                        return;
                    }
                    String phase = clusters.get(0).phase().toString();
                    if (!phase.equals(operation.stops() ? "stopped" : "ready")) {
                        verdict.missed("the phase is " + phase);
                    }
                    MachineState wanted = operation.stops() ? MachineState.STOPPED : MachineState.RUNNING;
                    var states = manager.states(CrashedOperation.NAME);
                    if (states.size() != operation.nodes()
                            || states.values().stream().anyMatch(state -> state != wanted)) {
                        verdict.missed("the machines are " + states);
                    }
                    if (!operation.stops()) {
                        try (Cluster cluster = manager.open(CrashedOperation.NAME)) {
                            cluster.run(Command.of("hostname"))
                                    .failures()
                                    .forEach(failed -> verdict.missed("a node does not answer: " + failed));
                        }
                    }
                })
                .ifPresent(e -> verdict.missed("the cluster cannot be used: " + e));
        disks(world, verdict);
    }

    private void disks(World world, Verdict verdict) {
        List<Disk> disks = world.machines().disks();
        if (disks.size() != operation.nodes()) {
            verdict.missed(disks.size() + " machines exist");
        }
        List<String> names =
                disks.stream().map(disk -> String.valueOf(disk.name)).sorted().toList();
        for (Disk disk : disks) {
            if (!disk.complete()) {
                verdict.missed(disk.name + " was never customised, or half");
            }
            if (!disk.members.equals(names)) {
                verdict.missed(disk.name + " knows " + disk.members + " of " + names);
            }
            if (operation.isScheduled() && !disk.scheduled.equals(names)) {
                verdict.missed(disk.name + " schedules " + disk.scheduled + " of " + names);
            }
        }
        long files = disks.stream().filter(disk -> disk.userFile).count();
        if (files < operation.kept()) {
            verdict.leak((operation.kept() - files) + " nodes lost the user's files");
        }
        world.machines().images().stream()
                .filter(image -> !image.complete() || !image.deprovisioned)
                .forEach(image -> verdict.missed("an image is not complete"));
    }

    /** Images that are proven stay on purpose, with their gallery. */
    private static void empty(World world, Verdict verdict, String when) {
        List<String> proven = new ArrayList<>();
        fine(
                        world,
                        manager -> manager.images().forEach(image -> {
                            if (image.proven()) {
                                proven.add(image.name().toLowerCase(Locale.ROOT));
                            } else {
                                verdict.leak(when + ": image " + image.name() + " that is not proven");
                            }
                        }))
                .ifPresent(e -> verdict.leak(when + ": the images cannot be listed: " + e));
        world.resources().stream()
                .map(id -> id.toLowerCase(Locale.ROOT))
                .filter(id -> !id.endsWith("/clusterwright-images") && !id.endsWith("/galleries/clusterwright"))
                .filter(id -> proven.stream().noneMatch(image -> (id + "/").contains("/images/" + image + "/")))
                .forEach(id -> verdict.leak(when + ": " + id));
        world.machines().disks().forEach(disk -> verdict.leak(when + ": machine " + disk.name));
        world.files().forEach(file -> verdict.leak(when + ": file " + file));
    }

    @Override
    public String toString() {
        return operation + ", " + strikes + (again ? ", again" : "")
                + (onDestroy.isEmpty() ? "" : ", destroy " + onDestroy);
    }

    /** The outcome. */
    static final class Verdict {
        private final CrashRun run;
        private final List<String> missed = new ArrayList<>();
        private final List<String> leaks = new ArrayList<>();
        private final List<String> untyped = new ArrayList<>();
        private final List<Effect> at = new ArrayList<>();

        private Verdict(CrashRun run) {
            this.run = run;
        }

        CrashRun run() {
            return run;
        }

        private void at(Effect where) {
            at.add(where);
        }

        private void missed(String what) {
            missed.add(what);
        }

        private void leak(String what) {
            leaks.add(what);
        }

        private void untyped(String where, Throwable thrown) {
            untyped.add(where + ": " + thrown);
        }

        boolean isGood() {
            return missed.isEmpty() && leaks.isEmpty() && untyped.isEmpty();
        }

        boolean reachedGoal() {
            return missed.isEmpty();
        }

        int leaks() {
            return leaks.size();
        }

        int untyped() {
            return untyped.size();
        }

        @Override
        public String toString() {
            return run + " " + at + ": missed " + missed + ", leaks " + leaks + ", untyped " + untyped;
        }
    }
}
