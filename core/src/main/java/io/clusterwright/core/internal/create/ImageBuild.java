package io.clusterwright.core.internal.create;

import io.clusterwright.core.plan.Step;
import io.clusterwright.core.spec.Customization.Updates;
import io.clusterwright.core.spi.ImageSource;

/** Makes the image that the nodes boot from: one template machine, customised, deprovisioned, captured, deleted; and one that tests it. */
final class ImageBuild {
    private final CreationContext work;
    private final NodePlan addresses;
    private final BootTest tests;

    ImageBuild(CreationContext work, NodePlan addresses) {
        this.work = work;
        this.addresses = addresses;
        this.tests = new BootTest(work, addresses);
    }

    /** Makes the updated base and nothing else. */
    void prepare() {
        if (base() instanceof ImageSource.Captured updated && !work.plan.image().updatesExist()) {
            tests.ofUpdates(updated.name());
        }
    }

    /**
     * What the template boots from. Where images are layers, updates of the distribution, which take far longer than all the
     * rest, are made into an image of their own once, and used again until the base or its package lists change.
     */
    private ImageSource base() {
        ImageSource base = new ImageSource.Base(work.spec().image().base());
        if (!wantsUpdates() || !work.provider.layersImages()) {
            return base;
        }
        String updated = work.plan.image().updatesName();
        if (!work.plan.image().updatesExist()) {
            work.events.step(Step.UPDATES, "install updates once, and keep them as " + updated, () -> {
                ImageMachine template = boot(base);
                work.backend.update(
                        template.session(), work.spec(), template.packageFeed(), line -> progress(Step.UPDATES, line));
                template.become(updated);
            });
        }
        return new ImageSource.Captured(updated);
    }

    ImageSource build() {
        ImageSource base = base();
        ImageMachine template =
                work.events.step(Step.TEMPLATE, "boot " + addresses.templateName(), () -> template(base));
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
        tests.ofImage(image);
        return new ImageSource.Captured(image);
    }

    /** The template's own boot is the test of a base that was just made. */
    private ImageMachine template(ImageSource base) {
        return base instanceof ImageSource.Captured updated
                        && !work.plan.image().updatesExist()
                ? tests.counts(updated.name(), () -> boot(base))
                : boot(base);
    }

    private ImageMachine boot(ImageSource base) {
        return ImageMachine.boot(work, addresses.templateName(), addresses.templateAddress(), base);
    }

    private boolean wantsUpdates() {
        return work.spec().image().customize().updates().install() != Updates.Install.NONE;
    }

    private void progress(Step step, String line) {
        work.events.progress(step, line);
    }
}
