package io.clusterwright.examples.javadoc;

import static org.assertj.core.api.Assertions.assertThat;

import com.azure.core.credential.TokenCredential;
import com.azure.core.management.AzureEnvironment;
import com.azure.core.management.profile.AzureProfile;
import io.clusterwright.azure.AzureBatch;
import io.clusterwright.azure.AzureException;
import io.clusterwright.azure.AzureImage;
import io.clusterwright.azure.AzureMachines;
import io.clusterwright.azure.BatchPool;
import io.clusterwright.azure.emulator.ArmEmulator;
import io.clusterwright.azure.emulator.BatchEmulator;
import io.clusterwright.azure.emulator.Fault;
import io.clusterwright.azure.emulator.SeenRequest;
import io.clusterwright.azure.emulator.SharedEmulator;
import io.clusterwright.azure.emulator.junit.EmulatedAzure;
import io.clusterwright.core.ClusterManager;
import io.clusterwright.core.plan.Plan;
import io.clusterwright.core.spec.ClusterSpec;
import io.clusterwright.core.spec.SpecReader;
import io.clusterwright.core.type.Secret;
import io.clusterwright.linux.local.LocalMachines;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The examples in the Javadoc of the Azure modules, run on emulators. */
class AzureSnippetsTest extends Snippets {
    private static final ClusterSpec SPEC = ClusterSpec.builder("demo")
            .region("westeurope")
            .nodes(nodes -> nodes.count(2).size("Standard_HB120rs_v3"))
            .build();

    @TempDir
    private Path folder;

    // Javadoc of AzureMachines
    static ClusterManager managerOfAzure(TokenCredential credential, String tenant, String subscription) {
        AzureProfile profile = new AzureProfile(tenant, subscription, AzureEnvironment.AZURE);
        return ClusterManager.on(AzureMachines.connect(credential, profile));
    }

    @Test
    void managesClustersOfAzure() {
        try (ClusterManager clusters = managerOfAzure(request -> null, "tenant", "subscription")) {
            assertThat(clusters.toString()).contains("azure");
        }
    }

    @Test
    void emulatesAzure() {
        ClusterSpec spec = SPEC;
        // Javadoc of ArmEmulator
        try (ArmEmulator azure = ArmEmulator.builder().realistic().virtualTime().start();
                ClusterManager clusters =
                        ClusterManager.on(AzureMachines.onLoopback(azure.url(), azure.subscriptionId())
                                .build())) {
            Plan plan = clusters.plan(spec);
            show(plan.isFeasible());
            for (SeenRequest request : azure.requests()) {
                show(request.method() + " " + request.path() + ": " + request.status());
            }
        }

        assertThat(shown()).contains("GET /subscriptions/");
    }

    @Test
    void failsRequests() {
        // Javadoc of Fault
        ArmEmulator.Builder failing = ArmEmulator.builder()
                .faults(List.of(
                        Fault.of(Fault.Kind.AUTHORIZATION_FAILED, "GET", "**").always()));

        try (ArmEmulator azure = failing.start()) {
            AzureMachines machines = AzureMachines.onLoopback(azure.url(), azure.subscriptionId())
                    .build();
            // Javadoc of AzureException
            try {
                machines.imagePublishers("westeurope").forEach(this::show);
            } catch (AzureException refused) {
                show(refused.reason() + " (" + refused.code() + "): " + refused.getMessage());
            }

            assertThat(shown()).startsWith("FORBIDDEN (AuthorizationFailed): ");
        }
    }

    @Test
    void searchesImages() {
        try (ArmEmulator azure = ArmEmulator.start()) {
            AzureMachines machines = AzureMachines.onLoopback(azure.url(), azure.subscriptionId())
                    .build();
            // Javadoc of AzureImage
            List<AzureImage> images = machines.searchImages("westeurope", "almalinux", ".*hpc.*");
            for (AzureImage image : images) {
                show(image.reference() + " " + image.generation());
                if (!image.plan().isEmpty()) {
                    show(image.acceptTerms()); // the command of az
                }
            }

            assertThat(images).isNotEmpty();
        }
    }

    @Test
    void usesBatch() {
        ClusterSpec spec = SpecReader.read(Path.of("specs", "batch.yaml"));
        // Javadoc of BatchEmulator
        try (BatchEmulator emulator = BatchEmulator.builder().start()) {
            AzureBatch batch =
                    AzureBatch.onLoopback(emulator.url(), emulator.token().orElse(Secret.of("none")));
            show(batch.pools());
        }

        try (BatchEmulator emulator = BatchEmulator.builder().start()) {
            AzureBatch batch =
                    AzureBatch.onLoopback(emulator.url(), emulator.token().orElse(Secret.of("none")));
            pool(batch, spec);
        }
    }

    private void pool(AzureBatch batch, ClusterSpec spec) {
        // Javadoc of AzureBatch
        BatchPool pool = batch.createPool(spec); // billed until it is deleted
        try {
            pool.awaitReady(Duration.ofMinutes(30)).forEach(this::show);
        } finally {
            pool.delete();
        }

        assertThat(batch.pools()).isEmpty();
        settings(batch, spec);
    }

    private void settings(AzureBatch batch, ClusterSpec spec) {
        // Javadoc of BatchPool
        BatchPool pool = batch.pool(spec)
                .mountNfs("10.32.8.4:/export/cases", "cases", "-o vers=4.2")
                .autoScale(
                        "$TargetDedicatedNodes = min(16, 4 * avg($PendingTasks.GetSample(1)));", Duration.ofMinutes(5))
                .create();

        pool.delete();
    }

    @Test
    void findsNoSharedEmulator() {
        // Javadoc of SharedEmulator
        SharedEmulator shared = SharedEmulator.of(folder); // the folder of the state store
        if (shared.hasOrphans()) { // machines of an emulator that was killed
            shared.removeOrphans(LocalMachines.create().host());
        }

        assertThat(shared.hasOrphans()).isFalse();
    }

    @Nested
    // Javadoc of EmulatedAzure
    @EmulatedAzure // without an account, root and nodes
    class QuotaTest {
        @Test
        void refusesMoreCoresThanTheQuota(ClusterManager clusters, ArmEmulator azure) {
            ClusterSpec spec = ClusterSpec.builder("demo")
                    .region("westeurope")
                    .nodes(nodes -> nodes.count(100).size("Standard_HB120rs_v3"))
                    .build();
            assertThat(clusters.plan(spec).isFeasible()).isFalse();
            assertThat(azure.resources()).isEmpty();
        }
    }
}
