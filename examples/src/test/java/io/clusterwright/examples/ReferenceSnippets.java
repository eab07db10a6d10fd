package io.clusterwright.examples;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.azure.core.credential.TokenCredential;
import com.azure.core.http.HttpPipeline;
import com.azure.core.management.profile.AzureProfile;
import com.azure.resourcemanager.compute.ComputeManager;
import com.azure.resourcemanager.network.NetworkManager;
import io.clusterwright.azure.AzureBatch;
import io.clusterwright.azure.AzureMachines;
import io.clusterwright.azure.BatchPool;
import io.clusterwright.azure.ScheduledEvent;
import io.clusterwright.azure.ScheduledEvents;
import io.clusterwright.azure.emulator.ArmEmulator;
import io.clusterwright.azure.emulator.Fault;
import io.clusterwright.azure.emulator.junit.EmulatedAzure;
import io.clusterwright.core.Cluster;
import io.clusterwright.core.ClusterManager;
import io.clusterwright.core.Command;
import io.clusterwright.core.NodeSession;
import io.clusterwright.core.StoredImage;
import io.clusterwright.core.TemporaryCluster;
import io.clusterwright.core.spec.ClusterSpec;
import io.clusterwright.core.spec.MpiFlavour;
import io.clusterwright.core.spec.SpecReader;
import io.clusterwright.core.spi.MachineHost;
import io.clusterwright.core.type.NodeName;
import io.clusterwright.core.type.Secret;
import io.clusterwright.linux.local.LocalMachines;
import io.clusterwright.mpi.MpiJob;
import io.clusterwright.mpi.job.JobResult;
import io.clusterwright.mpi.job.JobTarget;
import io.clusterwright.mpi.job.MpiInstallation;
import io.clusterwright.windows.CustomScriptExtension;
import io.clusterwright.windows.WindowsImageScript;
import io.clusterwright.windows.classic.IaasConfiguration;
import io.clusterwright.windows.emulator.HpcPackEmulator;
import io.clusterwright.windows.hpcpack.HpcPackClient;
import io.clusterwright.windows.hpcpack.HpcPackConnection;
import io.clusterwright.windows.hpcpack.HpcPackJob;
import io.clusterwright.windows.hpcpack.HpcPackLogin;
import io.clusterwright.windows.hpcpack.HpcPackTarget;
import io.clusterwright.windows.hpcpack.HpcPackTask;
import io.clusterwright.windows.hpcpack.JobClient;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** The Java code of the pages on Azure, images and HPC Pack, so that it compiles. {@link PageSnippetsTest} finds each block here. */
final class ReferenceSnippets {
    private ReferenceSnippets() {}

    static void temporary(HttpPipeline pipeline, AzureProfile profile, ClusterSpec spec) {
        try (ClusterManager clusters = ClusterManager.on(AzureMachines.connect(pipeline, profile));
                TemporaryCluster temporary = clusters.createTemporary(spec)) {
            temporary.cluster().run(Command.of("hostname")).orThrow();
        } // destroys the cluster, also when the block throws
    }

    static void events(Cluster cluster, NodeName node) {
        NodeSession session = cluster.session(node);
        String name = ScheduledEvents.machineName(session);
        for (ScheduledEvent event : ScheduledEvents.read(session).about(name)) {
            if (event.endsProcesses()) { // Reboot, Redeploy, Preempt, Terminate
                ScheduledEvents.approve(session, List.of(event));
            }
        }
    }

    static void batch(TokenCredential credential, ClusterSpec spec) {
        AzureBatch batch = AzureBatch.connect(credential, URI.create("https://name.westeurope.batch.azure.com"));
        BatchPool pool = batch.createPool(spec); // billed until pool.delete()
        try {
            pool.awaitReady(Duration.ofMinutes(30));
            MpiInstallation mpi = new MpiInstallation(MpiFlavour.HPC_X, "4.1.7", "mpirun"); // found by hpcx-init.sh
            JobResult result = MpiJob.of("IMB-MPI1", "pingpong")
                    .ranksPerNode(1)
                    .on(pool.target(mpi))
                    .run(Duration.ofHours(1));
            System.out.println(result.summary());
        } finally {
            pool.delete();
        }
    }

    static void poolSettings(AzureBatch batch, ClusterSpec spec, Secret key) {
        BatchPool pool = batch.pool(spec)
                .subnet("/subscriptions/…/virtualNetworks/hub/subnets/hpc")
                .mountAzureFiles(
                        URI.create("https://account.file.core.windows.net/share"),
                        key,
                        "home",
                        "-o vers=3.1.1,dir_mode=0777,file_mode=0777")
                .mountNfs("10.32.8.4:/export/cases", "cases", "-o vers=4.2") // $AZ_BATCH_NODE_MOUNTS_DIR/cases
                .autoScale(
                        "$TargetDedicatedNodes = min(16, 4 * avg($PendingTasks.GetSample(1)));", Duration.ofMinutes(5))
                .create();
        System.out.println(pool.id());
    }

