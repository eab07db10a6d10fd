package io.clusterwright.mpi;

import io.clusterwright.core.ClusterwrightException;
import io.clusterwright.core.cluster.Command;
import io.clusterwright.core.cluster.NodeSession;
import io.clusterwright.core.cluster.OutputListener;
import io.clusterwright.core.cluster.RunningCommand;
import io.clusterwright.core.type.NodeName;
import io.clusterwright.mpi.internal.LineSplitter;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A command of {@link GuardScript} that runs on a node: what it says of leftovers is kept, its complaints are passed on. */
final class HeldCommand {
    private static final Logger LOG = LoggerFactory.getLogger(HeldCommand.class);
    private static final int KEPT = 64 * 1024;

    private final Said said;
    private final RunningCommand running;

    private HeldCommand(Said said, RunningCommand running) {
        this.said = said;
        this.running = running;
    }

    static HeldCommand start(NodeSession session, Command command, Consumer<String> complaints) {
        Said said = new Said(complaints);
        return new HeldCommand(said, session.start(command, said));
    }

    RunningCommand running() {
        return running;
    }

    /** What these say of leftovers once they have ended, of those that do in this time. */
    static Map<NodeName, Leftovers> answers(Map<NodeName, HeldCommand> commands, Duration limit) {
        long deadline = System.nanoTime() + limit.toNanos();
        Map<NodeName, Leftovers> answers = new LinkedHashMap<>();
        commands.forEach((node, command) -> {
            try {
                Duration left = Duration.ofNanos(Math.max(0, deadline - System.nanoTime()));
                if (command.running.await(left).isPresent()) {
                    command.said.answer().ifPresent(answer -> answers.put(node, answer));
                }
            } catch (ClusterwrightException e) {
                LOG.debug("{} did not say what a job left there", node, e);
            }
        });
        return answers;
    }

    private static final class Said implements OutputListener {
        private final ByteArrayOutputStream stdout = new ByteArrayOutputStream();
        private final LineSplitter stderr;

        Said(Consumer<String> complaints) {
            this.stderr = new LineSplitter(line -> complaints.accept(line.text()));
        }

        @Override
        public synchronized void onOutput(Stream stream, byte[] bytes, int length) {
            if (stream == Stream.STDERR) {
                stderr.feed(bytes, length);
            } else if (stdout.size() < KEPT) {
                stdout.write(bytes, 0, length);
            }
        }

        synchronized Optional<Leftovers> answer() {
            return GuardScript.answer(stdout.toString(StandardCharsets.UTF_8));
        }
    }
}
