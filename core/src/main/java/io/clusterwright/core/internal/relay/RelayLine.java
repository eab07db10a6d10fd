package io.clusterwright.core.internal.relay;

import io.clusterwright.core.NodeUnreachableException;
import io.clusterwright.core.internal.relay.RelayShell.Request;
import io.clusterwright.core.spi.ScriptChannel;
import io.clusterwright.core.type.ClusterwrightException;
import io.clusterwright.core.type.NodeName;
import java.time.Duration;
import java.util.function.Supplier;

/** Asks one node, script by script. */
final class RelayLine {
    /** The time that a script may need beyond its own wait: until the machine's agent answers, and until its turn. */
    private static final Duration PATIENCE = Duration.ofMinutes(10);

    /** The part of an answer that its numbers take. */
    private static final int NUMBERS = 160;

    /** The length of a script without its data. */
    private static final int FRAME = 8 * 1024;

    private final NodeName node;
    private final RelayShell shell;
    private final Supplier<ScriptChannel> source;

    RelayLine(NodeName node, RelayShell shell, Supplier<ScriptChannel> source) {
        this.node = node;
        this.shell = shell;
        this.source = source;
    }

    NodeName node() {
        return node;
    }

    RelayShell shell() {
        return shell;
    }

    RelayShell.Window window(Duration wait, long out, long err) {
        return new RelayShell.Window(wait, out, err, source.get().answerBytes() - NUMBERS);
    }

    /** The longest that one look waits; a machine may run one script at a time, so that an end asked for waits as long. */
    Duration longestWait() {
        return source.get().longestWait();
    }

    /** The number of bytes of input that always fit into one script. */
    int inputBytes() {
        return (source.get().scriptBytes() - FRAME) / 4 * 3 * 9 / 10;
    }

    RelayAnswer ask(Request request, Duration wait) {
        String text = shell.script(request);
        ScriptChannel relay = source.get();
        if (text.length() > relay.scriptBytes()) {
            throw new ClusterwrightException("a command for " + node + " needs a script of " + text.length()
                    + " bytes, and a script may have " + relay.scriptBytes()
                    + "; pass long texts on standard input");
        }
        ScriptChannel.Answer answer = relay.run(new ScriptChannel.Script(shell.language(), text), wait.plus(PATIENCE));
        return RelayAnswer.find(request.job(), answer)
                .orElseThrow(() -> new NodeUnreachableException(
                        node,
                        "a script on " + node + " ended without an answer, so its result is unknown; "
                                + RelayAnswer.shown(answer)));
    }
}
