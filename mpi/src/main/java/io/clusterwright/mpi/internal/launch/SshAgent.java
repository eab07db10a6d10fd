package io.clusterwright.mpi.internal.launch;

import io.clusterwright.core.internal.text.TextResource;
import io.clusterwright.mpi.spi.JobFolder;

/**
 * The program a launcher calls instead of ssh: it never asks, gives up in time, and says when a node was not reached.
 * Hydra 4.0.2 waits for ever when ssh fails, so the script reports it to the engine.
 */
public final class SshAgent {
    static final String FILE = "ssh";

    private SshAgent() {}

    static String script(JobFolder folder) {
        return TextResource.read(SshAgent.class.getResourceAsStream("ssh-agent.sh"), "ssh-agent.sh")
                .replace("@TOKEN@", folder.token())
                .replace("@FOLDER@", folder.path());
    }
}
