package io.clusterwright.azure.internal.runcommand;

import com.azure.core.management.polling.PollResult;
import com.azure.core.util.polling.SyncPoller;
import com.azure.resourcemanager.compute.fluent.models.RunCommandResultInner;
import com.azure.resourcemanager.compute.models.RunCommandInput;
import io.clusterwright.azure.AzureException.Reason;
import io.clusterwright.azure.internal.arm.Clients;
import io.clusterwright.azure.internal.arm.Errors;
import io.clusterwright.core.internal.arm.ArmId;
import io.clusterwright.core.spi.NodeBackend;
import io.clusterwright.core.type.Secret;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Gives a machine of a specialised image its own name, host key and log-in account. Azure gives such a machine nothing ({@code osProfile}
 * is refused, and with it keys and custom data), so that a script does it, which the machine's agent runs before anybody has logged in.
 */
public final class GivenIdentity {
    private static final Duration LIMIT = Duration.ofMinutes(30);

    private final Clients clients;

    public GivenIdentity(Clients clients) {
        this.clients = clients;
    }

    /** @param script of a {@link NodeBackend}; it holds the private host key */
    public void give(ArmId machine, Secret script) {
        String what = "give " + machine.name() + " its identity";
        var machines = clients.compute().getVirtualMachines();
        RunCommandInput command = new RunCommandInput()
                .withCommandId("RunShellScript")
                .withScript(script.reveal().lines().toList());
        AtomicReference<@Nullable SyncPoller<PollResult<RunCommandResultInner>, RunCommandResultInner>> poller =
                new AtomicReference<>();
        clients.arm().write(what, LIMIT, () -> {
            var begun = machines.beginRunCommand(machine.group(), machine.name(), command);
            poller.set(begun);
            return begun;
        });
        String answer = answer(poller.get());
        if (answer.contains(NodeBackend.IDENTITY_RESTART)) {
            clients.arm()
                    .write(
                            "restart " + machine.name(),
                            LIMIT,
                            () -> machines.beginRestart(machine.group(), machine.name()));
        } else if (!answer.contains(NodeBackend.IDENTITY_GIVEN)) {
            throw Errors.of(
                    Reason.PROVISIONING,
                    what,
                    "its specialised image did not run the script to its end: " + answer.strip());
        }
    }

    private static String answer(
            @Nullable SyncPoller<PollResult<RunCommandResultInner>, RunCommandResultInner> poller) {
        RunCommandResultInner result = poller == null ? null : poller.getFinalResult();
        return result == null || result.value() == null
                ? ""
                : result.value().stream()
                        .map(status -> String.valueOf(status.message()))
                        .collect(Collectors.joining("\n"));
    }
}
