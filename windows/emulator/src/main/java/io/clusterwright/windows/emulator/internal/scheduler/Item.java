package io.clusterwright.windows.emulator.internal.scheduler;

import java.util.LinkedHashMap;
import java.util.Map;

/** Base of jobs and tasks: a state, properties and variables. Guarded by the scheduler. */
public abstract sealed class Item permits Job, Task {
    private final Map<String, String> properties = new LinkedHashMap<>();
    private final Map<String, String> environment = new LinkedHashMap<>();
    private final Map<String, String> custom = new LinkedHashMap<>();
    private State state = State.CONFIGURING;
    private State previous = State.CONFIGURING;
    private String message = "";

    public State state() {
        return state;
    }

    void enter(State next) {
        previous = state;
        state = next;
    }

    void explain(String text) {
        message = text;
    }

    public Map<String, String> given() {
        return properties;
    }

    public Map<String, String> environment() {
        return environment;
    }

    public Map<String, String> custom() {
        return custom;
    }

    public String property(String name, String other) {
        return properties.getOrDefault(name, other);
    }

    int number(String name, int other) {
        String text = property(name, "");
        return text.matches("\\d{1,9}") ? Integer.parseInt(text) : other;
    }

    /** All properties that clients can read. */
    public Map<String, String> properties() {
        Map<String, String> all = new LinkedHashMap<>(properties);
        all.put("State", state.word());
        all.put("PreviousState", previous.word());
        all.put("ErrorMessage", message);
        all.remove("Password");
        return all;
    }

    /** The states that jobs and tasks go through. */
    public enum State {
        CONFIGURING("Configuring"),
        QUEUED("Queued"),
        RUNNING("Running"),
        CANCELING("Canceling"),
        FINISHED("Finished"),
        FAILED("Failed"),
        CANCELED("Canceled");

        private final String word;

        State(String word) {
            this.word = word;
        }

        public String word() {
            return word;
        }

        public boolean ended() {
            return this == FINISHED || this == FAILED || this == CANCELED;
        }
    }
}
