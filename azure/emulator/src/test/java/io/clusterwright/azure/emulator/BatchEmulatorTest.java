package io.clusterwright.azure.emulator;

import static io.clusterwright.azure.emulator.BatchClient.POOL;
import static io.clusterwright.azure.emulator.BatchClient.TASK;
import static io.clusterwright.azure.emulator.BatchClient.code;
import static io.clusterwright.azure.emulator.BatchClient.ids;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The emulated Batch account, by plain HTTP, held against Microsoft's own description of the service. */
class BatchEmulatorTest {
    private final BatchEmulator emulator = BatchEmulator.builder().start();
    private final BatchClient batch = new BatchClient(emulator);

    @TempDir
    private Path folder;

    @AfterEach
    void close() {
        emulator.close();
    }

    @Test
    void matchesThePublishedDescription() throws Exception {
        try (BatchClient batch =
                new BatchClient(BatchEmulator.builder().recordTo(folder).start())) {
            assertThat(batch.get("/supportedimages").path("value")).isNotEmpty();
            batch.post(201, "/pools", POOL.formatted(true));
            assertThat(batch.get("/pools/pool").path("allocationState").asText())
                    .isEqualTo("steady");
            assertThat(batch.get("/pools/pool/nodes").path("value"))
                    .hasSize(2)
                    .allSatisfy(node -> assertThat(node.path("state").asText()).isEqualTo("idle"));
            batch.post(201, "/jobs", "{'id':'j','poolInfo':{'poolId':'pool'}}");
            assertThat(batch.get("/jobs/j").path("state").asText()).isEqualTo("active");
            batch.post(201, "/jobs/j/tasks", TASK);
            JsonNode task = batch.get("/jobs/j/tasks/t");
            assertThat(task.path("executionInfo").path("exitCode").asInt(-1)).isZero();
            batch.get("/jobs/j/tasks/t/files/stdout.txt");
            assertThat(code(batch.post(409, "/jobs/j/tasks/t/terminate", "{}"))).isEqualTo("TaskCompleted");
            batch.post(202, "/pools/pool/resize", "{'targetDedicatedNodes':3}");
            batch.post(200, "/pools/pool/enableautoscale", "{'autoScaleFormula':'$TargetDedicatedNodes=1;'}");
            batch.get("/pools/pool");
            batch.post(200, "/pools/pool/disableautoscale", "");
            batch.post(200, "/jobs/j/addtaskcollection", "{'value':[{'id':'u','commandLine':'/bin/true'}]}");
            batch.list(200, "/jobs/j/tasks", "&$filter=id%20eq%20'u'&$select=id");
            batch.call(200, "PATCH", "/jobs/j", "{'onAllTasksComplete':'terminatejob','priority':3}");
            batch.get("/jobs/j");
            batch.post(201, "/jobs", "{'id':'k','poolInfo':{'poolId':'pool'}}");
            batch.post(202, "/jobs/k/terminate", "{}");
            batch.get("/jobs/k");
            batch.call(202, "DELETE", "/jobs/j", "");
            batch.call(202, "DELETE", "/pools/pool", "");
        }
        OpenApiDocuments documents = new OpenApiDocuments();
        List<String> wrong = new ArrayList<>();
        Set<String> unknown = new TreeSet<>();
        int checked = 0;
        try (var files = Files.list(folder)) {
            for (Path file : files.sorted().toList()) {
                var result = documents.check(ArmClient.JSON.readTree(file.toFile()), unknown);
                checked += result.isPresent() ? 1 : 0;
                wrong.addAll(result.orElse(List.of()));
            }
        }
        assertThat(wrong).isEmpty();
        assertThat(unknown).isEmpty();
        assertThat(checked).isEqualTo(23);
    }

    @Test
    void refusesWithTheCodesOfTheService() {
        assertThat(code(batch.call(404, "GET", "/pools/none", ""))).isEqualTo("PoolNotFound");
        batch.post(201, "/pools", POOL.formatted(true));
        assertThat(code(batch.post(409, "/pools", POOL.formatted(true).replace("'pool'", "'Pool'"))))
                .as("ids have no case")
                .isEqualTo("PoolExists");
        batch.post(201, "/jobs", "{'id':'j','poolInfo':{'poolId':'pool'}}");
        assertThat(code(batch.post(409, "/jobs", "{'id':'J','poolInfo':{'poolId':'pool'}}")))
                .isEqualTo("JobExists");
        assertThat(code(batch.call(404, "GET", "/jobs/j/tasks/t", ""))).isEqualTo("TaskNotFound");
        assertThat(code(batch.post(404, "/jobs/none/tasks", TASK))).isEqualTo("JobNotFound");
    }

