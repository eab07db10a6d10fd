package io.clusterwright.azure.internal.machine;

import com.azure.core.management.polling.PollResult;
import com.azure.core.util.polling.SyncPoller;
import com.azure.resourcemanager.compute.fluent.models.RunCommandResultInner;
import com.azure.resourcemanager.compute.models.InstanceViewStatus;
import com.azure.resourcemanager.compute.models.RunCommandInput;
import io.clusterwright.azure.AzureException;
import io.clusterwright.azure.AzureException.Reason;
import io.clusterwright.azure.internal.arm.Clients;
import io.clusterwright.azure.internal.arm.Errors;
import io.clusterwright.azure.internal.arm.InstanceId;
import io.clusterwright.core.NodeUnreachableException;
import io.clusterwright.core.internal.arm.ArmId;
import io.clusterwright.core.internal.concurrent.Deadline;
import io.clusterwright.core.internal.concurrent.Tasks;
import io.clusterwright.core.spi.Machine;
import io.clusterwright.core.spi.NodeBackend;
import io.clusterwright.core.spi.ScriptChannel;
import io.clusterwright.core.type.NodeName;
import io.clusterwright.core.type.Secret;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Collectors;

/**
 * Scripts by the action Run Command. A machine takes one at a time: scripts of this object wait for each other, and for scripts of others by
 * asking again. Source: Microsoft, "Run scripts in your VM by using action Run Commands".
 */
public final class RunCommands {
    private static final Duration IDENTITY_LIMIT = Duration.ofMinutes(30);
    private static final int ANSWER_BYTES = 4096;

    /** Not published for this action; the limit of the Custom Script extension for Linux, by which it is carried out, less the rest. */
    private static final int SCRIPT_BYTES = 192 * 1024;

    /** Refusals of a machine that does not run, or whose agent does not answer. */
    private static final Set<String> NOT_NOW = Set.of(
            "operationnotallowed", "vmagentstatuscommunicationerror", "vmextensionprovisioningtimeout", "vmnotrunning");

    private static final String OUTPUT = "[stdout]\n";
    private static final String ERRORS = "\n[stderr]\n";

    private final Clients clients;
    private final Map<String, ReentrantLock> turns = new ConcurrentHashMap<>();

    public RunCommands(Clients clients) {
        this.clients = clients;
    }

    public ScriptChannel on(Machine machine) {
        return new Relay(machine.name(), machine.resource().name());
    }

    /**
     * Gives a machine of a specialised image its own name, host key and login account. Azure gives such a machine nothing ({@code
     * osProfile} is refused, and with it keys and custom data), so that a script does it, which the machine's agent runs before anybody
     * has logged in.
     *
     * @param script of a {@link NodeBackend}; it holds the private host key
     */
    public void identify(ArmId machine, Secret script) {
        String what = "give " + machine.name() + " its identity";
        RunCommandInput command = command("RunShellScript", script.reveal());
        RunCommandResultInner result = send(what, machine.toString(), command, IDENTITY_LIMIT);
        String answer = statuses(result).stream()
                .map(status -> String.valueOf(status.message()))
                .collect(Collectors.joining("\n"));
        if (answer.contains(NodeBackend.IDENTITY_RESTART)) {
            clients.act(
                    "restart " + machine.name(),
                    IDENTITY_LIMIT,
                    machine,
                    () -> clients.compute().getVirtualMachines().beginRestart(machine.group(), machine.name()));
        } else if (!answer.contains(NodeBackend.IDENTITY_GIVEN)) {
            throw Errors.of(
                    Reason.PROVISIONING, what, "the script did not finish on its specialised image: " + answer.strip());
        }
    }

