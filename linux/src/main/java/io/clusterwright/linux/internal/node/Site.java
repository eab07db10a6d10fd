package io.clusterwright.linux.internal.node;

import io.clusterwright.core.Command;
import io.clusterwright.core.CommandResult;
import io.clusterwright.core.NodeSession;
import io.clusterwright.core.spec.ClusterSpec;
import io.clusterwright.core.spec.Customization;
import java.util.function.Consumer;

/**
 * The node that is being worked on.
 *
 * @param session a session on it as the login user
 * @param spec what it is to become
 * @param progress takes lines for people
 */
public record Site(NodeSession session, ClusterSpec spec, Consumer<String> progress) {

    public Customization customization() {
        return spec.image().customize();
    }

    public void say(String line) {
        progress.accept(line);
    }

    /** Runs a command that must succeed; returns its standard output. */
    public String run(Command command) {
        return session.run(command).orThrow().stdout();
    }

    /** Runs a script as root that must succeed; returns its standard output. */
    public String runAsRoot(String script) {
        return run(Command.shell(script).elevate());
    }

    /** Runs a command whose lines of output are progress; returns its result with the last of the output. */
    public CommandResult stream(Command command) {
        try (LineStream lines = new LineStream(this, command)) {
            return lines.await();
        }
    }
}
