package io.clusterwright.examples.benchmark;

import com.azure.core.http.HttpPipelineBuilder;
import com.azure.core.http.policy.RetryPolicy;
import com.azure.core.management.AzureEnvironment;
import com.azure.core.management.profile.AzureProfile;
import io.clusterwright.azure.AzureMachines;
import io.clusterwright.azure.emulator.ArmEmulator;
import io.clusterwright.core.spec.ClusterSpec;
import io.clusterwright.core.spec.SpecReader;
import io.clusterwright.core.spi.Bootstrap;
import io.clusterwright.core.spi.ImageSource;
import io.clusterwright.core.spi.MachineOutcome;
import io.clusterwright.core.spi.MachineRequest;
import io.clusterwright.core.spi.ResourceId;
import io.clusterwright.core.spi.ResourceLog;
import io.clusterwright.core.type.Ipv4Address;
import io.clusterwright.core.type.NodeName;
import io.clusterwright.linux.LinuxBackend;
import java.io.BufferedReader;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * How long the machines of a cluster take on an emulated Azure with Azure's durations and request limits, and how much memory
 * the client needs for that. The emulator is a process of its own.
 */
public final class AzureBenchmark {
    private static final int CORES = 50_000;
    private static final double SECOND = 1e9;

    private AzureBenchmark() {}

    /** Arguments: how many nodes, one measurement each (1 1 100; the first warms up); or the one word {@code emulator}. */
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
            String[] counts = arguments.length == 0 ? new String[] {"1", "1", "100"} : arguments;
            for (int round = 0; round < counts.length; round++) {
                measure(URI.create(where[0]), where[1], round, Integer.parseInt(counts[round]));
            }
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

    private static void measure(URI endpoint, String subscription, int round, int nodes) throws IOException {
        ClusterSpec spec = SpecReader.read("""
                name: bench%d
                resourceGroup: bench%d-rg
                region: westeurope
                nodes: {count: %d, firstIndex: 1, size: Standard_HB120rs_v3}
                network: {addressSpace: 10.99.0.0/16, subnet: {name: Subnet-1, range: 10.99.0.0/16}, ssh: {external: none}}
                image: {base: "microsoft-dsvm:ubuntu-hpc:2204:latest"}
                """.formatted(round, round, nodes), "benchmark.yaml");
        Map<String, String> endpoints = new HashMap<>(AzureEnvironment.AZURE.getEndpoints());
        endpoints.put("resourceManagerEndpointUrl", endpoint.toString());
        endpoints.put("managementEndpointUrl", endpoint.toString());
        AzureProfile profile = new AzureProfile("tenant", subscription, new AzureEnvironment(endpoints));
        var pipeline = new HttpPipelineBuilder().policies(new RetryPolicy()).build();
        List<MachineRequest> requests = requests(spec);
        AtomicInteger made = new AtomicInteger();
        long start = System.nanoTime();
        try (AzureMachines azure = AzureMachines.connect(pipeline, profile)) {
            azure.createNetwork(spec, new NoLog());
            long network = System.nanoTime();
            azure.createMachines(spec, requests, new NoLog(), outcome -> {
                if (outcome instanceof MachineOutcome.Made) {
                    made.incrementAndGet();
                } else {
                    System.err.println(outcome);
                }
            });
            long end = System.nanoTime();
            System.gc();
            Runtime runtime = Runtime.getRuntime();
            System.out.printf(
                    "%d of %d nodes: %.1f s (network %.1f s), heap after collection %d MB, largest resident size %s%n",
                    made.get(),
                    nodes,
                    (end - start) / SECOND,
                    (network - start) / SECOND,
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
        Ipv4Address address = Ipv4Address.parse("10.99.0.11");
        List<MachineRequest> requests = new ArrayList<>();
        for (NodeName node : spec.nodes().names()) {
            requests.add(new MachineRequest(
                    node,
                    address.plus(requests.size()),
                    spec.nodes().size(),
                    new ImageSource.Base(spec.image().base()),
                    new Bootstrap(node, spec.login().user(), List.of(login), hostKey)));
        }
        return requests;
    }

    /** Nothing is resumed here. */
    private static final class NoLog implements ResourceLog {
        @Override
        public void creating(ResourceId resource) {}

        @Override
        public void created(ResourceId resource) {}

        @Override
        public void deleted(ResourceId resource) {}
    }
}
