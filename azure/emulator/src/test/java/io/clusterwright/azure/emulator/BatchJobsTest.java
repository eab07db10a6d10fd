package io.clusterwright.azure.emulator;

import static io.clusterwright.azure.emulator.BatchClient.POOL;
import static io.clusterwright.azure.emulator.BatchClient.TASK;
import static io.clusterwright.azure.emulator.BatchClient.code;
import static io.clusterwright.azure.emulator.BatchClient.ids;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Jobs of an emulated Batch account: when their tasks start, and when they end themselves. */
class BatchJobsTest {
    private static final String ON_POOL = "{'id':'j','poolInfo':{'poolId':'pool'}}";

    private final BatchClient batch = new BatchClient(BatchEmulator.builder().start());

    @AfterEach
    void close() {
        batch.close();
    }

    private String reason(String job) {
        JsonNode read = batch.get("/jobs/" + job);
        return read.path("state").asText() + " "
                + read.at("/executionInfo/terminateReason").asText();
    }

    @Test
    void aJobEndsWithItsLastTaskAndOneWithoutTasksAtOnce() {
        String terminate = "{'onAllTasksComplete':'terminatejob'}";
        batch.post(201, "/jobs", ON_POOL);
        batch.post(201, "/jobs/j/tasks", TASK);
        batch.call(200, "PATCH", "/jobs/j", terminate);
        assertThat(reason("j")).as("its task waits for a pool").isEqualTo("active ");
        assertThat(code(batch.call(400, "PATCH", "/jobs/j", "{'onAllTasksComplete':'noaction'}")))
                .isEqualTo("InvalidPropertyValue");
        batch.post(201, "/pools", POOL.formatted(true));
        assertThat(batch.state("/jobs/j/tasks/t")).isEqualTo("completed");
        assertThat(reason("j")).isEqualTo("completed AllTasksComplete");
        assertThat(code(batch.call(409, "PATCH", "/jobs/j", terminate))).isEqualTo("JobCompleted");
        assertThat(code(batch.post(409, "/jobs/j/tasks", TASK.replace("'t'", "'u'"))))
                .isEqualTo("JobCompleted");

        batch.post(201, "/jobs", ON_POOL.replace("'j',", "'k','onAllTasksComplete':'terminatejob',"));
        assertThat(reason("k")).as("made without a task").isEqualTo("completed AllTasksComplete");
        batch.post(201, "/jobs", ON_POOL.replace("'j'", "'l'"));
        batch.call(200, "PATCH", "/jobs/l", terminate);
        assertThat(reason("l")).as("changed without a task").isEqualTo("completed AllTasksComplete");
        assertThat(ids(batch.list(200, "/jobs", "&$filter=state%20eq%20'active'")))
                .isEmpty();
    }

    @Test
    void aTaskThatFailsEndsItsJobWhereTheJobAndItsExitConditionsSaySo() {
        String one = "{'id':'%s','commandLine':'true'%s}";
        String none = ",'exitConditions':{'preProcessingError':{'jobAction':'none'}}";
        batch.post(201, "/jobs", ON_POOL);
        assertThat(code(batch.post(400, "/jobs/j/tasks", one.formatted("a", none))))
                .isEqualTo("InvalidPropertyValue");
        batch.post(201, "/jobs", ON_POOL.replace("'j',", "'k','onTaskFailure':'performexitoptionsjobaction',"));
        batch.post(501, "/jobs/k/tasks", one.formatted("a", none.replace("'none'", "'disable'")));
        batch.post(201, "/jobs/k/tasks", one.formatted("a", none));
        batch.post(201, "/jobs/k/tasks", one.formatted("b", ""));
        batch.post(201, "/jobs/k/tasks", one.formatted("c", ""));
        batch.post(204, "/jobs/k/tasks/a/terminate", "{}");
        assertThat(reason("k")).isEqualTo("active ");
        batch.post(204, "/jobs/k/tasks/b/terminate", "{}");
        assertThat(reason("k")).isEqualTo("completed TaskFailed");
        assertThat(batch.state("/jobs/k/tasks/c")).isEqualTo("completed");
    }

