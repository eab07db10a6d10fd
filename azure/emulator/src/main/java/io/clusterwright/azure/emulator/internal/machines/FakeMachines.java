package io.clusterwright.azure.emulator.internal.machines;

import io.clusterwright.azure.emulator.internal.arm.BackingMachines;
import io.clusterwright.azure.emulator.internal.arm.ResourcePath;
import io.clusterwright.core.internal.concurrent.Threads;
import java.util.concurrent.CompletableFuture;
import java.util.function.BinaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Virtual machines that are records only: everything succeeds, and commands print nothing.
 *
 * @param powerShell gets computer name and script of machines with Windows, and returns what the script prints; null for nothing
 */
public record FakeMachines(@Nullable BinaryOperator<String> powerShell) implements BackingMachines {
    @Override
    public CompletableFuture<?> create(Order order) {
        return done();
    }

    @Override
    public CompletableFuture<?> start(ResourcePath machine) {
        return done();
    }

    @Override
    public CompletableFuture<?> stop(ResourcePath machine) {
        return done();
    }

    @Override
    public CompletableFuture<?> delete(ResourcePath machine) {
        return done();
    }

    @Override
    public CompletableFuture<?> deleteNetwork(ResourcePath subnet) {
        return done();
    }

    @Override
    public CompletableFuture<?> capture(ResourcePath machine, ResourcePath image) {
        return done();
    }

    private static CompletableFuture<?> done() {
        return CompletableFuture.completedFuture(null);
    }

    @Override
    public CompletableFuture<Output> run(ResourcePath machine, String script) {
        return CompletableFuture.completedFuture(new Output(0, "", ""));
    }

    @Override
    public CompletableFuture<Output> powerShell(ResourcePath machine, String name, String script) {
        if (powerShell == null) {
            return run(machine, script);
        }
        return CompletableFuture.supplyAsync(
                () -> new Output(0, powerShell.apply(name, script), ""),
                task -> Threads.start("arm-powershell-" + name, task));
    }

    @Override
    public void close() {}
}
