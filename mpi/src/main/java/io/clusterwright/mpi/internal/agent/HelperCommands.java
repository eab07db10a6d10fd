package io.clusterwright.mpi.internal.agent;

import io.clusterwright.mpi.spi.LaunchRequest;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;

/** Reads what a launcher prints before anything of the job: the commands of the helpers that it wants on the nodes. */
abstract class HelperCommands {
    private static final int LONGEST_LINE = 64 * 1024;

    private final ByteArrayOutputStream pending = new ByteArrayOutputStream();
    private Optional<String> problem = Optional.empty();
    private boolean complete;

    static HelperCommands of(LaunchRequest request) {
        return request.mpi().isOpenMpi()
                ? new OpenMpiDaemons(request)
                : new HydraProxies(request.nodes().size());
    }

    /** Whether the launcher itself does the part of a helper on its node, and prints no command for that one. */
    abstract boolean launcherHelps();

    /** Takes a line without its end; says whether it is one of the launcher's, and not of the job. */
    abstract boolean take(String line);

    /** The commands that may start now, each given out once; none once there was a {@link #problem}. */
    abstract List<HelperCommand> next();

    /** Whether the last command came: what follows belongs to the job. */
    final boolean complete() {
        return complete;
    }

    /** The text that was not understood. */
    final Optional<String> problem() {
        return problem;
    }

    final void end() {
        complete = true;
    }

    final void refuse(String line) {
        if (problem.isEmpty()) {
            problem = Optional.of(line);
        }
    }

    /** Takes bytes of the launcher's standard output and gives back what belongs to the job. */
    final byte[] feed(byte[] bytes, int length) {
        ByteArrayOutputStream job = new ByteArrayOutputStream();
        int start = 0;
        for (int i = 0; i < length && !complete; i++) {
            if (bytes[i] == '\n') {
                pending.write(bytes, start, i + 1 - start);
                start = i + 1;
                byte[] line = pending.toByteArray();
                pending.reset();
                if (!take(new String(line, StandardCharsets.UTF_8).stripTrailing())) {
                    job.writeBytes(line);
                }
            }
        }
        (complete ? job : pending).write(bytes, start, length - start);
        if (pending.size() > LONGEST_LINE) {
            refuse("a line of more than " + LONGEST_LINE + " bytes");
            job.writeBytes(pending.toByteArray());
            pending.reset();
        }
        return job.toByteArray();
    }

    /**
     * A helper and where it belongs.
     *
     * @param node the number of the node in the request, from 0
     * @param words the program and its arguments, none of which holds a blank or what a shell would change
     */
    record HelperCommand(int node, List<String> words) {}
}
