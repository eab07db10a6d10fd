package io.clusterwright.azure.emulator.internal.arm;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.clusterwright.core.internal.json.Json;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A resource that exists, with what no client sees. Guarded by the cloud's lock. */
public final class Resource implements ResourceBody {
    /** The name of what is hidden of a machine: running, stopped or deallocated. */
    public static final String POWER = "power";

    private final ResourcePath id;
    private final Instant created;
    private final Map<String, String> hidden = new HashMap<>();
    private final ObjectNode unseen = Json.object();
    private ObjectNode body;
    private @Nullable LongOperation operation;

    Resource(ResourcePath id, Instant created, ObjectNode body) {
        this.id = id;
        this.created = created;
        this.body = body;
    }

    @Override
    public ResourcePath id() {
        return id;
    }

    public Instant created() {
        return created;
    }

    @Override
    public ObjectNode body() {
        return body;
    }

    public void body(ObjectNode replacement) {
        this.body = replacement;
    }

    public String location() {
        return text("location");
    }

    public String state() {
        return text("properties.provisioningState");
    }

    public void state(String provisioningState) {
        properties().put("provisioningState", provisioningState);
    }

    public boolean isSucceeded() {
        return state().equals("Succeeded");
    }

    /** The operation that was started last on this resource. */
    public Optional<LongOperation> operation() {
        return Optional.ofNullable(operation);
    }

    public Optional<LongOperation> runningOperation() {
        return operation().filter(LongOperation::isRunning);
    }

    public void operation(LongOperation latest) {
        this.operation = latest;
    }

    /** Ends the operation that runs on it, because another takes its place. */
    public void preempt(Instant now) {
        runningOperation().ifPresent(running -> running.preempt(now));
    }

    /** Something about it that is not part of its body. */
    public Optional<String> hidden(String name) {
        return Optional.ofNullable(hidden.get(name));
    }

    /** Whether what is hidden under a name is this value. */
    public boolean isHidden(String name, String value) {
        return value.equals(hidden.get(name));
    }

    /** The hidden values that are objects. */
    public ObjectNode unseen() {
        return unseen;
    }

    public void hide(String name, String value) {
        hidden.put(name, value);
    }

    public void reveal(String name) {
        hidden.remove(name);
    }
}
