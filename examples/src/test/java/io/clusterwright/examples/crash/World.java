package io.clusterwright.examples.crash;

import com.azure.core.http.HttpClient;
import com.azure.core.http.HttpPipeline;
import com.azure.core.http.HttpPipelineBuilder;
import com.azure.core.http.policy.FixedDelay;
import com.azure.core.http.policy.RetryPolicy;
import com.azure.core.management.AzureEnvironment;
import com.azure.core.management.profile.AzureProfile;
import io.clusterwright.azure.AzureMachines;
import io.clusterwright.azure.emulator.ArmEmulator;
import io.clusterwright.core.ClusterManager;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.stream.Stream;

/** What outlives a process: the emulated cloud, its machines in memory, and the folder of the records. */
final class World implements AutoCloseable {
    private static final HttpClient CLIENT = HttpClient.createDefault();

    private final MachineRoom machines = new MachineRoom();
    private final Path folder;
    private final ArmEmulator emulator;
    private final AtomicLong jumped = new AtomicLong();
    private final AtomicLong stopped = new AtomicLong();

    World(Path folder) {
        this.folder = folder;
        List<ArmEmulator> started = new ArrayList<>();
        new SimulatedProcess(this, List.of())
                .run(() -> started.add(ArmEmulator.builder()
                        .coresPerFamily(12_000)
                        .machinesBackedBy(machines)
                        .start()));
        this.emulator = started.get(0);
    }

    MachineRoom machines() {
        return machines;
    }

    /** Lets time pass. */
    void pass(Duration time) {
        jumped.addAndGet(time.toNanos());
        emulator.advance(time);
    }

    /** The time that has passed beside the real time, in nanoseconds. */
    long passed() {
        return jumped.get();
    }

    /** Lets the cloud answer a request with a fault. */
    void strike(Trouble trouble, Effect effect) {
        emulator.faults(trouble.at(effect));
    }

    /** Lets time pass in which no process runs. */
    void passForOthers(Duration time) {
        stopped.addAndGet(time.toNanos());
        emulator.advance(time);
    }

    /** How far the clocks of the cloud are ahead of this machine's. */
    Duration ahead() {
        return Duration.ofNanos(jumped.get() + stopped.get());
    }

    /** Ends all faults, and what they left behind for a time. */
    void heal() {
        emulator.faults();
        pass(Duration.ofMinutes(11));
    }

    /** Uses a manager of clusters as a process. */
    void as(SimulatedProcess process, Consumer<ClusterManager> use) {
        as(process, folder, use);
    }

    /** As another user, with the records in another folder. */
    void as(SimulatedProcess process, Path records, Consumer<ClusterManager> use) {
        process.run(() -> {
            try (ClusterManager manager = ClusterManager.builder(AzureMachines.builder(pipeline(process), profile())
                            .privateAddresses(true)
                            .pollInterval(Duration.ofSeconds(2))
                            .build())
                    .stateStore(new RecordGate(process, records))
                    .build()) {
                use.accept(manager);
            }
        });
    }

    /** The library's own pipeline has the same number of tries, with pauses in real time. */
    private HttpPipeline pipeline(SimulatedProcess process) {
        return new HttpPipelineBuilder()
                .policies(new RetryPolicy(new FixedDelay(5, Duration.ofMillis(1))))
                .httpClient(new RequestGate(process, CLIENT, emulator.token().orElseThrow()))
                .build();
    }

    private AzureProfile profile() {
        Map<String, String> endpoints = new HashMap<>(AzureEnvironment.AZURE.getEndpoints());
        endpoints.put("resourceManagerEndpointUrl", emulator.url().toString());
        endpoints.put("managementEndpointUrl", emulator.url().toString());
        return new AzureProfile(null, emulator.subscriptionId(), new AzureEnvironment(endpoints));
    }

    /** The ids of everything in the cloud. */
    List<String> resources() {
        return emulator.resources();
    }

    /** The files of the records; the id of their folder is none of them and stays. */
    List<String> files() {
        try (Stream<Path> files = Files.walk(folder)) {
            return files.filter(Files::isRegularFile)
                    .map(file -> folder.relativize(file).toString())
                    .filter(file -> !file.equals("owner"))
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() {
        emulator.close();
    }
}
