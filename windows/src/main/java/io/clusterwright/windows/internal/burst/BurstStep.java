package io.clusterwright.windows.internal.burst;

import io.clusterwright.core.plan.Step;
import java.util.Objects;

/**
 * One step of a burst. Each can be taken again: it does only what is still to be done.
 *
 * @param action the kind of step, by its name in the script
 * @param description its effect in this cluster, for people
 */
record BurstStep(Action action, String description) {
    /** Checks that nothing is left out. */
    BurstStep {
        Objects.requireNonNull(action, "action");
        Objects.requireNonNull(description, "description");
    }

    /** The kinds of steps, in their order. */
    enum Action {
        /** Checks that the head node has the management certificate. */
        CERTIFICATE("Certificate", Step.CERTIFICATE),
        /** Makes cloud service and storage account, both in the region. */
        SERVICES("Services", Step.SERVICES),
        /** Imports the node template, unless it exists. */
        NODE_TEMPLATE("NodeTemplate", Step.NODE_TEMPLATE),
        /** Adds the missing nodes; costs nothing yet. */
        ADD_NODES("AddNodes", Step.NODES),
        /** Starts the nodes; from here on they and their proxies are billed. */
        START("Start", Step.START),
        /** Waits until all nodes are provisioned. */
        WAIT("Wait", Step.START),
        /** Brings the nodes online; the scheduler begins to use them at once. */
        ONLINE("Online", Step.ONLINE),
        /** Submits the two ping-pong jobs. */
        SUBMIT("Submit", Step.JOBS),
        /** Takes the nodes offline; jobs on them end first. */
        OFFLINE("Offline", Step.OFFLINE),
        /** Stops the nodes: they are deprovisioned and no longer billed. */
        STOP("Stop", Step.STOP);

        private final String word;
        private final Step step;

        Action(String word, Step step) {
            this.word = word;
            this.step = step;
        }

        /** The step of a plan that it belongs to. */
        Step step() {
            return step;
        }

        /** Its name in the script, such as {@code AddNodes}. */
        @Override
        public String toString() {
            return word;
        }
    }
}
