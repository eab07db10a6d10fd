package io.clusterwright.examples.javadoc;

import static org.assertj.core.api.Assertions.assertThat;

import io.clusterwright.azure.emulator.junit.EmulatedAzure;
import io.clusterwright.core.ClusterEvent;
import io.clusterwright.core.ClusterException;
import io.clusterwright.core.ClusterManager;
import io.clusterwright.core.CreateFailedException;
import io.clusterwright.core.CreateOptions;
import io.clusterwright.core.NodesFailedException;
import io.clusterwright.core.Planner;
import io.clusterwright.core.SpecRefusedException;
import io.clusterwright.core.StateStore;
import io.clusterwright.core.catalog.Architecture;
import io.clusterwright.core.catalog.ExtensionFacts;
import io.clusterwright.core.catalog.Extensions;
import io.clusterwright.core.catalog.ImageFacts;
import io.clusterwright.core.catalog.Images;
import io.clusterwright.core.catalog.InfiniBand;
import io.clusterwright.core.catalog.QuotaUse;
import io.clusterwright.core.catalog.SizeDefaults;
import io.clusterwright.core.catalog.VmSizeFacts;
import io.clusterwright.core.catalog.VmSizes;
import io.clusterwright.core.plan.Finding;
import io.clusterwright.core.plan.NodeLoss;
import io.clusterwright.core.plan.Plan;
import io.clusterwright.core.plan.PlanStep;
import io.clusterwright.core.plan.PlannedMachines;
import io.clusterwright.core.plan.PlannedResource;
import io.clusterwright.core.plan.PriceTable;
import io.clusterwright.core.plan.QuotaLine;
import io.clusterwright.core.plan.RenderedFile;
import io.clusterwright.core.plan.RenderedFiles;
import io.clusterwright.core.plan.Severity;
import io.clusterwright.core.spec.Binding;
import io.clusterwright.core.spec.ClusterSpec;
import io.clusterwright.core.spec.Customization.FileCopy;
import io.clusterwright.core.spec.Customization.MemlockRule;
import io.clusterwright.core.spec.Customization.Script;
import io.clusterwright.core.spec.InvalidSpecException;
import io.clusterwright.core.spec.MpiFlavour;
import io.clusterwright.core.spec.MpiSettings;
import io.clusterwright.core.spec.OperatingSystem;
import io.clusterwright.core.spec.Scheduler;
import io.clusterwright.core.spec.SpecProblem;
import io.clusterwright.core.spec.SpecReader;
import io.clusterwright.core.type.AddressRange;
import io.clusterwright.core.type.Bandwidth;
import io.clusterwright.core.type.ClusterwrightException;
import io.clusterwright.core.type.Interconnect;
import io.clusterwright.core.type.InvalidValueException;
import io.clusterwright.core.type.Ipv4Address;
import io.clusterwright.core.type.Latency;
import io.clusterwright.core.type.MemlockLimit;
import io.clusterwright.core.type.NamePattern;
import io.clusterwright.core.type.NodeName;
import io.clusterwright.core.type.NodeSet;
import io.clusterwright.core.type.Secret;
import io.clusterwright.core.type.SecretReference;
import io.clusterwright.core.type.SshPublicKey;
import io.clusterwright.core.type.VmSize;
import io.clusterwright.linux.local.LocalMachines;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The examples in the Javadoc of the core, run. Each begins after the comment with the name of its type and ends at an empty line. */
@EmulatedAzure
class CoreSnippetsTest extends Snippets {
    @TempDir
    private Path folder;

    private static ClusterSpec spec() {
        // Javadoc of ClusterSpec
        ClusterSpec spec = ClusterSpec.builder("demo")
                .region("westeurope") // local nodes need neither a region nor a size
                .nodes(nodes -> nodes.count(4).size("Standard_HB120rs_v3"))
                .network(network -> network.addressSpace("10.32.0.0/16"))
                .timeToLive(Duration.ofHours(8))
                .build();
        String json = spec.toJson(); // SpecReader reads it again

        assertThat(SpecReader.read(json, "json")).isEqualTo(spec);
        return spec;
    }

