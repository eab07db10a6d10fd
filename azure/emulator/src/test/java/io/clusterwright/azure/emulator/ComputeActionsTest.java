package io.clusterwright.azure.emulator;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Test;

/** What can be done with machines, instances, disks and snapshots beside their creation. */
class ComputeActionsTest extends WithEmulator {
    private static final String SCRIPT =
            "{'publisher':'Microsoft.Azure.Extensions','type':'CustomScript','typeHandlerVersion':'2.1',"
                    + "'settings':{'commandToExecute':'%s'}}";
    private static final String DISK =
            "{'location':'westeurope','properties':{'diskSizeGB':64,'creationData':{'createOption':'Empty'}}}";
    private static final String READ = "{'access':'Read','durationInSeconds':3600}";

    private String set(String rest) {
        return arm.compute("virtualMachineScaleSets/set" + rest);
    }

    private void makeSet(int instances) {
        finished(arm.put(set(""), arm.scaleSetBody("Standard_HB120rs_v3", instances)));
    }

    private List<String> names(String list, String field) {
        ArmClient.Reply reply = arm.get(list);
        assertThat(reply.status()).as(reply.body().toString()).isEqualTo(200);
        return StreamSupport.stream(reply.body().path("value").spliterator(), false)
                .map(each -> each.at(field).asText())
                .toList();
    }

    @Test
    void aScaleSetsExtensionsAreWrittenOneByOneAndReachItsInstancesByAnUpgrade() {
        makeSet(2);
        String extension = set("/extensions/script");

        ArmClient.Reply made = arm.put(
                extension,
                "{'properties':"
                        + SCRIPT.replace("settings", "protectedSettings").formatted("hidden") + "}");
        assertThat(made.status()).isEqualTo(201);
        finished(made);

        assertThat(names(set("/extensions"), "/name")).containsExactly("script");
        assertThat(arm.get(set("")).body().toString()).doesNotContain("hidden");
        finished(arm.put(set(""), arm.get(set("")).body().toString()));
        assertThat(arm.text(extension, "/type")).isEqualTo("Microsoft.Compute/virtualMachineScaleSets/extensions");
        assertThat(arm.at(set(""), "/properties/virtualMachineProfile/extensionProfile/extensions"))
                .hasSize(1);
        assertThat(names(set("/virtualMachines"), "/properties/latestModelApplied"))
                .containsExactly("false", "false");
        assertThat(names(set("/virtualMachines/0/extensions"), "/name")).isEmpty();

        finished(arm.post(set("/manualupgrade"), "{'instanceIds':['0']}"));

        assertThat(names(set("/virtualMachines"), "/properties/latestModelApplied"))
                .containsExactly("true", "false");
        assertThat(names(set("/virtualMachines/0/extensions"), "/name")).containsExactly("script");
        assertThat(arm.text(set("/virtualMachines/0/extensions/script"), "/properties/type"))
                .isEqualTo("CustomScript");
        refused(arm.get(set("/virtualMachines/1/extensions/script")), 404, "NotFound", "extensions/script not found");
        finished(arm.send("PATCH", extension, "{\"properties\":{\"autoUpgradeMinorVersion\":true}}"));
        assertThat(arm.at(extension, "/properties/autoUpgradeMinorVersion").asBoolean())
                .isTrue();
        finished(arm.delete(extension));
        assertThat(names(set("/extensions"), "/name")).isEmpty();
        refused(arm.get(extension), 404, "NotFound", "extensions/script not found");
        refused(
                arm.put(extension, "{'properties':{'publisher':'p','type':'t','typeHandlerVersion':'1.0'}}"),
                404,
                "ArtifactNotFound",
                "publisher 'p'");
    }

    @Test
    void instancesWithPublicAddressesShowThem() {
        finished(arm.put(
                set(""),
                arm.scaleSetBody("Standard_HB120rs_v3", 2)
                        .replace(
                                "'subnet':{",
                                "'publicIPAddressConfiguration':{'name':'pub','sku':{'name':'Standard'}},'subnet':{")));

        assertThat(names(set("/publicipaddresses"), "/properties/ipAddress"))
                .hasSize(2)
                .doesNotHaveDuplicates();
        String configuration = set("/virtualMachines/1/networkInterfaces/nic/ipConfigurations/ip");
        assertThat(names(configuration.replaceFirst("/ip$", ""), "/name")).containsExactly("ip");
        assertThat(arm.text(configuration, "/properties/publicIPAddress/id"))
                .isEqualTo(configuration + "/publicIPAddresses/pub");
        assertThat(names(configuration + "/publicipaddresses", "/name")).containsExactly("pub");
        assertThat(arm.text(configuration + "/publicipaddresses/pub", "/properties/ipAddress"))
                .startsWith("127.64.");
        refused(
                arm.get(set("/virtualMachines/1/networkInterfaces/nic/ipConfigurations/no/publicipaddresses")),
                404,
                "NotFound",
                "ipConfigurations/no");
    }

