package io.clusterwright.azure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.clusterwright.core.catalog.QuotaUse;
import io.clusterwright.core.manager.ClusterManager;
import io.clusterwright.core.manager.FileStateStore;
import io.clusterwright.core.plan.Finding;
import io.clusterwright.core.plan.Plan;
import io.clusterwright.core.spec.ClusterSpec;
import io.clusterwright.core.spec.Placement;
import io.clusterwright.core.spec.SshAccess;
import io.clusterwright.core.spi.Inspection;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class InspectionTest {
    private static final ArmServer.Answer FORBIDDEN = ArmServer.Answer.error(
            403, "AuthorizationFailed", "The client does not have authorization to perform this action");

    @TempDir
    private Path folder;

    private ArmServer server;
    private AzureMachines azure;

    @BeforeEach
    void start() throws IOException {
        server = new ArmServer();
        azure = AzureFixture.machines(server);
    }

    @AfterEach
    void stop() {
        azure.close();
        server.close();
    }

    @Test
    void aGoodSpecLeavesNothingUncheckedAndMakesNothing() {
        Inspection inspection = azure.inspect(AzureFixture.spec(2));

        assertThat(inspection.findings()).extracting(Finding::code).containsExactly("CW-AZURE-011");
        assertThat(inspection.notChecked()).isEmpty();
        assertThat(inspection.quota()).containsExactly(new QuotaUse("standardHBv3Family", 240, 1200));
        assertThat(inspection.baseFingerprint())
                .contains("microsoft-dsvm:ubuntu-hpc:2204:22.4.5", "westeurope", ArmServer.SUBSCRIPTION);
        assertThat(server.writes()).isZero();
        assertThat(server.ids()).isEmpty();
    }

    @Test
    void theQuotaThatAzureReportsRefusesAPlanThatNeedsMore() {
        try (ClusterManager manager = ClusterManager.using(azure, new FileStateStore(folder))) {
            Plan enough = manager.plan(AzureFixture.spec(8));
            Plan tooMany = manager.plan(AzureFixture.spec(9));

            assertThat(enough.findings()).extracting(Finding::code).doesNotContain("CW-QUOTA-001");
            assertThat(tooMany.feasible()).isFalse();
            assertThat(tooMany.findings())
                    .filteredOn(finding -> finding.code().equals("CW-QUOTA-001"))
                    .singleElement()
                    .satisfies(finding ->
                            assertThat(finding.message()).contains("1080 cores").contains("240 of 1200"));
        }
    }

    @ParameterizedTest
    @CsvSource({
        "usages, quota: what is used and allowed in westeurope",
        "skus, size: whether Standard_HB120rs_v3 is offered in westeurope",
        "versions, image: whether microsoft-dsvm:ubuntu-hpc:2204:latest exists in westeurope",
        "Microsoft.Compute, subscription: whether it uses Microsoft.Compute",
    })
    void aReadWithoutPermissionIsNotChecked(String end, String what) {
        server.fault((method, path) -> path.endsWith("/" + end) ? FORBIDDEN : null);

        Inspection inspection = azure.inspect(AzureFixture.spec(2));

        assertThat(inspection.notChecked())
                .singleElement()
                .asString()
                .startsWith(what + ", because the caller has no right to ask: ")
                .contains("does not have authorization");
        assertThat(inspection.findings()).extracting(Finding::code).containsExactly("CW-AZURE-011");
    }

    @Test
    void aServiceThatIsNotRegisteredIsAnErrorThatNamesTheCommand() {
        server.fault((method, path) -> path.endsWith("/providers/Microsoft.Network")
                ? new ArmServer.Answer(200, java.util.Map.of(), "{\"registrationState\":\"NotRegistered\"}")
                : null);

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
        "Standard_HB368rs_v5, CW-AZURE-001, westeurope has no Standard_HB368rs_v5",
        "Standard_HB176rs_v4, CW-AZURE-002, NotAvailableForSubscription",
    })
    void aSizeThatTheRegionLacksOrTheSubscriptionMayNotUseIsAnError(String size, String code, String message) {
        ClusterSpec spec = AzureFixture.builder(2)
                .nodes(n -> n.count(2).firstIndex(11).size(size))
                .build();

        assertThat(azure.inspect(spec).findings())
                .filteredOn(finding -> finding.code().equals(code))
                .singleElement()
                .satisfies(finding -> assertThat(finding.message()).contains(message));
    }

    @Test
    void anImageThatIsNotThereIsAnErrorThatSaysHowToLookForOne() {
        server.fault((method, path) -> path.endsWith("/versions")
                ? ArmServer.Answer.error(404, "NotFound", "Artifact: VMImage was not found.")
                : null);

        assertThat(azure.inspect(AzureFixture.spec(2)).findings())
                .filteredOn(finding -> finding.code().equals("CW-AZURE-003"))
                .singleElement()
                .satisfies(finding ->
                        assertThat(finding.message()).contains("az vm image list --all --publisher microsoft-dsvm"));
    }

    @Test
    void aNameThatSomethingElseHasIsAnError() {
        String group = "/subscriptions/" + ArmServer.SUBSCRIPTION + "/resourceGroups/cluster-rg";
        server.put(group, "{\"location\":\"westeurope\"}");
        server.put(group + "/providers/Microsoft.Compute/virtualMachines/cluster12", "{\"location\":\"westeurope\"}");

        assertThat(azure.inspect(AzureFixture.spec(2)).findings())
                .filteredOn(finding -> finding.code().equals("CW-AZURE-008"))
                .singleElement()
                .satisfies(finding -> assertThat(finding.message()).contains("cluster12"));
    }

    @Test
    void anExistingSubnetWithoutRoomIsAnError() {
        String group = "/subscriptions/" + ArmServer.SUBSCRIPTION + "/resourceGroups/cluster-rg";
        String network = group + "/providers/Microsoft.Network/virtualNetworks/cluster-vnet";
        server.put(network, "{\"location\":\"westeurope\",\"properties\":{\"subnets\":[{\"name\":\"Subnet-1\"}]}}");
        server.fault((method, path) -> path.endsWith("/cluster-vnet/usages")
                ? new ArmServer.Answer(
                        200,
                        java.util.Map.of(),
                        "{\"value\":[{\"id\":\"" + network
                                + "/subnets/Subnet-1\",\"currentValue\":249,\"limit\":251,\"unit\":\"Count\"}]}")
                : null);
        ClusterSpec spec = AzureFixture.builder(2)
                .network(AzureFixture.spec(2).network().toBuilder()
                        .existing(true)
                        .build())
                .build();

        assertThat(azure.inspect(spec).findings())
                .filteredOn(finding -> finding.code().equals("CW-AZURE-007"))
                .singleElement()
                .satisfies(finding -> assertThat(finding.message())
                        .contains("2 free addresses")
                        .contains("3 are needed"));
    }

    @Test
    void aScaleSetIsRefusedOnlyWhereItsNodesAreToBeReachedFromOutside() {
        ClusterSpec inside = AzureFixture.builder(2)
                .placement(p -> p.kind(Placement.Kind.SCALE_SET))
                .build();
        ClusterSpec outside = inside.toBuilder()
                .network(n -> n.ssh(ssh -> ssh.external(SshAccess.External.ALL)))
                .build();

        assertThat(azure.inspect(inside).findings()).extracting(Finding::code).doesNotContain("CW-AZURE-014");
        assertThat(azure.inspect(outside).findings()).extracting(Finding::code).contains("CW-AZURE-014");
    }

    @Test
    void externalSshFromNowhereIsAnError() {
        AzureMachines elsewhere = AzureMachines.builder(
                        AzureFixture.rewriting(server.endpoint()),
                        AzureFixture.profile(URI.create("https://management.azure.com"), ArmServer.SUBSCRIPTION))
                .build();
        ClusterSpec spec = AzureFixture.builder(2)
                .network(n -> n.addressSpace("10.46.0.0/16")
                        .subnet("Subnet-1", "10.46.0.0/24")
                        .ssh(ssh -> ssh.external(SshAccess.External.ALL)))
                .build();

        assertThat(elsewhere.inspect(spec).findings()).extracting(Finding::code).containsExactly("CW-AZURE-006");
    }

    @Test
    void credentialsThatAreNotAcceptedEndTheInspection() {
        server.fault((method, path) ->
                ArmServer.Answer.error(401, "InvalidAuthenticationToken", "The access token is invalid."));

        assertThatThrownBy(() -> azure.inspect(AzureFixture.spec(2)))
                .isInstanceOfSatisfying(
                        AzureException.class, e -> assertThat(e.reason()).isEqualTo(AzureException.Reason.CREDENTIALS))
                .hasMessageContaining("The access token is invalid")
                .hasMessageContaining("az login");
    }

    @Test
    void anEndpointThatDoesNotAnswerEndsTheInspection() {
        server.close();

        assertThatThrownBy(() -> azure.inspect(AzureFixture.spec(2)))
                .isInstanceOfSatisfying(
                        AzureException.class, e -> assertThat(e.reason()).isEqualTo(AzureException.Reason.UNREACHABLE))
                .hasMessageContaining("check the network, the proxy settings and the endpoint");
    }

    @Test
    void aSubscriptionThatDoesNotExistEndsTheInspection() {
        server.fault((method, path) -> ArmServer.Answer.error(
                404, "SubscriptionNotFound", "The subscription '" + ArmServer.SUBSCRIPTION + "' could not be found."));

        assertThatThrownBy(() -> azure.inspect(AzureFixture.spec(2)))
                .isInstanceOfSatisfying(
                        AzureException.class,
                        e -> assertThat(e.reason()).isEqualTo(AzureException.Reason.SUBSCRIPTION));
    }

    @Test
    void findingsOfAzureCanBeSuppressed() {
        try (ClusterManager manager = ClusterManager.using(azure, new FileStateStore(folder))) {
            ClusterSpec spec = AzureFixture.builder(2).suppress("CW-AZURE-011").build();
            List<Finding> findings = manager.plan(spec).findings();

            assertThat(findings).extracting(Finding::code).doesNotContain("CW-AZURE-011", "CW-SPEC-001");
        }
    }
}
