package io.clusterwright.azure.emulator.internal.machines;

import io.clusterwright.azure.emulator.internal.arm.ArmId;
import io.clusterwright.azure.emulator.internal.arm.Machines;
import java.util.concurrent.CompletableFuture;
import java.util.function.BinaryOperator;

/**
 * Machines that are records only, whose PowerShell somebody plays.
 *
 * @param player gets computer name and script, and gives what that printed
 */
public record FakeMachines(BinaryOperator<String> player) implements Machines {
    @Override
    public CompletableFuture<?> create(Order order) {
        return NONE.create(order);
    }

    @Override
    public CompletableFuture<?> start(ArmId machine) {
        return NONE.start(machine);
    }

    @Override
    public CompletableFuture<?> stop(ArmId machine) {
        return NONE.stop(machine);
    }

    @Override
    public CompletableFuture<?> delete(ArmId machine) {
        return NONE.delete(machine);
    }

    @Override
    public CompletableFuture<?> capture(ArmId machine, ArmId image) {
        return NONE.capture(machine, image);
    }

    @Override
    public CompletableFuture<Output> run(ArmId machine, String script) {
        return NONE.run(machine, script);
    }

    @Override
    public CompletableFuture<Output> powerShell(ArmId machine, String name, String script) {
        return CompletableFuture.supplyAsync(
                () -> new Output(0, player.apply(name, script), ""), task -> start(task, "arm-powershell-" + name));
    }

    private static void start(Runnable task, String name) {
        Thread thread = new Thread(task, name);
        thread.setDaemon(true);
        thread.start();
    }

    @Override
    public void close() {}
}
