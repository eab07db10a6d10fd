package io.clusterwright.windows.node;

import static org.assertj.core.api.Assertions.assertThat;

import com.azure.core.http.HttpPipeline;
import com.azure.core.http.HttpPipelineBuilder;
import com.azure.core.http.policy.RetryPolicy;
import com.azure.core.management.AzureEnvironment;
import com.azure.core.management.profile.AzureProfile;
import io.clusterwright.azure.AzureMachines;
import io.clusterwright.azure.emulator.ArmEmulator;
import io.clusterwright.azure.emulator.SeenRequest;
import io.clusterwright.core.Cluster;
import io.clusterwright.core.ClusterManager;
import io.clusterwright.core.Command;
import io.clusterwright.core.StateStore;
import io.clusterwright.core.plan.Finding;
import io.clusterwright.core.plan.Plan;
import io.clusterwright.core.plan.Severity;
import io.clusterwright.core.spec.ClusterSpec;
import io.clusterwright.core.spec.Customization.FileCopy;
import io.clusterwright.core.spec.OperatingSystem;
import io.clusterwright.core.spec.Placement;
import io.clusterwright.core.spec.SpecReader;
import io.clusterwright.core.type.NodeName;
import io.clusterwright.mpi.MpiJob;
import io.clusterwright.mpi.job.JobResult;
import io.clusterwright.mpi.job.JobTarget;
import io.clusterwright.windows.emulator.HpcPackEmulator;
import io.clusterwright.windows.powershell.PowerShellCheck;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A Windows cluster from its description to its end, through the calls of Azure's own client. The machines are played: what is proven is
 * what is asked of Azure, what is sent to Windows and that answers are understood, not that a Windows does it.
 */
class WindowsClusterTest {
    private static final int MOST_CHECKED = 3;
    private static final String HASH = "ab".repeat(32);

    @TempDir
    private Path folder;

    private ClusterSpec spec(String more) throws IOException {
        Files.writeString(folder.resolve("app.ps1"), "Write-Output 'gr\u00fc\u00df dich'\r\n");
        Files.writeString(folder.resolve("settings.txt"), "a=1\r\n");
        String text = "name: wincluster\nregion: westeurope\noperatingSystem: windows\n"
                + "nodes: {count: 2, size: Standard_HB120rs_v3, namePattern: 'WIN-%01%'}\n"
                + "network: {addressSpace: 10.56.0.0/16, ssh: {external: none}}\n"
                + "login: {user: hpcadmin}\n"
                + "extensions: [{name: InfiniBandDriverWindows}]\n"
                + "image:\n  base: MicrosoftWindowsServer:WindowsServer:2022-datacenter-g2:latest\n"
                + "  customize:\n    mpi: {flavour: ms-mpi, install: {archive: 'https://download.example/msmpisetup.exe', sha256: "
                + HASH + "}}\n    files: [{from: settings.txt, to: 'C:\\app\\settings.txt'}]\n"
                + "    scripts: [{name: app, path: app.ps1}]\n" + more;
        return SpecReader.read(Files.writeString(folder.resolve("spec.yaml"), text));
    }

    private static AzureMachines connect(ArmEmulator emulator) {
        HttpPipeline pipeline =
                new HttpPipelineBuilder().policies(new RetryPolicy()).build();
        Map<String, String> endpoints = new HashMap<>(AzureEnvironment.AZURE.getEndpoints());
        endpoints.put("resourceManagerEndpointUrl", emulator.url().toString());
        endpoints.put("managementEndpointUrl", emulator.url().toString());
        AzureProfile profile = new AzureProfile(
                "22222222-2222-2222-2222-222222222222", emulator.subscriptionId(), new AzureEnvironment(endpoints));
        return AzureMachines.builder(pipeline, profile)
                .pollInterval(Duration.ofMillis(5))
                .build();
    }

