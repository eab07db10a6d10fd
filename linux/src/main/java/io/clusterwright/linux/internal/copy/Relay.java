package io.clusterwright.linux.internal.copy;

import com.fasterxml.jackson.databind.node.ArrayNode;
import io.clusterwright.core.Command;
import io.clusterwright.core.RunningCommand;
import io.clusterwright.core.RunningCommand.OutputListener.Stream;
import io.clusterwright.core.internal.json.Json;
import io.clusterwright.core.internal.session.UploadFanOut.SharedUpload.Place;
import io.clusterwright.core.internal.text.LineSplitter;
import io.clusterwright.core.internal.text.TextResource;
import io.clusterwright.core.type.ClusterwrightException;
import io.clusterwright.core.type.NodeName;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The process on a node that takes the file, keeps it and passes it on. Its state is guarded by the lock that it
 * shares with the others.
 */
final class Relay implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Relay.class);
    private static final Duration GRACE = Duration.ofSeconds(2);
    private static final byte[] SCRIPT = TextResource.read(Relay.class.getResourceAsStream("relay.py"), "relay.py")
            .getBytes(StandardCharsets.UTF_8);
    private static final Command COMMAND = Command.of(
                    "python3",
                    "-I",
                    "-S",
                    "-c",
                    "import sys; exec(sys.stdin.buffer.read(int(sys.argv[2])))",
                    "clusterwright-copy",
                    Integer.toString(SCRIPT.length))
            .openInput();

    private final Place place;
    private final Object lock;
    private final RunningCommand running;
    private final LineSplitter lines = new LineSplitter(line -> handle(line.text()));
    private int port;
    private long sent;
    private long at;
    private boolean ended;
    private boolean complete;

    /** Starts the process with this task, a line of JSON; all that it says is said under the lock, and wakes who waits for it. */
    Relay(Place place, String task, Object lock) {
        this.place = place;
        this.lock = lock;
        this.running = place.session().start(COMMAND, this::receive);
        running.send(SCRIPT);
        send(task);
    }

    /** Sends a line. */
    void send(String text) {
        running.send((text + "\n").getBytes(StandardCharsets.UTF_8));
    }

    /** Sends a piece of the file. */
    void send(byte[] piece) {
        synchronized (lock) {
            sent += piece.length;
        }
        running.send(piece);
    }

    private void receive(Stream stream, byte[] bytes, int length) {
        synchronized (lock) {
            if (stream == Stream.STDOUT) {
                lines.feed(bytes, length);
            }
            lock.notifyAll();
        }
    }

    private void handle(String text) {
        if (text.matches("port \\d{1,5}")) {
            port = Integer.parseInt(text.substring("port ".length()));
        } else if (text.matches("at \\d{1,18}")) {
            at = Long.parseLong(text.substring("at ".length()));
            if (at > sent && !ended) {
                LOG.debug("the copy on {} claims {} bytes of {}", node(), at, sent);
                ended = true;
            }
        } else if (!ended) {
            ended = true;
            complete = text.equals("done");
            LOG.debug("the copy on {}: {}", node(), text);
        }
    }

    NodeName node() {
        return place.session().node();
    }

    /** The address for other nodes, after {@link #listens}. */
    ArrayNode reached() {
        return Json.array().add(place.address().toString()).add(port);
    }

    boolean listens() {
        return port != 0 && !ended;
    }

    /** The bytes that this node has and has passed on; only the first node says it. */
    long at() {
        return at;
    }

    boolean isComplete() {
        return complete;
    }

    /** Whether nothing more is to be expected; a process without a word, as where there is no Python, has ended, too. */
    boolean hasEnded() {
        if (!ended) {
            try {
                ended = running.await(Duration.ZERO).isPresent();
            } catch (ClusterwrightException e) {
                LOG.debug("the copy on {} ended", node(), e);
                ended = true;
            }
        }
        return ended;
    }

    /** Ends the process, which removes a file that is not complete. */
    @Override
    public void close() {
        try {
            running.cancel(GRACE);
            running.close();
        } catch (ClusterwrightException e) {
            LOG.debug("the process of a copy on {} was not ended", node(), e);
        }
    }
}
