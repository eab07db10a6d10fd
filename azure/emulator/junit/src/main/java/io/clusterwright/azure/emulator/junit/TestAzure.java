package io.clusterwright.azure.emulator.junit;

import com.azure.core.http.HttpHeaderName;
import com.azure.core.http.HttpPipeline;
import com.azure.core.http.HttpPipelineBuilder;
import com.azure.core.http.policy.HttpPipelinePolicy;
import com.azure.core.management.profile.AzureProfile;
import io.clusterwright.azure.AzureMachines;
import io.clusterwright.azure.emulator.ArmEmulator;
import io.clusterwright.azure.emulator.Fault;
import io.clusterwright.azure.emulator.SharedEmulator;
import io.clusterwright.core.ClusterManager;
import io.clusterwright.core.Machines;
import io.clusterwright.core.StateStore;
import io.clusterwright.linux.local.LocalMachines;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.junit.jupiter.api.extension.ExtensionConfigurationException;

/** An emulator for tests, with its own manager. */
final class TestAzure implements AutoCloseable {
    /** The types of parameters, each with its object. */
    private static final Map<Class<?>, Function<TestAzure, Object>> PARAMETERS = Map.of(
            ArmEmulator.class, azure -> azure.emulator,
            ClusterManager.class, azure -> azure.manager,
            HttpPipeline.class, azure -> pollingEachSecond(pipeline(azure.emulator)),
            AzureProfile.class, azure -> profile(azure.emulator));

    private static final String RECORDS =
            "the virtual machines of this emulated Azure are records without a system; for"
                    + " clusters with nodes write @EmulatedAzure(machines = EmulatedAzure.Machines.LOCAL_NODES), which needs root";

    private static final int SHOWN = 8;
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
    private final Set<String> setup;
    private volatile boolean testFailed;

    private TestAzure(TestFolder folder, ArmEmulator emulator, Runnable end, ClusterManager manager) {
        this.folder = folder;
        this.emulator = emulator;
        this.end = end;
        this.manager = manager;
        this.setup = pending();
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
                ClusterManager.builder(connect(emulator).refuseSessions(RECORDS).build())
                        .stateStore(store)
                        .build());
    }

    private static TestAzure nodes(ArmEmulator.Builder builder, TestFolder folder, StateStore store) {
        LocalMachines local = LocalMachines.create();
        SharedEmulator shared = SharedEmulator.of(folder.path());
        ArmEmulator served = shared.serve(builder, local.host());
        Machines machines = shared.machines(connect(served).build(), local, () -> {});
        return new TestAzure(
                folder,
                served,
                served::close,
                ClusterManager.builder(machines).stateStore(store).build());
    }

    private static AzureMachines.Builder connect(ArmEmulator emulator) {
        return AzureMachines.builder(pipeline(emulator), profile(emulator)).pollInterval(POLL);
    }

    private static HttpPipeline pipeline(ArmEmulator emulator) {
        URI url = emulator.url();
        return emulator.token()
                .map(token -> AzureMachines.loopbackPipeline(url, token))
                .orElseGet(() -> AzureMachines.loopbackPipeline(url));
    }

    private static AzureProfile profile(ArmEmulator emulator) {
        return AzureMachines.loopbackProfile(emulator.url(), emulator.subscriptionId());
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

    /** Whether parameters of this type have an object. */
    static boolean has(Class<?> type) {
        return PARAMETERS.containsKey(type);
    }

    /** The object for a parameter of a type that {@linkplain #has has} one. */
    Object of(Class<?> type) {
        return Objects.requireNonNull(PARAMETERS.get(type)).apply(this);
    }

    /** Clients of the SDK poll every 30 s where an answer does not say when, as the answers of this emulator. */
    private static HttpPipeline pollingEachSecond(HttpPipeline pipeline) {
        List<HttpPipelinePolicy> policies = new ArrayList<>();
        policies.add((context, next) -> next.process().map(answer -> {
            if (answer.getHeaderValue(HttpHeaderName.RETRY_AFTER) == null) {
                answer.getHeaders().set(HttpHeaderName.RETRY_AFTER, "1");
            }
            return answer;
        }));
        for (int i = 0; i < pipeline.getPolicyCount(); i++) {
            policies.add(pipeline.getPolicy(i));
        }
        return new HttpPipelineBuilder()
                .policies(policies.toArray(HttpPipelinePolicy[]::new))
                .httpClient(pipeline.getHttpClient())
                .build();
    }

    /** The faults that have not fired, as the script names them without counts. */
    Set<String> pending() {
        return emulator.pendingFaults().stream().map(TestAzure::name).collect(Collectors.toSet());
    }

    /** Throws when a fault other than these has not fired, such as a fault that the test has set. */
    void requireOthersFired(String test, Set<String> except) {
        require(test, fault -> !except.contains(name(fault)));
    }

    /** Throws when a fault of the setup did not fire in any test; not when a test failed, and may have stopped before. */
    void requireFaultsOfSetupFired(String tests) {
        if (!testFailed) {
            require(tests, fault -> setup.contains(name(fault)));
        }
    }

    /** A test failed. */
    void failed() {
        testFailed = true;
    }

    private void require(String tests, Predicate<Fault> judged) {
        List<Fault> pending = emulator.pendingFaults().stream().filter(judged).toList();
        if (!pending.isEmpty()) {
            throw new AssertionError(tests + ": " + (pending.size() == 1 ? "a fault" : "faults")
                    + " did not fire; compare the path with the requests, or, if this is intended, end the faults with"
                    + " emulator.faults(), or write @EmulatedAzure(pendingFaults = ALLOW)"
                    + pending.stream()
                            .map(fault -> "\n  " + fault + requests(fault))
                            .collect(Collectors.joining()));
        }
    }

    private static String name(Fault fault) {
        return fault.kind().code() + " on " + fault.method() + " " + fault.path();
    }

    /** The last requests of the method of a fault. */
    private String requests(Fault fault) {
        List<String> paths = emulator.requests().stream()
                .filter(request -> fault.method().equals("*") || fault.method().equals(request.method()))
                .map(request -> request.method() + " " + request.path())
                .distinct()
                .toList();
        return paths.isEmpty()
                ? "\n    no " + (fault.method().equals("*") ? "" : fault.method() + " ") + "request was sent"
                : paths.stream()
                        .skip(Math.max(0, paths.size() - SHOWN))
                        .map(path -> "\n    sent: " + path)
                        .collect(Collectors.joining());
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
