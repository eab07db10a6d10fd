package io.clusterwright.azure.emulator;

import io.clusterwright.core.StateStore;
import io.clusterwright.linux.local.LocalMachines;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;

/** Serves the shared emulator of the folder that it is given, until it is asked to end. */
final class SharedEmulatorProgram {
    private SharedEmulatorProgram() {}

    public static void main(String[] arguments) throws InterruptedException {
        SharedEmulator shared = SharedEmulator.of(Path.of(arguments[0]));
        SharedEmulator.Service service = shared.serve(ArmEmulator.builder(), LocalMachines.create().host(), true);
        Runtime.getRuntime().addShutdownHook(new Thread(service::close));
        new CountDownLatch(1).await();
    }
}
