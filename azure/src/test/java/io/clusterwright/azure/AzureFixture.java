package io.clusterwright.azure;

import static org.assertj.core.api.Assertions.assertThat;

import com.azure.core.http.HttpClient;
import com.azure.core.http.HttpHeaderName;
import com.azure.core.http.HttpHeaders;
import com.azure.core.http.HttpPipeline;
import com.azure.core.http.HttpPipelineBuilder;
import com.azure.core.http.HttpRequest;
import com.azure.core.http.policy.AddHeadersPolicy;
import com.azure.core.http.policy.RetryPolicy;
import com.azure.core.management.AzureEnvironment;
import com.azure.core.management.profile.AzureProfile;
import com.fasterxml.jackson.databind.JsonNode;
import io.clusterwright.azure.AzureException.Reason;
import io.clusterwright.azure.emulator.ArmEmulator;
import io.clusterwright.core.ClusterManager;
import io.clusterwright.core.Machines;
import io.clusterwright.core.ResourceId;
import io.clusterwright.core.StateStore;
import io.clusterwright.core.internal.json.Json;
import io.clusterwright.core.plan.Finding;
import io.clusterwright.core.spec.ClusterSpec;
import io.clusterwright.core.spec.NetworkSpec.SshAccess;
import io.clusterwright.core.spec.Placement;
import io.clusterwright.core.spi.Bootstrap;
import io.clusterwright.core.spi.ImageSource;
import io.clusterwright.core.spi.MachineProvider.MachineOutcome;
import io.clusterwright.core.spi.MachineProvider.MachineRequest;
import io.clusterwright.core.spi.MachineProvider.ResourceLog;
import io.clusterwright.core.type.ClusterId;
import io.clusterwright.core.type.ClusterName;
import io.clusterwright.core.type.Ipv4Address;
import io.clusterwright.core.type.NodeName;
import io.clusterwright.core.type.Secret;
import io.clusterwright.linux.internal.LinuxBackend;
import io.clusterwright.linux.local.LocalMachines;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.UnaryOperator;
import org.assertj.core.api.ThrowingConsumer;

/** Specs, requests and connections for the tests. */
final class AzureFixture {
    static final ClusterId ID = new ClusterId(ClusterName.of("cluster"), "00000000000000aa");

    private AzureFixture() {}

    static AzureProfile profile(URI endpoint, String subscription) {
        Map<String, String> endpoints = new HashMap<>(AzureEnvironment.AZURE.getEndpoints());
        endpoints.put("resourceManagerEndpointUrl", endpoint.toString());
        endpoints.put("managementEndpointUrl", endpoint.toString());
        return new AzureProfile("22222222-2222-2222-2222-222222222222", subscription, new AzureEnvironment(endpoints));
    }

    static HttpPipeline pipeline() {
        return new HttpPipelineBuilder().policies(new RetryPolicy()).build();
    }

    /** A pipeline that sends the token of an emulator whose machines are real. */
    static HttpPipeline pipeline(Optional<Secret> token) {
        HttpHeaders headers = new HttpHeaders();
        token.ifPresent(one -> headers.set(HttpHeaderName.AUTHORIZATION, "Bearer " + one.reveal()));
        return new HttpPipelineBuilder()
                .policies(new RetryPolicy(), new AddHeadersPolicy(headers))
                .build();
    }

    /** A pipeline whose requests go to this endpoint, whatever their host. */
    static HttpPipeline rewriting(URI endpoint) {
        HttpClient client = HttpClient.createDefault();
        return new HttpPipelineBuilder()
                .policies(new RetryPolicy())
                .httpClient(request -> client.send(rewritten(request, endpoint)))
                .build();
    }

    static HttpRequest rewritten(HttpRequest request, URI endpoint) {
        String url = request.getUrl().toString();
        return request.copy().setUrl(url.replaceFirst("https://[^/]+", endpoint.toString()));
    }

    static AzureProvider machines(TestAzure server) {
        return machines(server, false);
    }

    static AzureProvider machines(TestAzure server, boolean managedImages) {
        return open(AzureMachines.builder(pipeline(), profile(server.endpoint(), server.subscription()))
                .pollInterval(Duration.ofMillis(5))
                .managedImages(managedImages)
                .build());
    }

    /** A resource of an emulator. */
    static JsonNode get(ArmEmulator emulator, String path, String version) {
        return send(emulator, path, version, request -> request);
    }

    /** Changes a resource of an emulator by hand. */
    static void patch(ArmEmulator emulator, String path, String version, String body) {
        send(
                emulator,
                path,
                version,
                request -> request.header("Content-Type", "application/json")
                        .method("PATCH", java.net.http.HttpRequest.BodyPublishers.ofString(body)));
    }

