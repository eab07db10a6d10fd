package io.clusterwright.azure.emulator;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Holds requests and answers against Microsoft's descriptions. With {@code -Dclusterwright.recordings=FOLDER} those of that folder,
 * recorded elsewhere; else those of a journey through the emulator.
 */
class PublishedDescriptionsTest {
    @TempDir
    private Path folder;

    @Test
    void matchesThePublishedDescriptions() throws IOException {
        String given = System.getProperty("clusterwright.recordings", "");
        if (given.isEmpty()) {
            journey();
        }
        OpenApiDocuments documents = new OpenApiDocuments();
        List<String> wrong = new ArrayList<>();
        Set<String> unknown = new TreeSet<>();
        int checked = 0;
        try (var files = Files.list(given.isEmpty() ? folder : Path.of(given))) {
            for (Path file : files.sorted().toList()) {
                JsonNode recording = ArmClient.JSON.readTree(file.toFile());
                Optional<List<String>> result = documents.check(recording, unknown);
                checked += result.isPresent() ? 1 : 0;
                wrong.addAll(result.orElse(List.of()));
            }
        }
        assertThat(wrong).isEmpty();
        assertThat(checked).isGreaterThan(25);
        if (given.isEmpty()) {
            assertThat(String.join("\n", unknown) + "\n").isEqualTo(listed());
        }
    }

