package io.clusterwright.azure.emulator;

import io.clusterwright.azure.emulator.internal.shared.FileLocks;
import io.clusterwright.azure.emulator.internal.shared.ResourceLedger;
import io.clusterwright.azure.emulator.internal.shared.ServerProcess;
import io.clusterwright.azure.emulator.internal.shared.ServerRecord;
import io.clusterwright.core.ClusterManager;
import io.clusterwright.core.StateStore;
import io.clusterwright.core.spi.MachineHost;
import io.clusterwright.core.type.ClusterwrightException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;

/**
 * One emulator for all processes with the same state store: the first that needs it starts it as a process of its own, the others find
 * it, and it lives on with its machines when they have ended.
 *
 * <p>{@code emulator/server.json} in the folder tells who runs it; before anybody relies on that, the process must be the one that wrote
 * it, and answer with the subscription that it wrote. {@code emulator/made.jsonl} names what it made on its machine host, each before it
 * was made. An emulator that was started by {@link #use} ends, and deletes what it made, when nobody uses it and no
 * cluster of the store is left in it. One that was killed leaves its machines behind, without the cloud that they belong to:
 * {@link #remains()} says so, {@link OrphanCleanup} removes them.
 *
 * <p>Safe for use by several threads and several processes.
 */
public final class SharedEmulator {
    private final Path state;
    private final Path folder;
    private final Path record;
    private final FileLocks locks;
    private final ResourceLedger notes;
    private final BooleanSupplier unused;

    private SharedEmulator(Path state, BooleanSupplier unused) {
        this.state = state.toAbsolutePath();
        this.folder = this.state.resolve("emulator");
        this.record = folder.resolve("server.json");
        this.locks = new FileLocks(folder);
        this.notes = new ResourceLedger(folder.resolve("made.jsonl"));
        this.unused = unused;
    }

    /** The emulator of the clusters in the state store of this folder, which gets a subfolder {@code emulator}. */
    public static SharedEmulator of(Path stateFolder) {
        StateStore store = StateStore.in(stateFolder);
        return new SharedEmulator(stateFolder, () -> unused(store));
    }

    /** A cluster whose record cannot be read may be in it. */
    private static boolean unused(StateStore store) {
        try {
            return ClusterManager.list(store).stream()
                    .noneMatch(cluster -> cluster.provider().equals(EmulatedMachines.NAME));
        } catch (ClusterwrightException e) {
            return false;
        }
    }

    /**
     * Finds the emulator or starts it, and keeps it alive until the answer is closed.
     *
     * @param command the command line of a program that calls {@link #serve} with this folder
     * @throws ClusterwrightException when one was killed and its machines remain, or the program does not start
     */
    public Use use(List<String> command) {
        return locks.deciding(() -> {
            Optional<ServerRecord> found = running();
            if (found.isEmpty()) {
                requireNoRemains();
                ServerProcess.start(command, folder, record);
                found = running();
            }
            return new Use(found.orElseThrow(() -> new ClusterwrightException(
                    "the emulated Azure ended as soon as it had started; see " + folder.resolve(ServerProcess.LOG))));
        });
    }

    /**
     * Finds the emulator, and keeps it alive until the answer is closed; empty when there is none.
     *
     * @throws ClusterwrightException when one was killed and its machines remain
     */
    public Optional<Use> find() {
        if (!Files.exists(folder)) {
            // A question leaves nothing behind, not even the files of locks.
            return Optional.empty();
        }
        return locks.deciding(() -> {
            Optional<ServerRecord> found = running();
            if (found.isEmpty()) {
                requireNoRemains();
            }
            return found.map(Use::new);
        });
    }

    /** Whether an emulator of this folder has ended without deleting what it made. */
    public boolean remains() {
        return !notes.isEmpty() && locks.deciding(() -> running().isEmpty() && !notes.isEmpty());
    }

    /** What it made on its machine host, or what is left of that. */
    ResourceLedger notes() {
        return notes;
    }

    /** Forgets an emulator that has ended and whose machines were removed. */
    void forget() {
        locks.deciding(() -> {
            if (running().isEmpty()) {
                notes.forget();
                delete(record);
                tidy();
            }
            return folder;
        });
    }

    /**
     * Ends the emulator, whoever started it, and with it all its clusters; returns when it has deleted its machines.
     *
     * @return whether there was one
     * @throws ClusterwrightException when it did not end in two minutes
     */
    public boolean stop() {
        return locks.deciding(() -> {
            Optional<ServerRecord> found = read();
            found.flatMap(ServerRecord::process).ifPresent(ServerProcess::end);
            tidy();
            return found.isPresent();
        });
    }

