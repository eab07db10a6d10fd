package io.clusterwright.examples.benchmark;

import com.azure.core.http.HttpPipelineBuilder;
import com.azure.core.http.policy.RetryPolicy;
import com.azure.core.management.AzureEnvironment;
import com.azure.core.management.profile.AzureProfile;
import io.clusterwright.azure.AzureMachines;
import io.clusterwright.azure.emulator.ArmEmulator;
import io.clusterwright.core.ResourceId;
import io.clusterwright.core.spec.ClusterSpec;
import io.clusterwright.core.spec.SpecReader;
import io.clusterwright.core.spi.Bootstrap;
import io.clusterwright.core.spi.ImageSource;
import io.clusterwright.core.spi.MachineProvider.MachineOutcome;
import io.clusterwright.core.spi.MachineProvider;
import io.clusterwright.core.spi.MachineProvider.MachineRequest;
import io.clusterwright.core.spi.MachineProvider.ResourceLog;
import io.clusterwright.core.type.ClusterId;
import io.clusterwright.core.type.ClusterName;
import io.clusterwright.core.type.Ipv4Address;
import io.clusterwright.core.type.NodeName;
import io.clusterwright.linux.internal.LinuxBackend;
import java.io.BufferedReader;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * How long the machines of a cluster take on an emulated Azure with Azure's durations and request limits, and how much memory
 * the client needs for that. The emulator is a process of its own.
 */
public final class AzureBenchmark {
    private static final int CORES = 50_000;
    private static final double SECOND = 1e9;
    private static final String[] DEFAULT = {"1", "1", "100", "1", "100", "1", "100"};

    private AzureBenchmark() {}

