package io.clusterwright.core.internal.lifecycle;

import io.clusterwright.core.ClusterEvent.NodePhase;
import io.clusterwright.core.NodeSession;
import io.clusterwright.core.spi.ImageSource;
import io.clusterwright.core.spi.Machine;
import io.clusterwright.core.spi.MachineProvider.MachineRequest;
import io.clusterwright.core.spi.NodeBackend.PackageFeed;
import io.clusterwright.core.type.Ipv4Address;
import io.clusterwright.core.type.NodeName;
import java.util.function.Consumer;

/** A machine that serves an image and is gone before there are nodes: the one it is made from, or the one that tests it. */
final class ImageMachine {
    private final ClusterWork work;
    private final Machine machine;

    private ImageMachine(ClusterWork work, Machine machine) {
        this.work = work;
        this.machine = machine;
    }

    /** Boots it and waits until it is proven ready. */
    static ImageMachine boot(ClusterWork work, NodeName name, Ipv4Address address, ImageSource image) {
        MachineRequest request = work.request(name, address, image);
        work.events.node(request.name(), NodePhase.CREATING, "");
        Machine machine = work.make(request);
        work.events.node(request.name(), NodePhase.BOOTING, machine.address().toString());
        work.sessions.awaitReady(
                machine, work.spec.login().user(), work.spec.nodes().deadline());
        work.events.node(machine.name(), NodePhase.READY, "a command ran over SSH with the pinned host key");
        return new ImageMachine(work, machine);
    }

    Machine machine() {
        return machine;
    }

    /** A session for the commands of a step, which a lost connection does not end. */
    NodeSession session(Consumer<String> progress) {
        return work.steadySession(machine, progress);
    }

    PackageFeed packageFeed() {
        return work.provider.packageFeed(work.cluster(), machine);
    }

    /** Keeps its disk as an image that does not count yet, and deletes it. */
    void become(String image) {
        work.sessions.drop(machine.name());
        String owner = work.images.mark();
        work.provider.capture(
                work.cluster(), machine, image, owner, work.spec.nodes().count());
        ClusterLog.captured(work.spec.name(), image);
        delete();
    }

    void delete() {
        work.sessions.drop(machine.name());
        work.delete(machine.resource());
        work.keys.removeHost(machine.name());
        work.events.node(machine.name(), NodePhase.DELETED, "");
    }
}