    private static JsonNode send(
            ArmEmulator emulator,
            String path,
            String version,
            UnaryOperator<java.net.http.HttpRequest.Builder> change) {
        try {
            HttpResponse<String> answer = java.net.http.HttpClient.newHttpClient()
                    .send(
                            change.apply(java.net.http.HttpRequest.newBuilder(
                                            URI.create(emulator.url() + path + "?api-version=" + version)))
                                    .build(),
                            HttpResponse.BodyHandlers.ofString());
            return Json.MAPPER.readTree(answer.body());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    /** The provider of these machines, as a cluster manager opens it. */
    static AzureProvider open(AzureMachines machines) {
        return (AzureProvider) machines.open();
    }

    /** The nodes of this machine that stand for those of an emulator, below this folder. */
    static LocalMachines local(Path folder) {
        return LocalMachines.builder()
                .runFolder(folder.resolve("run"))
                .storeFolder(folder.resolve("store"))
                .build();
    }

    /** Machines of an emulator whose machines are real: they are dialled at their private addresses. */
    static AzureMachines.Builder real(TestAzure server) {
        return AzureMachines.builder(pipeline(server.token()), profile(server.endpoint(), server.subscription()))
                .privateAddresses(true)
                .pollInterval(Duration.ofMillis(20));
    }

    /** A manager of these machines, with its state below this folder. */
    static ClusterManager manager(Machines machines, Path folder) {
        return ClusterManager.builder(machines)
                .stateStore(StateStore.inFolder(folder.resolve("state")))
                .build();
    }

    /** The finding of this code that Azure has about a spec. */
    static Finding finding(AzureProvider azure, ClusterSpec spec, String code) {
        List<Finding> found = azure.inspect(spec).findings().stream()
                .filter(finding -> finding.code().equals(code))
                .toList();
        assertThat(found).as(code).hasSize(1);
        return found.get(0);
    }

    /** That an exception is Azure's, for this reason. */
    static ThrowingConsumer<Throwable> is(Reason reason) {
        return thrown -> assertThat(thrown)
                .isInstanceOfSatisfying(
                        AzureException.class, e -> assertThat(e.reason()).isEqualTo(reason));
    }

    static ClusterSpec spec(int nodes) {
        return builder(nodes).build();
    }

    static ClusterSpec.Builder builder(int nodes) {
        return named("cluster", nodes);
    }

    /** Clusters of any name share the group and the names of their nodes. */
    static ClusterSpec.Builder named(String name, int nodes) {
        return ClusterSpec.builder(name)
                .region("westeurope")
                .resourceGroup("cluster-rg")
                .nodes(n -> n.count(nodes).prefix("cluster").firstIndex(11).size("Standard_HB120rs_v3"))
                .network(n -> n.addressSpace("10.46.0.0/16")
                        .subnet("Subnet-1", "10.46.0.0/16")
                        .ssh(ssh -> ssh.external(SshAccess.External.NONE)))
                .placement(p -> p.kind(Placement.Kind.AVAILABILITY_SET))
                .image(i -> i.base("microsoft-dsvm:ubuntu-hpc:2204:latest"));
    }

    static List<MachineRequest> requests(ClusterSpec spec) {
        LinuxBackend backend = new LinuxBackend();
        var hostKey = backend.newKeyPair("host");
        var login = backend.newKeyPair("login");
        List<MachineRequest> requests = new ArrayList<>();
        Ipv4Address address = spec.network().firstAddress().orElse(Ipv4Address.of("10.46.0.11"));
        for (NodeName node : spec.nodes().names()) {
            requests.add(new MachineRequest(
                    node,
                    address.plus(requests.size()),
                    spec.nodes().requireSize(),
                    new ImageSource.Base(spec.image().base()),
                    new Bootstrap(
                            node, spec.login().user(), List.of(login.publicKey().toString()), hostKey)));
        }
        return requests;
    }

    /** What became of each machine. */
    static Map<NodeName, MachineOutcome> create(AzureProvider azure, ClusterSpec spec, ResourceLog log) {
        Map<NodeName, MachineOutcome> outcomes = Collections.synchronizedMap(new HashMap<>());
        azure.createMachines(spec, requests(spec), log, outcome -> {
            if (outcomes.put(outcome.name(), outcome) != null) {
                throw new AssertionError("told twice of " + outcome.name());
            }
        });
        return outcomes;
    }

    /** Keeps what is announced, in order. */
    static class Log implements ResourceLog {
        private final ClusterId cluster;

        final List<ResourceId> announced = new CopyOnWriteArrayList<>();
        final List<ResourceId> finished = Collections.synchronizedList(new ArrayList<>());

        Log() {
            this(ID);
        }

        Log(ClusterId cluster) {
            this.cluster = cluster;
        }

        @Override
        public ClusterId cluster() {
            return cluster;
        }

        @Override
        public void creating(ResourceId resource) {
            announced.add(resource);
        }

        @Override
        public void created(ResourceId resource) {
            finished.add(resource);
        }

        @Override
        public void deleted(ResourceId resource) {
            announced.remove(resource);
            finished.remove(resource);
        }

        /** What is announced, in the order in which it is deleted. */
        List<ResourceId> reversed() {
            List<ResourceId> reversed = new ArrayList<>(announced);
            Collections.reverse(reversed);
            return reversed;
        }
    }
}
