package io.clusterwright.azure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.clusterwright.azure.emulator.ArmEmulator;
import io.clusterwright.azure.emulator.Fault;
import io.clusterwright.core.ClusterManager;
import io.clusterwright.core.StateStore;
import io.clusterwright.core.catalog.QuotaUse;
import io.clusterwright.core.plan.Finding;
import io.clusterwright.core.plan.Plan;
import io.clusterwright.core.spec.ClusterSpec;
import io.clusterwright.core.spec.ImageSpec.Security;
import io.clusterwright.core.spec.NetworkSpec.SshAccess;
import io.clusterwright.core.spec.Placement;
import io.clusterwright.core.spi.MachineProvider.Inspection;
import io.clusterwright.core.spi.ProviderMachines;
import io.clusterwright.core.type.ClusterId;
import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class InspectionTest {
    @TempDir
    private Path folder;

    private TestAzure server;
    private AzureProvider azure;

    @BeforeEach
    void start() {
        restart(emulator -> emulator);
    }

    private void restart(UnaryOperator<ArmEmulator.Builder> setup) {
        if (server != null) {
            stop();
        }
        server = new TestAzure(emulator -> setup.apply(emulator.coresPerFamily(960)));
        azure = AzureFixture.machines(server);
    }

    @AfterEach
    void stop() {
        azure.close();
        server.close();
    }

    @Test
    void checksEverythingAndCreatesNothing() {
        Inspection inspection = azure.inspect(AzureFixture.spec(2));

        assertThat(inspection.findings()).extracting(Finding::code).containsExactly("CW-AZURE-011");
        assertThat(inspection.notChecked()).isEmpty();
        assertThat(inspection.quota()).contains(new QuotaUse("standardHBv3Family", 0, 960));
        assertThat(inspection.baseFingerprint())
                .contains("westeurope", server.subscription())
                .containsPattern("microsoft-dsvm:ubuntu-hpc:2204:\\d+\\.");
        assertThat(server.writes()).isZero();
        assertThat(server.ids()).isEmpty();
    }

    @Test
    void saysWhatReplicasAreBilled() {
        assertThat(azure.inspect(AzureFixture.spec(41)).findings())
                .filteredOn(finding -> finding.code().equals("CW-AZURE-032"))
                .singleElement()
                .matches(finding -> finding.message().startsWith("3 replicas for 41 nodes; each is billed"));
    }

    @Test
    void findsImagesAndSizesThatDoNotFitTrustedLaunch() {
        ClusterSpec old = AzureFixture.builder(1)
                .nodes(n -> n.size("Standard_D8s_v5"))
                .image(i -> i.base("Canonical:0001-com-ubuntu-server-jammy:22_04-lts:latest")
                        .security(Security.TRUSTED_LAUNCH))
                .build();
        assertThat(azure.inspect(old).findings())
                .filteredOn(finding -> finding.code().equals("CW-AZURE-033"))
                .singleElement()
                .matches(finding -> finding.message().endsWith("of generation V1 does not support Trusted Launch"));
    }

    @Test
    void theQuotaThatAzureReportsRefusesAPlanThatNeedsMore() {
        try (ClusterManager manager = ClusterManager.builder(ProviderMachines.of(azure))
                .stateStore(StateStore.inFolder(folder))
                .build()) {
            Plan enough = manager.plan(AzureFixture.spec(8));
            Plan tooMany = manager.plan(AzureFixture.spec(9));

            assertThat(enough.findings()).extracting(Finding::code).doesNotContain("CW-QUOTA-001");
            assertThat(tooMany.isFeasible()).isFalse();
            assertThat(tooMany.findings())
                    .filteredOn(finding -> finding.code().equals("CW-QUOTA-001"))
                    .singleElement()
                    .satisfies(finding ->
                            assertThat(finding.message()).contains("1080 cores").contains("0 of 960"));
        }
    }

    @ParameterizedTest
    @CsvSource({
        "Microsoft.Compute/locations/westeurope/usages, quota: usage and limit in westeurope",
        "skus, size: whether Standard_HB120rs_v3 is offered in westeurope",
        "versions, image: whether microsoft-dsvm:ubuntu-hpc:2204:latest exists in westeurope",
        "Microsoft.Compute, subscription: whether Microsoft.Compute is registered",
    })
    void aReadWithoutPermissionIsNotChecked(String end, String what) {
        server.faults(
                Fault.of(Fault.Kind.AUTHORIZATION_FAILED, "GET", "**/" + end).always());

        Inspection inspection = azure.inspect(AzureFixture.spec(2));

        assertThat(inspection.notChecked())
                .singleElement()
                .asString()
                .startsWith(what + ", because the caller has no right to read it: ")
                .contains("does not have authorization");
        assertThat(inspection.findings()).extracting(Finding::code).containsExactly("CW-AZURE-011");
    }

    @Test
    void moreAddressesThanTheRegionMayHaveAreAnError() {
        restart(emulator -> emulator.publicAddresses(3));
        ClusterSpec each = AzureFixture.spec(4).toBuilder()
                .network(n -> n.ssh(ssh -> ssh.external(SshAccess.External.ALL).addAllowFrom("203.0.113.0/24")))
                .build();

        assertThat(azure.inspect(each).findings())
                .filteredOn(finding -> finding.code().equals("CW-AZURE-018"))
                .singleElement()
                .satisfies(finding -> {
                    assertThat(finding.message())
                            .isEqualTo("the cluster needs 4 public addresses, and 0 of 3 are used in westeurope");
                    assertThat(finding.remedy()).contains("portPrefix: 101");
                });
        ClusterSpec shared =
                each.toBuilder().network(n -> n.ssh(ssh -> ssh.portPrefix(101))).build();
        assertThat(azure.inspect(shared).findings()).extracting(Finding::code).doesNotContain("CW-AZURE-018");
        server.faults(Fault.of(Fault.Kind.AUTHORIZATION_FAILED, "GET", "**/Microsoft.Network/locations/**")
                .always());
        assertThat(azure.inspect(each).notChecked())
                .singleElement()
                .asString()
                .startsWith(
                        "addresses: quota of public addresses in westeurope, because the caller has no right to read it");
    }

    @Test
    void aServiceThatIsNotRegisteredIsAnErrorThatNamesTheCommand() {
        restart(emulator -> emulator.addUnregisteredProvider("Microsoft.Network"));

        assertThat(azure.inspect(AzureFixture.spec(2)).findings())
                .filteredOn(finding -> finding.code().equals("CW-AZURE-005"))
                .singleElement()
                .satisfies(finding -> {
                    assertThat(finding.message()).contains("Microsoft.Network is NotRegistered");
                    assertThat(finding.remedy()).contains("az provider register --namespace Microsoft.Network");
                });
    }

    @ParameterizedTest
    @CsvSource({
        "Standard_HB999rs_v9, CW-AZURE-001, westeurope does not offer the size Standard_HB999rs_v9",
        "Standard_HB176rs_v4, CW-AZURE-002, NotAvailableForSubscription",
    })
    void refusesASizeThatIsNotAvailable(String size, String code, String message) {
        restart(emulator -> emulator.addRestrictedSize("Standard_HB176rs_v4"));
        ClusterSpec spec = AzureFixture.builder(2)
                .nodes(n -> n.count(2).firstIndex(11).size(size))
                .build();

        assertThat(AzureFixture.finding(azure, spec, code).message()).contains(message);
    }

    @Test
    void refusesAMissingImageWithTheSearchCommand() {
        ClusterSpec spec = AzureFixture.builder(2)
                .image(i -> i.base("microsoft-dsvm:ubuntu-hpc:1604-none:latest"))
                .build();

        assertThat(AzureFixture.finding(azure, spec, "CW-AZURE-003").message())
                .contains("az vm image list --all --publisher microsoft-dsvm");
    }

    @Test
    void refusesANameInUse() {
        ClusterSpec other = AzureFixture.named("other", 2).build();
        AzureFixture.Log log = new AzureFixture.Log(ClusterId.random(other.name()));
        azure.createNetwork(other, log);
        AzureFixture.create(azure, other, log);

        assertThat(AzureFixture.finding(azure, AzureFixture.spec(2), "CW-AZURE-008")
                        .message())
                .contains("cluster12");
    }

    @Test
    void anExistingSubnetWithoutRoomIsAnError() {
        String services = server.group() + "/providers/Microsoft.Network/";
        server.put(server.group(), "{'location':'westeurope'}");
        server.put(
                services + "virtualNetworks/cluster-vnet",
                "{'location':'westeurope','properties':{'addressSpace':{'addressPrefixes':['10.46.0.0/16']},'subnets':["
                        + "{'name':'Subnet-1','properties':{'addressPrefix':'10.46.0.0/29'}}]}}");
        server.put(
                services + "networkInterfaces/else",
                "{'location':'westeurope','properties':{'ipConfigurations':[{'name':'one','properties':{'subnet':{'id':'"
                        + services + "virtualNetworks/cluster-vnet/subnets/Subnet-1'}}}]}}");
        ClusterSpec spec = AzureFixture.builder(2)
                .network(AzureFixture.spec(2).network().toBuilder()
                        .existing(true)
                        .subnet("Subnet-1", "10.46.0.0/29")
                        .build())
                .build();

        assertThat(AzureFixture.finding(azure, spec, "CW-AZURE-007").message())
                .contains("2 free addresses")
                .contains("the cluster needs 3");
    }

    @Test
    void nodesOfAScaleSetAreReachedFromOutsideThroughPortsOfOneAddressOnly() {
        ClusterSpec inside = AzureFixture.builder(2)
                .placement(p -> p.kind(Placement.Kind.SCALE_SET))
                .build();
        ClusterSpec outside = inside.toBuilder()
                .network(n -> n.ssh(ssh -> ssh.external(SshAccess.External.ALL)))
                .build();

        ClusterSpec headOnly = inside.toBuilder()
                .network(n -> n.ssh(ssh -> ssh.external(SshAccess.External.HEAD)))
                .build();
        ClusterSpec ports = inside.toBuilder()
                .network(n -> n.ssh(ssh -> ssh.external(SshAccess.External.ALL).portPrefix(101)))
                .build();

        assertThat(List.of(inside, ports, headOnly))
                .allSatisfy(spec -> assertThat(azure.inspect(spec).findings())
                        .extracting(Finding::code)
                        .doesNotContain("CW-AZURE-014"));
        assertThat(azure.inspect(outside).findings()).extracting(Finding::code).contains("CW-AZURE-014");
    }

    @Test
    void nodesBehindTheHeadNeedNoWayOfTheirOwn() {
        ClusterSpec head = AzureFixture.builder(4)
                .network(n -> n.ssh(ssh -> ssh.external(SshAccess.External.HEAD)))
                .build();

        assertThat(azure.inspect(head).findings()).extracting(Finding::code).doesNotContain("CW-AZURE-011");
        assertThat(head.nodes().names().stream().map(node -> azure.gateway(head, node)))
                .containsExactly(
                        Optional.empty(),
                        Optional.of(head.headName()),
                        Optional.of(head.headName()),
                        Optional.of(head.headName()));
        assertThat(azure.gateway(head, head.templateName())).isEmpty();
    }

    @Test
    void externalSshFromNowhereIsAnError() {
        AzureProvider elsewhere = AzureFixture.open(AzureMachines.builder(
                        AzureFixture.rewriting(server.endpoint()),
                        AzureFixture.profile(URI.create("https://management.azure.com"), server.subscription()))
                .build());
        ClusterSpec spec = AzureFixture.builder(2)
                .network(n -> n.addressSpace("10.46.0.0/16")
                        .subnet("Subnet-1", "10.46.0.0/24")
                        .ssh(ssh -> ssh.external(SshAccess.External.ALL)))
                .build();

        assertThat(elsewhere.inspect(spec).findings()).extracting(Finding::code).containsExactly("CW-AZURE-006");
    }

    @Test
    void credentialsThatAreNotAcceptedEndTheInspection() {
        server.faults(Fault.of(Fault.Kind.INVALID_TOKEN, "*", "**").always());

        assertThatThrownBy(() -> azure.inspect(AzureFixture.spec(2)))
                .satisfies(AzureFixture.is(AzureException.Reason.CREDENTIALS))
                .hasMessageContaining("The access token is invalid")
                .hasMessageContaining("az login");
    }

    @Test
    void anEndpointThatDoesNotAnswerEndsTheInspection() {
        server.close();

        assertThatThrownBy(() -> azure.inspect(AzureFixture.spec(2)))
                .satisfies(AzureFixture.is(AzureException.Reason.UNREACHABLE))
                .hasMessageContaining("check the network, the proxy settings and the endpoint");
    }

    @Test
    void aSubscriptionThatDoesNotExistEndsTheInspection() {
        AzureProvider elsewhere = AzureFixture.open(AzureMachines.builder(
                        AzureFixture.pipeline(),
                        AzureFixture.profile(server.endpoint(), "33333333-3333-3333-3333-333333333333"))
                .build());

        assertThatThrownBy(() -> elsewhere.inspect(AzureFixture.spec(2)))
                .satisfies(AzureFixture.is(AzureException.Reason.SUBSCRIPTION));
    }

    @Test
    void findingsOfAzureCanBeSuppressed() {
        try (ClusterManager manager = ClusterManager.builder(ProviderMachines.of(azure))
                .stateStore(StateStore.inFolder(folder))
                .build()) {
            ClusterSpec spec = AzureFixture.builder(2).suppress("CW-AZURE-011").build();
            List<Finding> findings = manager.plan(spec).findings();

            assertThat(findings).extracting(Finding::code).doesNotContain("CW-AZURE-011", "CW-SPEC-001");
        }
    }
}
