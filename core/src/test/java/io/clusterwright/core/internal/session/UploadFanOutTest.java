package io.clusterwright.core.internal.session;

import static org.assertj.core.api.Assertions.assertThat;

import io.clusterwright.core.NodeOutcome;
import io.clusterwright.core.NodeResults;
import io.clusterwright.core.NodeSession;
import io.clusterwright.core.type.ClusterwrightException;
import io.clusterwright.core.type.Ipv4Address;
import io.clusterwright.core.type.NodeName;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class UploadFanOutTest {
    private static final int LARGE = 16 * 1024 * 1024;

    private final Set<NodeName> fromHere = ConcurrentHashMap.newKeySet();
    private final Set<NodeName> asked = ConcurrentHashMap.newKeySet();
    private final AtomicInteger dialled = new AtomicInteger();
    private Set<NodeName> passedOn = Set.of();

    @TempDir
    Path folder;

    @Test
    void aLargeFileGoesFromNodeToNodeAndFromHereToTheOthers() throws IOException {
        passedOn = Set.of(node(1), node(3));

        NodeResults results = upload(LARGE, nodes(4));

        assertThat(asked).containsExactlyInAnyOrderElementsOf(nodes(4));
        assertThat(fromHere).containsExactlyInAnyOrder(node(2), node(4));
        assertThat(results.succeeded()).isTrue();
        assertThat(results.outcomes()).extracting(NodeOutcome::node).containsExactlyElementsOf(nodes(4));
    }

    @Test
    void aSmallFileGoesFromHere() throws IOException {
        assertThat(upload(LARGE - 1, nodes(4)).succeeded()).isTrue();

        assertThat(asked).isEmpty();
        assertThat(fromHere).hasSize(4);
    }

    @Test
    void aFileForTwoNodesGoesFromHere() throws IOException {
        assertThat(upload(LARGE, nodes(2)).succeeded()).isTrue();

        assertThat(asked).isEmpty();
        assertThat(fromHere).hasSize(2);
    }

    @Test
    void aNodeThatCannotBeReachedKeepsNoneOfTheOthersFromPassingOn() throws IOException {
        passedOn = Set.of(node(1), node(2), node(3));

        NodeResults results = upload(LARGE, List.of(node(1), node(9), node(2), node(3)));

        assertThat(asked).containsExactlyInAnyOrderElementsOf(nodes(3));
        assertThat(fromHere).isEmpty();
        assertThat(results.successes()).hasSize(3);
        assertThat(results.outcomes().get(1)).isInstanceOfSatisfying(NodeOutcome.NotStarted.class, outcome -> {
            assertThat(outcome.node()).isEqualTo(node(9));
            assertThat(outcome.summary()).isEqualTo("no way to node9");
        });
        assertThat(dialled).as("attempts").hasValue(1);
    }

    private NodeResults upload(int size, List<NodeName> nodes) throws IOException {
        Path file = folder.resolve("file");
        try (RandomAccessFile content = new RandomAccessFile(file.toFile(), "rw")) {
            content.setLength(size);
        }
        return UploadFanOut.run(file, "/data", nodes, node -> Ipv4Address.of("10.0.0.4"), this::session);
    }

    private NodeSession session(NodeName node) {
        if (node.equals(node(9))) {
            dialled.incrementAndGet();
            throw new ClusterwrightException("no way to node9");
        }
        return (NodeSession) Proxy.newProxyInstance(
                getClass().getClassLoader(),
                new Class<?>[] {NodeSession.class, UploadFanOut.SharedUpload.class},
                (proxy, method, arguments) -> switch (method.getName()) {
                    case "node" -> node;
                    case "uploadTree" -> {
                        fromHere.add(node);
                        yield null;
                    }
                    case "upload" -> {
                        ((List<?>) arguments[2])
                                .forEach(place -> asked.add(((UploadFanOut.SharedUpload.Place) place)
                                        .session()
                                        .node()));
                        yield passedOn;
                    }
                    default -> throw new IllegalStateException(method.getName());
                });
    }

    private static List<NodeName> nodes(int count) {
        return IntStream.rangeClosed(1, count).mapToObj(UploadFanOutTest::node).toList();
    }

    private static NodeName node(int number) {
        return NodeName.of("node" + number);
    }
}
