package io.clusterwright.azure.emulator;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Bodies of Microsoft.Compute with one thing in them that Azure refuses. In the tables, @ stands for the start of an id. */
class MachineRefusalsTest {
    private static final ArmEmulator EMULATOR = ArmEmulator.builder().start();
    private static final ArmClient ARM = new ArmClient(EMULATOR);

    @BeforeAll
    static void prepare() {
        ARM.prepare();
        ARM.finish(ARM.networkInterface("n", ""));
        ARM.finish(ARM.virtualNetwork("other", "10.46"));
        ARM.finish(ARM.put(
                ARM.network("networkInterfaces/elsewhere"),
                "{'location':'westeurope','properties':{'ipConfigurations':[{'name':'i','properties':{'subnet':{'id':'"
                        + ARM.network("virtualNetworks/other/subnets/s") + "'}}}]}}"));
        ARM.put(ARM.compute("availabilitySets/classic"), "{'location':'westeurope'}");
        ARM.put(ARM.compute("availabilitySets/aligned"), "{'location':'westeurope','sku':{'name':'Aligned'}}");
        ARM.put(ARM.compute("proximityPlacementGroups/east"), "{'location':'eastus'}");
        String disk = "{'location':'%s','properties':{'diskSizeGB':32,'creationData':{'createOption':'Empty'}}}";
        ARM.finish(ARM.put(ARM.compute("disks/d"), disk.formatted("westeurope")));
        ARM.finish(ARM.put(ARM.compute("disks/east"), disk.formatted("eastus")));
        ARM.finish(ARM.machine("runs"));
        ARM.finish(ARM.machine("stopped"));
        ARM.finish(ARM.post(ARM.compute("virtualMachines/stopped/deallocate"), ""));
        ARM.post(ARM.compute("virtualMachines/stopped/generalize"), "");
        ARM.finish(ARM.put(
                ARM.compute("images/image"),
                "{'location':'westeurope','properties':{'sourceVirtualMachine':{'id':'"
                        + ARM.compute("virtualMachines/stopped") + "'}}}"));
        ARM.finish(ARM.put(ARM.compute("galleries/g"), "{'location':'westeurope'}"));
        ARM.finish(ARM.put(
                ARM.compute("galleries/g/images/d"),
                "{'location':'westeurope','properties':{'osType':'Linux','osState':'Generalized','hyperVGeneration':'V2',"
                        + "'identifier':{'publisher':'p','offer':'o','sku':'s'}}}"));
    }

    @AfterAll
    static void close() {
        EMULATOR.close();
    }

    private static void refused(ArmClient.Reply reply, String code, String message) {
        assertThat(reply.status()).as(reply.body().toString()).isBetween(400, 499);
        assertThat(reply.error()).as(reply.message()).isEqualTo(code);
        assertThat(reply.message()).contains(message);
    }

