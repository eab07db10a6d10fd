package io.clusterwright.azure.emulator;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Requests that Microsoft.Compute refuses, and changes that it carries out. */
class ComputeRefusalsTest extends WithEmulator {
    private static final String SIZE = "Standard_HB120rs_v3";
    private static final String PLAN_IMAGE =
            "{'publisher':'almalinux','offer':'almalinux-hpc','sku':'8-hpc-gen2','version':'latest'}";
    private static final String PLAN = "'plan':{'publisher':'almalinux','product':'almalinux-hpc','name':'8-hpc-gen2'}";
    private static final String EMPTY_DISK =
            "{'location':'westeurope','properties':{'diskSizeGB':64,'creationData':{'createOption':'Empty'}}}";

    ComputeRefusalsTest() {
        super(ArmEmulator.builder()
                .realistic()
                .virtualTime()
                .throttling(false)
                .coresPerFamily(1000)
                .regionalCores(10_000));
    }

    private String machine(String name) {
        return arm.compute("virtualMachines/" + name);
    }

    /** A machine whose body is that of the client, changed. */
    private ArmClient.Reply machine(String name, String size, String image, String more, String top) {
        arm.finish(arm.networkInterface(name, ""));
        String body = arm.machineBody(name, size, image, more);
        return arm.put(machine(name), top.isEmpty() ? body : "{" + top + "," + body.substring(1));
    }

    private void generalize(String name) {
        arm.finish(arm.post(machine(name) + "/deallocate", ""));
        arm.post(machine(name) + "/generalize", "");
    }

    private ArmClient.Reply capture(String name, String more) {
        return arm.put(
                arm.compute("images/of-" + name),
                "{'location':'westeurope','properties':{'sourceVirtualMachine':{'id':'" + machine(name) + "'}" + more
                        + "}}");
    }

    private ArmClient.Reply definition(String name, String more) {
        arm.put(arm.compute("galleries/g"), "{'location':'westeurope'}");
        return arm.put(
                arm.compute("galleries/g/images/" + name),
                "{'location':'westeurope','properties':{'osType':'Linux','osState':'Generalized','identifier':{"
                        + "'publisher':'p','offer':'o','sku':'" + name + "'}" + more + "}}");
    }

    private ArmClient.Reply version(String definition, String machine, int replicas) {
        return arm.put(
                arm.compute("galleries/g/images/" + definition + "/versions/1.0.0"),
                "{'location':'westeurope','properties':{'storageProfile':{'source':{'virtualMachineId':'"
                        + machine(machine)
                        + "'}},'publishingProfile':{'targetRegions':[{'name':'westeurope','regionalReplicaCount':"
                        + replicas + "}]}}}");
    }

    private static String id(String id) {
        return "{'id':'" + id + "'}";
    }

    @Test
    void aDiskIsAcceptedAndThenMade() {
        ArmClient.Reply made = arm.put(arm.compute("disks/d"), EMPTY_DISK);

        assertThat(made.status()).isEqualTo(202);
        finished(made);
        assertThat(arm.text(arm.compute("disks/d"), "/properties/diskState")).isEqualTo("Unattached");
        assertThat(arm.put(arm.compute("disks/d"), EMPTY_DISK.replace("64", "32"))
                        .message())
                .isEqualTo(
                        "New disk size: 32 Gb is smaller than original. Original size: 64 Gb. New size must be greater or"
                                + " equal than original.");
    }

    @Test
    void aMachineKeepsWhatAChangeDoesNotMention() {
        arm.finish(arm.machine("m"));

        ArmClient.Reply changed = arm.put(
                machine("m"),
                "{'location':'westeurope','properties':{'hardwareProfile':{'vmSize':'Standard_HB120-96rs_v3'}}}");

        assertThat(changed.status()).as(changed.body().toString()).isEqualTo(200);
        JsonNode now = arm.get(machine("m")).body();
        assertThat(now.at("/properties/storageProfile/imageReference/offer").asText())
                .isEqualTo("ubuntu-hpc");
        assertThat(now.at("/properties/osProfile/adminUsername").asText()).isEqualTo("hpc");
        assertThat(now.at("/properties/hardwareProfile/vmSize").asText()).isEqualTo("Standard_HB120-96rs_v3");
    }

