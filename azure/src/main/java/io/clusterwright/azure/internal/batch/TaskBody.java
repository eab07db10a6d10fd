package io.clusterwright.azure.internal.batch;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.clusterwright.core.internal.text.PosixShell;
import java.time.Duration;
import java.util.List;

/** A multi-instance task. Batch splits command lines by rules that are not written down, so that a script travels as a variable. */
public final class TaskBody {
    static final String SCRIPT = "CLUSTERWRIGHT_SCRIPT";
    static final String EVALUATE = "/bin/sh -c 'eval \"$" + SCRIPT + "\"'";
    private static final String COORDINATION = "CLUSTERWRIGHT_COORDINATION";

    private TaskBody() {}

    /**
     * The task.
     *
     * @param user the account of the pool that it runs as
     * @param script what the first node runs when all nodes are coordinated
     * @param coordination what each node runs before, as words; empty for nothing
     */
    public static ObjectNode of(
            String id, String user, int instances, String script, List<String> coordination, Duration limit) {
        ObjectNode task = BatchCalls.object().put("id", id).put("commandLine", EVALUATE);
        task.putObject("userIdentity").put("username", user);
        task.putObject("constraints").put("maxWallClockTime", limit.toString()).put("maxTaskRetryCount", 0);
        ArrayNode settings = task.putArray("environmentSettings");
        setting(settings, SCRIPT, script);
        if (!coordination.isEmpty()) {
            setting(settings, COORDINATION, PosixShell.quote(coordination));
        }
        task.putObject("multiInstanceSettings")
                .put("numberOfInstances", instances)
                .put(
                        "coordinationCommandLine",
                        coordination.isEmpty() ? "/bin/true" : "/bin/sh -c 'eval \"$" + COORDINATION + "\"'");
        return task;
    }

    static void setting(ArrayNode settings, String name, String value) {
        settings.addObject().put("name", name).put("value", value);
    }
}
