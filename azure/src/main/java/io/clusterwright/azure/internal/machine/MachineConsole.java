package io.clusterwright.azure.internal.machine;

import com.azure.core.http.HttpMethod;
import com.azure.core.http.HttpPipelineBuilder;
import com.azure.core.http.HttpRequest;
import com.azure.core.http.HttpResponse;
import com.azure.core.http.policy.UserAgentPolicy;
import com.azure.core.util.BinaryData;
import com.azure.core.util.Context;
import com.azure.resourcemanager.compute.fluent.models.RetrieveBootDiagnosticsDataResultInner;
import io.clusterwright.azure.AzureException;
import io.clusterwright.azure.AzureException.Reason;
import io.clusterwright.azure.internal.arm.Clients;
import io.clusterwright.azure.internal.arm.Connections;
import io.clusterwright.azure.internal.arm.Errors;
import io.clusterwright.azure.internal.arm.InstanceId;
import io.clusterwright.core.internal.arm.ArmId;
import io.clusterwright.core.spi.Machine;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/** Reads the serial console of machines, which boot diagnostics keep. */
public final class MachineConsole {
    private static final int MINUTES = 5;
    private static final int MOST_BYTES = 16 << 20;
    private static final int ABSENT = 404;
    private static final int OK = 200;

    private final Clients clients;

    /** Consoles of the machines of a subscription. */
    public MachineConsole(Clients clients) {
        this.clients = clients;
    }

    /**
     * The console output of a machine; empty text before its first boot.
     *
     * @throws AzureException when boot diagnostics are off, with the command that switches them on, or the log cannot be read
     */
    public String read(Machine machine) {
        String what = "read the console of " + machine.name();
        String id = machine.resource().name();
        URI log;
        try {
            String place = clients.arm().read(what, () -> find(id)).serialConsoleLogBlobUri();
            if (place == null) {
                return "";
            }
            log = URI.create(place);
        } catch (AzureException e) {
            if (e.reason() != Reason.CONFLICT && e.reason() != Reason.NOT_FOUND) {
                throw e;
            }
            throw Errors.of(
                    Reason.OTHER,
                    what,
                    "its boot diagnostics are off, so Azure keeps no console; "
                            + (InstanceId.find(id).isPresent()
                                    ? "run: clusterwright create SPEC --on azure --boot-diagnostics"
                                    : "run: az vm boot-diagnostics enable --ids " + id));
        }
        Connections.plain(log);
        return download(what, log);
    }

    private RetrieveBootDiagnosticsDataResultInner find(String id) {
        Optional<InstanceId> instance = InstanceId.find(id);
        if (instance.isPresent()) {
            ArmId set = instance.get().set();
            return clients.compute()
                    .getVirtualMachineScaleSetVMs()
                    .retrieveBootDiagnosticsDataWithResponse(
                            set.group(), set.name(), instance.get().instance(), MINUTES, Context.NONE)
                    .getValue();
        }
        ArmId machine = ArmId.of(id);
        return clients.compute()
                .getVirtualMachines()
                .retrieveBootDiagnosticsDataWithResponse(machine.group(), machine.name(), MINUTES, Context.NONE)
                .getValue();
    }

    /** The address holds its own signature, and no token is sent there; messages hold neither. Tried once: a spec does not wait. */
    private String download(String what, URI log) {
        HttpPipelineBuilder pipeline = new HttpPipelineBuilder()
                .policies(new UserAgentPolicy("clusterwright"))
                .httpClient(clients.compute().getHttpPipeline().getHttpClient());
        try (HttpResponse answer =
                pipeline.build().sendSync(new HttpRequest(HttpMethod.GET, log.toString()), Context.NONE)) {
            if (answer.getStatusCode() == ABSENT) {
                return "";
            }
            if (answer.getStatusCode() != OK) {
                throw Errors.of(Reason.OTHER, what, "the storage answered with status " + answer.getStatusCode());
            }
            BinaryData body = answer.getBodyAsBinaryData();
            try (InputStream bytes = body.toStream()) {
                return new String(bytes.readNBytes(MOST_BYTES), StandardCharsets.UTF_8);
            }
        } catch (AzureException e) {
            throw e;
        } catch (IOException | RuntimeException e) {
            if (Thread.currentThread().isInterrupted()) {
                throw Errors.of(what, e);
            }
            throw Errors.of(Reason.UNREACHABLE, what, "the storage of the log, " + log.getHost() + ", does not answer");
        }
    }
}