    @Test
    @Tag("breadth")
    void runsTheWholeLifeOfACluster() throws IOException {
        PlayedWindows windows = new PlayedWindows();
        Path recordings = folder.resolve("recordings");
        ClusterSpec spec = spec("");
        try (ArmEmulator emulator = ArmEmulator.builder()
                        .retryAfter(Duration.ZERO)
                        .recordTo(recordings)
                        .emulatedPowerShell(windows)
                        .start();
                ClusterManager manager = ClusterManager.builder(connect(emulator))
                        .stateStore(StateStore.inFolder(folder.resolve("state")))
                        .build()) {
            Plan plan = manager.plan(spec);
            assertThat(plan.findings())
                    .filteredOn(finding -> finding.severity() == Severity.ERROR)
                    .isEmpty();
            try (Cluster cluster = manager.create(plan)) {
                assertThat(cluster.run(Command.of("mpiexec", "-n", "2", "solver.exe", "a \"b\""))
                                .successes())
                        .hasSize(2);
            }
            assertThat(windows.programs())
                    .contains(
                            "WIN-01 mpiexec -n 2 solver.exe \"a \\\"b\\\"\"",
                            "WIN-02 mpiexec -n 2 solver.exe \"a \\\"b\\\"\"")
                    .startsWith("winclu-template hostname ")
                    .noneMatch(program -> program.contains("/bin/sh"));
            assertThat(windows.file("winclu-template", "C:\\ProgramData\\clusterwright\\image.ps1"))
                    .contains(
                            "https://download.example/msmpisetup.exe",
                            HASH.toUpperCase(java.util.Locale.ROOT),
                            "-Name 'app'");
            assertThat(windows.file("winclu-template", "C:\\ProgramData\\clusterwright\\sysprep.ps1"))
                    .contains("/generalize /oobe /quit", "IMAGE_STATE_GENERALIZE_RESEAL_TO_OOBE");
            assertThat(windows.file("WIN-02", "C:\\ProgramData\\clusterwright\\join.ps1"))
                    .contains("'10.56.0.4 WIN-01'", "'10.56.0.5 WIN-02'", "WSCEnumProtocols");
            manager.stop(spec.name());
            manager.start(spec.name()).close();

            assertThat(emulator.requests())
                    .filteredOn(request -> request.method().equals("PUT"))
                    .isNotEmpty()
                    .extracting(SeenRequest::path)
                    .as("no machine is dialled, so no address is made")
                    .noneMatch(path -> path.contains("publicIPAddresses/"));
            assertThat(manager.destroy(spec.name()).left()).isEmpty();
        }
        checked(windows);
        String made = recorded(recordings);
        assertThat(made)
                .contains("\"windowsConfiguration\"", "\"provisionVMAgent\" : true", "\"adminPassword\" : \"***\"")
                .contains("\"computerName\" : \"winclu-template\"", "\"computerName\" : \"WIN-01\"")
                .doesNotContain("\"linuxConfiguration\"", "ssh-ed25519", "customData");
    }