    /** Sends a script, again when no answer comes, so that it may run twice. */
    private RunCommandResultInner send(String what, String id, RunCommandInput input, Duration limit) {
        Deadline end = clients.arm().deadline("script timeout", limit);
        while (true) {
            try {
                return clients.arm().ask(what, limit, () -> begin(id, input));
            } catch (AzureException e) {
                // Another script runs: another client's, or this one, whose answer was lost.
                boolean busy = e.reason() == Reason.CONFLICT && e.code().equalsIgnoreCase("Conflict");
                if (!busy || end.passed()) {
                    throw e;
                }
            }
            clients.arm().pause(what);
        }
    }

    private static RunCommandInput command(String id, String script) {
        return new RunCommandInput().withCommandId(id).withScript(script.lines().toList());
    }

    private SyncPoller<PollResult<RunCommandResultInner>, RunCommandResultInner> begin(
            String id, RunCommandInput command) {
        Optional<InstanceId> instance = InstanceId.find(id);
        if (instance.isPresent()) {
            ArmId set = instance.get().set();
            return clients.compute()
                    .getVirtualMachineScaleSetVMs()
                    .beginRunCommand(set.group(), set.name(), instance.get().instance(), command);
        }
        ArmId machine = ArmId.of(id);
        return clients.compute().getVirtualMachines().beginRunCommand(machine.group(), machine.name(), command);
    }

    private final class Relay implements ScriptChannel {
        private final NodeName node;
        private final String id;

        Relay(NodeName node, String id) {
            this.node = node;
            this.id = id;
        }

        @Override
        public int answerBytes() {
            return ANSWER_BYTES;
        }

        @Override
        public int scriptBytes() {
            return SCRIPT_BYTES;
        }

        @Override
        public Answer run(Script script, Duration limit) {
            ReentrantLock turn = turns.computeIfAbsent(id, key -> new ReentrantLock(true));
            Tasks.interruptibly("interrupted before a script was sent to " + node, () -> turn.lockInterruptibly());
            try {
                RunCommandInput input = command(
                        script.language() == Language.POWERSHELL ? "RunPowerShellScript" : "RunShellScript",
                        script.text());
                return answer(script.language(), send("run a script on " + node, id, input, limit));
            } catch (AzureException e) {
                throw unreachable(e, limit);
            } finally {
                turn.unlock();
            }
        }

        private RuntimeException unreachable(AzureException e, Duration limit) {
            boolean silent = NOT_NOW.contains(e.code().toLowerCase(Locale.ROOT))
                    || e.reason() == Reason.TIMEOUT
                    || e.reason() == Reason.NOT_FOUND
                    || e.reason() == Reason.EXTENSION
                    || e.reason() == Reason.CONFLICT;
            return silent
                    ? new NodeUnreachableException(
                            node,
                            node + " did not run a script by Run Command within " + limit.toSeconds() + " s: "
                                    + e.getMessage()
                                    + "; check that the machine and Azure's agent are running, and that it reaches Azure's public addresses",
                            e)
                    : e;
        }
    }

    /** Windows answers with a status for each stream, Linux with one for both. */
    private static ScriptChannel.Answer answer(ScriptChannel.Language language, RunCommandResultInner result) {
        List<InstanceViewStatus> statuses = statuses(result);
        if (language == ScriptChannel.Language.POWERSHELL) {
            return new ScriptChannel.Answer(message(statuses, "StdOut"), message(statuses, "StdErr"));
        }
        String text = message(statuses, "");
        int errors = text.lastIndexOf(ERRORS);
        int output = text.indexOf(OUTPUT);
        if (output < 0 || errors < output) {
            return new ScriptChannel.Answer("", text);
        }
        return new ScriptChannel.Answer(
                text.substring(output + OUTPUT.length(), errors), text.substring(errors + ERRORS.length()));
    }

    private static List<InstanceViewStatus> statuses(RunCommandResultInner result) {
        return result.value() == null ? List.of() : result.value();
    }

    private static String message(List<InstanceViewStatus> statuses, String stream) {
        return statuses.stream()
                .filter(status -> status.code() != null && status.code().contains(stream))
                .map(InstanceViewStatus::message)
                .filter(text -> text != null)
                .findFirst()
                .orElse("");
    }
}
