package io.clusterwright.examples.crash;

import io.clusterwright.core.NodeUnreachableException;
import io.clusterwright.core.spi.ClusterCheck;
import io.clusterwright.core.spi.NodeBackend;
import io.clusterwright.core.type.NodeName;
import java.io.IOException;
import java.net.URL;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Enumeration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Supplier;

/**
 * A process that runs one operation inside this JVM. It is the context class loader of all of its threads, and so finds nodes that exist in
 * memory. All of its effects and reads pass through it one at a time; after its death each of them throws, which for the world outside is
 * the same as a kill.
 */
final class SimulatedProcess extends ClassLoader {
    private static final Duration SLOW = Duration.ofMinutes(1);
    private static final Duration BROKEN = Duration.ofMinutes(2);
    private static final Duration STOPPED = Duration.ofMinutes(10);
    private static final String SERVICES = "META-INF/services/";

    private final World world;
    private final Trouble trouble;
    private final int point;
    private final List<Effect> effects = Collections.synchronizedList(new ArrayList<>());
    private final List<Runnable> locks = new CopyOnWriteArrayList<>();
    private volatile boolean dead;
    private volatile boolean diskFull;
    private volatile int connections;
    private volatile long brokenUntil;

    /**
     * A process that meets trouble at an effect.
     *
     * @param point the number of the effect, from 0
     */
    SimulatedProcess(World world, Trouble trouble, int point) {
        super(SimulatedProcess.class.getClassLoader());
        this.world = world;
        this.trouble = trouble;
        this.point = point;
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
        boolean now = effects.size() == point && trouble.fits(effect);
        effects.add(effect);
        if (!now) {
            return make.get();
        }
        switch (trouble.kind()) {
            case KILLED_BEFORE -> dead = true;
            case DISK_FULL -> diskFull = true;
            case FAULT -> world.strike(trouble, effect);
            case LINK_BROKEN_BEFORE -> throw breakLink(effect);
            case NODE_SLOW -> world.pass(SLOW);
            case CLIENT_STOPPED -> {
                world.passForOthers(STOPPED);
                connections++;
            }
            default -> {}
        }
        requireAlive();
        T result = make.get();
        if (trouble.kind() == Trouble.Kind.LINK_BROKEN_AFTER) {
            throw breakLink(effect);
        }
        dead = trouble.kind() == Trouble.Kind.KILLED_AFTER;
        requireAlive();
        return result;
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
        if (effects.size() == point && trouble.kind() == Trouble.Kind.KILLED_WITHIN) {
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
