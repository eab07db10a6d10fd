package io.clusterwright.core.internal.create;

import io.clusterwright.core.cluster.NodeSession;
import io.clusterwright.core.event.NodePhase;
import io.clusterwright.core.plan.Step;
import io.clusterwright.core.spec.Updates;
import io.clusterwright.core.spi.ImageSource;
import io.clusterwright.core.spi.Machine;
import io.clusterwright.core.spi.MachineRequest;
import io.clusterwright.core.spi.PackageFeed;
import io.clusterwright.core.type.UserName;

/** Makes the image that the nodes boot from: one template machine, customised, deprovisioned, captured, deleted. */
final class ImageBuild {
    private final Work work;
    private final NodePlan addresses;

    ImageBuild(Work work, NodePlan addresses) {
        this.work = work;
        this.addresses = addresses;
    }

    ImageSource build() {
        boolean updatesWanted = work.spec().image().customize().updates().install() != Updates.Install.NONE;
        boolean updated = updatesWanted && work.plan.image().updatesExist();
        ImageSource base = updated
                ? new ImageSource.Captured(work.plan.image().updatesName())
                : new ImageSource.Base(work.spec().image().base());
        UserName login = work.spec().login().user();

        Machine template = work.events.step(Step.TEMPLATE, "boot " + addresses.templateName(), () -> {
            Machine made = boot(base);
            work.sessions.awaitReady(made, login, work.spec().nodes().deadline());
            work.events.node(made.name(), NodePhase.READY, "a command ran over SSH with the pinned host key");
            return made;
        });
        NodeSession node = work.sessions.session(template, login);
        PackageFeed feed = work.provider.packageFeed(work.spec().name(), template);
        work.events.step(Step.CUSTOMIZE, "as " + login + " with sudo", () -> {
            if (updated) {
                work.events.progress(
                        Step.CUSTOMIZE, "updates: kept from an earlier run (" + work.plan.image().updatesName() + ")");
            } else if (updatesWanted) {
                work.backend.update(node, work.spec(), feed, this::progress);
                checkpoint(template);
            }
            work.backend.customize(node, work.spec(), feed, work.keys.trust(), this::progress);
        });
        work.events.step(
                Step.DEPROVISION,
                "remove what must not be in an image",
                () -> work.backend.deprovision(
                        node, work.spec(), line -> work.events.progress(Step.DEPROVISION, line)));
        work.sessions.drop(template.name());
        String image = work.plan.image().name();
        work.events.step(Step.CAPTURE, image, () -> {
            work.provider.capture(work.spec().name(), template, image, false);
            work.provider.delete(work.spec().name(), template.resource());
            work.deleted(template.resource());
            work.events.node(template.name(), NodePhase.DELETED, "");
        });
        return new ImageSource.Captured(image);
    }

    private Machine boot(ImageSource base) {
        MachineRequest request = work.request(addresses.templateName(), addresses.templateAddress(), base);
        work.events.node(request.name(), NodePhase.CREATING, "");
        Machine machine = work.make(request);
        work.events.node(request.name(), NodePhase.BOOTING, machine.address().toString());
        return machine;
    }

    private void checkpoint(Machine template) {
        if (work.provider.canCheckpoint()) {
            work.provider.capture(work.spec().name(), template, work.plan.image().updatesName(), true);
            progress("updates: kept for later runs (" + work.plan.image().updatesName() + ")");
        }
    }

    private void progress(String line) {
        work.events.progress(Step.CUSTOMIZE, line);
    }
}