    @Test
    void aProtectedInstanceStaysWhenItsSetShrinksAndIsLeftOutOfActionsOnTheSet() {
        makeSet(3);
        JsonNode instance = arm.get(set("/virtualMachines/2")).body();
        ArmClient.Reply written = arm.put(
                set("/virtualMachines/2"),
                "{'properties':{'protectionPolicy':{'protectFromScaleIn':true,'protectFromScaleSetActions':true}}}");
        assertThat(written.status()).as(written.body().toString()).isEqualTo(200);
        finished(written);
        finished(arm.put(
                set("/virtualMachines/1"),
                arm.get(set("/virtualMachines/1")).body().toString()));

        refused(
                arm.send("PATCH", set(""), "{\"sku\":{\"name\":\"Standard_HB120rs_v3\",\"capacity\":0}}"),
                409,
                "OperationNotAllowed",
                "1 of its instances are protected from scale-in");
        finished(arm.send("PATCH", set(""), "{\"sku\":{\"name\":\"Standard_HB120rs_v3\",\"capacity\":1}}"));
        assertThat(names(set("/virtualMachines"), "/instanceId")).containsExactly("2");
        assertThat(arm.at(set("/virtualMachines/2"), "/properties/vmId")).isEqualTo(instance.at("/properties/vmId"));

        finished(arm.post(set("/deallocate"), ""));
        assertThat(power("2")).isEqualTo("PowerState/running");
        finished(arm.post(set("/virtualMachines/2/deallocate"), ""));
        assertThat(power("2")).isEqualTo("PowerState/deallocated");
        refused(
                arm.put(set("/virtualMachines/2"), "{'properties':{'osProfile':{'computerName':'other'}}}"),
                400,
                "OperationNotAllowed",
                "The change of 'osProfile' of an instance is not emulated");
        finished(arm.delete(set("/virtualMachines/2")));
        assertThat(names(set("/virtualMachines"), "/instanceId")).isEmpty();
    }

    private String power(String instance) {
        JsonNode statuses = arm.get(set("/virtualMachines/" + instance + "/instanceView"))
                .body()
                .path("statuses");
        return statuses.path(statuses.size() - 1).path("code").asText();
    }

    @Test
    void scaleSetsAreReimagedAndHaveAHistory() {
        makeSet(2);
        finished(arm.post(set("/deallocate"), ""));
        finished(arm.post(set("/reimage"), "{'instanceIds':['1']}"));
        assertThat(power("0")).isEqualTo("PowerState/deallocated");
        assertThat(power("1")).isEqualTo("PowerState/running");
        finished(arm.post(set("/reimageall"), ""));
        assertThat(power("0")).isEqualTo("PowerState/running");
        finished(arm.post(set("/virtualMachines/0/reimage"), "{}"));

        assertThat(names(set("/osUpgradeHistory"), "/type")).isEmpty();
        assertThat(names(set("/skus"), "/sku/name")).contains("Standard_HB120rs_v3");
        refused(arm.get(set("/rollingUpgrades/latest")), 404, "NotFound", "'set' had no rolling upgrade");
        refused(
                arm.post(set("/rollingUpgrades/cancel"), ""),
                409,
                "OperationNotAllowed",
                "There is no ongoing Rolling Upgrade to cancel.");
        refused(
                arm.post(set("/performMaintenance"), ""),
                409,
                "OperationNotAllowed",
                "Operation 'performMaintenance' is not allowed on VM 'set_0' since the Subscription");
    }

    @Test
    void aMachineIsReimagedWithANewDisk() {
        finished(arm.machine("m"));
        String machine = arm.compute("virtualMachines/m");
        String disk = "/properties/storageProfile/osDisk/managedDisk/id";
        String before = arm.get(machine).body().at(disk).asText();

        refused(
                arm.post(machine + "/reimage?api-version=2022-03-01", "{'tempDisk':true}"),
                409,
                "OperationNotAllowed",
                "The Reimage and OSUpgrade Virtual Machine actions require");
        finished(arm.post(machine + "/reimage", "{'tempDisk':true}"));

        String after = arm.get(machine).body().at(disk).asText();
        assertThat(after).isNotEqualTo(before);
        assertThat(arm.get(before).status()).isEqualTo(404);
        assertThat(arm.text(after, "/managedBy")).isEqualTo(machine);
    }