    @Test
    void describesAnImage() {
        ClusterSpec spec = spec();
        // Javadoc of Customization
        ClusterSpec customized = spec.toBuilder()
                .image(image -> image.base("almalinux:almalinux-hpc:8_10-hpc-gen2:latest")
                        .customize(customize -> customize
                                .packages("hwloc", "numactl")
                                .mpi(mpi -> mpi.flavour(MpiFlavour.OPEN_MPI))
                                .memlock(MemlockRule.of("@mpi", "unlimited"))
                                .addFile(FileCopy.of("solver.conf", "/etc/solver.conf"))
                                .addScript(Script.of("install-solver", "install-app.sh"))))
                .build();

        assertThat(customized.image().customize().packages()).containsExactly("hwloc", "numactl");
    }

    @Test
    void namesAHeadNodeOfHpcPack() {
        // Javadoc of HpcPackSpec
        ClusterSpec spec = ClusterSpec.builder("hpc1")
                .region("westeurope")
                .operatingSystem(OperatingSystem.WINDOWS)
                .login(login -> login.user("hpcadmin").password("env:HPC_ADMIN_PASSWORD"))
                .nodes(nodes -> nodes.count(4).size("Standard_HB120rs_v3"))
                .scheduler(Scheduler.HPC_PACK)
                .hpcPack(pack -> pack.existingHead(true)
                        .head(head -> head.address("https://head.hpc.example")
                                .user("HPC\\hpcuser")
                                .password("env:HPC_PASSWORD"))
                        .burst(burst -> burst.cloudService("hpc1-burst")
                                .storageAccount("hpc1burststore")
                                .nodeGroup("AzureNodes")))
                .build();

        assertThat(spec.hpcPack()).isPresent();
    }

    private void read(Path file) {
        // Javadoc of SpecReader
        try {
            ClusterSpec spec = SpecReader.read(file);
            show(spec.nodes().count());
        } catch (InvalidSpecException refused) {
            for (SpecProblem problem : refused.problems()) {
                show(problem.path() + ": " + problem.message() + "; " + problem.remedy());
            }
        }
    }

    @Test
    void readsASpec() {
        read(Path.of("specs", "linux-today.yaml"));
        assertThat(shown()).isNotEmpty();
    }

    @Test
    void readsAMistakenSpec() throws Exception {
        read(Files.writeString(folder.resolve("demo.yaml"), "name: demo\nnodes: {count: none}\n"));

        assertThat(shown()).contains("nodes.count");
    }

    @Test
    void plans(ClusterManager clusters) {
        ClusterSpec spec = spec();
        // Javadoc of Plan
        Plan plan = clusters.plan(spec);
        if (!plan.isFeasible()) {
            plan.findings().stream().filter(Finding::isError).forEach(this::show);
        }
        for (PlanStep step : plan.steps()) {
            for (PlannedResource resource : step.creates()) {
                show(step.description() + ": " + resource); // says what is billed
            }
        }
        for (QuotaLine line : plan.quota()) {
            show(line.family() + ": " + line.billedCores() + " cores, exceeded: " + line.exceeded());
        }
        show(plan.toText()); // the same for people

        // Javadoc of HasJson
        String json = plan.toJson();
        Map<String, Object> fields = plan.toMap();

        assertThat(json).contains("\"steps\"");
        assertThat(fields).containsKey("steps");
        assertThat(shown()).contains("virtual network demo-vnet", "standardHBv3Family: 480 cores, exceeded: false");
    }

    @Test
    void showsAFinding() {
        ClusterSpec spec = spec().toBuilder()
                .nodes(nodes -> nodes.size("Standard_A9")) // retired
                .build();
        // Javadoc of Finding
        for (Finding finding : Planner.check(spec)) {
            if (finding.severity() != Severity.INFO) {
                show(finding.code() + " " + finding.path() + ": " + finding.message());
                show("  do: " + finding.remedy()); // docs/findings.md explains each code
            }
        }

        assertThat(shown()).contains("CW-", "  do: ");
    }