    @Test
    void jobsThatStayActiveUseUpTheQuota() {
        for (int i = 0; i < 100; i++) {
            batch.post(201, "/jobs", ON_POOL.replace("'j'", "'j" + i + "'"));
        }
        assertThat(code(batch.post(409, "/jobs", ON_POOL))).isEqualTo("ActiveJobAndScheduleQuotaReached");
        batch.post(202, "/jobs/j7/terminate", "{}");
        batch.post(201, "/jobs", ON_POOL);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "{'poolInfo':{'poolId':'other'}} | only when the Job is disabled",
                "{'priority':1001} | between -1000 and 1000",
                "{'maxParallelTasks':0} | greater than 0",
                "{'constraints':{'maxWallClockTime':'soon'}} | not a duration",
                "{'id':'k'} | id",
                "{'onAllTasksComplete':'terminate'} | onAllTasksComplete"
            })
    void refusesChangesThatBatchDoesNotTake(String changes, String word) {
        batch.post(201, "/jobs", ON_POOL);
        assertThat(batch.call(400, "PATCH", "/jobs/j", changes).toString()).contains(word);
    }

    @Test
    void aJobWaitsForAPoolThatIsMadeAfterIt() {
        batch.post(201, "/jobs", "{'id':'j','poolInfo':{'poolId':'pool'}}");
        batch.post(201, "/jobs/j/tasks", TASK);
        assertThat(batch.state("/jobs/j/tasks/t")).isEqualTo("active");
        batch.post(201, "/pools", POOL.formatted(true));
        assertThat(batch.state("/jobs/j/tasks/t")).isEqualTo("completed");
    }

    @Test
    void startsATaskWhenEnoughNodesAreIdle() {
        batch.post(201, "/pools", POOL.formatted(true));
        batch.post(201, "/jobs", "{'id':'j','poolInfo':{'poolId':'pool'}}");
        batch.post(
                201,
                "/jobs/j/tasks",
                "{'id':'big','commandLine':'true','multiInstanceSettings':{'numberOfInstances':3,"
                        + "'coordinationCommandLine':'true'}}");
        assertThat(batch.get("/jobs/j/tasks/big").path("state").asText()).isEqualTo("active");
        batch.post(204, "/jobs/j/tasks/big/terminate", "{}");
        assertThat(batch.get("/jobs/j/tasks/big")
                        .path("executionInfo")
                        .path("result")
                        .asText())
                .isEqualTo("failure");
    }

    @Test
    void aJobMayHaveAPoolOfItsOwn() {
        String pool = POOL.formatted(true).replace("'id':'pool',", "");
        String job = "{'id':'%s','poolInfo':{'autoPoolSpecification':{'autoPoolIdPrefix':'own-','keepAlive':%s,"
                + "'poolLifetimeOption':'%s','pool':" + pool + "}}}";
        batch.post(201, "/jobs", job.formatted("j", "false", "job"));
        String made = batch.get("/jobs/j").at("/executionInfo/poolId").asText();
        assertThat(made).startsWith("own-");
        batch.post(201, "/jobs/j/tasks", TASK);
        assertThat(batch.get("/jobs/j/tasks/t").at("/nodeInfo/poolId").asText()).isEqualTo(made);
        batch.post(202, "/jobs/j/terminate", "{}");
        assertThat(batch.get("/jobs/j").path("state").asText()).isEqualTo("completed");
        assertThat(code(batch.call(404, "GET", "/pools/" + made, ""))).isEqualTo("PoolNotFound");
        assertThat(code(batch.post(409, "/jobs/j/tasks", TASK.replace("'t'", "'u'"))))
                .isEqualTo("JobCompleted");

        batch.post(201, "/jobs", job.formatted("k", "true", "job"));
        batch.call(202, "DELETE", "/jobs/k", "");
        assertThat(batch.get("/pools").path("value")).hasSize(1);
        JsonNode refused = batch.post(400, "/jobs", job.formatted("l", "true", "jobschedule"));
        assertThat(refused.toString()).contains("You may apply this option only to Job Schedules");
    }
}