    /**
     * Arguments: how many nodes, one measurement each, of which the first only warms up (1 1 100 1 100 1 100 without any); or the one word
     * {@code emulator}. At the end come the medians.
     */
    public static void main(String[] arguments) throws Exception {
        if (arguments.length == 1 && arguments[0].equals("emulator")) {
            emulate();
            return;
        }
        Process emulator = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        AzureBenchmark.class.getName(),
                        "emulator")
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        try (BufferedReader said = emulator.inputReader(StandardCharsets.UTF_8)) {
            String[] where = said.readLine().split(" ");
            String[] counts = arguments.length == 0 ? DEFAULT : arguments;
            Map<Integer, List<Measured>> measured = new TreeMap<>();
            for (int round = 0; round < counts.length; round++) {
                int nodes = Integer.parseInt(counts[round]);
                double before = cpuSeconds(emulator.toHandle());
                Measured one = measure(URI.create(where[0]), where[1], round, nodes);
                System.out.printf(
                        "%d nodes: %s, emulator's CPU %.1f s%n", nodes, one, cpuSeconds(emulator.toHandle()) - before);
                if (round > 0) {
                    measured.computeIfAbsent(nodes, count -> new ArrayList<>()).add(one);
                }
            }
            summarise(measured);
        } finally {
            emulator.destroy();
        }
    }

    private static void emulate() throws IOException {
        try (ArmEmulator emulator = ArmEmulator.builder()
                .realistic()
                .coresPerFamily(CORES)
                .regionalCores(CORES)
                .start()) {
            System.out.println(emulator.url() + " " + emulator.subscriptionId());
            System.in.read();
        }
    }

    /** What one creation took; seconds. */
    private record Measured(double network, double machines, double cpu, long heapMegabytes, String resident) {
        @Override
        public String toString() {
            return String.format(
                    Locale.ROOT,
                    "machines %.1f s, network %.1f s, client's CPU %.1f s, heap after collection %d MB, largest"
                            + " resident size %s",
                    machines,
                    network,
                    cpu,
                    heapMegabytes,
                    resident);
        }
    }

    private static void summarise(Map<Integer, List<Measured>> measured) {
        double least = 0;
        for (var entry : measured.entrySet()) {
            double[] machines = entry.getValue().stream()
                    .mapToDouble(Measured::machines)
                    .sorted()
                    .toArray();
            double median = (machines[(machines.length - 1) / 2] + machines[machines.length / 2]) / 2;
            least = least == 0 ? median : least;
            System.out.printf(
                    Locale.ROOT,
                    "median of %d with %d nodes: machines %.1f s (%.1f to %.1f), %.2f times as long as the fewest%n",
                    machines.length,
                    entry.getKey(),
                    median,
                    machines[0],
                    machines[machines.length - 1],
                    median / least);
        }
    }

    private static double cpuSeconds(ProcessHandle process) {
        return process.info().totalCpuDuration().orElse(Duration.ZERO).toMillis() / 1000.0;
    }

    private static Measured measure(URI endpoint, String subscription, int round, int nodes) throws IOException {
        double cpu = cpuSeconds(ProcessHandle.current());
        ClusterSpec spec = SpecReader.read(
                """
                name: bench%d
                resourceGroup: bench%d-rg
                region: westeurope
                nodes: {count: %d, firstIndex: 1, size: Standard_HB120rs_v3}
                network: {addressSpace: 10.99.0.0/16, subnet: {name: Subnet-1, range: 10.99.0.0/16}, ssh: {external: none}}
                image: {base: "microsoft-dsvm:ubuntu-hpc:2204:latest"}
                """
                        .formatted(round, round, nodes),
                "benchmark.yaml");
        Map<String, String> endpoints = new HashMap<>(AzureEnvironment.AZURE.getEndpoints());
        endpoints.put("resourceManagerEndpointUrl", endpoint.toString());
        endpoints.put("managementEndpointUrl", endpoint.toString());
        AzureProfile profile = new AzureProfile("tenant", subscription, new AzureEnvironment(endpoints));
        var pipeline = new HttpPipelineBuilder().policies(new RetryPolicy()).build();
        List<MachineRequest> requests = requests(spec);
        AtomicInteger made = new AtomicInteger();
        long start = System.nanoTime();
        try (MachineProvider azure = AzureMachines.connect(pipeline, profile).open()) {
            azure.createNetwork(spec, new NoLog(spec.name()));
            long network = System.nanoTime();
            azure.createMachines(spec, requests, new NoLog(spec.name()), outcome -> {
                if (outcome instanceof MachineOutcome.Made) {
                    made.incrementAndGet();
                } else {
                    System.err.println(outcome);
                }
            });
            long end = System.nanoTime();
            System.gc();
            Runtime runtime = Runtime.getRuntime();
            if (made.get() != nodes) {
                throw new IllegalStateException(made + " of " + nodes + " nodes were made");
            }
            return new Measured(
                    (network - start) / SECOND,
                    (end - network) / SECOND,
                    cpuSeconds(ProcessHandle.current()) - cpu,
                    (runtime.totalMemory() - runtime.freeMemory()) / 1_000_000,
                    largestResidentSize());
        }
    }

    private static String largestResidentSize() throws IOException {
        Path status = Path.of("/proc/self/status");
        return Files.exists(status)
                ? Files.readAllLines(status).stream()
                        .filter(line -> line.startsWith("VmHWM:"))
                        .map(line -> line.substring(6).trim())
                        .findFirst()
                        .orElse("unknown")
                : "unknown";
    }

    private static List<MachineRequest> requests(ClusterSpec spec) {
        LinuxBackend backend = new LinuxBackend();
        var hostKey = backend.newKeyPair("host");
        String login = backend.newKeyPair("login").publicKey().toString();
        Ipv4Address address = Ipv4Address.of("10.99.0.11");
        List<MachineRequest> requests = new ArrayList<>();
        for (NodeName node : spec.nodes().names()) {
            requests.add(new MachineRequest(
                    node,
                    address.plus(requests.size()),
                    spec.nodes().requireSize(),
                    new ImageSource.Base(spec.image().base()),
                    new Bootstrap(node, spec.login().user(), List.of(login), hostKey)));
        }
        return requests;
    }

    /** Nothing is resumed here. */
    private record NoLog(ClusterName name) implements ResourceLog {
        @Override
        public ClusterId cluster() {
            return new ClusterId(name, "00000000000000bb");
        }

        @Override
        public void creating(ResourceId resource) {}

        @Override
        public void created(ResourceId resource) {}

        @Override
        public void deleted(ResourceId resource) {}
    }
}
