package io.clusterwright.core.internal.create;

import io.clusterwright.core.cluster.NodeSession;
import io.clusterwright.core.event.NodePhase;
import io.clusterwright.core.spi.ImageSource;
import io.clusterwright.core.spi.Machine;
import io.clusterwright.core.spi.MachineRequest;
import io.clusterwright.core.spi.PackageFeed;

/** The one machine from which an image is made. */
final class Template {
    private final Work work;
    private final Machine machine;

    private Template(Work work, Machine machine) {
        this.work = work;
        this.machine = machine;
    }

    /** Boots it and waits until it is proven ready. */
    static Template boot(Work work, NodePlan addresses, ImageSource image) {
        MachineRequest request = work.request(addresses.templateName(), addresses.templateAddress(), image);
        work.events.node(request.name(), NodePhase.CREATING, "");
        Machine machine = work.make(request);
        work.events.node(request.name(), NodePhase.BOOTING, machine.address().toString());
        work.sessions.awaitReady(
                machine, work.spec().login().user(), work.spec().nodes().deadline());
        work.events.node(machine.name(), NodePhase.READY, "a command ran over SSH with the pinned host key");
        return new Template(work, machine);
    }

    NodeSession session() {
        return work.sessions.session(machine, work.spec().login().user());
    }

    PackageFeed packageFeed() {
        return work.provider.packageFeed(work.spec().name(), machine);
    }

    /** Keeps its disk as an image, and deletes it. */
    void become(String image) {
        work.sessions.drop(machine.name());
        work.provider.capture(work.spec().name(), machine, image);
        work.provider.delete(work.spec().name(), machine.resource());
        work.deleted(machine.resource());
        work.events.node(machine.name(), NodePhase.DELETED, "");
    }
}
