package io.clusterwright.examples.cli;

import io.clusterwright.azure.AzureMachines;
import io.clusterwright.azure.emulator.ArmEmulator;
import io.clusterwright.azure.emulator.SharedEmulator;
import io.clusterwright.core.Machines;
import io.clusterwright.core.StateStore;
import io.clusterwright.core.spi.MachineHost;
import io.clusterwright.core.spi.MachineProvider;
import io.clusterwright.core.spi.ProviderMachines;
import io.clusterwright.core.type.ClusterwrightException;
import io.clusterwright.linux.local.LocalMachines;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Stream;

/** The emulated Azure that all commands with one state store share; its machines are local nodes. */
public final class SharedAzure {
    static final Duration POLL = Duration.ofMillis(50);
    private static final Path OWN_COMMAND_LINE = Path.of("/proc/self/cmdline");

    private final SharedEmulator emulator = SharedEmulator.of(StateStore.standardFolder());

    /** The needs of a command, which decide about a missing emulator. */
    public enum Want {
        /** Create machines: a missing emulator is started. */
        MAKE,
        /** Use existing machines: a missing emulator is an error. */
        USE,
        /** Delete machines, also machines of an emulator that was killed. */
        DELETE,
        /** Query: where there is no emulator, one without machines answers and ends with the command. */
        ASK
    }

    /** The emulator. */
    public SharedEmulator emulator() {
        return emulator;
    }

    /** The machines of the emulator, which is looked up on first use. */
    public Machines provider(Want want) {
        return machines(SharedEmulator.PROVIDER, () -> switch (want) {
            case MAKE -> emulator.use(command(), this::connect, LocalMachines.create());
            case USE ->
                find().orElseThrow(
                                () -> new ClusterwrightException(
                                        "the emulated Azure has ended, and"
                                                + " its clusters have ended too; run clusterwright destroy NAME to remove a record, and create the cluster again"));
            case DELETE -> delete();
            case ASK -> find().orElseGet(this::alone);
        });
    }

    private Optional<Machines> find() {
        return emulator.find(this::connect, LocalMachines.create());
    }

    private Machines delete() {
        Optional<Machines> found = emulator.hasOrphans() ? Optional.empty() : find();
        return found.orElseGet(() -> emulator.orphans(LocalMachines.create().host()));
    }

    /** Ends the emulator with its clusters, and deletes the orphans of an emulator that was killed. */
    public boolean stop() {
        boolean found = emulator.stop();
        if (emulator.hasOrphans()) {
            try (MachineHost host = LocalMachines.create().host()) {
                emulator.removeOrphans(host);
            }
        }
        return found;
    }

    /** The common settings of emulators. */
    public static ArmEmulator.Builder builder() {
        return ArmEmulator.builder().retiredSizes(true);
    }

    private Machines alone() {
        ArmEmulator own = builder().start();
        return emulator.machines(connect(own.url(), own.subscriptionId()), LocalMachines.create(), own::close);
    }

    private AzureMachines connect(URI url, String subscription) {
        return emulator.token(url)
                .map(token -> AzureMachines.onLoopback(url, subscription, token))
                .orElseGet(() -> AzureMachines.onLoopback(url, subscription))
                .pollInterval(POLL)
                .bootDiagnostics(true)
                .build();
    }

    /** The machines of a provider that connects on first use. */
    public static Machines machines(String name, Supplier<? extends Machines> connect) {
        return new ProviderMachines() {
            @Override
            public String name() {
                return name;
            }

            @Override
            public MachineProvider open() {
                return ((ProviderMachines) connect.get()).open();
            }
        };
    }

    /** The command line of a process that serves the emulator. */
    private List<String> command() {
        List<String> command = new ArrayList<>();
        // Not as a variable: the folder may be relative to where this program runs.
        command.addAll(List.of(
                "env", "CLUSTERWRIGHT_STATE=" + StateStore.standardFolder().toAbsolutePath()));
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(flags());
        command.addAll(List.of("-cp", System.getProperty("java.class.path")));
        command.addAll(List.of("io.clusterwright.examples.cli.ClusterwrightMain", "emulator"));
        command.addAll(List.of("--backed-by", "local", "--while-used"));
        return command;
    }

    /**
     * How this JVM runs, with its archive of classes; nothing where the system does not tell it. {@link
     * ProcessHandle} tells no arguments of a
     * command line that is longer than a page of memory, as one with this class path is.
     */
    private static List<String> flags() {
        try {
            return Stream.of(Files.readString(OWN_COMMAND_LINE, StandardCharsets.ISO_8859_1)
                            .split("\0"))
                    .skip(1)
                    .takeWhile(argument -> argument.startsWith("-"))
                    .filter(argument -> argument.startsWith("-XX:") || argument.startsWith("-Xshare:"))
                    .toList();
        } catch (IOException e) {
            return List.of();
        }
    }
}
