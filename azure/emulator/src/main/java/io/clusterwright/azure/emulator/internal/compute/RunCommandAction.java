package io.clusterwright.azure.emulator.internal.compute;

import static io.clusterwright.azure.emulator.internal.arm.ArmException.refuse;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.clusterwright.azure.emulator.internal.arm.ArmException;
import io.clusterwright.azure.emulator.internal.arm.BackingMachines;
import io.clusterwright.azure.emulator.internal.arm.Bodies;
import io.clusterwright.azure.emulator.internal.arm.Cloud;
import io.clusterwright.azure.emulator.internal.arm.Resource;
import io.clusterwright.azure.emulator.internal.arm.Work;
import io.clusterwright.core.internal.json.Json;
import io.clusterwright.emulator.internal.http.Call;
import io.clusterwright.emulator.internal.http.Reply;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;

/** A script by the action Run Command: one at a time, and only the end of what it printed comes back. */
final class RunCommandAction {
    private static final int LAST_BYTES = 4096;
    private static final String RUNNING = "runCommand";
    private static final String SHELL = "RunShellScript";
    private static final String POWERSHELL = "RunPowerShellScript";

    private final Cloud cloud;
    private final BackingMachines machines;

    RunCommandAction(Cloud cloud, BackingMachines machines) {
        this.cloud = cloud;
        this.machines = machines;
    }

    Reply run(Call call, Resource machine) {
        PowerActions.requireRunning(machine, "runCommand");
        String command = Bodies.text(call.object(), "commandId");
        refuse(!command.equals(SHELL) && !command.equals(POWERSHELL), "InvalidParameter.command", command);
        call.object().fieldNames().forEachRemaining(name -> {
            if (!List.of("commandId", "script", "parameters").contains(name)) {
                throw ArmException.of(
                        400, "BadRequest", "Could not find member '" + name + "' on object of type 'RunCommandInput'.");
            }
        });
        JsonNode script = call.object().path("script");
        if (!script.isMissingNode() && !script.isNull() && !script.isArray()) {
            throw ArmException.of(
                    400,
                    "BadRequest",
                    "Error converting value \"" + script.asText() + "\" to type 'List`1'. Path 'script'.");
        }
        String system = machine.text("properties.storageProfile.osDisk.osType");
        refuse(command.equals(SHELL) == system.equals("Windows"), "InvalidParameter.commandSystem", command, system);
        refuse(machine.hidden(RUNNING).isPresent(), "Conflict.runCommand");
        CompletableFuture<BackingMachines.Output> output = command.equals(SHELL)
                ? machines.run(machine.id(), text(call))
                : machines.powerShell(machine.id(), machine.text("properties.osProfile.computerName"), text(call));
        String before = machine.state();
        machine.state("Updating");
        machine.hide(RUNNING, command);
        return cloud.accept(call, machine, Work.RUN_COMMAND, output, failure -> {
            machine.state(before);
            machine.reveal(RUNNING);
            BackingMachines.Output printed = output.getNow(BackingMachines.Output.NONE);
            return failure == null ? result(command, printed, cloud.clock().now()) : null;
        });
    }

    private static String text(Call call) {
        StringBuilder text = new StringBuilder();
        call.object()
                .path("parameters")
                .forEach(parameter -> text.append(Bodies.text(parameter, "name"))
                        .append("='")
                        .append(Bodies.text(parameter, "value").replace("'", "'\\''"))
                        .append("'\n"));
        JsonNode script = call.object().path("script");
        return text.append(StreamSupport.stream(script.spliterator(), false)
                        .map(JsonNode::asText)
                        .collect(Collectors.joining("\n")))
                .toString();
    }

    private static ObjectNode result(String command, BackingMachines.Output output, Instant now) {
        ObjectNode result = Json.object();
        ArrayNode value = result.putArray("value");
        String out = last(output.stdout());
        String err = last(output.stderr());
        if (command.equals(SHELL)) {
            value.add(MachineViews.status("ProvisioningState/succeeded", "Provisioning succeeded", now)
                    .put("message", "Enable succeeded: \n[stdout]\n" + out + "\n[stderr]\n" + err));
        } else {
            value.add(MachineViews.status("ComponentStatus/StdOut/succeeded", "Provisioning succeeded", now)
                    .put("message", out));
            value.add(MachineViews.status("ComponentStatus/StdErr/succeeded", "Provisioning succeeded", now)
                    .put("message", err));
        }
        return result;
    }

    private static String last(String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        int from = Math.max(0, bytes.length - LAST_BYTES);
        return new String(bytes, from, bytes.length - from, StandardCharsets.UTF_8);
    }
}
