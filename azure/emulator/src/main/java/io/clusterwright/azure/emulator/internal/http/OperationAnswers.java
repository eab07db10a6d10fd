package io.clusterwright.azure.emulator.internal.http;

import io.clusterwright.core.internal.http.Reply;
import io.clusterwright.core.internal.http.Call;
import io.clusterwright.azure.emulator.internal.arm.ArmException;
import io.clusterwright.azure.emulator.internal.arm.Cloud;
import io.clusterwright.azure.emulator.internal.arm.Operation;

/** Tells clients how operations are getting on. */
final class OperationAnswers {
    private final Cloud cloud;

    OperationAnswers(Cloud cloud) {
        this.cloud = cloud;
    }

    private Operation asked(String id) {
        Operation operation = cloud.operations()
                .find(id)
                .orElseThrow(() -> ArmException.of(404, "NotFound", "The operation '" + id + "' could not be found."));
        cloud.operations().asked(operation);
        return operation;
    }

    /** The status of an operation, or its result where the client asks for that. */
    Reply answer(Call call, String id, String kind) {
        Operation operation = asked(id);
        boolean result =
                kind.equals("operationresults") || call.parameter("monitor").isPresent();
        return result ? result(call, operation) : later(operation, Reply.ok(operation.status()));
    }

    Reply groupResult(Call call, String id) {
        return result(call, asked(id));
    }

    private Reply result(Call call, Operation operation) {
        if (operation.isRunning()) {
            return later(operation, Reply.empty(202)).with("Location", call.base() + call.path() + "?" + query(call));
        }
        if (operation.failure() != null) {
            throw operation.failure();
        }
        return operation.result() == null ? Reply.empty(200) : Reply.ok(operation.result());
    }

    private static String query(Call call) {
        return call.parameter("monitor").map(value -> "monitor=" + value + "&").orElse("") + "api-version="
                + call.query("api-version");
    }

    private Reply later(Operation operation, Reply answer) {
        return operation.isRunning() ? cloud.operations().timed(answer) : answer;
    }
}
