package io.clusterwright.azure.emulator.internal.arm;

import io.clusterwright.core.internal.http.Call;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Optional;

/** The conditions a request may carry. */
final class Etags {
    private Etags() {}

    static void check(Call call, Optional<ObjectNode> existing) {
        String match = call.header("if-match").orElse("");
        String none = call.header("if-none-match").orElse("");
        boolean failed = existing.map(body -> {
                    String etag = Bodies.text(body, "etag");
                    return none.equals("*")
                            || (!match.isEmpty() && !match.equals("*") && !etag.isEmpty() && !match.equals(etag));
                })
                .orElse(!match.isEmpty());
        if (failed) {
            throw ArmException.of(
                    412,
                    "PreconditionFailed",
                    "Precondition failed. The condition '"
                            + (none.isEmpty() ? "If-Match: " + match : "If-None-Match: " + none)
                            + "' does not hold for the resource as it is now.");
        }
    }
}