    @Test
    void plansWithPricesAndQuotas() throws Exception {
        ClusterSpec spec = spec();
        Path prices = Files.writeString(
                folder.resolve("prices.yaml"), "{currency: EUR, perHour: {Standard_HB120rs_v3: 3.60}}");
        Path usage = Files.writeString(folder.resolve("quota.csv"), "family,used,limit\nstandardHBv3Family,0,240\n");
        // Javadoc of PriceTable
        PriceTable table = Planner.readPrices(prices); // {currency: EUR, perHour: {Standard_HB120rs_v3: 3.60}}
        List<QuotaUse> quota = QuotaUse.read(usage); // CSV with the columns family, used and limit
        Plan plan = Planner.offline().prices(table).quota(quota).plan(spec);
        plan.price().ifPresent(price -> show(price.perHour() + " " + price.currency() + " per hour"));

        // Javadoc of Planner
        List<Finding> findings = Planner.check(spec);
        Plan offline = Planner.offline().prices(Planner.readPrices(prices)).plan(spec);
        Planner.offline().render(spec).writeTo(folder);

        assertThat(findings).isEqualTo(Planner.check(spec, "azure"));
        assertThat(offline.price()).isEqualTo(plan.price()).isPresent();
        assertThat(plan.quota()).anyMatch(QuotaLine::exceeded);
    }

    @Test
    void countsMachines() {
        ClusterSpec spec = spec();
        // Javadoc of PlannedMachines
        for (PlannedMachines machines : PlannedMachines.of(spec)) {
            show(machines.count() + " of " + machines.size() + ": " + machines.folded());
        }

        // Javadoc of NodeLoss
        double risk = NodeLoss.risk(16, 24, 0.0001); // 16 nodes, a day, one loss in 10 000 hours of a node

        assertThat(risk).isBetween(0.03, 0.04);
    }

    @Test
    void renders() {
        ClusterSpec spec = spec();
        // Javadoc of RenderedFiles
        RenderedFiles files = Planner.offline().provider("azure").render(spec);
        for (RenderedFile file : files.list()) {
            show(file.name() + ", " + file.content().length + " bytes");
        }
        files.writeTo(folder);

        assertThat(folder).isNotEmptyDirectory();
    }

    @Test
    void findsSizes() {
        // Javadoc of VmSizes
        VmSizeFacts size =
                VmSizes.standard().find(VmSize.of("Standard_HB120rs_v3")).orElseThrow();
        Optional<InfiniBand> generation = size.infiniBand();
        Architecture processors = size.architecture();
        show(size.billedCores() + " cores of quota " + size.quotaFamily().orElse("") + ", " + generation);

        assertThat(generation).contains(InfiniBand.HDR);
        assertThat(processors).isEqualTo(Architecture.X64);
    }

    @Test
    void findsImages() {
        // Javadoc of Images
        for (ImageFacts image : Images.standard().matching("almalinux.*")) {
            show(image.name() + ": drivers for " + image.driversFor() + "; " + image.contents());
        }

        assertThat(Images.standard().matching("almalinux.*")).isNotEmpty();
    }

    @Test
    void findsExtensions() {
        ClusterSpec spec = spec();
        // Javadoc of Extensions
        ClusterSpec withDriver = spec.toBuilder()
                .addExtension(Extensions.infiniBandDriverLinux())
                .build();
        Optional<ExtensionFacts> facts = Extensions.standard().find(Extensions.infiniBandDriverLinux());

        assertThat(withDriver.extensions()).hasSize(1);
        assertThat(facts).isPresent();
    }

    @Test
    void findsDefaults() {
        // Javadoc of SizeDefaults
        SizeDefaults defaults = SizeDefaults.of(Interconnect.SRIOV_INFINIBAND, OperatingSystem.LINUX);
        show(defaults.image() + ", " + defaults.mpi() + ", " + defaults.preset());

        assertThat(defaults.extensions()).isNotNull();
    }

    @Test
    void actsOnErrors(ClusterManager clusters) {
        ClusterSpec spec = spec().toBuilder()
                .nodes(nodes -> nodes.count(4).size("Standard_A9")) // retired: the plan has errors
                .build();
        // Javadoc of ClusterwrightException
        try {
            clusters.create(spec).close();
        } catch (SpecRefusedException refused) { // nothing was created
            refused.findings().forEach(finding -> show(finding + "; " + finding.remedy()));
        } catch (CreateFailedException failed) { // failed.left() may still be billed
            failed.left().forEach(this::show);
            if (failed.getCause() instanceof NodesFailedException nodes) {
                nodes.failures().forEach((node, why) -> show(node + ": " + why.getMessage()));
            }
        } catch (ClusterException.InUse busy) { // another process changes this cluster
            show(busy.getMessage());
        } catch (ClusterwrightException other) { // the message says what to do
            show(other.getMessage());
        }

        assertThat(shown()).contains("ERROR", "Standard_A9");
    }

