package io.clusterwright.azure.emulator;

import io.clusterwright.azure.emulator.internal.machines.ResourceLedger;
import io.clusterwright.azure.emulator.internal.shared.EmulatedMachines;
import io.clusterwright.azure.emulator.internal.shared.FileLocks;
import io.clusterwright.azure.emulator.internal.shared.OrphanCleanup;
import io.clusterwright.azure.emulator.internal.shared.PrivateFolder;
import io.clusterwright.azure.emulator.internal.shared.ServerProcess;
import io.clusterwright.core.ClusterManager;
import io.clusterwright.core.Machines;
import io.clusterwright.core.StateStore;
import io.clusterwright.core.spi.MachineHost;
import io.clusterwright.core.spi.MachineProvider;
import io.clusterwright.core.spi.ProviderMachines;
import io.clusterwright.core.type.ClusterwrightException;
import io.clusterwright.core.type.InvalidValueException;
import io.clusterwright.core.type.Secret;
import java.io.IOException;
import java.net.URI;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * One emulator for all processes with the same state store: the first that needs it starts it as a separate process,
 * the others find it, and it lives on with its machines when they have ended. Use it in a program whose separate runs
 * must find the same emulated cluster; tests use {@link ArmEmulator}.
 *
 * <pre>{@code
 * SharedEmulator shared = SharedEmulator.of(folder); // the folder of the state store
 * if (shared.hasOrphans()) { // machines of an emulator that was killed
 *     shared.removeOrphans(LocalMachines.create().host());
 * }
 * }</pre>
 *
 * <p>{@code emulator/server.json} in the folder, which only its owner may read, has the token of the emulator and names the serving
 * process, which must be the one that wrote it and must answer with the
 * subscription that it wrote. {@code emulator/made.jsonl} names the resources on its machine host, each before it is created. An
 * emulator that was started by {@link #use} ends, and deletes its resources, when no process uses it and no cluster of the store is in it.
 * One that was killed leaves orphaned machines: {@link #hasOrphans} reports them, {@link #removeOrphans} deletes them.
 *
 * <p>Safe for use by several threads and several processes.
 */
public final class SharedEmulator {
    /** The name of the provider of its machines: {@value}. */
    public static final String PROVIDER = "emulator";

    private final Path state;
    private final Path folder;
    private final Path record;
    private final FileLocks locks;
    private final ResourceLedger ledger;
    private final BooleanSupplier unused;
    private @Nullable ArmEmulator served;

    private SharedEmulator(Path state, BooleanSupplier unused) {
        this.state = state.toAbsolutePath();
        this.folder = this.state.resolve("emulator");
        this.record = folder.resolve("server.json");
        this.locks = new FileLocks(folder);
        this.ledger = new ResourceLedger(folder.resolve("made.jsonl"));
        this.unused = unused;
    }

    /** The emulator of the clusters in the state store of this folder, which gets a subfolder {@code emulator}. */
    public static SharedEmulator of(Path stateFolder) {
        StateStore store = StateStore.inFolder(stateFolder);
        return new SharedEmulator(stateFolder, () -> unused(store));
    }

    /** A cluster whose record cannot be read may be in it. */
    private static boolean unused(StateStore store) {
        try {
            return ClusterManager.list(store).stream()
                    .noneMatch(cluster -> cluster.provider().equals(PROVIDER));
        } catch (ClusterwrightException e) {
            return false;
        }
    }

    /**
     * Finds the emulator or starts it, and keeps it alive until the manager of the machines is closed.
     *
     * @param command the command line of a program that calls {@link #serveWhileUsed} with this folder
     * @param connect connects to an endpoint and a subscription
     * @param real the machines whose host the emulator runs on
     * @throws ClusterwrightException when one was killed and its machines remain, or the program does not start
     */
    public Machines use(List<String> command, BiFunction<URI, String, Machines> connect, Machines real) {
        return lease(command).machines(connect, real);
    }

    /**
     * Finds the emulator, and keeps it alive until the manager of the machines is closed; empty when no emulator runs.
     *
     * @param connect connects to an endpoint and a subscription
     * @param real the machines whose host the emulator runs on
     * @throws ClusterwrightException when one was killed and its machines remain
     */
    public Optional<Machines> find(BiFunction<URI, String, Machines> connect, Machines real) {
        return findLease().map(lease -> lease.machines(connect, real));
    }

    Lease lease(List<String> command) {
        return locks.deciding(() -> {
            Optional<ServerProcess> found = running();
            if (found.isEmpty()) {
                requireNoRemains();
                ServerProcess.start(command, folder, record);
                found = running();
            }
            return new Lease(found.orElseThrow(() -> new ClusterwrightException(
                    "The emulated Azure ended as soon as it had started. See " + folder.resolve(ServerProcess.LOG))));
        });
    }

    Optional<Lease> findLease() {
        if (!Files.exists(folder)) {
            // A question leaves nothing behind, not even the files of locks.
            return Optional.empty();
        }
        return locks.deciding(() -> {
            Optional<ServerProcess> found = running();
            if (found.isEmpty()) {
                requireNoRemains();
            }
            return found.map(Lease::new);
        });
    }

    /** The token of the emulator that serves this folder, when it is the one at this endpoint; only its own user can read it. */
    public Optional<Secret> token(URI endpoint) {
        return read().filter(one -> one.url().equals(endpoint) && one.process().isPresent())
                .flatMap(one -> Optional.ofNullable(one.token()));
    }

    /** Whether an emulator of this folder has ended without deleting its machines. */
    public boolean hasOrphans() {
        return !ledger.isEmpty() && locks.deciding(() -> running().isEmpty() && !ledger.isEmpty());
    }

    /** Deletes the machines, networks and images of an emulator that was killed. The host stays open. */
    public void removeOrphans(MachineHost host) {
        new OrphanCleanup(ledger, this::forget, host).delete();
    }

    /** The machines of an emulator that was killed, whose clusters can only be destroyed. The host is closed with their manager. */
    public Machines orphans(MachineHost host) {
        return new SharedMachines(() -> new OrphanCleanup(ledger, this::forget, host));
    }

    /**
     * The machines of a running emulator: created, changed and deleted as in the cloud, and reached as nodes of another provider.
     *
     * @param cloud machines of the emulator
     * @param real the machines whose host the emulator runs on
     * @param end the action after the manager of these machines was closed, such as the end of the emulator
     */
    public Machines machines(Machines cloud, Machines real, Runnable end) {
        return new SharedMachines(
                () -> new EmulatedMachines(ledger, SharedMachines.open(cloud), SharedMachines.open(real), end));
    }

    private record SharedMachines(Supplier<MachineProvider> opening) implements ProviderMachines {
        static MachineProvider open(Machines machines) {
            if (machines instanceof ProviderMachines provider) {
                return provider.open();
            }
            throw InvalidValueException.of(
                    machines.name() + " is not made by a provider",
                    "use the machines of a provider's module (example: LocalMachines.create())");
        }

        @Override
        public String name() {
            return PROVIDER;
        }

        @Override
        public MachineProvider open() {
            return opening.get();
        }
    }

    /** Forgets an emulator that has ended and whose machines were removed. */
    private void forget() {
        locks.deciding(() -> {
            if (running().isEmpty()) {
                ledger.forget();
                delete(record);
                tidy();
            }
            return folder;
        });
    }

    /**
     * Ends the emulator and with it all its clusters; returns when it has deleted its machines.
     *
     * @return whether there was one
     * @throws ClusterwrightException when it did not end in two minutes
     */
    public boolean stop() {
        return locks.deciding(() -> {
            Optional<ServerProcess> found = read();
            found.flatMap(ServerProcess::process).ifPresent(ServerProcess::end);
            tidy();
            return found.isPresent();
        });
    }

    /**
     * Serves this folder's emulator on this process until the result is closed.
     *
     * @param host the host of its machines; stays open
     * @throws ClusterwrightException when another process serves it, or orphans of one must be removed first
     */
    public ArmEmulator serve(ArmEmulator.Builder emulator, MachineHost host) {
        return locks.deciding(() -> start(emulator, host, false));
    }

    /**
     * Serves this folder's emulator on this process, which {@link #use} started; see {@link #retire}.
     *
     * @param host the host of its machines; stays open
     * @throws ClusterwrightException when another process serves it, or orphans of one must be removed first
     */
    public ArmEmulator serveWhileUsed(ArmEmulator.Builder emulator, MachineHost host) {
        // The process that started this one holds the lock of who decides, and waits for the record.
        return start(emulator, host, true);
    }

    private ArmEmulator start(ArmEmulator.Builder builder, MachineHost host, boolean whileUsed) {
        running().ifPresent(other -> {
            throw new ClusterwrightException(
                    "Process " + other.pid() + " serves the emulated Azure of " + folder + " already, at " + other.url()
                            + ". Use that one, or end it with `clusterwright emulator --stop`.");
        });
        requireNoRemains();
        PrivateFolder.create(folder);
        ArmEmulator emulator =
                builder.machinesBackedBy(host).ledger(ledger, this::ended).start();
        ServerProcess.ofThisProcess(emulator, whileUsed).write(record);
        served = emulator;
        return emulator;
    }

    private void ended() {
        ledger.forget();
        delete(record);
    }

    /**
     * Closes the emulator that this process serves, when no process uses it and no cluster is in it.
     *
     * @return whether it is closed
     * @throws IllegalStateException when this process serves none
     */
    public boolean retire() {
        ArmEmulator emulator = served;
        if (emulator == null) {
            throw new IllegalStateException("This process does not serve the emulator of " + folder + ".");
        }
        return locks.decidedAtOnce(() -> {
            boolean over = unused.getAsBoolean() && locks.isUnused();
            if (over) {
                emulator.close();
                tidy();
            }
            return over;
        });
    }

    private Optional<ServerProcess> read() {
        return ServerProcess.read(record);
    }

    private Optional<ServerProcess> running() {
        Optional<ServerProcess> found = read().filter(one -> one.process().isPresent());
        found.ifPresent(ServerProcess::requireAnswer);
        return found;
    }

    private void requireNoRemains() {
        if (!ledger.isEmpty()) {
            String who = read().map(one -> " (process " + one.pid() + ", started " + one.started() + ")")
                    .orElse("");
            throw new ClusterwrightException("The emulated Azure" + who
                    + " has ended without deleting its machines. Destroy its clusters, or run `clusterwright emulator"
                    + " --stop`, to remove them from this machine.");
        }
    }

    /** Removes the files of the folder when an emulator ended as it should; only while deciding. */
    private void tidy() {
        if (Files.exists(record) || !ledger.isEmpty() || !locks.isUnused()) {
            return;
        }
        delete(folder.resolve(ServerProcess.LOG));
        locks.delete();
        try {
            if (Files.deleteIfExists(folder)) {
                Files.deleteIfExists(state);
            }
        } catch (DirectoryNotEmptyException e) {
            return;
        } catch (IOException e) {
            throw new ClusterwrightException("Cannot delete " + folder, e);
        }
    }

    private static void delete(Path path) {
        try {
            Files.deleteIfExists(path);
        } catch (IOException e) {
            throw new ClusterwrightException("Cannot delete " + path, e);
        }
    }

    /** Use of a running emulator, which does not end before this is closed. */
    final class Lease {
        final ServerProcess server;
        private final AutoCloseable mark;

        private Lease(ServerProcess server) {
            this.server = server;
            this.mark = locks.using();
        }

        Machines machines(BiFunction<URI, String, Machines> connect, Machines real) {
            return SharedEmulator.this.machines(connect.apply(server.url(), server.subscription()), real, this::close);
        }

        /** Ends the use; the last user ends the emulator, unless clusters are in it or it was started by hand. */
        void close() {
            FileLocks.release(mark);
            locks.deciding(() -> {
                if (server.whileUsed() && unused.getAsBoolean() && locks.isUnused()) {
                    server.process().ifPresent(ServerProcess::end);
                    tidy();
                }
                return server;
            });
        }
    }
}
