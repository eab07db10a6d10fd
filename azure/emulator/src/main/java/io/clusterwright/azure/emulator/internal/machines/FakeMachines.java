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
    public CompletableFuture<Output> powerShell(ResourcePath machine, String name, String script) {
        BinaryOperator<String> answers = powerShell;
        return answers == null
                ? run(machine, script)
                : CompletableFuture.supplyAsync(
                        () -> new Output(0, answers.apply(name, script), ""),
                        task -> Threads.start("arm-powershell-" + name, task));
    }
}
