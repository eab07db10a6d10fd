package io.clusterwright.azure.emulator;

import static io.clusterwright.azure.emulator.BatchClient.POOL;
import static io.clusterwright.azure.emulator.BatchClient.TASK;
import static io.clusterwright.azure.emulator.BatchClient.call;
import static io.clusterwright.azure.emulator.BatchClient.code;
import static io.clusterwright.azure.emulator.BatchClient.ids;
import static io.clusterwright.azure.emulator.BatchClient.list;
import static io.clusterwright.azure.emulator.BatchClient.state;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Jobs of an emulated Batch account: when their tasks start, and when they end themselves. */
class BatchJobsTest {
    private static final String ON_POOL = "{'id':'j','poolInfo':{'poolId':'pool'}}";

    private final BatchEmulator emulator = BatchEmulator.builder().start();

    @AfterEach
    void close() {
        emulator.close();
    }

    private String reason(String job) throws IOException, InterruptedException {
        JsonNode read = call(emulator, 200, "GET", "/jobs/" + job, "");
        return read.path("state").asText() + " "
                + read.at("/executionInfo/terminateReason").asText();
    }

    @Test
    void aJobEndsWithItsLastTaskAndOneWithoutTasksAtOnce() throws Exception {
        String terminate = "{'onAllTasksComplete':'terminatejob'}";
        call(emulator, 201, "POST", "/jobs", ON_POOL);
        call(emulator, 201, "POST", "/jobs/j/tasks", TASK);
        call(emulator, 200, "PATCH", "/jobs/j", terminate);
        assertThat(reason("j")).as("its task waits for a pool").isEqualTo("active ");
        assertThat(code(call(emulator, 400, "PATCH", "/jobs/j", "{'onAllTasksComplete':'noaction'}")))
                .isEqualTo("InvalidPropertyValue");
        call(emulator, 201, "POST", "/pools", POOL.formatted(true));
        assertThat(state(emulator, "/jobs/j/tasks/t")).isEqualTo("completed");
        assertThat(reason("j")).isEqualTo("completed AllTasksComplete");
        assertThat(code(call(emulator, 409, "PATCH", "/jobs/j", terminate))).isEqualTo("JobCompleted");
        assertThat(code(call(emulator, 409, "POST", "/jobs/j/tasks", TASK.replace("'t'", "'u'"))))
                .isEqualTo("JobCompleted");

        call(emulator, 201, "POST", "/jobs", ON_POOL.replace("'j',", "'k','onAllTasksComplete':'terminatejob',"));
        assertThat(reason("k")).as("made without a task").isEqualTo("completed AllTasksComplete");
        call(emulator, 201, "POST", "/jobs", ON_POOL.replace("'j'", "'l'"));
        call(emulator, 200, "PATCH", "/jobs/l", terminate);
        assertThat(reason("l")).as("changed without a task").isEqualTo("completed AllTasksComplete");
        assertThat(ids(list(emulator, 200, "/jobs", "&$filter=state%20eq%20'active'")))
                .isEmpty();
    }

    @Test
    void aTaskThatFailsEndsItsJobWhereTheJobAndItsExitConditionsSaySo() throws Exception {
        String one = "{'id':'%s','commandLine':'true'%s}";
        String none = ",'exitConditions':{'preProcessingError':{'jobAction':'none'}}";
        call(emulator, 201, "POST", "/jobs", ON_POOL);
        assertThat(code(call(emulator, 400, "POST", "/jobs/j/tasks", one.formatted("a", none))))
                .isEqualTo("InvalidPropertyValue");
        call(
                emulator,
                201,
                "POST",
                "/jobs",
                ON_POOL.replace("'j',", "'k','onTaskFailure':'performexitoptionsjobaction',"));
        call(emulator, 501, "POST", "/jobs/k/tasks", one.formatted("a", none.replace("'none'", "'disable'")));
        call(emulator, 201, "POST", "/jobs/k/tasks", one.formatted("a", none));
        call(emulator, 201, "POST", "/jobs/k/tasks", one.formatted("b", ""));
        call(emulator, 201, "POST", "/jobs/k/tasks", one.formatted("c", ""));
        call(emulator, 204, "POST", "/jobs/k/tasks/a/terminate", "{}");
        assertThat(reason("k")).isEqualTo("active ");
        call(emulator, 204, "POST", "/jobs/k/tasks/b/terminate", "{}");
        assertThat(reason("k")).isEqualTo("completed TaskFailed");
        assertThat(state(emulator, "/jobs/k/tasks/c")).isEqualTo("completed");
    }

