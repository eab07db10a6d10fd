package io.clusterwright.core;

import io.clusterwright.core.ClusterEvent.NodePhase;
import io.clusterwright.core.plan.Finding;
import io.clusterwright.core.type.ClusterName;
import io.clusterwright.core.type.NodeName;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.ResourceLock;

/** A provider in memory, a state folder, and the events of operations on the cluster demo. */
@ResourceLock(MemoryBackend.LOCK)
abstract class LifecycleFixture {
    static final ClusterName DEMO = new ClusterName("demo");

    @TempDir
    Path folder;

    final MemoryProvider provider = new MemoryProvider();
    final List<ClusterEvent> events = Collections.synchronizedList(new ArrayList<>());

    @BeforeEach
    final void resetBackend() {
        MemoryBackend.reset();
        ForeignImageCheck.answer = null;
    }

    /** A new manager each time, as a new process has it. */
    final ClusterManager manager() {
        return provider.manager(folder);
    }

    final StateStore store() {
        return StateStore.inFolder(folder);
    }

    /** The standard options with the listener that keeps events. */
    final CreateOptions options() {
        return CreateOptions.standard().listener(events::add);
    }

    static NodeName node(int index) {
        return new NodeName("demo" + index);
    }

    /** The nodes that entered a phase, by name. */
    final List<NodeName> in(NodePhase phase) {
        return events.stream()
                .filter(ClusterEvent.NodeChanged.class::isInstance)
                .map(ClusterEvent.NodeChanged.class::cast)
                .filter(event -> event.phase() == phase)
                .map(ClusterEvent.NodeChanged::node)
                .sorted()
                .toList();
    }

    final List<Finding> notices() {
        return events.stream()
                .filter(ClusterEvent.Noticed.class::isInstance)
                .map(event -> ((ClusterEvent.Noticed) event).finding())
                .toList();
    }
}