    /** A base request, a place in it, the text there instead, the code of the refusal, and a word of its values. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "pool | 'vmSize' | 'vmsize' | InvalidRequestBody | The property 'vmsize' does not exist on type",
                "pool | 'vmSize' | 'location':'westeurope','vmSize' | InvalidRequestBody | 'location' does not exist",
                "pool | 'targetDedicatedNodes':2 | 'targetDedicatedNodes':'2' | InvalidRequestBody | targetDedicatedNodes",
                "pool | 'enableInterNodeCommunication':true | 'enableInterNodeCommunication':'true' | InvalidRequestBody | literal",
                "pool | 'id':'pool' | 'id':'pool.1' | InvalidPropertyValue | alphanumeric characters including hyphens",
                "pool | 'id':'pool' | 'id':'a23456789a23456789a23456789a23456789a23456789a23456789a23456789abcde' | InvalidPropertyValue | 64",
                "pool | 'id':'pool', | `` | MissingRequiredProperty | id",
                "pool | 'vmSize':'Standard_HB120rs_v3', | `` | MissingRequiredProperty | vmSize",
                "pool | Standard_HB120rs_v3 | Standard_None | InvalidPropertyValue | vmSize is not supported",
                "pool | 'nodeAgentSKUId':'batch.node.ubuntu-hpc', | `` | MissingRequiredProperty | virtualMachineConfiguration.nodeAgentSKUId",
                "pool | batch.node.ubuntu-hpc | batch.node.none | NodeAgentSKUNotFound | Node Agent SKU does not exist",
                "pool | 'sku':'2204' | 'sku':'none' | InvalidPropertyValue | is not supported by the node agent SKU",
                "pool | 'targetDedicatedNodes':2 | 'enableAutoScale':false | MissingRequiredProperty | targetDedicatedNodes and/or",
                "pool | 'targetDedicatedNodes':2 | 'targetDedicatedNodes':-1 | InvalidPropertyValue | targetDedicatedNodes",
                "pool | 'targetDedicatedNodes':2 | 'targetDedicatedNodes':2,'autoScaleFormula':'$TargetDedicatedNodes=1' | InvalidPropertyValue | set to false",
                "pool | 'targetDedicatedNodes':2 | 'targetDedicatedNodes':2,'enableAutoScale':true,'autoScaleFormula':'$TargetDedicatedNodes=1' | InvalidPropertyValue | set to true",
                "pool | 'targetDedicatedNodes':2 | 'enableAutoScale':true | MissingRequiredProperty | autoScaleFormula",
                "pool | 'targetDedicatedNodes':2 | 'enableAutoScale':true,'autoScaleFormula':'$TargetDedicatedNodes=(1' | AutoScalingFormulaSyntaxError | the end is not expected",
                "pool | 'targetDedicatedNodes':2 | 'enableAutoScale':true,'autoScaleFormula':'$something_useless' | AutoScalingFormulaSyntaxError | cannot be assigned",
                "pool | 'targetDedicatedNodes':2 | 'enableAutoScale':true,'autoScaleFormula':'$TargetDedicatedNodes=1','autoScaleEvaluationInterval':'PT4M' | InvalidPropertyValue | PT5M",
                "pool | 'targetDedicatedNodes':2 | 'targetDedicatedNodes':2,'resizeTimeout':'PT4M' | InvalidPropertyValue | PT5M",
                "pool | 'targetDedicatedNodes':2 | 'targetDedicatedNodes':2,'taskSlotsPerNode':257 | InvalidPropertyValue | between 1 and 256",
                "pool | 'targetDedicatedNodes':2 | 'targetDedicatedNodes':2,'maxTasksPerNode':1 | InvalidRequestBody | maxTasksPerNode",
                "pool | 'targetDedicatedNodes':2 | 'targetDedicatedNodes':2,'networkConfiguration':{'subnetId':'hpc'} | InvalidPropertyValue | virtualNetworks",
                "pool | 'targetDedicatedNodes':2 | 'targetDedicatedNodes':2,'metadata':[{'name':'','value':'x'}] | EmptyMetadataKey | key",
                "pool | 'targetDedicatedNodes':2 | 'targetDedicatedNodes':2,'userAccounts':[{'name':'a23456789b23456789c23','password':'x'}] | InvalidPropertyValue | 20",
                "pool | 'targetDedicatedNodes':2 | 'targetDedicatedNodes':2,'userAccounts':[{'name':'a'}] | MissingRequiredProperty | userAccounts[0].password",
                "pool | 'targetDedicatedNodes':2 | 'targetDedicatedNodes':2,'mountConfiguration':[{}] | InvalidPropertyValue | mutually exclusive",
                "pool | 'targetDedicatedNodes':2 | 'targetDedicatedNodes':2,'mountConfiguration':[{'nfsMountConfiguration':{'source':'a:/b','relativeMountPath':'/c'}}] | InvalidPropertyValue | relativeMountPath",
                "pool | 'targetDedicatedNodes':2 | 'targetDedicatedNodes':2,'mountConfiguration':[{'azureBlobFileSystemConfiguration':{'accountName':'a','containerName':'b','relativeMountPath':'c'}}] | InvalidPropertyValue | Exactly one of accountKey",
                "pool | /bin/true | `` | MissingRequiredProperty | startTask.commandLine",
                "pool | 'commandLine':'/bin/true' | 'commandLine':'a','resourceFiles':[{'httpUrl':'http://a/b'}] | MissingRequiredProperty | filePath",
                "pool | 'commandLine':'/bin/true' | 'commandLine':'a','userIdentity':{} | InvalidPropertyValue | one of userName and autoUser",
                "job | 'id':'j2' | 'id':'j 2' | InvalidPropertyValue | alphanumeric",
                "job | {'poolId':'pool'} | {} | InvalidPropertyValue | either the Pool ID or the auto Pool",
                "job | 'id':'j2' | 'id':'j2','priority':1001 | InvalidPropertyValue | between -1000 and 1000",
                "job | 'id':'j2' | 'id':'j2','maxParallelTasks':0 | InvalidPropertyValue | greater than 0",
                "task | 'id':'t' | 'id':'t','multiInstance':{} | InvalidRequestBody | multiInstance",
                "task | 'commandLine':'/bin/true', | `` | MissingRequiredProperty | commandLine",
                "task | 'commandLine':'/bin/true' | 'commandLine':' ' | MissingRequiredProperty | commandLine",
                "task | ,'coordinationCommandLine':'/bin/true' | `` | MissingRequiredProperty | multiInstanceSettings.coordinationCommandLine",
                "task | 'numberOfInstances':2 | 'numberOfInstances':0 | InvalidPropertyValue | numberOfInstances",
                "task | 'numberOfInstances':2 | 'numberOfInstances':2,'commonResourceFiles':[{'filePath':'a'}] | InvalidPropertyValue | one of them must be",
                "task | 'numberOfInstances':2 | 'numberOfInstances':2,'commonResourceFiles':[{'httpUrl':'http://a/b','filePath':'../a'}] | InvalidPropertyValue | break out",
                "task | 'id':'t' | 'id':'t','requiredSlots':2 | InvalidPropertyValue | For multi-instance Tasks",
                "task | 'id':'t' | 'id':'t','constraints':{'maxWallClockTime':'soon'} | InvalidPropertyValue | not a duration",
                "task | 'id':'t' | 'id':'t','constraints':{'maxTaskRetryCount':-2} | InvalidPropertyValue | maxTaskRetryCount",
                "task | 'id':'t' | 'id':'t','dependsOn':{'taskIds':['a']} | TaskDependenciesNotSpecifiedOnJob | depending on other tasks",
                "task | 'id':'t' | 'id':'t','environmentSettings':[{'value':'x'}] | MissingRequiredProperty | environmentSettings[0].name",
                "task | 'id':'t' | 'id':'t','containerSettings':{'imageName':'a'} | InvalidPropertyValue | containerConfiguration",
                "pool | 'targetDedicatedNodes':2 | 'targetDedicatedNodes':2,'applicationPackageReferences':[{'applicationId':'a'},{'applicationId':'a'},{'applicationId':'a'},{'applicationId':'a'},{'applicationId':'a'},{'applicationId':'a'},{'applicationId':'a'},{'applicationId':'a'},{'applicationId':'a'},{'applicationId':'a'},{'applicationId':'a'}] | InvalidPropertyValue | maximum of 10",
                "pool | 'virtualMachineConfiguration':{ | 'virtualMachineConfiguration':{'windowsConfiguration':{}, | InvalidPropertyValue | windowsConfiguration",
                "pool | 'virtualMachineConfiguration':{ | 'virtualMachineConfiguration':{'dataDisks':[{'lun':64,'diskSizeGB':8}], | InvalidPropertyValue | between 0 and 63",
                "pool | 'virtualMachineConfiguration':{ | 'virtualMachineConfiguration':{'dataDisks':[{'lun':1,'diskSizeGB':8},{'lun':1,'diskSizeGB':8}], | InvalidPropertyValue | distinct logical unit",
                "pool | 'publisher': | 'virtualMachineImageId':'i','publisher': | InvalidPropertyValue | mutually exclusive",
                "pool | 'targetDedicatedNodes':2 | 'targetDedicatedNodes':2,'networkConfiguration':{'endpointConfiguration':{'inboundNATPools':[{'name':'a0','protocol':'tcp','backendPort':1,'frontendPortRangeStart':1000,'frontendPortRangeEnd':1099},{'name':'a1','protocol':'tcp','backendPort':2,'frontendPortRangeStart':1100,'frontendPortRangeEnd':1199},{'name':'a2','protocol':'tcp','backendPort':3,'frontendPortRangeStart':1200,'frontendPortRangeEnd':1299},{'name':'a3','protocol':'tcp','backendPort':4,'frontendPortRangeStart':1300,'frontendPortRangeEnd':1399},{'name':'a4','protocol':'tcp','backendPort':5,'frontendPortRangeStart':1400,'frontendPortRangeEnd':1499},{'name':'a5','protocol':'tcp','backendPort':6,'frontendPortRangeStart':1500,'frontendPortRangeEnd':1599}]}} | InvalidPropertyValue | inbound NAT Pools per Batch Pool is 5",
                "pool | 'targetDedicatedNodes':2 | 'targetDedicatedNodes':2,'networkConfiguration':{'endpointConfiguration':{'inboundNATPools':[{'name':'-a','protocol':'tcp','backendPort':22,'frontendPortRangeStart':1000,'frontendPortRangeEnd':1099}]}} | InvalidPropertyValue | at most 77 characters",
                "pool | 'targetDedicatedNodes':2 | 'targetDedicatedNodes':2,'networkConfiguration':{'endpointConfiguration':{'inboundNATPools':[{'name':'a','protocol':'tcp','backendPort':29876,'frontendPortRangeStart':1000,'frontendPortRangeEnd':1099}]}} | InvalidPropertyValue | 29876 and 29877 are reserved",
                "pool | 'targetDedicatedNodes':2 | 'targetDedicatedNodes':2,'networkConfiguration':{'endpointConfiguration':{'inboundNATPools':[{'name':'a','protocol':'tcp','backendPort':22,'frontendPortRangeStart':1000,'frontendPortRangeEnd':1038}]}} | InvalidPropertyValue | at least 40 ports",
                "pool | 'targetDedicatedNodes':2 | 'targetDedicatedNodes':2,'networkConfiguration':{'endpointConfiguration':{'inboundNATPools':[{'name':'a','protocol':'tcp','backendPort':22,'frontendPortRangeStart':49990,'frontendPortRangeEnd':50100}]}} | InvalidPropertyValue | 50000 to 55000 are reserved",
                "pool | 'targetDedicatedNodes':2 | 'targetDedicatedNodes':2,'networkConfiguration':{'endpointConfiguration':{'inboundNATPools':[{'name':'a','protocol':'tcp','backendPort':22,'frontendPortRangeStart':1000,'frontendPortRangeEnd':1099},{'name':'b','protocol':'tcp','backendPort':23,'frontendPortRangeStart':1050,'frontendPortRangeEnd':1149}]}} | InvalidPropertyValue | cannot overlap",
                "pool | 'targetDedicatedNodes':2 | 'targetDedicatedNodes':2,'networkConfiguration':{'publicIPAddressConfiguration':{'provision':'nopublicipaddresses'},'endpointConfiguration':{'inboundNATPools':[{'name':'a','protocol':'tcp','backendPort':22,'frontendPortRangeStart':1000,'frontendPortRangeEnd':1099}]}} | InvalidPropertyValue | NoPublicIPAddresses",
                "pool | 'targetDedicatedNodes':2 | 'targetDedicatedNodes':2,'networkConfiguration':{'publicIPAddressConfiguration':{'provision':'nopublicipaddresses'}} | MissingRequiredProperty | subnetId",
                "pool | 'targetDedicatedNodes':2 | 'targetDedicatedNodes':2,'networkConfiguration':{'dynamicVNetAssignmentScope':'pool'} | InvalidRequestBody | dynamicVNetAssignmentScope",
                "pool | 'targetDedicatedNodes':2 | 'targetDedicatedNodes':2,'userAccounts':[{'name':'a','password':'x','linuxUserConfiguration':{'uid':5}}] | InvalidPropertyValue | together or not at all",
                "pool | 'targetDedicatedNodes':2 | 'targetDedicatedNodes':2,'userAccounts':[{'name':'a','password':'x','windowsUserConfiguration':{}}] | InvalidPropertyValue | Windows Pool",
                "pool | 'targetDedicatedNodes':2 | 'targetDedicatedNodes':2,'userAccounts':[{'name':'a','password':'x'},{'name':'a','password':'x'}] | InvalidPropertyValue | Names are unique",
                "pool | 'targetDedicatedNodes':2 | 'targetDedicatedNodes':2,'mountConfiguration':[{'azureFileShareConfiguration':{'accountName':'a','accountKey':'k','azureFileUrl':'http://b/','relativeMountPath':'c'}}] | InvalidPropertyValue | file.core.windows.net",
                "job | 'id':'j2' | 'id':'j2','jobReleaseTask':{'commandLine':'a'} | MissingRequiredProperty | jobPreparationTask",
                "job | 'id':'j2' | 'id':'j2','constraints':{'maxWallClockTime':'PT0S'} | InvalidPropertyValue | maxWallClockTime",
                "task | 'id':'t' | 'id':'t','resourceFiles':[{'httpUrl':'http://a/b','filePath':'a','blobPrefix':'c'}] | InvalidPropertyValue | valid only when",
                "task | 'numberOfInstances':2 | 'numberOfInstances':2,'commonResourceFiles':[{'filePath':'a'}] | InvalidPropertyValue | one of them must be specified",
                "task | 'numberOfInstances':2 | 'numberOfInstances':2,'commonResourceFiles':[{'httpUrl':'http://a/b','autoStorageContainerName':'abc','filePath':'a'}] | InvalidPropertyValue | mutually exclusive",
                "task | 'numberOfInstances':2 | 'numberOfInstances':2,'commonResourceFiles':[{'httpUrl':'http://a/b'}] | MissingRequiredProperty | filePath",
                "task | 'numberOfInstances':2 | 'numberOfInstances':2,'commonResourceFiles':[{'httpUrl':'case.xml','filePath':'a'}] | InvalidPropertyValue | not a valid URL",
                "task | 'numberOfInstances':2 | 'numberOfInstances':2,'commonResourceFiles':[{'storageContainerUrl':'ftp://a/b'}] | InvalidPropertyValue | not a valid URL",
                "task | 'numberOfInstances':2 | 'numberOfInstances':2,'commonResourceFiles':[{'autoStorageContainerName':'A_b'}] | InvalidPropertyValue | not the name of a container",
                "task | 'numberOfInstances':2 | 'numberOfInstances':2,'commonResourceFiles':[{'httpUrl':'http://a/b','filePath':'../a'}] | InvalidPropertyValue | cannot break out",
                "task | 'numberOfInstances':2 | 'numberOfInstances':2,'commonResourceFiles':[{'httpUrl':'http://a/b','filePath':'a','fileMode':'rwx'}] | InvalidPropertyValue | octal format",
                "task | 'numberOfInstances':2 | 'numberOfInstances':2,'commonResourceFiles':[{'httpUrl':'http://a/b','filePath':'a','mode':'0770'}] | InvalidRequestBody | mode",
                "task | 'id':'t' | 'id':'t','userIdentity':{'username':'a','autoUser':{}} | InvalidPropertyValue | but not both",
            })
    void refusesWhatBatchDoesNotTake(String base, String place, String instead, String code, String word) {
        Map<String, String> bodies =
                Map.of("pool", POOL.formatted(true), "job", "{'id':'j2','poolInfo':{'poolId':'pool'}}", "task", TASK);
        Map<String, String> paths = Map.of("pool", "/pools", "job", "/jobs", "task", "/jobs/j/tasks");
        assertThat(bodies.get(base)).contains(place);
        batch.post(201, "/jobs", "{'id':'j','poolInfo':{'poolId':'pool'}}");

        JsonNode error = batch.post(
                code.equals("NodeAgentSKUNotFound") ? 404 : 400,
                paths.get(base),
                bodies.get(base).replace(place, instead));

        assertThat(code(error)).as(error.toString()).isEqualTo(code);
        assertThat(error.toString()).contains(word);
        assertThat(emulator.resources()).containsExactly("jobs/j");
    }

    @Test
    void aVersionOfTheServiceIsRequiredAndMustBeOneThatItHas() {
        assertThat(code(batch.send(400, "GET", "/pools", ""))).isEqualTo("MissingRequiredQueryParameter");
        assertThat(batch.send(400, "GET", "/pools?api-version=2024-07-01", "").toString())
                .contains("InvalidQueryParameterValue", "api-version");
        assertThat(code(batch.send(400, "GET", "/pools?api-version=2024-07-01.20.0&verbose=1", "")))
                .isEqualTo("UnsupportedQueryParameter");
        batch.send(200, "GET", "/pools?api-version=2019-08-01.10.0", "");
        batch.send(200, "GET", "/pools?api-version=2999-01-01.99.0", "");
        batch.send(400, "GET", "/pools?api-version=2999-01-32.99.0", "");
        String old =
                POOL.formatted(true).replace("'targetDedicatedNodes'", "'maxTasksPerNode':1,'targetDedicatedNodes'");
        batch.send(201, "POST", "/pools?api-version=2019-08-01.10.0", old);
    }

    @Test
    void refusesLongTextsOpenQuotesAndNumbersOutOfRange() {
        String name = "'displayName':'" + "x".repeat(1025) + "','vmSize'";
        assertThat(batch.post(400, "/pools", POOL.formatted(true).replace("'vmSize'", name))
                        .toString())
                .contains("InvalidPropertyValue", "The maximum length is 1024");
        String formula = "'enableAutoScale':true,'autoScaleFormula':'$TargetDedicatedNodes=1" + " ".repeat(8200) + "'";
        assertThat(code(batch.post(400, "/pools", POOL.formatted(true).replace("'targetDedicatedNodes':2", formula))))
                .isEqualTo("AutoScalingFormulaTooLong");
        batch.post(201, "/jobs", "{'id':'j','poolInfo':{'poolId':'pool'}}");
        assertThat(batch.post(400, "/jobs/j/tasks", "{'id':'t','commandLine':'sh -c \\\"true'}")
                        .toString())
                .contains("InvalidPropertyValue", "quote without an end");
        assertThat(code(batch.send(400, "GET", "/jobs?api-version=2024-07-01.20.0&maxresults=1001", "")))
                .isEqualTo("InvalidQueryParameterValue");
        batch.post(409, "/pools", POOL.formatted(true).replace(":2,", ":101,"));
    }

    @Test
    void aTaskOfSeveralInstancesWaitsForeverInAPoolThatCannotRunIt() {
        batch.post(201, "/pools", POOL.formatted(false));
        batch.post(201, "/jobs", "{'id':'j','poolInfo':{'poolId':'pool'}}");
        batch.post(201, "/jobs/j/tasks", TASK);
        batch.post(201, "/jobs/j/tasks", "{'id':'one','commandLine':'true'}");
        assertThat(batch.state("/jobs/j/tasks/t")).isEqualTo("active");
        assertThat(batch.state("/jobs/j/tasks/one")).isEqualTo("completed");
    }

    @Test
    void aFormulaSetsTheNumberOfNodesAndForbidsAResize() {
        String formula = "least=0; share=$PendingTasks.GetSamplePercent(180 * TimeInterval_Second);"
                + " tasks=share < 70 ? least : avg($PendingTasks.GetSample(180 * TimeInterval_Second));"
                + " $TargetDedicatedNodes=min(4, 2 * tasks); $NodeDeallocationOption = taskcompletion;";
        String pool = POOL.formatted(true)
                .replace("'targetDedicatedNodes':2", "'enableAutoScale':true,'autoScaleFormula':'" + formula + "'");
        batch.post(201, "/pools", pool);
        assertThat(batch.get("/pools/pool/nodes").path("value")).isEmpty();
        assertThat(code(batch.post(409, "/pools/pool/resize", "{'targetDedicatedNodes':3}")))
                .isEqualTo("OperationInvalidForCurrentState");
        batch.post(201, "/jobs", "{'id':'j','poolInfo':{'poolId':'pool'}}");
        batch.post(201, "/jobs/j/tasks", TASK);
        assertThat(batch.state("/jobs/j/tasks/t")).isEqualTo("completed");
        assertThat(batch.get("/pools/pool").path("autoScaleRun").path("results").asText())
                .isEqualTo("$TargetDedicatedNodes=0;$TargetLowPriorityNodes=0");
        batch.post(200, "/pools/pool/disableautoscale", "");
        batch.post(202, "/pools/pool/resize", "{'targetDedicatedNodes':3}");
        assertThat(batch.get("/pools/pool/nodes").path("value")).hasSize(3);
    }

    @Test
    void aResizeNeedsATargetAndFiveMinutes() {
        batch.post(201, "/pools", POOL.formatted(true));
        assertThat(batch.post(400, "/pools/pool/resize", "{}").toString())
                .contains("MissingRequiredProperty", "targetDedicatedNodes and/or targetLowPriorityNodes");
        assertThat(code(batch.post(400, "/pools/pool/resize", "{'targetDedicatedNodes':1,'resizeTimeout':'PT1M'}")))
                .isEqualTo("InvalidPropertyValue");
        batch.post(202, "/pools/pool/resize", "{'targetDedicatedNodes':1}");
        assertThat(batch.get("/pools/pool").path("currentDedicatedNodes").asInt())
                .isEqualTo(1);
    }

    @Test
    void listsAreFilteredSelectedAndGivenPageByPage() {
        batch.post(201, "/jobs", "{'id':'j','priority':5,'poolInfo':{'poolId':'none'}}");
        batch.post(201, "/jobs", "{'id':'k','poolInfo':{'poolId':'none'}}");
        JsonNode added = batch.post(
                200,
                "/jobs/j/addtaskcollection",
                "{'value':[{'id':'a1','commandLine':'x'},{'id':'a2','commandLine':'x'},{'id':'b1','commandLine':'x'},"
                        + "{'id':'a1','commandLine':'x'}]}");
        assertThat(added.path("value").findValuesAsText("status"))
                .containsExactly("success", "success", "success", "clienterror");
        assertThat(added.at("/value/3/error/code").asText()).isEqualTo("TaskExists");
        assertThat(code(batch.post(404, "/jobs/none/addtaskcollection", "{'value':[]}")))
                .isEqualTo("JobNotFound");
        assertThat(code(batch.post(400, "/jobs/j/addtaskcollection", "{'value':[{'ID':'z'}]}")))
                .isNotEmpty();

        assertThat(ids(batch.list(200, "/jobs/j/tasks", "&$filter=startswith(id,'a')%20and%20state%20eq%20'active'")))
                .containsExactly("a1", "a2");
        assertThat(ids(batch.list(200, "/jobs/j/tasks", "&$filter=not%20(id%20eq%20'a1'%20or%20id%20eq%20'a2')")))
                .containsExactly("b1");
        assertThat(ids(batch.list(200, "/jobs", "&$filter=priority%20gt%204"))).containsExactly("j");
        assertThat(ids(batch.list(200, "/jobs", "&$filter=creationTime%20gt%20DateTime'2999-01-01T00:00:00Z'")))
                .isEmpty();
        JsonNode page = batch.list(200, "/jobs/j/tasks", "&maxresults=2&$select=id,state");
        assertThat(page.at("/value/0").properties())
                .extracting(Map.Entry::getKey)
                .containsExactly("id", "state");
        String next = page.path("odata.nextLink").asText();
        JsonNode rest =
                batch.send(200, "GET", next.substring(emulator.url().toString().length()), "");
        assertThat(ids(rest)).containsExactly("b1");
        assertThat(rest.has("odata.nextLink")).isFalse();
        for (String wrong :
                List.of("color%20eq%20'red'", "id%20is%20'a'", "(id%20eq%20'a'", "id%20eq", "id%20eq%20'a'%20x")) {
            assertThat(code(batch.list(400, "/jobs/j/tasks", "&$filter=" + wrong)))
                    .as(wrong)
                    .isEqualTo("InvalidQueryParameterValue");
        }
    }
}
