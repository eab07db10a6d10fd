package io.clusterwright.azure.emulator.internal.arm;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.clusterwright.core.internal.json.Json;
import io.clusterwright.emulator.internal.http.HttpRefusalException;
import io.clusterwright.emulator.internal.http.Reply;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** An answer that is an error, in the shape of Resource Manager. */
public final class ArmException extends RuntimeException {
    private static final long serialVersionUID = 1;
    private static final TextTable REFUSALS = new TextTable(ArmException.class, "refusals.properties");

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

    /**
     * A refusal of the table {@code refusals.properties}, which has its status, its target and its text.
     *
     * @param refusal its key: the code, and a word after a dot where the code has several texts
     * @param arguments the values for the places in its text
     */
    public static ArmException of(String refusal, @Nullable Object... arguments) {
        String[] row = REFUSALS.row(refusal).split(" ", 2);
        String text = TextTable.filled(row[1], arguments);
        String[] head = row[0].split("@", 2);
        ArmException made = of(Integer.parseInt(head[0]), refusal.replaceFirst("\\..*", ""), text);
        if (head.length == 1) {
            return made;
        }
        return made.at(
                head[1].startsWith("{")
                        ? String.valueOf(arguments[Integer.parseInt(head[1].substring(1, 2))])
                        : head[1]);
    }

    /**
     * Refuses a request where a condition holds.
     *
     * @param refusal the key of the table, which must be there in any case
     * @param arguments the values for the places in its text
     */
    public static void refuse(boolean when, String refusal, @Nullable Object... arguments) {
        REFUSALS.row(refusal);
        if (when) {
            throw of(refusal, arguments);
        }
    }

    /** Refuses the value of a parameter where a condition holds. */
    public static void refuseValue(boolean when, String parameter) {
        refuse(when, "InvalidParameter.value", parameter);
    }

    /** Refuses a request without a parameter where a condition holds. */
    public static void refuseMissing(boolean when, String parameter) {
        refuse(when, "InvalidParameter.missing", parameter);
    }

    /** Refuses a number outside of its limits. */
    public static void requireRange(long number, String parameter, long least, long most) {
        refuse(number < least || number > most, "InvalidParameter.range", number, parameter, least, most);
    }

    /** An error with a text that is known elsewhere. */
    public static ArmException of(int status, String code, String message) {
        return new ArmException(status, code, message, null, null);
    }

    /** A body that is not JSON, or not the JSON that is needed. */
    public static ArmException malformed(HttpRefusalException refusal) {
        return of("InvalidRequestContent", refusal.getMessage());
    }

    /** A parameter that a request must have. */
    public static ArmException missing(String target, String parameter) {
        return of("InvalidParameter.missing", parameter).at(target);
    }

    /** The same for one value of the request; null for none. */
    public ArmException at(@Nullable String value) {
        return new ArmException(status, code, text, value, retryAfter);
    }

    public static ArmException notFound(ResourcePath id) {
        if (id.isGroup()) {
            return of("ResourceGroupNotFound", id.group());
        }
        return of("ResourceNotFound", id.type(), id.name(), id.group());
    }

    /** A reference to something that does not exist. */
    public static ArmException badReference(String referenced, ResourcePath by) {
        return of("InvalidResourceReference", referenced, by);
    }

    /** Another operation on the same resource runs. */
    public static ArmException busy(ResourcePath id) {
        return of("Conflict", id);
    }

    public ArmException retryAfter(Duration wait) {
        return new ArmException(status, code, text, target, wait);
    }

    /** A fact about a refusal, as Batch tells it. */
    public static ObjectNode fact(String key, Object value) {
        return Json.object().put("key", key).put("value", value.toString());
    }

    /** Adds the errors that led to it. */
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