    @Test
    void aResizeNeedsOnlyTheDifferenceOfTheQuota() {
        try (ArmEmulator small =
                ArmEmulator.builder().coresPerFamily(120).regionalCores(120).start()) {
            ArmClient client = new ArmClient(small);
            client.prepare();
            client.finish(client.machine("m"));

            ArmClient.Reply resized = client.put(
                    client.compute("virtualMachines/m"),
                    "{'location':'westeurope','properties':{'hardwareProfile':{'vmSize':'Standard_HB120-96rs_v3'}}}");

            assertThat(resized.status()).as(resized.body().toString()).isEqualTo(200);
        }
    }

    @Test
    void aDataDiskLeftOutOfAChangeIsDetached() {
        arm.finish(arm.put(arm.compute("disks/d"), EMPTY_DISK));
        arm.finish(arm.machine("m"));
        String attach = "{'location':'westeurope','properties':{'storageProfile':{'dataDisks':[%s]}}}";
        String disk = "{'lun':0,'createOption':'Attach','managedDisk':{'id':'" + arm.compute("disks/d") + "'}}";

        arm.finish(arm.put(machine("m"), attach.formatted(disk)));
        assertThat(arm.text(arm.compute("disks/d"), "/managedBy")).isEqualTo(machine("m"));
        arm.finish(arm.put(machine("m"), attach.formatted("")));

        JsonNode free = arm.get(arm.compute("disks/d")).body();
        assertThat(free.has("managedBy")).isFalse();
        assertThat(free.at("/properties/diskState").asText()).isEqualTo("Unattached");
        assertThat(arm.put(machine("m"), attach.formatted(disk + "," + disk)).message())
                .isEqualTo("A disk at LUN 0 already exists.");
        assertThat(arm.put(machine("m"), attach.formatted(disk.replace("/d'", "/none'")))
                        .message())
                .isEqualTo("Disk 'none' is not found.");
    }

    @Test
    void anExistingDiskIsNotMadeIntoTheDiskOfAMachine() {
        arm.finish(arm.put(arm.compute("disks/boot"), EMPTY_DISK));
        arm.finish(arm.networkInterface("m", ""));
        String body =
                arm.machineBody("m", SIZE, ArmClient.UBUNTU, "").replace("'osDisk':{", "'osDisk':{'name':'boot',");

        ArmClient.Reply refused = arm.put(machine("m"), body);

        assertThat(refused.error()).isEqualTo("ConflictingUserInput");
        assertThat(refused.message())
                .isEqualTo("Disk boot already exists in resource group rg. Only CreateOption.Attach is supported.");
    }

    @Test
    void aScaleSetIsScaledByItsSizeAlone() {
        arm.finish(arm.put(arm.compute("virtualMachineScaleSets/set"), set("s")));

        ArmClient.Reply scaled = arm.put(
                arm.compute("virtualMachineScaleSets/set"),
                "{'location':'westeurope','sku':{'name':'" + SIZE + "','capacity':3}}");

        finished(scaled);
        assertThat(arm.at(arm.compute("virtualMachineScaleSets/set/virtualMachines"), "/value"))
                .hasSize(3);
    }

    private String set(String subnet) {
        return arm.scaleSetBody(SIZE, 2).replace("subnets/s'", "subnets/" + subnet + "'");
    }

    @Test
    void aRefusedScaleSetDoesNotStay() {
        ArmClient.Reply refused = arm.put(arm.compute("virtualMachineScaleSets/set"), set("none"));

        assertThat(refused.error()).isEqualTo("InvalidResourceReference");
        assertThat(arm.get(arm.compute("virtualMachineScaleSets/set")).status()).isEqualTo(404);
        assertThat(emulator.resources()).noneMatch(id -> id.contains("virtualMachineScaleSets"));
    }

