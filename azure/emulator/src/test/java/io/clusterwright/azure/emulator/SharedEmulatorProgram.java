package io.clusterwright.azure.emulator;

import io.clusterwright.linux.local.LocalMachines;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;

/** Serves the shared emulator of the folder that it is given, until it is asked to end. */
final class SharedEmulatorProgram {
    private SharedEmulatorProgram() {}

    public static void main(String[] arguments) throws InterruptedException {
        SharedEmulator shared = SharedEmulator.of(Path.of(arguments[0]));
        ArmEmulator served = shared.serveWhileUsed(
                ArmEmulator.builder(), LocalMachines.create().host());
        Runtime.getRuntime().addShutdownHook(new Thread(served::close));
        new CountDownLatch(1).await();
    }
}