    private static String changed(String body, String from, String to) {
        assertThat(body).contains(from);
        return body.replace(from, to.replace("@", ARM.compute("")));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "'adminUsername':'hpc' | 'adminUsername':'test' | InvalidParameter | The Admin Username specified is not allowed.",
                "/home/hpc/ | /root/ | InvalidParameter | limited to its default value /home/hpc/.ssh/authorized_keys",
                "ssh-ed25519 | ecdsa-sha2-nistp256 | InvalidParameter | linuxConfiguration.ssh.publicKeys.keyData is invalid",
                "'adminUsername' | 'adminPassword':'abc','adminUsername' | InvalidParameter | must be between 6-72 characters long",
                "'adminUsername' | 'adminPassword':'Password1','adminUsername' | InvalidParameter | The specified password is not allowed",
                "'adminUsername' | 'windowsConfiguration':{'timeZone':'UTC'},'adminUsername' | InvalidParameter | windowsConfiguration is invalid",
                "'latest' | '0.0.1' | PlatformImageNotFound | 'microsoft-dsvm:ubuntu-hpc:2204:0.0.1' is not available",
                "'createOption':'FromImage' | 'createOption':'Empty' | InvalidParameter | The value of parameter osDisk.createOption is invalid",
                "'createOption':'FromImage' | 'createOption':'FromImage','osType':'Windows' | InvalidParameter | osDisk.osType is invalid",
                "'createOption':'FromImage' | 'createOption':'FromImage','diskSizeGB':10 | OperationNotAllowed | disk size 10 GB is smaller than the size of the corresponding disk in the VM image: 30 GB",
                "'createOption':'FromImage' | 'createOption':'FromImage','diskSizeGB':5000 | InvalidParameter | between '1' and '4095'",
                "'createOption':'FromImage' | 'createOption':'FromImage','name':'a/b' | InvalidParameter | The entity name 'a/b' is invalid",
                "'createOption':'FromImage' | 'createOption':'FromImage','diffDiskSettings':{'option':'Local'} | InvalidParameter | osDisk.caching",
                "'createOption':'FromImage' | 'createOption':'FromImage','managedDisk':{'storageAccountType':'UltraSSD_LRS'} | InvalidParameter | not supported for an OS disk",
                "'createOption':'FromImage' | 'createOption':'FromImage','managedDisk':{'diskEncryptionSet':{'id':'@diskEncryptionSets/none'}} | NotFound | diskEncryptionSets/none is not found",
                "'osDisk' | 'dataDisks':[{'lun':0,'createOption':'Empty'}],'osDisk' | InvalidParameter | Required parameter 'dataDisk.diskSizeGB' is missing (null).",
                "'osDisk' | 'dataDisks':[{'lun':64,'createOption':'Empty','diskSizeGB':4}],'osDisk' | InvalidParameter | between '0' and '63'",
                "'osDisk' | 'dataDisks':[{'lun':0,'createOption':'Attach'}],'osDisk' | InvalidParameter | 'dataDisk.managedDisk.id' is missing",
                "'osDisk' | 'dataDisks':[{'lun':0,'createOption':'Attach','managedDisk':{'id':'@disks/east'}}],'osDisk' | BadRequest | Disk east is in the region eastus",
                "'networkProfile' | 'evictionPolicy':'Delete','networkProfile' | EvictionPolicyCanBeSetOnlyOnAzureSpotVirtualMachines | Eviction policy can be set only on",
                "'networkProfile' | 'billingProfile':{'maxPrice':1},'networkProfile' | MaxPriceIsSupportedOnlyForAzureSpotVirtualMachines | Max price is supported only",
                "'networkProfile' | 'priority':'Spot','billingProfile':{'maxPrice':0},'networkProfile' | MaxPriceValueInvalid | -1 or a decimal greater than zero",
                "'networkProfile' | 'userData':'%','networkProfile' | InvalidParameter | must be in Base64 encoding",
                "'networkProfile' | 'licenseType':'Mine','networkProfile' | InvalidParameter | The value of parameter licenseType is invalid.",
                "'networkProfile' | 'securityProfile':{'encryptionAtHost':true},'networkProfile' | InvalidParameter | feature is not enabled for this subscription",
                "'networkProfile' | 'host':{'id':'@hostGroups/h/hosts/a'},'networkProfile' | InvalidResourceReference | hosts/a",
                "'networkProfile' | 'availabilitySet':{'id':'@availabilitySets/classic'},'networkProfile' | OperationNotAllowed | create an Availability Set with 'Aligned' SKU",
                "'networkProfile' | 'availabilitySet':{'id':'@availabilitySets/none'},'networkProfile' | InvalidResourceReference | availabilitySets/none",
                "'networkProfile' | 'proximityPlacementGroup':{'id':'@proximityPlacementGroups/east'},'networkProfile' | InvalidResourceReference | both resources are in the same region",
                "'osDisk' | 'dataDisks':[{'lun':0,'createOption':'Empty','diskSizeGB':4},{'lun':1,'createOption':'Empty','diskSizeGB':4},{'lun':2,'createOption':'Empty','diskSizeGB':4},{'lun':3,'createOption':'Empty','diskSizeGB':4},{'lun':4,'createOption':'Empty','diskSizeGB':4}],'osDisk' | OperationNotAllowed | The maximum number of data disks allowed to be attached to a VM of this size is 4.",
                "'osDisk' | 'dataDisks':[{'lun':0,'createOption':'Empty','diskSizeGB':4,'managedDisk':{'storageAccountType':'UltraSSD_LRS'}}],'osDisk' | InvalidParameter | can be used only when additionalCapabilities.ultraSSDEnabled is set",
                "'osDisk' | 'dataDisks':[{'lun':0,'createOption':'Empty','diskSizeGB':4,'managedDisk':{'storageAccountType':'PremiumV2_LRS'}}],'osDisk' | InvalidParameter | 'PremiumV2_LRS' storage account type can be used only with Virtual Machines in an Availability Zone",
                "'networkProfile' | 'priority':'Spot','billingProfile':{'maxPrice':0.0001},'networkProfile' | SpotPriceGreaterThanProvidedMaxPrice | the provided max price '1.0E-4 USD' is lower than the current spot price '0.0066 USD' for Azure Spot Virtual Machine size 'Standard_D2s_v5'",
                "'networkProfile' | 'priority':'Spot','availabilitySet':{'id':'@availabilitySets/aligned'},'networkProfile' | AzureSpotVMNotSupportedInAvailabilitySet | not supported in Availability Set",
                "'networkProfile' | 'priority':'Spot','evictionPolicy':'Stop','networkProfile' | BadRequest | Error converting value \"Stop\" to type 'evictionPolicy'",
                "{'location' | {'extendedLocation':{'type':'EdgeZone','name':'microsoftlosangeles1'},'location' | InvalidExtendedLocation | 'microsoftlosangeles1' is not available in the location 'westeurope'",
                "'osDisk' | 'dataDisks':[{'lun':0,'name':'a','createOption':'Empty','diskSizeGB':4},{'lun':1,'name':'A','createOption':'Empty','diskSizeGB':4}],'osDisk' | InvalidParameter | A disk named 'A' already exists.",
                "'osDisk' | 'dataDisks':[{'lun':0,'createOption':'Empty','diskSizeGB':40000}],'osDisk' | InvalidParameter | between '1' and '32767'",
                "'createOption':'FromImage' | 'createOption':'FromImage','caching':'ReadOnly','diffDiskSettings':{'option':'Local'} | InvalidParameter | OS disk of Ephemeral VM with size greater than 0 GB is not allowed for VM size Standard_D2s_v5.",
                "'deleteOption':'Delete' | 'deleteOption':'Detach','caching':'ReadOnly','diffDiskSettings':{'option':'Local'} | InvalidParameter | osDisk.deleteOption",
                "'createOption':'FromImage' | 'createOption':'FromImage','writeAcceleratorEnabled':true | InvalidParameter | writeAcceleratorEnabled",
                "'version':'latest' | 'version':'latest','id':'@images/image' | InvalidParameter | The value of parameter imageReference is invalid.",
                "'networkProfile' | 'extensionsTimeBudget':'PT1M','networkProfile' | InvalidParameter | between 'PT15M' and 'PT2H'",
                "'networkProfile' | 'platformFaultDomain':1,'networkProfile' | InvalidParameter | platformFaultDomain",
                "'networkInterfaces' | 'networkApiVersion':'2020-11-01','networkInterfaceConfigurations':[{'name':'a'}],'networkInterfaces' | OperationNotAllowed | make them first",
                "'linuxConfiguration':{ | 'linuxConfiguration':{'provisionVMAgent':false,'patchSettings':{'patchMode':'AutomaticByPlatform'}, | InvalidParameter | linuxConfiguration.provisionVMAgent",
                "{'location' | {'zones':['9'],'location' | InvalidAvailabilityZone | The supported zones for location 'westeurope' are '1,2,3'.",
                "{'location' | {'zones':['1','2'],'location' | InvalidParameter | can be in one availability zone only",
                "{'location' | {'identity':{'type':'UserAssigned'},'location' | FailedIdentityOperation | Identity operation for resource",
                "{'location' | {'name':'other','location' | MismatchingResourceName | The provided resource name 'other' did not match the name in the Url 'new'.",
            })
    void ofAMachine(String from, String to, String code, String message) {
        String body = ARM.machineBody("n", "Standard_D2s_v5", ArmClient.UBUNTU, "");
        refused(ARM.put(ARM.compute("virtualMachines/new"), changed(body, from.trim(), to.trim())), code, message);
        assertThat(ARM.get(ARM.compute("virtualMachines/new")).status()).isEqualTo(404);
    }

    @Test
    void aSizeWithoutPremiumStorageHasNoPremiumDisk() {
        String image = "{'publisher':'OpenLogic','offer':'CentOS-HPC','sku':'7.7','version':'latest'}";
        String body = ARM.machineBody("n", "Standard_D3_v2", image, "")
                .replace("'osDisk':{", "'osDisk':{'managedDisk':{'storageAccountType':'Premium_LRS'},");
        refused(
                ARM.put(ARM.compute("virtualMachines/new"), body),
                "InvalidParameter",
                "the VM size Standard_D3_v2 does not support the storage account type Premium_LRS of disk");
    }

    @Test
    void interfacesOfOneMachineAreInOneNetwork() {
        String body = ARM.machineBody("n", "Standard_D2s_v5", ArmClient.UBUNTU, "")
                .replace(
                        "networkInterfaces/n'}",
                        "networkInterfaces/n','properties':{'primary':true}},{'id':'"
                                + ARM.network("networkInterfaces/elsewhere") + "','properties':{'primary':false}}");
        refused(
                ARM.put(ARM.compute("virtualMachines/new"), body),
                "SubnetsNotInSameVnet",
                "are in several virtual networks");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "PATCH virtualMachines/stopped | 'properties':{'hardwareProfile':{'vmSize':'Standard_D4s_v5'}} | OperationNotAllowed | is not allowed on VM 'stopped' since the VM is generalized",
                "POST virtualMachines/runs/runCommand | 'commandId':'RunPowerShellScript','script':['a'] | InvalidParameter | not supported for the operating system 'Linux'",
                "GET virtualMachines/runs/start | | InvalidRequest | The operation 'start' is not supported",
                "DELETE virtualMachines/runs/start | | MethodNotAllowed | The method DELETE is not allowed",
                "PUT virtualMachines | | MethodNotAllowed | The method PUT is not allowed",
                "PUT virtualMachines/runs/extensions/e | 'properties':{'publisher':'P','type':'T','typeHandlerVersion':'1.0'} | ArtifactNotFound | Extension with publisher 'P', type 'T', and type handler version '1.0' could not be found in the extension repository.",
                "PUT virtualMachines/runs/extensions/e | 'properties':{'publisher':'Microsoft.Azure.Extensions','type':'CustomScript','typeHandlerVersion':'2.1.3'} | InvalidParameter | The value of parameter typeHandlerVersion is invalid.",
                "PUT disks/e | 'properties':{'creationData':{'createOption':'Empty'}} | InvalidParameter | Required parameter 'disk.diskSizeGB' is missing (null).",
                "PUT disks/e | 'properties':{'diskSizeGB':40000,'creationData':{'createOption':'Empty'}} | InvalidParameter | between '1' and '32767'",
                "PUT disks/e | 'properties':{'creationData':{'createOption':'Copy','sourceResourceId':'@disks/none'}} | NotFound | disks/none is not found",
                "PUT disks/e | 'properties':{'creationData':{'createOption':'Import'}} | InvalidParameter | 'disk.creationData.sourceUri' is missing",
                "PUT disks/e | 'properties':{'diskSizeGB':4,'diskIOPSReadWrite':500,'creationData':{'createOption':'Empty'}} | InvalidParameter | UltraSSD_LRS and PremiumV2_LRS have it",
                "PUT disks/e | 'properties':{'diskSizeGB':4,'maxShares':2,'creationData':{'createOption':'Empty'}} | BadRequest | MaxShares '2' for disk 'e' of size '4' GB is invalid.",
                "PUT disks/e | 'sku':{'name':'Premium_LRS'},'properties':{'diskSizeGB':512,'maxShares':4,'creationData':{'createOption':'Empty'}} | BadRequest | MaxShares '4' for disk 'e' of size '512' GB is invalid.",
                "PUT disks/e | 'sku':{'name':'StandardSSD_LRS'},'properties':{'diskSizeGB':4,'tier':'P10','creationData':{'createOption':'Empty'}} | InvalidParameter | only Premium SSDs have tiers",
                "PUT disks/e | 'sku':{'name':'Premium_LRS'},'properties':{'diskSizeGB':256,'tier':'P10','creationData':{'createOption':'Empty'}} | InvalidParameter | none below that of their size",
                "PUT disks/e | 'sku':{'name':'Premium_LRS'},'properties':{'diskSizeGB':256,'burstingEnabled':true,'creationData':{'createOption':'Empty'}} | InvalidParameter | a Premium SSD larger than 512 GB",
                "PUT disks/e | 'sku':{'name':'StandardSSD_LRS'},'properties':{'diskSizeGB':4,'diskMBpsReadOnly':500,'creationData':{'createOption':'Empty'}} | InvalidParameter | diskMBpsReadOnly cannot be set for a disk of the sku 'StandardSSD_LRS'",
                "PUT disks/e | 'sku':{'name':'UltraSSD_LRS'},'properties':{'diskSizeGB':4,'creationData':{'createOption':'Empty'}} | InvalidParameter | only with Virtual Machines in an Availability Zone",
                "PUT disks/e | 'zones':['1'],'sku':{'name':'Premium_ZRS'},'properties':{'diskSizeGB':4,'creationData':{'createOption':'Empty'}} | InvalidParameter | is in all availability zones of its region",
                "PUT disks/e | 'extendedLocation':{'type':'EdgeZone','name':'z'},'properties':{'diskSizeGB':4,'creationData':{'createOption':'Empty'}} | InvalidExtendedLocation | The extended location 'z' is not available",
                "PUT virtualMachines/runs/extensions/e | 'properties':{'publisher':'Microsoft.Compute','type':'CustomScriptExtension','typeHandlerVersion':'1.10'} | OperationNotAllowed | Publisher 'Microsoft.Compute' and type 'CustomScriptExtension' are not supported for OS type 'Linux'.",
                "PATCH virtualMachines/runs | 'properties':{'hardwareProfile':{'vmSize':'Standard_H16r_Promo'},'priority':'Spot'} | VMPriorityCannotBeApplied | The specified priority value 'Spot' cannot be applied to the Virtual Machine 'runs'",
                "PUT disks/e | 'properties':{'diskSizeGB':4,'networkAccessPolicy':'AllowPrivate','creationData':{'createOption':'Empty'}} | InvalidParameter | 'disk.diskAccessId' is missing",
                "PUT disks/e | 'properties':{'diskSizeGB':4,'creationData':{'createOption':'Empty','logicalSectorSize':512}} | InvalidParameter | logicalSectorSize cannot be set",
                "PUT disks/e | 'properties':{'diskSizeGB':4,'creationData':{'createOption':'Empty','performancePlus':true}} | InvalidParameter | disk.creationData.performancePlus",
                "PUT disks/e | 'properties':{'diskSizeGB':4,'securityProfile':{'securityType':'TrustedLaunch'},'creationData':{'createOption':'Empty'}} | InvalidParameter | disk.securityProfile needs hyperVGeneration V2.",
                "PUT disks/e | 'zones':['1'],'sku':{'name':'UltraSSD_LRS'},'properties':{'diskSizeGB':4,'diskIOPSReadWrite':500000,'creationData':{'createOption':'Empty'}} | InvalidParameter | disk.diskIOPSReadWrite",
                "PUT disks/e | 'properties':{'creationData':{'createOption':'FromImage','galleryImageReference':{'id':'@galleries/g/images/d/versions/9.9.9'}}} | NotFound | versions/9.9.9 is not found",
                "PUT disks/e | 'properties':{'creationData':{'createOption':'FromImage','imageReference':{'id':'@images/image'}}} | InvalidParameter | disk.creationData.imageReference.id",
                "PUT disks/e | 'properties':{'diskSizeGB':8,'creationData':{'createOption':'Copy','sourceResourceId':'@disks/d'}} | ResizeDiskError | Original size: 32 Gb",
                "PUT disks/e | 'properties':{'diskSizeGB':8,'creationData':{'createOption':'Attach'}} | InvalidParameter | disk.creationData.createOption",
                "PATCH virtualMachines/runs | 'properties':{'storageProfile':{'osDisk':{'diskSizeGB':64}}} | Conflict | Disk resizing is allowed only when creating a VM or when the VM is deallocated.",
                "PATCH virtualMachines/runs | 'properties':{'storageProfile':{'osDisk':{'diskSizeGB':10}}} | ResizeDiskError | New disk size: 10 Gb is smaller than original.",
                "PATCH virtualMachines/runs | 'properties':{'securityProfile':{'securityType':'TrustedLaunch'}} | PropertyChangeNotAllowed | Changing property 'securityProfile.securityType' is not allowed.",
                "POST virtualMachines/stopped/deallocate | | OperationNotAllowed | Operation 'deallocate' is not allowed on VM 'stopped' since the VM is generalized.",
                "POST virtualMachines/stopped/restart | | OperationNotAllowed | Operation 'restart' is not allowed on VM 'stopped' since the VM is generalized.",
                "POST virtualMachines/stopped/reapply | | OperationNotAllowed | Operation 'reapply' is not allowed",
                "POST virtualMachines/runs/runCommand | 'commandId':'RunShellScript','scripts':['a'] | BadRequest | Could not find member 'scripts' on object of type 'RunCommandInput'",
                "POST virtualMachines/runs/runCommand | 'commandId':'RunShellScript','script':'a' | BadRequest | Error converting value",
                "PUT virtualMachines/stopped/extensions/e | 'properties':{'publisher':'Microsoft.Azure.Extensions','type':'CustomScript','typeHandlerVersion':'2.1'} | OperationNotAllowed | Cannot modify extensions in the VM when the VM is not running.",
                "PUT virtualMachines/runs/extensions/e | 'location':'eastus','properties':{'publisher':'Microsoft.Azure.Extensions','type':'CustomScript','typeHandlerVersion':'2.1'} | ParentResourceNotFound | Parent resource 'runs' not found.",
                "PUT images/e | 'properties':{'sourceVirtualMachine':{'id':'@virtualMachines/stopped'},'storageProfile':{'osDisk':{'osType':'Linux','osState':'Generalized'}}} | InvalidParameter | storageProfile.osDisk",
                "PUT galleries/g/images/e | 'properties':{'osType':'Linux','osState':'Generalized','hyperVGeneration':'V2','features':[{'name':'SecurityType','value':'Foo'}],'identifier':{'publisher':'p','offer':'o','sku':'x'}} | InvalidParameter | galleryImage.properties.features is invalid",
                "PUT galleries/g/images/e | 'properties':{'osType':'Linux','osState':'Generalized','recommended':{'vCPUs':{'min':-1}},'identifier':{'publisher':'p','offer':'o','sku':'x'}} | InvalidParameter | recommended.vCPUs is invalid",
                "PUT galleries/g/images/d/versions/1.0.0 | 'properties':{'publishingProfile':{'replicaCount':101},'storageProfile':{'source':{'id':'@images/image'}}} | InvalidParameter | 'replicaCount' is out of range",
                "PUT galleries/g/images/d/versions/1.0.0 | 'properties':{'storageProfile':{'source':{'id':'@images/image','virtualMachineId':'@virtualMachines/stopped'}}} | InvalidParameter | storageProfile.source",
                "PUT disks/e | 'zones':['7'],'properties':{'diskSizeGB':4,'creationData':{'createOption':'Empty'}} | InvalidAvailabilityZone | '1,2,3'",
                "PUT availabilitySets/aligned | 'sku':{'name':'Classic'} | PropertyChangeNotAllowed | Changing property 'sku.name' is not allowed.",
                "PUT availabilitySets/a | 'properties':{'platformUpdateDomainCount':21} | InvalidParameter | The specified update domain count 21 must fall in the range 1 to 20.",
                "PUT galleries/g/images/e | 'properties':{'osType':'Linux','osState':'Generalized','identifier':{'publisher':'P','offer':'o','sku':'s'}} | Conflict | Gallery image: d identified by (publisher:P, offer:o, sku:s) already exists.",
                "PUT galleries/g/images/e | 'properties':{'osType':'Linux','osState':'Generalized','identifier':{'publisher':'p.','offer':'o','sku':'x'}} | InvalidParameter | Asset name galleryImage.properties.identifier.publisher is not valid.",
                "PUT galleries/g/images/e | 'properties':{'osType':'Linux','osState':'Generalized','architecture':'Arm64','identifier':{'publisher':'p','offer':'o','sku':'x'}} | InvalidParameter | Arm64 needs hyperVGeneration V2.",
                "PUT galleries/g/images/e | 'properties':{'osType':'Linux','osState':'Generalized','features':[{'name':'Foo','value':'x'}],'identifier':{'publisher':'p','offer':'o','sku':'x'}} | InvalidParameter | galleryImage.properties.features is invalid",
                "PUT galleries/g/images/e | 'properties':{'osType':'Linux','osState':'Generalized','recommended':{'vCPUs':{'min':8,'max':4}},'identifier':{'publisher':'p','offer':'o','sku':'x'}} | InvalidParameter | recommended.vCPUs must not be greater than its maximum value",
                "PUT galleries/g/images/e | 'properties':{'osType':'Linux','osState':'Generalized','endOfLifeDate':'2001-01-01','identifier':{'publisher':'p','offer':'o','sku':'x'}} | InvalidParameter | EndOfLifeDate must be set to a future date.",
                "PUT galleries/none/images/e | 'properties':{'osType':'Linux','osState':'Generalized','identifier':{'publisher':'p','offer':'o','sku':'x'}} | ParentResourceNotFound | Parent resource 'none' not found.",
                "PUT galleries/g/images/d/versions/1.0.0 | 'properties':{'publishingProfile':{'targetRegions':[{'name':'eastus'}]},'storageProfile':{'source':{'id':'@images/image'}}} | InvalidParameter | Gallery image version publishing profile regions 'eastus' must contain the location of image version 'westeurope'.",
                "PUT galleries/g/images/d/versions/1.0.0 | 'properties':{'publishingProfile':{'targetRegions':[{'name':'westeurope'},{'name':'West Europe'}]},'storageProfile':{'source':{'id':'@images/image'}}} | InvalidParameter | Duplicate regions are not allowed in target publishing regions.",
                "PUT galleries/g/images/d/versions/1.0.0 | 'properties':{'publishingProfile':{'targetRegions':[{'name':'westeurope','regionalReplicaCount':101}]},'storageProfile':{'source':{'id':'@images/image'}}} | InvalidParameter | between '1' and '100'",
                "PUT galleries/g/images/d/versions/1.0.99999999999 | 'properties':{'storageProfile':{'source':{'id':'@images/image'}}} | InvalidParameter | is not of the form Major.Minor.Patch",
                "PUT galleries/g/images/d/versions/1.0.0 | 'location':'eastus','properties':{'storageProfile':{'source':{'id':'@images/image'}}} | NotFound | is in the same region as gallery image version being created",
            })
    void ofOthers(String request, String body, String code, String message) {
        String[] words = request.trim().split(" ");
        String text = body == null ? "" : body.trim().replace("@", ARM.compute(""));
        String location = text.contains("'location'") || !words[0].equals("PUT") ? "" : "'location':'westeurope',";
        String whole = words[0].equals("PUT") || !text.isEmpty() ? "{" + location + text + "}" : "";
        refused(
                ARM.send(
                        words[0],
                        ARM.compute(words[1]),
                        whole.replace(",}", "}").replace('\'', '"')),
                code,
                message);
    }

    @Test
    void aNameOfAGalleryIsUsedOnceInASubscription() {
        String second = ARM.compute("galleries/g").replace("/rg/", "/second/");
        ARM.put(second.replaceFirst("/providers.*", ""), "{'location':'westeurope'}");
        refused(
                ARM.put(second, "{'location':'westeurope'}"),
                "Conflict",
                "The gallery name 'g' is not unique within the subscription '" + EMULATOR.subscriptionId() + "'.");
    }

    @Test
    void aMachineIsWrittenOnlyByTheVersionOfItThatTheClientKnows() {
        String machine = ARM.compute("virtualMachines/runs");
        String etag = ARM.text(machine, "/etag");
        assertThat(etag).startsWith("\"").endsWith("\"");
        refused(
                ARM.send("PATCH", machine, "{\"tags\":{\"a\":\"b\"}}", "If-Match", "\"other\""),
                "PreconditionFailed",
                "If-Match");
        assertThat(ARM.finish(ARM.send("PATCH", machine, "{\"tags\":{\"a\":\"b\"}}", "If-Match", etag)))
                .isEqualTo("Succeeded");
    }

    @Test
    void aMachineHasNoMoreInterfacesThanItsSize() {
        String three = "networkInterfaces/n','properties':{'primary':true}},{'id':'"
                + ARM.network("networkInterfaces/elsewhere") + "','properties':{'primary':false}},{'id':'"
                + ARM.network("networkInterfaces/runs") + "','properties':{'primary':false}}";
        String body = ARM.machineBody("n", "Standard_D2s_v5", ArmClient.UBUNTU, "");
        refused(
                ARM.put(ARM.compute("virtualMachines/new"), body.replace("networkInterfaces/n'}", three)),
                "NetworkInterfaceCountExceeded",
                "for the virtual machine size Standard_D2s_v5. The number of network interfaces is 3 and the maximum"
                        + " allowed is 2.");
        refused(
                ARM.put(
                        ARM.compute("virtualMachines/new"),
                        body.replace(
                                "networkInterfaces/n'}",
                                "networkInterfaces/n'},{'id':'" + ARM.network("networkInterfaces/runs") + "'}")),
                "NetworkInterfaceMustHavePrimaryPropertySet",
                "networkInterfaces/n must have Primary property set.");
    }

    @Test
    void aChangeAttachesNoMoreDisksThanTheSizeHas() {
        StringBuilder disks =
                new StringBuilder("{'location':'westeurope','properties':{'storageProfile':{'dataDisks':[");
        for (int lun = 0; lun < 33; lun++) {
            disks.append(lun == 0 ? "" : ",")
                    .append("{'lun':")
                    .append(lun)
                    .append(",'createOption':'Empty','diskSizeGB':4}");
        }
        String body = disks.append("]}}}").toString().replace('\'', '"');
        for (String method : new String[] {"PUT", "PATCH"}) {
            refused(
                    ARM.send(method, ARM.compute("virtualMachines/runs"), body),
                    "OperationNotAllowed",
                    "The maximum number of data disks allowed to be attached to a VM of this size is 32.");
        }
    }

    @Test
    void aDeallocatedMachineIsNotPoweredOff() {
        ARM.finish(ARM.machine("idle"));
        ARM.finish(ARM.post(ARM.compute("virtualMachines/idle/deallocate"), ""));
        refused(
                ARM.post(ARM.compute("virtualMachines/idle/powerOff"), ""),
                "OperationNotAllowed",
                "Operation 'powerOff' is not allowed on VM 'idle' since the VM is either deallocated or marked to be"
                        + " deallocated.");
        String larger = "{\"properties\":{\"storageProfile\":{\"osDisk\":{\"diskSizeGB\":64}}}}";
        assertThat(ARM.finish(ARM.send("PATCH", ARM.compute("virtualMachines/idle"), larger)))
                .isEqualTo("Succeeded");
    }

    @Test
    void everySizeStatesItsLimits() {
        assertThat(ARM.at(ARM.subscription("/providers/Microsoft.Compute/skus"), "/value"))
                .isNotEmpty()
                .allSatisfy(sku -> assertThat(sku.path("capabilities").findValuesAsText("name"))
                        .contains("MaxNetworkInterfaces", "MaxDataDiskCount"));
    }

    @Test
    void theHighestPriceOfARunningMachineStays() {
        ARM.finish(ARM.networkInterface("spot", ""));
        String body = ARM.machineBody("spot", "Standard_D2s_v5", ArmClient.UBUNTU, ",'priority':'Spot'");
        ARM.finish(ARM.put(ARM.compute("virtualMachines/spot"), body));
        String price = "{\"properties\":{\"billingProfile\":{\"maxPrice\":0.5}}}";
        refused(
                ARM.send("PATCH", ARM.compute("virtualMachines/spot"), price),
                "MaxPriceChangeNotAllowedForAllocatedVMs",
                "Max price change is not allowed when the VM 'spot' is currently allocated.");
        ARM.finish(ARM.post(ARM.compute("virtualMachines/spot/deallocate"), ""));
        assertThat(ARM.finish(ARM.send("PATCH", ARM.compute("virtualMachines/spot"), price)))
                .isEqualTo("Succeeded");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "'upgradePolicy':{'mode':'Manual'}, | `` | InvalidParameter | Required parameter 'upgradePolicy' is missing (null).",
                "'mode':'Manual' | 'mode':'Rolling' | BadRequest | a health probe or health extension was not provided",
                "'overprovision':false | 'platformFaultDomainCount':9 | InvalidParameter | between '1' and '5'",
                "'overprovision':false | 'zoneBalance':true | InvalidParameter | needs a scale set in availability zones",
                "'subnet' | 'publicIPAddressConfiguration':{'name':'ip'},'subnet' | IPv4BasicSkuPublicIpCountLimitReached | Basic SKU",
                "'subnet' | 'loadBalancerInboundNatPools':[{'id':'@none/n/p/q'}],'subnet' | InvalidResourceReference | was not found",
                "'adminUsername':'hpc' | 'adminUsername':'admin' | InvalidParameter | The Admin Username specified is not allowed.",
                "'osProfile' | 'priority':'Spot','billingProfile':{'maxPrice':0.0001},'osProfile' | SpotPriceGreaterThanProvidedMaxPrice | lower than the current spot price",
                "'imageReference' | 'dataDisks':[{'lun':0,'createOption':'Empty'}],'imageReference' | InvalidParameter | 'dataDisk.diskSizeGB' is missing",
                "'imageReference' | 'dataDisks':[{'lun':0,'createOption':'Attach','diskSizeGB':4}],'imageReference' | InvalidParameter | dataDisk.createOption",
                "'imageReference' | 'dataDisks':[{'lun':0,'createOption':'Empty','diskSizeGB':4},{'lun':1,'createOption':'Empty','diskSizeGB':4},{'lun':2,'createOption':'Empty','diskSizeGB':4},{'lun':3,'createOption':'Empty','diskSizeGB':4},{'lun':4,'createOption':'Empty','diskSizeGB':4}],'imageReference' | OperationNotAllowed | of this size is 4",
                "'imageReference' | 'dataDisks':[{'lun':0,'createOption':'Empty','diskSizeGB':4,'managedDisk':{'storageAccountType':'UltraSSD_LRS'}}],'imageReference' | InvalidParameter | ultraSSDEnabled is set",
                "'networkInterfaceConfigurations':[ | 'networkInterfaceConfigurations':[{'name':'b'},{'name':'c'}, | NetworkInterfaceCountExceeded | The number of network interfaces is 3 and the maximum allowed is 2.",
                "'osProfile' | 'extensionProfile':{'extensions':[{'name':'e','properties':{'publisher':'Microsoft.HpcCompute','type':'InfiniBandDriverWindows','typeHandlerVersion':'1.5'}}]},'osProfile' | OperationNotAllowed | are not supported for OS type 'Linux'",
                "'subnet' | 'privateIPAddressVersion':'IPv6','subnet' | InvalidRequestFormat | has no IPv6 address prefix",
                "'sku':{'name':'Standard_D2s_v5','capacity':1} | 'sku':{'name':'Standard_D2s_v5'} | InvalidParameter | 'sku.capacity' is missing",
                "'overprovision':false | 'automaticRepairsPolicy':{'enabled':true} | BadRequest | Automatic repairs are not supported",
                "'overprovision':false | 'spotRestorePolicy':{'enabled':true} | SpotRestorationIsSupportedOnlyForAzureSpotScaleSets | only for Azure Spot virtual machine scale sets",
                "'overprovision':false | 'priorityMixPolicy':{'baseRegularPriorityCount':1} | InvalidParameter | priorityMixPolicy",
                "'imageReference' | 'osDisk':{'createOption':'FromImage','name':'x'},'imageReference' | InvalidParameter | osDisk.name",
                "'osProfile' | 'scheduledEventsProfile':{'terminateNotificationProfile':{'notBeforeTimeout':'PT1H'}},'osProfile' | InvalidParameter | between 'PT5M' and 'PT15M'",
                "'osProfile' | 'extensionProfile':{'extensions':[{'name':'e','properties':{'publisher':'Microsoft.HpcCompute','type':'InfiniBandDriverLinux','typeHandlerVersion':'1.2','provisionAfterExtensions':['f']}}]},'osProfile' | InvalidParameter | provisionAfterExtensions",
                "'osProfile' | 'extensionProfile':{'extensions':[{'properties':{'publisher':'Microsoft.HpcCompute','type':'InfiniBandDriverLinux','typeHandlerVersion':'1.2'}}]},'osProfile' | InvalidParameter | 'extension.name' is missing",
                "'ipConfigurations':[ | 'ipConfigurations':[{'name':'ip','properties':{}}, | InvalidRequestFormat | more than one entry named ip",
                "'ipConfigurations':[ | 'ipConfigurations':[{'name':'b','properties':{}}, | NetworkInterfaceMustHaveOneOneIPConfigAsPrimary | none of the IPConfigurations is specified as Primary",
                "'subnet' | 'publicIPAddressConfiguration':{'name':'ip','sku':{'name':'Standard'},'properties':{'idleTimeoutInMinutes':50}},'subnet' | InvalidIdleTimeout | between 4 and 30",
                "{'location' | {'zones':['8'],'location' | InvalidAvailabilityZone | '1,2,3'",
            })
    void ofAScaleSet(String from, String to, String code, String message) {
        String body = ARM.scaleSetBody("Standard_D2s_v5", 1);
        refused(
                ARM.put(
                        ARM.compute("virtualMachineScaleSets/new"),
                        changed(body, from.trim(), to == null ? "" : to.trim())),
                code,
                message);
    }
}