    @Test
    void anEvictedMachineWithThePolicyDeleteIsGone() {
        arm.finish(
                machine("m", "Standard_D2s_v5", ArmClient.UBUNTU, ",'priority':'Spot','evictionPolicy':'Delete'", ""));

        assertThat(arm.post(machine("m") + "/simulateEviction", "").status()).isEqualTo(204);

        assertThat(arm.get(machine("m")).status()).isEqualTo(404);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "'osProfile':{'adminUsername':'other'} | osProfile.adminUsername",
                "'osProfile':{'customData':'QQ=='} | osProfile.customData",
                "'storageProfile':{'osDisk':{'createOption':'FromImage','name':'other'}} | storageProfile.osDisk.name",
                "'availabilitySet':{'id':'/subscriptions/s/resourceGroups/g/providers/a/b/c'} | availabilitySet.id",
            })
    void refusesChangesOfWhatStays(String properties, String name) {
        arm.finish(arm.machine("m"));

        ArmClient.Reply refused = arm.put(machine("m"), "{'location':'westeurope','properties':{" + properties + "}}");

        assertThat(refused.status()).isEqualTo(409);
        assertThat(refused.error()).isEqualTo("PropertyChangeNotAllowed");
        assertThat(refused.message()).isEqualTo("Changing property '" + name + "' is not allowed.");
    }

    @Test
    void aGeneralizedMachineGetsNoTags() {
        arm.finish(arm.machine("m"));
        generalize("m");

        ArmClient.Reply refused = arm.send("PATCH", machine("m"), "{\"tags\":{\"a\":\"b\"}}");

        assertThat(refused.status()).isEqualTo(409);
        assertThat(refused.error()).isEqualTo("OperationNotAllowedOnGeneralizedVM");
    }

    @Test
    void generationsOfImageAndMachineMustBeEqual() {
        arm.finish(arm.machine("m"));
        generalize("m");
        definition("first", "");
        definition("second", ",'hyperVGeneration':'V2'");

        assertThat(capture("m", ",'hyperVGeneration':'V1'").message())
                .isEqualTo(
                        "The hypervisor generation 'V1' of the image is not the generation 'V2' of its source virtual"
                                + " machine " + machine("m") + ".");
        assertThat(version("first", "m", 1).message())
                .isEqualTo(
                        "The resource with id '" + machine("m") + "' has a different Hypervisor generation ['V2'] than"
                                + " the parent gallery image Hypervisor generation ['V1'].");
        finished(version("second", "m", 1));
        assertThat(arm.at(
                                arm.compute("galleries/g/images/second/versions/1.0.0"),
                                "/properties/storageProfile/osDiskImage/sizeInGB")
                        .asInt())
                .isEqualTo(30);
        assertThat(arm.put(
                                arm.compute("galleries/g/images/second"),
                                "{'location':'westeurope','properties':{'osType':'Linux','osState':'Generalized','identifier':{"
                                        + "'publisher':'p','offer':'o','sku':'second'},'hyperVGeneration':'V1'}}")
                        .message())
                .isEqualTo("Changing property 'hyperVGeneration' is not allowed.");
    }

    @Test
    void anImageBootsOnSizesOfItsArchitectureOnly() {
        assertThat(machine("m", "Standard_ND128isr_NDR_GB200_v6", ArmClient.UBUNTU, "", "")
                        .message())
                .isEqualTo(
                        "Cannot create a VM of size 'Standard_ND128isr_NDR_GB200_v6' because this VM size only supports a"
                                + " CPU Architecture of 'Arm64', but an image or disk with CPU Architecture 'x64' was given. Please"
                                + " check that the CPU Architecture of the image or disk is compatible with that of the VM size.");
    }

    @Test
    void aSizeOfGeneration1BootsNoImageOfGeneration2() {
        assertThat(machine("m", "Standard_D3_v2", ArmClient.UBUNTU, "", "").message())
                .startsWith("The selected VM size 'Standard_D3_v2' cannot boot Hypervisor Generation '2'.");
    }

    @Test
    void aPlanNeedsItsTermsAccepted() {
        String terms = arm.subscription("/providers/Microsoft.MarketplaceOrdering/offerTypes/virtualmachine/publishers/"
                + "almalinux/offers/almalinux-hpc/plans/8-hpc-gen2/agreements/current?api-version=2021-01-01");

        assertThat(machine("m", SIZE, PLAN_IMAGE, "", "").error()).isEqualTo("VMMarketplaceInvalidInput");
        assertThat(machine("m", SIZE, ArmClient.UBUNTU, "", PLAN).message())
                .isEqualTo(
                        "Creating a virtual machine from a non Marketplace image does not need Plan information in the"
                                + " request. VM: '" + machine("m") + "'.");
        assertThat(machine("m", SIZE, PLAN_IMAGE, "", PLAN.replace("gen2", "gen1"))
                        .message())
                .startsWith("Unable to deploy from the Marketplace image");
        ArmClient.Reply refused = machine("m", SIZE, PLAN_IMAGE, "", PLAN);
        assertThat(refused.error()).isEqualTo("MarketplacePurchaseEligibilityFailed");
        assertThat(refused.body().at("/error/details/0/message").asText())
                .contains("You have not accepted the legal terms on this subscription: '" + emulator.subscriptionId()
                        + "' for this plan: '8-hpc-gen2'");

        JsonNode agreement = arm.get(terms).body();
        assertThat(agreement.at("/properties/accepted").asBoolean()).isFalse();
        arm.send("PUT", terms, agreement.toString().replace("\"accepted\":false", "\"accepted\":true"));

        assertThat(arm.at(terms, "/properties/accepted").asBoolean()).isTrue();
        finished(machine("m", SIZE, PLAN_IMAGE, "", PLAN));
        generalize("m");
        arm.finish(capture("m", ""));
        assertThat(machine("n", SIZE, id(arm.compute("images/of-m")), "", "").error())
                .isEqualTo("VMMarketplaceInvalidInput");
        finished(machine("n", SIZE, id(arm.compute("images/of-m")), "", PLAN));
    }

    @Test
    void trustedLaunchGoesWithImagesThatHaveIt() {
        String trusted = ",'securityProfile':{'securityType':'TrustedLaunch'}";
        finished(machine("m", SIZE, ArmClient.UBUNTU, trusted, ""));
        generalize("m");
        definition("plain", ",'hyperVGeneration':'V2'");
        definition("trusted", ",'hyperVGeneration':'V2','features':[{'name':'SecurityType','value':'TrustedLaunch'}]");

        assertThat(capture("m", "").message())
                .isEqualTo(
                        "Creation of managed images are not supported for virtual machine with TrustedLaunch security"
                                + " type.");
        assertThat(version("plain", "m", 1).message())
                .isEqualTo("The security type 'TrustedLaunch' of the source '" + machine("m")
                        + "' is not that of the gallery image, 'Standard'.");
        finished(version("trusted", "m", 1));
        String image = id(arm.compute("galleries/g/images/trusted/versions/1.0.0"));
        assertThat(machine("n", SIZE, image, "", "").message())
                .isEqualTo(
                        "The provided gallery image only supports creation of VMs and VM Scale Sets with 'TrustedLaunch'"
                                + " security type.");
        finished(machine("n", SIZE, image, trusted, ""));
    }

    @Test
    void beyondTwentyMachinesOfOneReplicaNoneBootsInTime() {
        arm.finish(arm.machine("m"));
        generalize("m");
        arm.finish(capture("m", ""));
        definition("d", ",'hyperVGeneration':'V2'");
        arm.finish(version("d", "m", 2));

        assertThat(timeOuts("a", id(arm.compute("images/of-m")), 22)).isEqualTo(2);
        assertThat(timeOuts("b", id(arm.compute("galleries/g/images/d/versions/1.0.0")), 22))
                .isZero();
    }

    private long timeOuts(String name, String image, int number) {
        List<String> names = IntStream.range(0, number).mapToObj(i -> name + i).toList();
        names.forEach(each -> arm.finish(arm.networkInterface(each, "")));
        List<ArmClient.Reply> started = names.stream()
                .map(each -> arm.put(machine(each), arm.machineBody(each, "Standard_D2s_v5", image, "")))
                .toList();
        return started.stream()
                .map(reply -> arm.done(reply).at("/error/code").asText())
                .filter("OSProvisioningTimedOut"::equals)
                .count();
    }

    @Test
    void refusesNamesThatMachinesCannotHave() {
        arm.finish(arm.networkInterface("m", ""));
        String body = arm.machineBody("m", SIZE, ArmClient.UBUNTU, "");

        assertThat(arm.put(machine("a".repeat(65)), body).message())
                .isEqualTo("The entity name '" + "a".repeat(65)
                        + "' is invalid according to its validation rule: ^[^_\\W][\\w-._]{0,63}(?<![-.])$.");
        assertThat(arm.put(machine("m"), body.replace("'computerName':'m'", "'computerName':'a_b'"))
                        .message())
                .startsWith(
                        "Linux host name cannot exceed 64 characters in length or contain the following characters: ");
        assertThat(arm.put(arm.compute("galleries/a-b"), "{'location':'westeurope'}")
                        .error())
                .isEqualTo("InvalidParameter");
    }

    @Test
    void aScaleSetHasNoMoreInstancesThanItsPlacementGroup() {
        String large = set("s").replace("'capacity':2", "'capacity':%d");

        assertThat(arm.put(arm.compute("virtualMachineScaleSets/set"), large.formatted(301))
                        .message())
                .isEqualTo("The capacity 301 is not between 0 and 300.");
        assertThat(arm.put(
                                arm.compute("virtualMachineScaleSets/set"),
                                large.formatted(101).replace(SIZE, "Standard_D2s_v5"))
                        .message())
                .isEqualTo("The capacity 101 is not between 0 and 100.");
    }
}
