package io.clusterwright.windows.deploy;

import java.util.Objects;

/**
 * One step of a burst. Each can be taken again: it does only what is still to be done.
 *
 * @param action what it does, by the name that the script knows it by
 * @param description what it does in this cluster, for people
 */
public record BurstStep(Action action, String description) {
    /** Checks that nothing is left out. */
    public BurstStep {
        Objects.requireNonNull(action, "action");
        Objects.requireNonNull(description, "description");
    }

    /** The steps there are, in their order. */
    public enum Action {
        /** Sees that the head node has the management certificate. */
        CERTIFICATE("Certificate"),
        /** Makes cloud service and storage account, both in the region. */
        SERVICES("Services"),
        /** Imports the node template, unless it is there already. */
        NODE_TEMPLATE("NodeTemplate"),
        /** Adds nodes until there are as many as asked for; costs nothing yet. */
        ADD_NODES("AddNodes"),
        /** Starts the nodes; from here on they and their proxies are billed. */
        START("Start"),
        /** Waits until all nodes are provisioned. */
        WAIT("Wait"),
        /** Brings the nodes online; the scheduler begins to use them at once. */
        ONLINE("Online"),
        /** Submits the two ping-pong jobs. */
        SUBMIT("Submit"),
        /** Takes the nodes offline; jobs on them end first. */
        OFFLINE("Offline"),
        /** Stops the nodes: they are deprovisioned and no longer billed. */
        STOP("Stop");

        private final String word;

        Action(String word) {
            this.word = word;
        }

        /** The name that the script knows it by, such as {@code AddNodes}. */
        @Override
        public String toString() {
            return word;
        }
    }
}
