package io.clusterwright.examples.cli;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.clusterwright.azure.emulator.ArmEmulator;
import io.clusterwright.azure.emulator.BatchEmulator;
import io.clusterwright.azure.emulator.SharedEmulator;
import io.clusterwright.core.internal.json.Json;
import io.clusterwright.core.spi.MachineHost;
import io.clusterwright.core.type.AddressRange;
import io.clusterwright.core.type.ClusterwrightException;
import io.clusterwright.core.type.InvalidValueException;
import io.clusterwright.examples.SharedAzure;
import io.clusterwright.examples.console.ExitCodes;
import io.clusterwright.examples.console.RefusedException;
import io.clusterwright.linux.local.LocalMachines;
import java.nio.file.Path;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

@Command(name = "emulator", description = "Serves an emulated Azure Resource Manager on loopback until interrupted.")
final class EmulatorCommand extends ProgramCommand {
    private static final int IDLE_SECONDS = 10;

    @Option(names = "--port", paramLabel = "N", description = "The port to listen on; default: any free one.")
    private int port;

    @Option(
            names = "--backed-by",
            paramLabel = "local",
            description =
                    "Back virtual machines with real nodes on this machine: local. Requests then need the token of the first"
                            + " output line. Default: records only.")
    private @Nullable Backing backedBy;

    @Option(names = "--realistic", description = "Use Azure's durations, default quotas and request limits.")
    private boolean realistic;

    @Option(names = "--faults", paramLabel = "FILE", description = "A fault script: requests that fail, and how.")
    private @Nullable Path faults;

    @Option(names = "--record", paramLabel = "DIR", description = "Record every request and answer in this folder.")
    private @Nullable Path record;

    @Option(
            names = "--batch",
            arity = "0..1",
            paramLabel = "RANGE",
            fallbackValue = "10.0.0.0/16",
            description = "Serve an account of Azure Batch instead, whose nodes have addresses of this range; default:"
                    + " 10.0.0.0/16.")
    private @Nullable String batch;

    @Option(names = "--stop", description = "End the emulator that --on emulator uses, with all its clusters.")
    private boolean stop;

    /** Ends when no command uses it; {@code --on emulator} starts it so. */
    @Option(names = "--while-used", hidden = true)
    private boolean whileUsed;

    @Override
    public Integer call() {
        if (stop) {
            out.println(new SharedAzure().stop() ? "ended" : "no emulator is running");
            return ExitCodes.OK;
        }
        if (batch != null) {
            return serveBatch(batch);
        }
        ArmEmulator.Builder builder = SharedAzure.builder().port(port);
        if (realistic) {
            builder.realistic();
        }
        if (record != null) {
            builder.recordTo(record);
        }
        if (faults != null) {
            readFaults(builder, faults);
        }
        try {
            if (backedBy == null) {
                try (ArmEmulator emulator = builder.start()) {
                    announce(emulator);
                    new CountDownLatch(1).await();
                }
            } else {
                serve(builder);
            }
        } catch (InterruptedException e) {
            // The machines are deleted by now; an interrupt is the usual end of this command.
            Thread.currentThread().interrupt();
        }
        return ExitCodes.OK;
    }

    private int serveBatch(String range) {
        if (port != 0 || realistic || faults != null) {
            throw new RefusedException(
                    "--port, --realistic and --faults are for an emulated Resource Manager, and --batch serves an emulated Azure"
                            + " Batch: leave out --batch, or the others");
        }
        BatchEmulator.Builder builder = BatchEmulator.builder().addressSpace(AddressRange.of(range));
        if (record != null) {
            builder.recordTo(record);
        }
        if (backedBy != null) {
            builder.machinesBackedBy(LocalMachines.create().host());
        }
        try (BatchEmulator emulator = builder.start()) {
            ObjectNode line = Json.object().put("url", emulator.url().toString());
            emulator.token().ifPresent(token -> line.put("token", token.reveal()));
            line.put("storage", emulator.container("files", "rcwl").reveal());
            out.println(line);
            new CountDownLatch(1).await();
        } catch (InterruptedException e) {
            // The machines are deleted by now; an interrupt is the usual end of this command.
            Thread.currentThread().interrupt();
        }
        return ExitCodes.OK;
    }

    /** Serves the emulator with real machines, which {@code --on emulator} finds. */
    private void serve(ArmEmulator.Builder builder) throws InterruptedException {
        if (whileUsed) {
            // Nodes of this machine are named after their network, whose name holds the subscription.
            builder.subscriptionId(UUID.randomUUID().toString()).retryAfter(Duration.ZERO);
        }
        SharedEmulator shared = new SharedAzure().emulator();
        MachineHost host = LocalMachines.create().host();
        try (ArmEmulator served = whileUsed ? shared.serveWhileUsed(builder, host) : shared.serve(builder, host)) {
            if (!whileUsed) {
                announce(served);
            }
            CountDownLatch never = new CountDownLatch(1);
            do {
                never.await(IDLE_SECONDS, TimeUnit.SECONDS);
            } while (!whileUsed || !shared.retire());
        }
    }

    private void announce(ArmEmulator emulator) {
        ObjectNode line =
                Json.object().put("url", emulator.url().toString()).put("subscriptionId", emulator.subscriptionId());
        emulator.token().ifPresent(token -> line.put("token", token.reveal()));
        out.println(line);
    }

    private static void readFaults(ArmEmulator.Builder builder, Path file) {
        try {
            builder.faultsFrom(file);
        } catch (InvalidValueException e) {
            throw new RefusedException(file + ": " + e.getMessage());
        } catch (ClusterwrightException e) {
            throw new RefusedException(e.getMessage());
        }
    }

    /** The values of {@code --backed-by}. */
    enum Backing {
        /** A node on this machine. */
        LOCAL;

        @Override
        public String toString() {
            return "local";
        }
    }
}
