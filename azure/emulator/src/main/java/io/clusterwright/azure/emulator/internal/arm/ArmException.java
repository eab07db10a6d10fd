package io.clusterwright.azure.emulator.internal.arm;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.clusterwright.core.internal.http.HttpRefusalException;
import io.clusterwright.core.internal.http.Reply;
import io.clusterwright.core.internal.json.Json;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** An answer that is an error, in the shape of Resource Manager. */
public final class ArmException extends RuntimeException {
    private static final long serialVersionUID = 1;

    private final int status;
    private final String code;
    private final String text;
    private final @Nullable String target;
    private final @Nullable Duration retryAfter;
    private final transient List<ObjectNode> reasons = new ArrayList<>();

    private ArmException(
            int status, String code, String message, @Nullable String target, @Nullable Duration retryAfter) {
        super(message, null, false, false);
        this.status = status;
        this.code = code;
        this.text = message;
        this.target = target;
        this.retryAfter = retryAfter;
    }

    public static ArmException of(int status, String code, String message) {
        return new ArmException(status, code, message, null, null);
    }

    public static ArmException badRequest(String code, String message) {
        return of(400, code, message);
    }

    public static ArmException conflict(String code, String message) {
        return of(409, code, message);
    }

    /** A body that is not JSON, or not the JSON that is needed. */
    public static ArmException malformed(HttpRefusalException refusal) {
        return badRequest(
                "InvalidRequestContent",
                "The request content was invalid and could not be deserialized: '" + refusal.getMessage() + "'.");
    }

    /** A value that is not allowed. */
    public static ArmException invalid(String target, String message) {
        return new ArmException(400, "InvalidParameter", message, target, null);
    }

    public static ArmException notFound(ArmId id) {
        if (id.isGroup()) {
            return of(404, "ResourceGroupNotFound", "Resource group '" + id.group() + "' could not be found.");
        }
        return of(
                404,
                "ResourceNotFound",
                "The Resource '" + id.type() + "/" + id.name() + "' under resource group '" + id.group()
                        + "' was not found. For more details please go to https://aka.ms/ARMResourceNotFoundFix");
    }

    /** A reference to something that does not exist. */
    public static ArmException badReference(String referenced, ArmId by) {
        return badRequest(
                "InvalidResourceReference",
                "Resource " + referenced + " referenced by resource " + by
                        + " was not found. Please make sure that the referenced resource exists, and that both"
                        + " resources are in the same region.");
    }

    /** Another operation on the same resource runs. */
    public static ArmException busy(ArmId id) {
        return conflict(
                "Conflict",
                "The request failed due to conflict with a concurrent request on " + id
                        + ". To resolve it, please wait until that has ended.");
    }

    public ArmException retryAfter(Duration wait) {
        return new ArmException(status, code, text, target, wait);
    }

    /** The same with the errors that led to it. */
    public ArmException because(List<ObjectNode> errors) {
        reasons.addAll(errors);
        return this;
    }

    public int status() {
        return status;
    }

    /** The message that the client reads. */
    public String text() {
        return text;
    }

    public String code() {
        return code;
    }

    /** The answer to the client. */
    public Reply answer() {
        ObjectNode body = Json.object();
        body.set("error", error());
        Reply answer = Reply.of(status, body);
        return retryAfter == null ? answer : answer.with("Retry-After", Long.toString(seconds(retryAfter)));
    }

    /** The error alone, as an operation's status holds it. */
    public ObjectNode error() {
        ObjectNode error = Json.object().put("code", code).put("message", text);
        if (target != null) {
            error.put("target", target);
        }
        ArrayNode details = error.putArray("details");
        if (target != null) {
            details.addObject().put("code", code).put("target", target).put("message", text);
        }
        reasons.forEach(details::add);
        return error;
    }

    private static long seconds(Duration duration) {
        return Math.max(1, duration.plusMillis(999).toSeconds());
    }
}