    static void emulator() {
        try (ArmEmulator azure = ArmEmulator.builder().realistic().virtualTime().start()) {
            System.out.println(azure.url() + " is the Resource Manager endpoint of " + azure.subscriptionId());
        }
    }

    @EmulatedAzure
    class NetworkTest {
        @Test
        void hasNoNetwork(HttpPipeline pipeline, AzureProfile profile) {
            NetworkManager network = NetworkManager.authenticate(pipeline, profile);
            assertEquals(0, network.networks().list().stream().count());
        }
    }

    static void microsoftsClient(ArmEmulator azure) {
        AzureProfile profile = AzureMachines.loopbackProfile(azure.url(), azure.subscriptionId());
        HttpPipeline pipeline = AzureMachines.loopbackPipeline(azure.url()); // with real machines: and the token
        ComputeManager client = ComputeManager.authenticate(pipeline, profile);
        client.virtualMachines().list().forEach(machine -> System.out.println(machine.name()));
    }

    static void realMachines() {
        try (MachineHost host = LocalMachines.create().host();
                ArmEmulator azure = ArmEmulator.builder().machinesBackedBy(host).start()) {
            System.out.println(azure.url());
        }
    }

    static final class NoRoom implements EmulatedAzure.Setup { // @EmulatedAzure(setup = NoRoom.class)
        @Override
        public void set(ArmEmulator.Builder azure) {
            azure.faults(List.of(Fault.of(
                    Fault.Kind.ALLOCATION_FAILED, "PUT", "**/virtualMachineScaleSets/demo-vmss/virtualMachines/1")));
        }
    }

    static void failLater(ArmEmulator emulator) {
        emulator.faults(
                Fault.of(Fault.Kind.SERVICE_UNAVAILABLE, "GET", "**").skip(10).always());
    }

    static void everyFaultFired(ArmEmulator emulator) {
        assertEquals(List.of(), emulator.pendingFaults());
    }

    static void headNode(Secret password) {
        HpcPackConnection connection = HpcPackConnection.of(
                        URI.create("https://head.hpc.example"), HpcPackLogin.basic("HPC\\user", password))
                .trust(Path.of("HPCWebComponent_HEAD_20261121101500.cer"));
        try (HpcPackClient client = HpcPackClient.open(connection)) {
            JobResult result = MpiJob.of("solver.exe", "case.xml")
                    .ranks(16)
                    .on(HpcPackTarget.ofGroup(client, "AzureNodes"))
                    .run(Duration.ofHours(2));
            System.out.println(result.summary());
        }
    }

    static void placementDomains(HpcPackClient client) {
        HpcPackTarget target = HpcPackTarget.of(client)
                .domains(Map.of("CN001", "set-a", "CN002", "set-a", "CN003", "set-b", "AzureNodes", "burst"));
        JobResult result = MpiJob.of("solver.exe").ranks(32).on(target).run(Duration.ofHours(2));
        System.out.println(result.summary());
    }

    static void customScript() {
        WindowsImageScript script = WindowsImageScript.create().firewall("solver", "C:\\app\\solver.exe");
        CustomScriptExtension extension = CustomScriptExtension.inline(script.text(), 1); // or download(uri, 1)
        String settings = extension.settings(); // and extension.protectedSettings().reveal()
        System.out.println(settings);
    }

    static void jobCommands() {
        HpcPackTask task = HpcPackTask.of("mpiexec -c 1 -affinity mpipingpong -p 1:100000 -op -s nul");
        HpcPackJob job = HpcPackJob.of(task).nodeGroups(List.of("ComputeNodes")).nodes(2, 2);
        String typed = JobClient.submitCommand(job); // job submit /nodegroup:ComputeNodes /numnodes:2 …
        String file = JobClient.jobFile(job); // for job submit /jobfile:
        int id = JobClient.create().submit(job); // runs job submit on this machine
        Map<String, String> shown = JobClient.create().view("task", "view", id + ".1");
        System.out.println(typed + file + shown);
    }

    static void configuration(String text) {
        IaasConfiguration file = IaasConfiguration.of(text); // or of(spec)
        file.lint().forEach(finding -> System.out.println(finding)); // with line and column
        Optional<String> name = file.value("HeadNode/VMName"); // an element by its path
        String xml = file.toXml(); // in the order of the published files
        ClusterSpec spec = file.toSpec(); // file.notInSpec() lists the parts that a spec cannot express
        System.out.println(name + xml + spec);
    }

    static void emulatedHeadNode(Cluster cluster) {
        try (HpcPackEmulator head = HpcPackEmulator.builder()
                .tasksRunOn(JobTarget.of(cluster))
                .pingPongIterations(5)
                .start()) {
            System.out.println(head.url() + " " + head.user() + " " + head.certificate());
        }
    }

    static void image() {
        try (ClusterManager clusters = ClusterManager.on(LocalMachines.create())) {
            StoredImage image = clusters.buildImage(SpecReader.read(Path.of("demo.yaml")));
            clusters.deleteImage(image.name());
        }
    }
}
