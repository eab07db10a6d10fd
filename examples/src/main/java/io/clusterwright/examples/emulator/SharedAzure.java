package io.clusterwright.examples.emulator;

import io.clusterwright.azure.AzureMachines;
import io.clusterwright.azure.emulator.ArmEmulator;
import io.clusterwright.azure.emulator.EmulatedMachines;
import io.clusterwright.azure.emulator.OrphanCleanup;
import io.clusterwright.azure.emulator.SharedEmulator;
import io.clusterwright.core.StateStore;
import io.clusterwright.core.Machines;
import io.clusterwright.core.spi.MachineProvider;
import io.clusterwright.core.type.ClusterwrightException;
import io.clusterwright.linux.local.LocalMachines;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The emulated Azure that all commands with the same state store share; its machines are local nodes. */
public final class SharedAzure {
    private static final Duration POLL = Duration.ofMillis(50);

    private final SharedEmulator emulator = SharedEmulator.of(StateStore.standardFolder());

    /** What a command wants of it. */
    public enum Want {
        /** To make machines: it is started where there is none. */
        MAKE,
        /** To use machines that are there. */
        USE,
        /** To delete machines, also those of one that was killed. */
        DELETE,
        /** To ask; where there is none, one without machines answers that ends with the command. */
        ASK
    }

    /** The emulator. */
    public SharedEmulator emulator() {
        return emulator;
    }

    /** Its machines; it is looked for when they are first asked for. */
    public Machines provider(Want want) {
        return LazyProvider.of(EmulatedMachines.NAME, () -> switch (want) {
            case MAKE -> machines(emulator.use(command()));
            case USE ->
                machines(emulator.find()
                        .orElseThrow(() -> new ClusterwrightException("the emulated Azure has ended, and"
                                + " its clusters with it; destroy them to forget them, and create them again")));
            case DELETE -> delete();
            case ASK -> emulator.find().<MachineProvider>map(this::machines).orElseGet(this::alone);
        });
    }

    private MachineProvider delete() {
        if (!emulator.remains()) {
            Optional<SharedEmulator.Use> found = emulator.find();
            if (found.isPresent()) {
                return machines(found.get());
            }
        }
        return new OrphanCleanup(emulator, new LocalMachines().host());
    }

    /** Ends the emulator with all that is in it, and removes what one that was killed left. */
    public boolean stop() {
        boolean found = emulator.stop();
        if (emulator.remains()) {
            try (OrphanCleanup remains = new OrphanCleanup(emulator, new LocalMachines().host())) {
                remains.delete();
            }
        }
        return found;
    }

    /** What every emulator of these programs is like. */
    public static ArmEmulator.Builder builder() {
        return ArmEmulator.builder().retiredSizes(true);
    }

    private EmulatedMachines machines(SharedEmulator.Use use) {
        return new EmulatedMachines(
                emulator, connect(use.url(), use.subscriptionId()), new LocalMachines(), use::close);
    }

    private EmulatedMachines alone() {
        ArmEmulator own = builder().start();
        return new EmulatedMachines(
                emulator, connect(own.url(), own.subscriptionId()), new LocalMachines(), own::close);
    }

    private static AzureMachines connect(URI url, String subscription) {
        return AzureMachines.onLoopback(url, subscription)
                .privateAddresses(true)
                .pollInterval(POLL)
                .build();
    }

    /** This program again, as the one that serves the emulator. */
    private List<String> command() {
        List<String> command = new ArrayList<>();
        // Not as a variable: the folder may be relative to where this program runs.
        command.addAll(List.of("env", "CLUSTERWRIGHT_STATE=" + StateStore.standardFolder().toAbsolutePath()));
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(List.of("-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-Xshare:auto"));
        command.addAll(List.of("-cp", System.getProperty("java.class.path")));
        command.addAll(List.of("io.clusterwright.examples.cli.ClusterwrightMain", "emulator"));
        command.addAll(List.of("--backed-by", "local", "--while-used"));
        return command;
    }
}
