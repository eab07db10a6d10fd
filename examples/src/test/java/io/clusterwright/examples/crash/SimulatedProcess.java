package io.clusterwright.examples.crash;

import io.clusterwright.core.NodeUnreachableException;
import io.clusterwright.core.spi.ClusterCheck;
import io.clusterwright.core.spi.NodeBackend;
import io.clusterwright.core.type.NodeName;
import io.clusterwright.examples.crash.CrashRun.Strike;
import java.io.IOException;
import java.net.URL;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.Enumeration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/**
 * A process that runs one operation inside this JVM. It is the context class loader of all of its threads, and so finds nodes that exist in
 * memory. All of its effects and reads pass through it one at a time; after its death each of them throws, which for the world outside is
 * the same as a kill.
 */
final class SimulatedProcess extends ClassLoader {
    private static final Duration SLOW = Duration.ofMinutes(1);
    private static final Duration BROKEN = Duration.ofMinutes(2);
    private static final Duration UNANSWERED = Duration.ofSeconds(20);
    private static final Duration JUMP = Duration.ofHours(3);
    private static final Duration STOPPED = Duration.ofMinutes(10);
    private static final String SERVICES = "META-INF/services/";

    private final World world;
    private final List<Strike> strikes;
    private final List<Effect> effects = Collections.synchronizedList(new ArrayList<>());
    private final List<Runnable> locks = new CopyOnWriteArrayList<>();
    private volatile boolean dead;
    private volatile boolean diskFull;
    private volatile int connections;
    private volatile long brokenUntil;
    private volatile Duration clockAhead = Duration.ZERO;

    /** A process that meets these disturbances, of which several may be at one effect. */
    SimulatedProcess(World world, List<Strike> strikes) {
        super(SimulatedProcess.class.getClassLoader());
        this.world = world;
        this.strikes = strikes;
    }

    /** The process that this thread belongs to; empty for the cloud and its machines. */
    static Optional<SimulatedProcess> current() {
        return Thread.currentThread().getContextClassLoader() instanceof SimulatedProcess process
                ? Optional.of(process)
                : Optional.empty();
    }

    World world() {
        return world;
    }

    boolean isDead() {
        return dead;
    }

    /** The effects so far. */
    List<Effect> effects() {
        return List.copyOf(effects);
    }

    /** Reads something. */
    <T> T read(Supplier<T> read) {
        requireAlive();
        T result = read.get();
        requireAlive();
        return result;
    }

    void requireAlive() {
        if (dead) {
            throw new Died();
        }
    }

    /** Whether the state folder has no room. */
    boolean diskFull() {
        return diskFull;
    }

    /** Makes an effect, unless its time to die has come. */
    synchronized <T> T effect(Effect effect, Supplier<T> make) {
        requireAlive();
        Set<Trouble> now = strikes.stream()
                .filter(strike -> strike.point() == effects.size())
                .map(Strike::trouble)
                .filter(trouble -> trouble.fits(effect))
                .collect(Collectors.toCollection(() -> new TreeSet<>(Comparator.comparing(Trouble::kind))));
        effects.add(effect);
        now.forEach(trouble -> before(trouble, effect));
        requireAlive();
        T result = make.get();
        now.forEach(trouble -> after(trouble, effect));
        requireAlive();
        return result;
    }

    private void before(Trouble trouble, Effect effect) {
        switch (trouble.kind()) {
            case KILLED_BEFORE -> dead = true;
            case DISK_FULL -> diskFull = true;
            case FAULT -> world.strike(trouble, effect);
            case CLOCK_FORWARD -> clockAhead = clockAhead.plus(JUMP);
            case CLOCK_BACK -> clockAhead = clockAhead.minus(JUMP);
            case NODE_SLOW -> world.pass(SLOW);
            case CLIENT_STOPPED -> {
                world.passForOthers(STOPPED);
                connections++;
            }
            case LINK_HALF_OPEN -> {
                world.pass(UNANSWERED);
                connections++;
                throw new NodeUnreachableException(NodeName.of("somewhere"), "no answer at " + effect);
            }
            case LINK_BROKEN_BEFORE -> throw breakLink(effect);
            default -> {}
        }
    }

    private void after(Trouble trouble, Effect effect) {
        switch (trouble.kind()) {
            case KILLED_AFTER -> dead = true;
            case LINK_BROKEN_AFTER -> throw breakLink(effect);
            default -> {}
        }
    }

    /** How far the clock of its machine is ahead of the real time. */
    Duration clockAhead() {
        return clockAhead.plus(world.ahead());
    }

    /** Breaks the way to all nodes for a time; returns what is seen of it. */
    private NodeUnreachableException breakLink(Effect effect) {
        connections++;
        brokenUntil = world.passed() + BROKEN.toNanos();
        return new NodeUnreachableException(NodeName.of("somewhere"), "the connection broke at " + effect);
    }

    /** The number of the connections to nodes that are open now; all with other numbers are closed. */
    int connections() {
        return connections;
    }

    /**
     * The number of a new connection.
     *
     * @throws NodeUnreachableException while the way is broken
     */
    int connect(NodeName node) {
        if (world.passed() < brokenUntil) {
            throw new NodeUnreachableException(node, "no answer from " + node);
        }
        return connections;
    }

    /** Makes an effect that leaves half of it when it is cut short. */
    synchronized void effect(Effect effect, Runnable half, Runnable make) {
        if (strikes.contains(new Strike(Trouble.KILLED_WITHIN, effects.size()))) {
            requireAlive();
            effects.add(effect);
            half.run();
            dead = true;
        }
        effect(effect, () -> {
            make.run();
            return effect;
        });
    }

    /** Keeps a lock, which the system releases when this process dies. */
    void holds(Runnable release) {
        locks.add(release);
    }

    /** Runs an operation as this process. */
    void run(Runnable operation) {
        Thread thread = Thread.currentThread();
        ClassLoader before = thread.getContextClassLoader();
        thread.setContextClassLoader(this);
        try {
            operation.run();
        } finally {
            thread.setContextClassLoader(before);
            if (dead) {
                locks.forEach(Runnable::run);
            }
        }
    }

    @Override
    public Enumeration<URL> getResources(String name) throws IOException {
        boolean ours = name.equals(SERVICES + NodeBackend.class.getName())
                || name.equals(SERVICES + ClusterCheck.class.getName());
        return super.getResources(ours ? "crash/" + name.substring(SERVICES.length()) : name);
    }

    /** Ends the threads of a dead process, one after the other. */
    static final class Died extends Error {
        private static final long serialVersionUID = 1L;

        Died() {
            super("the process was killed");
        }
    }
}
