package io.clusterwright.azure.emulator.internal.http;

import io.clusterwright.azure.emulator.internal.arm.Answer;
import io.clusterwright.azure.emulator.internal.arm.ArmException;
import io.clusterwright.azure.emulator.internal.arm.Call;
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
    Answer answer(Call call, String id, String kind) {
        Operation operation = asked(id);
        boolean result =
                kind.equals("operationresults") || call.parameter("monitor").isPresent();
        return result ? result(call, operation) : later(operation, Answer.ok(operation.status()));
    }

    Answer groupResult(Call call, String id) {
        return result(call, asked(id));
    }

    private Answer result(Call call, Operation operation) {
        if (operation.isRunning()) {
            return later(operation, Answer.empty(202)).with("Location", call.base() + call.path() + "?" + query(call));
        }
        if (operation.failure() != null) {
            throw operation.failure();
        }
        return operation.result() == null ? Answer.empty(200) : Answer.ok(operation.result());
    }

    private static String query(Call call) {
        return call.parameter("monitor").map(value -> "monitor=" + value + "&").orElse("") + "api-version="
                + call.apiVersion();
    }

    private Answer later(Operation operation, Answer answer) {
        return operation.isRunning() ? cloud.operations().timed(answer) : answer;
    }
}
