package io.clusterwright.core.internal.create;

import io.clusterwright.core.plan.Step;
import io.clusterwright.core.spec.Updates;
import io.clusterwright.core.spi.ImageSource;

/** Makes the image that the nodes boot from: one template machine, customised, deprovisioned, captured, deleted. */
final class ImageBuild {
    private final Work work;
    private final NodePlan addresses;

    ImageBuild(Work work, NodePlan addresses) {
        this.work = work;
        this.addresses = addresses;
    }

    /**
     * What the template boots from. Where images are layers, updates of the distribution, which take far longer than all the
     * rest, are made into an image of their own once, and used again until the base or its package lists change.
     */
    ImageSource base() {
        ImageSource base = new ImageSource.Base(work.spec().image().base());
        if (!wantsUpdates() || !work.provider.layersImages()) {
            return base;
        }
        String updated = work.plan.image().updatesName();
        if (!work.plan.image().updatesExist()) {
            work.events.step(Step.UPDATES, "install updates once, and keep them as " + updated, () -> {
                Template template = Template.boot(work, addresses, base);
                work.backend.update(
                        template.session(), work.spec(), template.packageFeed(), line -> progress(Step.UPDATES, line));
                template.become(updated);
            });
        }
        return new ImageSource.Captured(updated);
    }

    ImageSource build() {
        ImageSource base = base();
        Template template = work.events.step(
                Step.TEMPLATE, "boot " + addresses.templateName(), () -> Template.boot(work, addresses, base));
        work.events.step(Step.CUSTOMIZE, "as " + work.spec().login().user() + " with sudo", () -> {
            if (base instanceof ImageSource.Captured updated) {
                progress(Step.CUSTOMIZE, "updates: those of the base " + updated.name());
            } else if (wantsUpdates()) {
                work.backend.update(
                        template.session(),
                        work.spec(),
                        template.packageFeed(),
                        line -> progress(Step.CUSTOMIZE, line));
            }
            work.backend.customize(
                    template.session(),
                    work.spec(),
                    template.packageFeed(),
                    work.keys.trust(),
                    line -> progress(Step.CUSTOMIZE, line));
        });
        work.events.step(
                Step.DEPROVISION,
                "remove what must not be in an image",
                () -> work.backend.deprovision(
                        template.session(), work.spec(), line -> progress(Step.DEPROVISION, line)));
        String image = work.plan.image().name();
        work.events.step(Step.CAPTURE, image, () -> template.become(image));
        return new ImageSource.Captured(image);
    }

    private boolean wantsUpdates() {
        return work.spec().image().customize().updates().install() != Updates.Install.NONE;
    }

    private void progress(Step step, String line) {
        work.events.progress(step, line);
    }
}
