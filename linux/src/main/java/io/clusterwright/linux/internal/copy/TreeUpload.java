package io.clusterwright.linux.internal.copy;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.clusterwright.core.internal.concurrent.Deadline;
import io.clusterwright.core.internal.concurrent.Tasks;
import io.clusterwright.core.internal.file.PrivateFiles;
import io.clusterwright.core.internal.json.Json;
import io.clusterwright.core.internal.session.FanOut;
import io.clusterwright.core.internal.session.UploadFanOut.SharedUpload.Place;
import io.clusterwright.core.internal.text.Nonce;
import io.clusterwright.core.type.NodeName;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A copy of one file that is sent once, to the first node, and goes on from node to node: each passes every piece on to two others as it
 * comes. Needs Python 3.8 on the nodes and a network between them; a node that misses anything has nothing, and is left to another copy.
 */
public final class TreeUpload {
    private static final Logger LOG = LoggerFactory.getLogger(TreeUpload.class);
    private static final int FAN_OUT = 2;
    private static final int PIECE = 256 * 1024;
    /** The data in transit to the first node: more would only fill memory. */
    private static final long AHEAD = 8L * 1024 * 1024;

    private static final Duration START = Duration.ofSeconds(20);
    /** The time that a copy may stand still, longer than a node waits for another. */
    private static final Duration STILL = Duration.ofMinutes(1);

    private static final Duration LOOK = Duration.ofMillis(50);

    private final Object lock = new Object();
    private final Path local;
    private final long size;

    private TreeUpload(Path local, long size) {
        this.local = local;
        this.size = size;
    }

    /** Copies the file; returns the nodes that have it whole. An interrupt ends the copy and is kept. */
    public static Set<NodeName> upload(Path local, String path, List<Place> places) {
        try {
            TreeUpload upload = new TreeUpload(local, Files.size(local));
            return upload.run(upload.task(path), places);
        } catch (IOException e) {
            LOG.debug("{} is not copied from node to node", local, e);
            return Set.of();
        }
    }

    private ObjectNode task(String path) throws IOException {
        OneTimeCertificate made = OneTimeCertificate.make();
        return Json.object()
                .put("path", path)
                .put("name", local.toAbsolutePath().normalize().getFileName().toString())
                .put("mode", PrivateFiles.mode(local))
                .put("size", size)
                .put("nonce", Nonce.next())
                .put("key", made.key().reveal())
                .put("certificate", made.certificate());
    }

    private Set<NodeName> run(ObjectNode task, List<Place> places) throws IOException {
        List<Relay> relays = Tasks.each(
                        "copy", FanOut.LIMIT, places, place -> start(task, place), (place, cause) -> none(place, cause))
                .stream()
                .flatMap(Optional::stream)
                .toList();
        boolean interrupted = false;
        try {
            List<Relay> tree = connected(relays);
            if (!tree.isEmpty() && feed(tree.get(0))) {
                await(() -> IntStream.range(0, tree.size()).allMatch(node -> isOver(tree, node)), STILL);
            }
        } catch (InterruptedException e) {
            interrupted = true;
        } finally {
            end(relays);
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
        synchronized (lock) {
            return relays.stream().filter(Relay::isComplete).map(Relay::node).collect(Collectors.toSet());
        }
    }

    private Optional<Relay> start(ObjectNode task, Place place) {
        String own = Json.write(task.deepCopy().put("address", place.address().toString()));
        return Optional.of(new Relay(place, own, lock));
    }

    private static Optional<Relay> none(Place place, Throwable cause) {
        LOG.debug("no copy from node to node on {}", place.session().node(), cause);
        return Optional.empty();
    }

    /** The relays that take part, each with the addresses of its two others: a heap, of which the first has no parent. */
    private List<Relay> connected(List<Relay> relays) throws InterruptedException {
        await(() -> relays.stream().allMatch(relay -> relay.listens() || relay.hasEnded()), START);
        List<Relay> tree;
        synchronized (lock) {
            tree = relays.stream().filter(Relay::listens).toList();
        }
        for (int i = 0; i < tree.size(); i++) {
            ArrayNode children = Json.array();
            IntStream.rangeClosed(FAN_OUT * i + 1, FAN_OUT * i + FAN_OUT)
                    .filter(child -> child < tree.size())
                    .forEach(child -> children.add(tree.get(child).reached()));
            ObjectNode part = Json.object().put("first", i == 0);
            tree.get(i).send(Json.write(part.set("children", children)));
        }
        return tree;
    }

    /** Sends the file, no faster than the node takes it; false when that came to nothing. */
    private boolean feed(Relay first) throws IOException, InterruptedException {
        byte[] buffer = new byte[PIECE];
        try (InputStream in = Files.newInputStream(local)) {
            for (long sent = 0; sent < size; ) {
                int read = in.read(buffer, 0, (int) Math.min(PIECE, size - sent));
                long needed = sent - AHEAD;
                if (read <= 0 || !await(() -> first.at() >= needed || first.hasEnded(), STILL) || first.hasEnded()) {
                    return false;
                }
                first.send(read == PIECE ? buffer : Arrays.copyOf(buffer, read));
                sent += read;
            }
            return true;
        }
    }

    /** Whether a node has ended, or waits for one that ended before it had the whole file. */
    private static boolean isOver(List<Relay> tree, int node) {
        int parent = (node - 1) / FAN_OUT;
        return tree.get(node).hasEnded()
                || node > 0 && isOver(tree, parent) && !tree.get(parent).isComplete();
    }

    private boolean await(BooleanSupplier until, Duration limit) throws InterruptedException {
        Deadline deadline = Deadline.in("copy", limit);
        synchronized (lock) {
            while (!until.getAsBoolean()) {
                if (deadline.passed()) {
                    LOG.debug("the copy of {} stood still for {}", local, deadline);
                    return false;
                }
                lock.wait(LOOK.toMillis());
            }
            return true;
        }
    }

    private static void end(List<Relay> relays) {
        Tasks.uninterruptibly(() -> Tasks.each(
                "copy",
                FanOut.LIMIT,
                relays,
                relay -> {
                    relay.close();
                    return true;
                },
                (relay, cause) -> false));
    }
}