    @Test
    void keepsRecordsInAFolder() {
        // Javadoc of StateStore
        try (ClusterManager clusters = ClusterManager.builder(LocalMachines.create())
                .stateStore(StateStore.inFolder(folder.resolve("state")))
                .build()) {
            show(clusters.list()); // only clusters of this folder
        }

        assertThat(ClusterManager.list(StateStore.inFolder(folder.resolve("state"))))
                .isEmpty();
    }

    @Test
    void choosesOptions() {
        List<ClusterEvent> events = new ArrayList<>();
        // Javadoc of CreateOptions
        CreateOptions options = CreateOptions.standard()
                .listener(events::add)
                .limit(Duration.ofHours(1))
                .freshImage();

        assertThat(options.limit()).contains(Duration.ofHours(1));
        assertThat(options.buildsFreshImage()).isTrue();
    }

    @Test
    void foldsNames() {
        // Javadoc of NodeSet
        List<NodeName> nodes = NodeSet.expand("demo[11-13,17]");
        String folded = NodeSet.fold(nodes); // demo[11-13,17]

        // Javadoc of NamePattern
        List<NodeName> names = NamePattern.of("demo%11%").names(4); // demo11, demo12, demo13, demo14

        assertThat(folded).isEqualTo("demo[11-13,17]");
        assertThat(names).startsWith(NodeName.of("demo11")).hasSize(4);
    }

    @Test
    void calculatesWithAddresses() {
        // Javadoc of AddressRange
        AddressRange range = AddressRange.of("10.32.0.0/16");
        Ipv4Address first = range.address(4);
        boolean free = !range.overlaps(AddressRange.of("10.40.0.0/16"));

        assertThat(first).isEqualTo(Ipv4Address.of("10.32.0.4"));
        assertThat(free).isTrue();
    }

    @Test
    void readsUnits() {
        // Javadoc of Bandwidth
        Bandwidth link = Bandwidth.ofGigabitsPerSecond(200);
        Bandwidth measured = Bandwidth.ofMebibytesPerSecond(23_100); // as IMB 4.0 prints it
        boolean slow = measured.bytesPerSecond() < 0.9 * link.bytesPerSecond();

        // Javadoc of Latency
        Latency limit = Latency.of("3 us");
        boolean passes = new Latency(2.23).compareTo(limit) <= 0;

        // Javadoc of MemlockLimit
        MemlockLimit wanted = MemlockLimit.of("unlimited");
        boolean enough = wanted.covers(MemlockLimit.of(65_536)); // 64 MiB

        assertThat(slow).isFalse();
        assertThat(passes).isTrue();
        assertThat(enough).isTrue();
    }

    @Test
    void keepsSecrets() {
        Map<String, String> environment = Map.of("HPC_PASSWORD", "Not-2-be-shown!");
        // Javadoc of SecretReference
        SecretReference reference = SecretReference.of("env:HPC_PASSWORD"); // as a spec names it
        Secret password = reference.resolve(environment, Path.of(".")); // environment: System.getenv()
        show(password); // shows no character of it

        assertThat(password.toString()).doesNotContain("shown");
        assertThat(password.reveal()).isEqualTo("Not-2-be-shown!");
    }

    @Test
    void readsAKey() throws Exception {
        String line = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIOMqqnkVzrm0SdG6UOoqKLsabgH5C9okWi0dh2l9GKJl demo";
        Path file = Files.writeString(folder.resolve("id_ed25519.pub"), line + "\n");
        // Javadoc of SshPublicKey
        SshPublicKey key = SshPublicKey.of(Files.readString(file).strip());
        show(key.type() + " " + key.fingerprint() + " " + key.comment());

        assertThat(shown()).startsWith("ssh-ed25519 SHA256:").endsWith(" demo");
    }

    @Test
    void refusesAValue() {
        String typed = "a_b";
        // Javadoc of InvalidValueException
        try {
            NodeName.of(typed);
        } catch (InvalidValueException refused) {
            show(refused.summary() + ": " + refused.remedy());
        }

        assertThat(shown()).startsWith("invalid node name \"a_b\": use ");
    }

    @Test
    void ranksAreBound() {
        MpiSettings mpi =
                MpiSettings.builder().ranksPerNuma(2).binding(Binding.NUMA).build();

        assertThat(mpi.ranksPerNuma()).hasValue(2);
        assertThat(mpi.binding()).isEqualTo(Binding.NUMA);
    }
}