    @Test
    void refusesActionsAsAzureDoes() {
        finished(arm.machine("m"));
        String machine = arm.compute("virtualMachines/m");
        refused(
                arm.post(machine + "/performMaintenance", ""),
                409,
                "OperationNotAllowed",
                "Operation 'performMaintenance' is not allowed on VM 'm' since the Subscription of this VM is not"
                        + " eligible.");
        refused(
                arm.post(machine + "/convertToManagedDisks", ""),
                409,
                "OperationNotAllowed",
                "VM 'm' is already using managed disks.");
        refused(
                arm.post(machine + "/retrieveBootDiagnosticsData", ""),
                409,
                "OperationNotAllowed",
                "Boot diagnostics is not enabled");
        refused(
                arm.send(
                        "PATCH",
                        machine + "?api-version=2019-12-01",
                        "{\"properties\":{\"diagnosticsProfile\":{\"bootDiagnostics\":{\"enabled\":true}}}}"),
                400,
                "InvalidParameter",
                "Required parameter 'bootDiagnostics.storageUri' is missing (null).");
        finished(arm.send(
                "PATCH",
                machine,
                "{\"properties\":{\"diagnosticsProfile\":{\"bootDiagnostics\":{\"enabled\":true}}}}"));
        assertThat(arm.post(machine + "/retrieveBootDiagnosticsData?sasUriExpirationTimeInMinutes=60", "")
                        .body()
                        .path("serialConsoleLogBlobUri")
                        .asText())
                .startsWith("https://");
        refused(
                arm.post(machine + "/retrieveBootDiagnosticsData?api-version=2019-12-01", ""),
                400,
                "InvalidRequest",
                "The operation 'retrieveBootDiagnosticsData' is not supported");
        refused(
                arm.post(machine + "/retrieveBootDiagnosticsData?sasUriExpirationTimeInMinutes=1441", ""),
                400,
                "InvalidParameter",
                "Value must be between '1' and '1440' inclusive.");
        finished(arm.post(machine + "/redeploy", ""));
        refused(
                arm.post(machine + "/assessPatches", ""),
                501,
                "NotImplemented",
                "The operation 'assessPatches' of 'Microsoft.Compute/virtualMachines' is not emulated.");
        refused(
                arm.get(arm.subscription("/providers/Microsoft.Compute/locations/westeurope/sharedGalleries")),
                501,
                "NotImplemented",
                "is not emulated");
    }

    @Test
    void theBytesOfDisksAndSnapshotsAreReadForATime() {
        finished(arm.put(arm.compute("disks/d"), DISK));
        String copy = "{'location':'westeurope','properties':{'creationData':{'createOption':'Copy',"
                + "'sourceResourceId':'%s'}%s}}";
        ArmClient.Reply snapshot =
                arm.put(arm.compute("snapshots/s"), copy.formatted(arm.compute("disks/d"), ",'incremental':true"));
        assertThat(snapshot.status()).as(snapshot.body().toString()).isEqualTo(202);
        finished(snapshot);
        finished(arm.put(arm.compute("disks/e"), copy.formatted(arm.compute("snapshots/s"), "")));
        assertThat(arm.at(arm.compute("disks/e"), "/properties/diskSizeGB").asInt())
                .isEqualTo(64);
        assertThat(names(arm.compute("snapshots"), "/name")).containsExactly("s");

        for (String id : List.of("disks/d", "snapshots/s")) {
            String disk = arm.compute(id);
            ArmClient.Reply granted = arm.post(disk + "/beginGetAccess", READ);
            assertThat(granted.status()).isEqualTo(202);
            assertThat(arm.done(granted).at("/properties/output/accessSAS").asText())
                    .startsWith("https://");
            assertThat(arm.text(granted.header("Location"), "/accessSAS")).contains("sig=");
            assertThat(state(disk)).isEqualTo("ActiveSAS");
            refused(arm.delete(disk), 409, "OperationNotAllowed", "There is an active shared access signature");
            finished(arm.post(disk + "/endGetAccess", ""));
            assertThat(state(disk)).isEqualTo("Unattached");
            finished(arm.delete(disk));
        }
        refused(
                arm.put(arm.compute("snapshots/none"), copy.formatted(arm.compute("disks/d"), "")),
                404,
                "NotFound",
                "disks/d is not found");
        refused(
                arm.post(arm.compute("disks/e/beginGetAccess"), "{'access':'Read'}"),
                400,
                "InvalidParameter",
                "'grantAccessData.durationInSeconds' is missing");
        refused(
                arm.post(arm.compute("disks/e/beginGetAccess"), "{'access':'Read','durationInSeconds':9000000}"),
                400,
                "InvalidParameter",
                "between '0' and '5184000'");
    }

    private String state(String disk) {
        return arm.text(disk, "/properties/diskState");
    }

    @Test
    void machinesAndSetsAreListedByRegion() {
        finished(arm.machine("m"));
        makeSet(1);
        String region = arm.subscription("/providers/Microsoft.Compute/locations/%s/");
        assertThat(names(region.formatted("westeurope") + "virtualMachines", "/name"))
                .contains("m");
        assertThat(arm.at(
                        arm.subscription("/providers/Microsoft.Compute/virtualMachines?statusOnly=true"),
                        "/value/0/properties/instanceView/statuses"))
                .isNotEmpty();
        assertThat(names(region.formatted("eastus") + "virtualMachines", "/name"))
                .isEmpty();
        assertThat(names(region.formatted("westeurope") + "virtualMachineScaleSets", "/name"))
                .containsExactly("set");
        assertThat(names(arm.compute("virtualMachines/m/vmSizes"), "/name")).contains("Standard_HB120rs_v3");
        finished(arm.put(arm.compute("availabilitySets/a"), "{'location':'westeurope','sku':{'name':'Aligned'}}"));
        assertThat(names(arm.compute("availabilitySets/a/vmSizes"), "/name")).contains("Standard_HB120rs_v3");
    }
}
