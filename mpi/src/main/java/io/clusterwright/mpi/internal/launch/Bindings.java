package io.clusterwright.mpi.internal.launch;

import io.clusterwright.core.type.InvalidValueException;
import io.clusterwright.mpi.spi.LaunchRequest;
import io.clusterwright.mpi.spi.LaunchRequest.LaunchOption;
import java.util.Map;
import java.util.Optional;

/** The options and variables by which launchers bind ranks. */
final class Bindings {
    private Bindings() {}

    /** The word for {@code --bind-to}; empty when the launcher is left to its default. */
    static Optional<String> openMpi(LaunchRequest request, String socket) {
        return switch (request.binding()) {
            case DEFAULT -> request.has(LaunchOption.SHARED_MACHINE) ? Optional.of("none") : Optional.empty();
            case NONE -> Optional.of("none");
            case CORE -> Optional.of("core");
            case SOCKET -> Optional.of(socket);
        };
    }

    /** Variables that say it, which the job must not say otherwise. */
    static Map<String, String> checked(LaunchRequest request, Map<String, String> variables) {
        for (Map.Entry<String, String> variable : variables.entrySet()) {
            String own = request.environment().getOrDefault(variable.getKey(), variable.getValue());
            if (!own.equals(variable.getValue())) {
                throw new InvalidValueException(
                        "value of " + variable.getKey() + " beside binding " + request.binding() + " of "
                                + request.mpi(),
                        own,
                        "the value of the binding, or a job without one of the two",
                        variable.getValue());
            }
        }
        return variables;
    }
}
