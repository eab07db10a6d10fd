package io.clusterwright.windows.emulator.internal.scheduler;

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
