package io.clusterwright.core.spi;

import io.clusterwright.core.type.ClusterwrightException;
import io.clusterwright.core.type.NodeName;

/** The outcome of creating one machine of a group; one failed machine never hides the others. */
public sealed interface MachineOutcome {

    /** The machine's node name. */
    NodeName name();

    /**
     * The machine exists and is starting.
     *
     * @param machine the machine
     */
    record Made(Machine machine) implements MachineOutcome {
        @Override
        public NodeName name() {
            return machine.name();
        }
    }

    /**
     * The machine could not be made.
     *
     * @param name its node name
     * @param cause the reason
     */
    record Failed(NodeName name, ClusterwrightException cause) implements MachineOutcome {}
}