    @Test
    void runsJobsThroughTheHeadNodeThatItsDescriptionNames() throws IOException {
        try (HpcPackEmulator head = HpcPackEmulator.builder()
                        .plainHttp()
                        .addNode("WIN-01", 8)
                        .addNode("WIN-02", 8)
                        .addNode("OTHER", 8)
                        .start();
                ArmEmulator emulator = ArmEmulator.builder()
                        .retryAfter(Duration.ZERO)
                        .emulatedPowerShell(new PlayedWindows())
                        .start();
                ClusterManager manager = ClusterManager.builder(connect(emulator))
                        .stateStore(StateStore.inFolder(folder.resolve("state")))
                        .build()) {
            Files.createFile(
                    folder.resolve("password"),
                    PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
            Files.writeString(folder.resolve("password"), head.password().reveal());
            ClusterSpec spec = spec("scheduler: hpc-pack\nhpcPack:\n  version: 2019\n  scenario: resource-manager\n"
                    + "  resourceManager: {clusterName: hpc1, certificate: {keyVault: hpc1-kv, secretName: hpc}}\n"
                    + "  head: {address: '" + head.url()
                    + "', user: 'HPC\\hpcadmin', password: {secret: file:password}}\n");
            assertThat(manager.plan(spec).findings()).extracting(Finding::code).doesNotContain("CW-SPEC-003");
            try (Cluster cluster = manager.create(spec)) {
                JobResult result =
                        MpiJob.of("solver.exe").ranksPerNode(1).on(cluster).run(Duration.ofMinutes(1));

                assertThat(result.succeeded()).as(result.toString()).isTrue();
                assertThat(result.command()).startsWith("mpiexec").endsWith("solver.exe");
                assertThat(head.requests()).contains("POST /hpc/jobs 200", "POST /hpc/jobs/1/submit 204");
                assertThat(JobTarget.scheduled(cluster).nodeNames())
                        .extracting(NodeName::value)
                        .containsExactly("WIN-01", "WIN-02");
            }
            manager.destroy(spec.name());
        }
    }

    /** Everything that was sent, and every script that was sent inside of it. */
    private static void checked(PlayedWindows windows) {
        Map<String, String> scripts = new LinkedHashMap<>();
        windows.scripts().stream()
                .limit(MOST_CHECKED)
                .forEach(script -> scripts.put("script " + scripts.size(), script));
        for (String name : List.of("image", "sysprep")) {
            scripts.put(name, windows.file("winclu-template", "C:\\ProgramData\\clusterwright\\" + name + ".ps1"));
        }
        scripts.put("join", windows.file("WIN-01", "C:\\ProgramData\\clusterwright\\join.ps1"));
        assertThat(scripts.values()).noneMatch(String::isBlank);
        PowerShellCheck.check(scripts);
    }

    private static String recorded(Path recordings) throws IOException {
        StringBuilder text = new StringBuilder();
        try (Stream<Path> files = Files.list(recordings)) {
            for (Path file : files.sorted().toList()) {
                if (file.toString().endsWith("-PUT.json")) {
                    text.append(Files.readString(file));
                }
            }
        }
        return text.toString();
    }

    @Test
    void keepsAGeneratedPasswordAmongTheSecretsOnly() throws IOException {
        StateStore store = StateStore.inFolder(folder.resolve("state"));
        ClusterSpec spec = spec("  capture: false\n");
        try (ArmEmulator emulator = ArmEmulator.builder()
                        .retryAfter(Duration.ZERO)
                        .emulatedPowerShell(new PlayedWindows())
                        .start();
                ClusterManager manager = ClusterManager.builder(connect(emulator))
                        .stateStore(store)
                        .build()) {
            manager.create(spec).close();
            String password =
                    store.secrets(spec.name()).get("password").orElseThrow().reveal();
            assertThat(password)
                    .hasSizeBetween(12, 123)
                    .containsPattern("[a-z]")
                    .containsPattern("[A-Z]")
                    .containsPattern("[0-9]")
                    .containsPattern("[^A-Za-z0-9]");
            assertThat(store.read(spec.name())).noneMatch(entry -> entry.contains(password));
            manager.destroy(spec.name());
        }
    }

    @Test
    void refusesImpossibleSpecsBeforeCreatingAnything() throws IOException {
        try (ArmEmulator emulator = ArmEmulator.builder()
                        .retryAfter(Duration.ZERO)
                        .emulatedPowerShell(new PlayedWindows())
                        .start();
                ClusterManager manager = ClusterManager.builder(connect(emulator))
                        .stateStore(StateStore.inFolder(folder.resolve("state")))
                        .build()) {
            ClusterSpec set = spec("").toBuilder()
                    .placement(placement -> placement.kind(Placement.Kind.SCALE_SET))
                    .build();
            assertThat(manager.plan(set).findings()).extracting(Finding::code).contains("CW-AZURE-010");
            ClusterSpec odd = spec("").toBuilder()
                    .image(image -> image.customize(customize ->
                            customize.packages("nfs-common").addFile(FileCopy.of("settings.txt", "/etc/app"))))
                    .build();
            assertThat(odd.operatingSystem()).isEqualTo(OperatingSystem.WINDOWS);
            assertThat(manager.plan(odd).findings())
                    .extracting(Finding::code)
                    .contains("CW-WIN-008", "CW-WIN-010")
                    .doesNotContain("CW-AZURE-010");
            assertThat(emulator.requests()).extracting(SeenRequest::method).doesNotContain("PUT");
        }
    }
}
