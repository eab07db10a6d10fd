package io.clusterwright.azure.emulator.internal.deployments;

import io.clusterwright.core.internal.http.Reply;
import io.clusterwright.core.internal.http.Call;
import io.clusterwright.azure.emulator.internal.arm.ArmException;
import io.clusterwright.azure.emulator.internal.arm.ArmId;
import io.clusterwright.azure.emulator.internal.arm.Cloud;
import io.clusterwright.azure.emulator.internal.arm.Handler;
import io.clusterwright.azure.emulator.internal.arm.Operation;

/** How a deployment as a whole is getting on, for clients that follow {@code Azure-AsyncOperation}. */
public final class DeploymentParts implements Handler {
    public static final String TYPE = Deployments.TYPE + "/operationStatuses";

    private final Cloud cloud;

    public DeploymentParts(Cloud cloud) {
        this.cloud = cloud;
    }

    @Override
    public Reply get(Call call, ArmId id) {
        Operation operation = cloud.operations()
                .find(id.name())
                .orElseThrow(() ->
                        ArmException.of(404, "NotFound", "The operation '" + id.name() + "' could not be found."));
        cloud.operations().asked(operation);
        Reply answer = Reply.ok(operation.status());
        return operation.isRunning() ? cloud.operations().timed(answer) : answer;
    }

    @Override
    public Reply put(Call call, ArmId id) {
        throw readOnly();
    }

    @Override
    public Reply patch(Call call, ArmId id) {
        throw readOnly();
    }

    @Override
    public Reply delete(Call call, ArmId id) {
        throw readOnly();
    }

    @Override
    public Reply list(Call call, ArmId parent) {
        throw readOnly();
    }

    @Override
    public Reply act(Call call, ArmId id, String action) {
        throw readOnly();
    }

    private static ArmException readOnly() {
        return ArmException.of(405, "MethodNotAllowed", "The status of a deployment can only be read.");
    }
}