    private static String listed() throws IOException {
        try (InputStream list = PublishedDescriptionsTest.class.getResourceAsStream("/openapi/newer-properties.txt")) {
            return new String(list.readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    private void journey() {
        try (ArmEmulator emulator = ArmEmulator.builder()
                .realistic()
                .virtualTime()
                .throttling(false)
                .coresPerFamily(1000)
                .regionalCores(1000)
                .recordTo(folder)
                .start()) {
            ArmClient arm = new ArmClient(emulator);
            arm.get("/subscriptions");
            arm.prepare();
            arm.get(arm.subscription("/providers/Microsoft.Compute/locations/westeurope/usages"));
            arm.get(arm.subscription("/providers/Microsoft.Compute/skus"));
            arm.get(arm.subscription("/providers/Microsoft.Compute/locations/westeurope/vmSizes"));
            arm.get(arm.subscription("/providers/Microsoft.Compute"));
            arm.get(arm.subscription("/resources"));
            arm.get(arm.subscription("/providers/Microsoft.Compute/locations/westeurope/publishers/microsoft-dsvm"
                    + "/artifacttypes/vmimage/offers/ubuntu-hpc/skus/2204/versions"));
            arm.finish(
                    arm.put(
                            arm.network("networkSecurityGroups/nsg"),
                            "{'location':'westeurope','properties':{'securityRules':[{'name':'ssh','properties':{'protocol':'Tcp',"
                                    + "'sourcePortRange':'*','destinationPortRange':'22','sourceAddressPrefix':'10.0.0.0/8',"
                                    + "'destinationAddressPrefix':'*','access':'Allow','priority':100,'direction':'Inbound'}}]}}"));
            arm.finish(
                    arm.put(
                            arm.network("publicIPAddresses/ip"),
                            "{'location':'westeurope','sku':{'name':'Standard'},'properties':{'publicIPAllocationMethod':'Static'}}"));
            balancer(arm);
            machine(arm);
            gallery(arm);
            arm.finish(arm.put(arm.compute("virtualMachineScaleSets/set"), set(arm)));
            arm.get(arm.compute("virtualMachineScaleSets/set"));
            arm.get(arm.compute("virtualMachineScaleSets/set/instanceView"));
            arm.get(arm.compute("virtualMachineScaleSets/set/virtualMachines"));
            arm.get(arm.compute("virtualMachineScaleSets/set/networkInterfaces"));
            arm.get(arm.network("virtualNetworks/vn"));
            arm.finish(arm.delete(arm.compute("virtualMachineScaleSets/set")));
            arm.delete(arm.group(""));
        }
    }

    private static void balancer(ArmClient arm) {
        String id = arm.network("loadBalancers/lb");
        arm.finish(
                arm.put(
                        id,
                        "{'location':'westeurope','sku':{'name':'Standard'},'properties':{'frontendIPConfigurations':[{'name':'front',"
                                + "'properties':{'publicIPAddress':{'id':'" + arm.network("publicIPAddresses/ip")
                                + "'}}}],'inboundNatRules':[{'name':'ssh-11','properties':{'frontendIPConfiguration':{'id':'"
                                + id
                                + "/frontendIPConfigurations/front'},'protocol':'Tcp','frontendPort':10111,'backendPort':22}}]}}"));
        arm.get(id);
        arm.get(arm.network("publicIPAddresses/ip"));
    }

    private static void machine(ArmClient arm) {
        arm.put(
                arm.compute("availabilitySets/set"),
                "{'location':'westeurope','sku':{'name':'Aligned'},'properties':{'platformFaultDomainCount':1}}");
        arm.put(arm.compute("proximityPlacementGroups/near"), "{'location':'westeurope'}");
        arm.get(arm.compute("availabilitySets/set"));
        arm.finish(arm.machine("m"));
        String machine = arm.compute("virtualMachines/m");
        arm.finish(arm.put(
                machine + "/extensions/script",
                "{'location':'westeurope','properties':{'publisher':'Microsoft.Azure.Extensions','type':'CustomScript',"
                        + "'typeHandlerVersion':'2.1','settings':{'commandToExecute':'true'}}}"));
        arm.get(machine);
        arm.get(machine + "/instanceView");
        arm.get(arm.network("networkInterfaces/m"));
        arm.finish(arm.post(machine + "/runCommand", "{'commandId':'RunShellScript','script':['true']}"));
        arm.finish(arm.post(machine + "/deallocate", ""));
        arm.post(machine + "/generalize", "");
        arm.finish(arm.put(
                arm.compute("images/i"),
                "{'location':'westeurope','properties':{'sourceVirtualMachine':{'id':'" + machine + "'}}}"));
        arm.get(arm.compute("images/i"));
        arm.get(arm.compute("disks"));
        arm.finish(arm.delete(machine));
    }

    private static void gallery(ArmClient arm) {
        arm.finish(arm.put(arm.compute("galleries/g"), "{'location':'westeurope'}"));
        arm.finish(arm.put(
                arm.compute("galleries/g/images/d"),
                "{'location':'westeurope','properties':{'osType':'Linux','osState':'Generalized','hyperVGeneration':'V2','identifier':{"
                        + "'publisher':'p','offer':'o','sku':'s'}}}"));
        arm.finish(arm.put(
                arm.compute("galleries/g/images/d/versions/1.0.0"),
                "{'location':'westeurope','properties':{'storageProfile':{'source':{'id':'" + arm.compute("images/i")
                        + "'}},'publishingProfile':{'targetRegions':[{'name':'westeurope'}]}}}"));
        arm.get(arm.compute("galleries/g/images/d/versions/1.0.0"));
    }

    private static String set(ArmClient arm) {
        return "{'location':'westeurope','sku':{'name':'Standard_HB120rs_v3','capacity':2},'properties':{'overprovision':"
                + "false,'singlePlacementGroup':true,'upgradePolicy':{'mode':'Manual'},'virtualMachineProfile':{"
                + "'storageProfile':{'imageReference':{'id':'" + arm.compute("galleries/g/images/d/versions/1.0.0")
                + "'}},'osProfile':{'computerNamePrefix':'node','adminUsername':'hpc','linuxConfiguration':{'ssh':{"
                + "'publicKeys':[{'path':'/home/hpc/.ssh/authorized_keys','keyData':'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8g'}]}}},"
                + "'networkProfile':{'networkInterfaceConfigurations':[{'name':'nic','properties':{'primary':true,"
                + "'ipConfigurations':[{'name':'ip','properties':{'subnet':{'id':'"
                + arm.network("virtualNetworks/vn/subnets/s") + "'}}}]}}]}}}}";
    }
}
