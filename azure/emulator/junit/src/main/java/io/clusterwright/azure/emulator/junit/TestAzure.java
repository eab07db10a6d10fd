package io.clusterwright.azure.emulator.junit;

import io.clusterwright.azure.AzureMachines;
import io.clusterwright.azure.emulator.ArmEmulator;
import io.clusterwright.azure.emulator.SharedEmulator;
import io.clusterwright.core.ClusterManager;
import io.clusterwright.core.Machines;
import io.clusterwright.core.StateStore;
import io.clusterwright.linux.local.LocalMachines;
import java.net.URI;
import java.time.Duration;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.extension.ExtensionConfigurationException;

/** An emulator for one test class, with its own manager. */
final class TestAzure implements AutoCloseable {
    private static final Duration POLL = Duration.ofMillis(50);
    private static final Set<TestAzure> OPEN = ConcurrentHashMap.newKeySet();

    static {
        Runtime.getRuntime()
                .addShutdownHook(new Thread(() -> OPEN.forEach(TestAzure::close), "clusterwright-junit-end"));
    }

    private final TestFolder folder;
    private final ArmEmulator emulator;
    private final Runnable end;
    private final ClusterManager manager;

    private TestAzure(TestFolder folder, ArmEmulator emulator, Runnable end, ClusterManager manager) {
        this.folder = folder;
        this.emulator = emulator;
        this.end = end;
        this.manager = manager;
        OPEN.add(this);
    }

    static TestAzure start(EmulatedAzure wanted) {
        // Nodes of this machine are named after their network, whose name holds the subscription.
        ArmEmulator.Builder builder = ArmEmulator.builder()
                .subscriptionId(UUID.randomUUID().toString())
                .retryAfter(Duration.ZERO);
        setup(wanted).set(builder);
        TestFolder folder = TestFolder.make();
        StateStore store = StateStore.inFolder(folder.path());
        return wanted.machines() == EmulatedAzure.Machines.RECORDS
                ? records(builder, folder, store)
                : nodes(builder, folder, store);
    }

    private static TestAzure records(ArmEmulator.Builder builder, TestFolder folder, StateStore store) {
        ArmEmulator emulator = builder.start();
        return new TestAzure(
                folder,
                emulator,
                emulator::close,
                ClusterManager.builder(connect(emulator)).stateStore(store).build());
    }

    private static TestAzure nodes(ArmEmulator.Builder builder, TestFolder folder, StateStore store) {
        LocalMachines local = LocalMachines.create();
        SharedEmulator shared = SharedEmulator.of(folder.path());
        ArmEmulator served = shared.serve(builder, local.host());
        Machines machines = shared.machines(connect(served), local, () -> {});
        return new TestAzure(
                folder,
                served,
                served::close,
                ClusterManager.builder(machines).stateStore(store).build());
    }

    private static AzureMachines connect(ArmEmulator emulator) {
        URI url = emulator.url();
        String subscription = emulator.subscriptionId();
        return emulator.token()
                .map(token -> AzureMachines.onLoopback(url, subscription, token))
                .orElseGet(() -> AzureMachines.onLoopback(url, subscription))
                .pollInterval(POLL)
                .build();
    }

    private static EmulatedAzure.Setup setup(EmulatedAzure wanted) {
        try {
            var constructor = wanted.setup().getDeclaredConstructor();
            constructor.setAccessible(true);
            return constructor.newInstance();
        } catch (ReflectiveOperationException e) {
            throw new ExtensionConfigurationException(
                    wanted.setup().getName() + " needs a constructor without parameters", e);
        }
    }

    ArmEmulator emulator() {
        return emulator;
    }

    ClusterManager manager() {
        return manager;
    }

    @Override
    public void close() {
        if (OPEN.remove(this)) {
            try {
                end.run();
                manager.close();
            } finally {
                folder.delete();
            }
        }
    }
}
