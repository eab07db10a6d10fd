package io.clusterwright.core.internal.lifecycle;

import io.clusterwright.core.StoredImage;
import io.clusterwright.core.internal.concurrent.Tasks;
import io.clusterwright.core.internal.planning.ComputedPlan.ImagePlan;
import io.clusterwright.core.internal.planning.ImageRecipe;
import io.clusterwright.core.internal.planning.NodePlan;
import io.clusterwright.core.plan.Step;
import io.clusterwright.core.spi.ImageSource;
import io.clusterwright.core.spi.MachineProvider.ImageClaim;
import io.clusterwright.core.type.ClusterwrightException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Builds the image of the nodes, by the steps of {@link ImagePlan#steps}, on one template machine. Used once, by one thread. */
final class ImageBuild {
    private final ClusterWork work;
    private final ImagePlan image;
    private final NodePlan addresses;
    private final BootTest tests;
    private @Nullable ImageMachine template;
    private String unproven = "";
    private boolean replaces;

    ImageBuild(ClusterWork work, ImagePlan image, NodePlan addresses) {
        this.work = work;
        this.image = image;
        this.addresses = addresses;
        this.tests = new BootTest(work, addresses);
    }

    /** Builds only the updated base, and tests it. */
    void buildUpdatedBase() {
        once(image.updatesName(), false, () -> {
            carryOut(Step.UPDATES);
            tests.ofUpdates(image.updatesName());
        });
    }

    /**
     * Builds the image, and tests it, unless another creation of the same recipe has done so meanwhile.
     *
     * @param fresh whether it is built even then
     */
    ImageSource build(boolean fresh) {
        replaces = fresh;
        once(image.name(), fresh, () -> {
            List<Step> steps = new ArrayList<>(image.steps(work.spec));
            if (steps.remove(Step.UPDATES)) {
                once(image.updatesName(), false, () -> {
                    carryOut(Step.UPDATES);
                    carryOut(Step.TEMPLATE);
                    steps.remove(Step.TEMPLATE);
                });
            }
            steps.forEach(this::carryOut);
        });
        return new ImageSource.Captured(image.name());
    }

    /** Builds an image while no other creation does; announced before, so that what a killed process leaves is found. */
    private void once(String name, boolean fresh, Runnable building) {
        work.creating(ClusterWork.image(name));
        ImageClaim claim = work.claim(name);
        try {
            if (!fresh && work.images.find(name).filter(StoredImage::proven).isPresent()) {
                work.events.step(Step.TEMPLATE, "kept image " + name + ": another creation built it", () -> {});
            } else {
                unproven = name;
                building.run();
            }
        } finally {
            Tasks.uninterruptibly(() -> {
                claim.close();
                return true;
            });
        }
        // Only now: what a process leaves that is killed before, the claim too, is found by the announcement.
        work.kept(name);
    }

    private void carryOut(Step step) {
        switch (step) {
            case UPDATES -> {
                String updated = image.updatesName();
                work.events.step(
                        step, "install updates once, and keep them as " + updated, () -> captureUpdates(updated));
            }
            case TEMPLATE ->
                template = work.events.step(step, "boot " + addresses.templateName(), () -> bootTemplate(base()));
            case CUSTOMIZE ->
                work.events.step(
                        step, "as " + work.spec.login().user() + " with sudo", () -> customize(template(), base()));
            case DEPROVISION ->
                work.events.step(
                        step,
                        "remove what must not be in an image",
                        () -> work.steadily(
                                template().machine(),
                                step,
                                session -> work.backend.deprovision(
                                        session, work.spec, line -> work.events.progress(step, line))));
            case GENERALIZE -> {
                // Part of the provider's capture: some clouds do it in the same call, local machines need none.
            }
            case CAPTURE ->
                work.events.step(step, image.name(), () -> {
                    if (!replaces) {
                        requireUnproven(image.name());
                    }
                    template().become(image.name());
                });
            case BOOT_TEST -> tests.ofImage(image.name());
            default -> throw new IllegalStateException(step + " does not build an image");
        }
    }

    private ImageMachine template() {
        if (template == null) {
            throw new IllegalStateException("the template has not been booted");
        }
        return template;
    }

    /**
     * The image that the template boots from. Where images are layers, the distribution's updates, which take far longer than all the rest,
     * are captured once in a separate image, and reused until the base or its package lists change.
     */
    private ImageSource base() {
        return ImageRecipe.installsUpdates(work.spec) && image.updatesApart()
                ? new ImageSource.Captured(image.updatesName())
                : new ImageSource.Base(work.spec.image().base());
    }

    private void captureUpdates(String name) {
        ImageMachine machine = boot(new ImageSource.Base(work.spec.image().base()));
        update(machine, Step.UPDATES);
        requireUnproven(name);
        machine.become(name);
    }

    /** A creation that stood still for long lost its claim to another, whose image nodes may boot from by now. */
    private void requireUnproven(String name) {
        if (work.images.find(name).filter(StoredImage::proven).isPresent()) {
            throw new ClusterwrightException("another creation has built image " + name
                    + " meanwhile, and it is kept: run the command again, which uses it");
        }
    }

    private void update(ImageMachine machine, Step step) {
        Consumer<String> progress = line -> work.events.progress(step, line);
        work.backend.update(machine.session(progress), work.spec, machine.packageFeed(), progress);
    }

    private void customize(ImageMachine machine, ImageSource base) {
        if (base instanceof ImageSource.Captured updated) {
            work.events.progress(Step.CUSTOMIZE, "updates: taken from the updated base " + updated.name());
        } else if (ImageRecipe.installsUpdates(work.spec)) {
            update(machine, Step.CUSTOMIZE);
        }
        Consumer<String> progress = line -> work.events.progress(Step.CUSTOMIZE, line);
        work.backend.customize(machine.session(progress), work.spec, machine.packageFeed(), progress);
    }

    /** The template's own boot is the test of a base that was just built. */
    private ImageMachine bootTemplate(ImageSource base) {
        return base instanceof ImageSource.Captured updated && updated.name().equals(unproven)
                ? tests.counts(updated.name(), () -> boot(base))
                : boot(base);
    }

    private ImageMachine boot(ImageSource base) {
        return ImageMachine.boot(work, addresses.templateName(), addresses.templateAddress(), base);
    }
}