    @Test
    void jobsThatStayActiveUseUpTheQuota() throws Exception {
        for (int i = 0; i < 100; i++) {
            call(emulator, 201, "POST", "/jobs", ON_POOL.replace("'j'", "'j" + i + "'"));
        }
        assertThat(code(call(emulator, 409, "POST", "/jobs", ON_POOL))).isEqualTo("ActiveJobAndScheduleQuotaReached");
        call(emulator, 202, "POST", "/jobs/j7/terminate", "{}");
        call(emulator, 201, "POST", "/jobs", ON_POOL);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "{'poolInfo':{'poolId':'other'}} | only when the Job is disabled",
                "{'priority':1001} | between -1000 and 1000",
                "{'maxParallelTasks':0} | greater than 0",
                "{'constraints':{'maxWallClockTime':'soon'}} | no duration",
                "{'id':'k'} | id",
                "{'onAllTasksComplete':'terminate'} | onAllTasksComplete"
            })
    void refusesChangesThatBatchDoesNotTake(String changes, String word) throws Exception {
        call(emulator, 201, "POST", "/jobs", ON_POOL);
        assertThat(call(emulator, 400, "PATCH", "/jobs/j", changes).toString()).contains(word);
    }

    @Test
    void aJobWaitsForAPoolThatIsMadeAfterIt() throws IOException, InterruptedException {
        call(emulator, 201, "POST", "/jobs", "{'id':'j','poolInfo':{'poolId':'pool'}}");
        call(emulator, 201, "POST", "/jobs/j/tasks", TASK);
        assertThat(state(emulator, "/jobs/j/tasks/t")).isEqualTo("active");
        call(emulator, 201, "POST", "/pools", POOL.formatted(true));
        assertThat(state(emulator, "/jobs/j/tasks/t")).isEqualTo("completed");
    }

    @Test
    void startsATaskWhenEnoughNodesAreIdle() throws IOException, InterruptedException {
        call(emulator, 201, "POST", "/pools", POOL.formatted(true));
        call(emulator, 201, "POST", "/jobs", "{'id':'j','poolInfo':{'poolId':'pool'}}");
        call(
                emulator,
                201,
                "POST",
                "/jobs/j/tasks",
                "{'id':'big','commandLine':'true','multiInstanceSettings':{'numberOfInstances':3,"
                        + "'coordinationCommandLine':'true'}}");
        assertThat(call(emulator, 200, "GET", "/jobs/j/tasks/big", "")
                        .path("state")
                        .asText())
                .isEqualTo("active");
        call(emulator, 204, "POST", "/jobs/j/tasks/big/terminate", "{}");
        assertThat(call(emulator, 200, "GET", "/jobs/j/tasks/big", "")
                        .path("executionInfo")
                        .path("result")
                        .asText())
                .isEqualTo("failure");
    }

    @Test
    void aJobMayHaveAPoolOfItsOwn() throws Exception {
        String pool = POOL.formatted(true).replace("'id':'pool',", "");
        String job = "{'id':'%s','poolInfo':{'autoPoolSpecification':{'autoPoolIdPrefix':'own-','keepAlive':%s,"
                + "'poolLifetimeOption':'%s','pool':" + pool + "}}}";
        call(emulator, 201, "POST", "/jobs", job.formatted("j", "false", "job"));
        String made = call(emulator, 200, "GET", "/jobs/j", "")
                .at("/executionInfo/poolId")
                .asText();
        assertThat(made).startsWith("own-");
        call(emulator, 201, "POST", "/jobs/j/tasks", TASK);
        assertThat(call(emulator, 200, "GET", "/jobs/j/tasks/t", "")
                        .at("/nodeInfo/poolId")
                        .asText())
                .isEqualTo(made);
        call(emulator, 202, "POST", "/jobs/j/terminate", "{}");
        assertThat(call(emulator, 200, "GET", "/jobs/j", "").path("state").asText())
                .isEqualTo("completed");
        assertThat(code(call(emulator, 404, "GET", "/pools/" + made, ""))).isEqualTo("PoolNotFound");
        assertThat(code(call(emulator, 409, "POST", "/jobs/j/tasks", TASK.replace("'t'", "'u'"))))
                .isEqualTo("JobCompleted");

        call(emulator, 201, "POST", "/jobs", job.formatted("k", "true", "job"));
        call(emulator, 202, "DELETE", "/jobs/k", "");
        assertThat(call(emulator, 200, "GET", "/pools", "").path("value")).hasSize(1);
        JsonNode refused = call(emulator, 400, "POST", "/jobs", job.formatted("l", "true", "jobschedule"));
        assertThat(refused.toString()).contains("You may apply this option only to Job Schedules");
    }
}
