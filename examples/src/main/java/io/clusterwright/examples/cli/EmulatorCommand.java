package io.clusterwright.examples.cli;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.clusterwright.azure.emulator.ArmEmulator;
import io.clusterwright.azure.emulator.FaultScript;
import io.clusterwright.examples.console.Explanation;
import io.clusterwright.examples.console.RefusedException;
import io.clusterwright.linux.local.LocalMachines;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(name = "emulator", description = "Serves an emulated Azure Resource Manager on loopback until interrupted.")
final class EmulatorCommand implements Callable<Integer> {
    @Mixin
    private Common common = new Common();

    @Option(names = "--port", paramLabel = "N", description = "The port to listen on; any that is free by default.")
    private int port;

    @Option(names = "--backed-by", paramLabel = "local", description = "What virtual machines really are: local.")
    private Common.@Nullable On backedBy;

    @Option(names = "--realistic", description = "Azure's durations, default quotas and request limits.")
    private boolean realistic;

    @Option(names = "--faults", paramLabel = "FILE", description = "A script of what goes wrong.")
    private @Nullable Path faults;

    @Option(names = "--record", paramLabel = "DIR", description = "Keep every request and answer in this folder.")
    private @Nullable Path record;

    @Override
    public Integer call() {
        ArmEmulator.Builder builder = ArmEmulator.builder().port(port);
        if (realistic) {
            builder.realistic();
        }
        if (record != null) {
            builder.recordTo(record);
        }
        if (faults != null) {
            builder.faults(script(faults));
        }
        if (backedBy == null) {
            serve(builder);
        } else {
            try (LocalMachines local = new LocalMachines()) {
                serve(builder.machinesBackedBy(local.host()));
            }
        }
        return Explanation.OK;
    }

    private static FaultScript script(Path file) {
        try {
            return FaultScript.read(file);
        } catch (IllegalArgumentException e) {
            throw new RefusedException(file + ": " + e.getMessage());
        } catch (UncheckedIOException e) {
            throw new RefusedException("cannot read the fault script " + file + ": " + e.getMessage());
        }
    }

    private void serve(ArmEmulator.Builder builder) {
        try (ArmEmulator emulator = builder.start()) {
            common.out.println(new ObjectMapper()
                    .createObjectNode()
                    .put("url", emulator.url().toString())
                    .put("subscriptionId", emulator.subscriptionId()));
            new CountDownLatch(1).await();
        } catch (InterruptedException e) {
            // The machines are deleted by now; the program ends because it was asked to.
            Thread.currentThread().interrupt();
        }
    }
}