    /**
     * Serves this folder's emulator on this process.
     *
     * @param emulator what it is like
     * @param host what its machines are; stays open
     * @param whileUsed whether it shall end by itself; see {@link Service#retire}
     * @throws ClusterwrightException when another one does already, or what is left of one must be removed first
     */
    public Service serve(ArmEmulator.Builder emulator, MachineHost host, boolean whileUsed) {
        // Who started this process to use it decides already, and waits for the record.
        return whileUsed ? service(emulator, host, true) : locks.deciding(() -> service(emulator, host, false));
    }

    private Service service(ArmEmulator.Builder builder, MachineHost host, boolean whileUsed) {
        running().ifPresent(other -> {
            throw new ClusterwrightException("process " + other.pid() + " serves the emulated Azure of " + folder
                    + " already, at " + other.url() + "; use that one, or end it first");
        });
        requireNoRemains();
        create(folder);
        ArmEmulator emulator = builder.machinesBackedBy(host).notes(notes).start();
        ServerRecord.ofThisProcess(emulator.url(), emulator.subscriptionId(), whileUsed)
                .write(record);
        return new Service(emulator);
    }

    private Optional<ServerRecord> read() {
        return ServerRecord.read(record);
    }

    private Optional<ServerRecord> running() {
        Optional<ServerRecord> found = read().filter(one -> one.process().isPresent());
        found.ifPresent(ServerProcess::requireAnswer);
        return found;
    }

    private void requireNoRemains() {
        if (!notes.isEmpty()) {
            String who = read().map(one -> " (process " + one.pid() + ", started " + one.started() + ")")
                    .orElse("");
            throw new ClusterwrightException("the emulated Azure" + who
                    + " has ended without deleting its machines, and all that it knew is lost; destroy its clusters, or run"
                    + " `clusterwright emulator --stop`, to remove them from this machine");
        }
    }

    /** Removes the files of the folder when an emulator ended as it should; only for who decides. */
    private void tidy() {
        if (Files.exists(record) || !notes.isEmpty() || !locks.nobodyUses()) {
            return;
        }
        delete(folder.resolve(ServerProcess.LOG));
        locks.delete();
        try {
            Files.deleteIfExists(folder);
            Files.deleteIfExists(state);
        } catch (DirectoryNotEmptyException e) {
            return;
        } catch (IOException e) {
            throw new UncheckedIOException("cannot delete " + folder, e);
        }
    }

    private static void create(Path path) {
        try {
            Files.createDirectories(path);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot make " + path, e);
        }
    }

    private static void delete(Path path) {
        try {
            Files.deleteIfExists(path);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot delete " + path, e);
        }
    }

    /** A running emulator that is being used; it does not end before this is closed. */
    public final class Use implements AutoCloseable {
        private final ServerRecord server;
        private final AutoCloseable mark;

        private Use(ServerRecord server) {
            this.server = server;
            this.mark = locks.using();
        }

        /** Where it listens: a client's Resource Manager endpoint. */
        public URI url() {
            return server.url();
        }

        /** The id of its one subscription. */
        public String subscriptionId() {
            return server.subscription();
        }

        /** Stops using it; who is the last ends it, unless clusters are left in it or somebody started it by hand. */
        @Override
        public void close() {
            FileLocks.release(mark);
            locks.deciding(() -> {
                if (server.whileUsed() && unused.getAsBoolean() && locks.nobodyUses()) {
                    server.process().ifPresent(ServerProcess::end);
                    tidy();
                }
                return server;
            });
        }
    }

    /** An emulator that this process serves. */
    public final class Service implements AutoCloseable {
        private final ArmEmulator emulator;
        private final AtomicBoolean closed = new AtomicBoolean();

        private Service(ArmEmulator emulator) {
            this.emulator = emulator;
        }

        /** The emulator itself. */
        public ArmEmulator emulator() {
            return emulator;
        }

        /** Whether nobody uses it and no cluster is left in it; from then on nobody finds it, so that it can be closed. */
        public boolean retire() {
            return locks.decidedAtOnce(() -> {
                boolean over = unused.getAsBoolean() && locks.nobodyUses();
                if (over) {
                    close();
                    tidy();
                }
                return over;
            });
        }

        /** Deletes every machine it made and gives up the folder. Closing it twice does nothing. */
        @Override
        public void close() {
            if (closed.compareAndSet(false, true)) {
                emulator.close();
                notes.forget();
                delete(record);
            }
        }
    }
}
