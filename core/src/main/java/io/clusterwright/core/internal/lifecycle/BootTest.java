package io.clusterwright.core.internal.lifecycle;

import io.clusterwright.core.CheckReport;
import io.clusterwright.core.Cluster;
import io.clusterwright.core.NodeSession;
import io.clusterwright.core.NodeUnreachableException;
import io.clusterwright.core.StoredImage;
import io.clusterwright.core.internal.concurrent.Tasks;
import io.clusterwright.core.internal.planning.NodePlan;
import io.clusterwright.core.internal.service.Services;
import io.clusterwright.core.plan.Step;
import io.clusterwright.core.spi.ClusterCheck;
import io.clusterwright.core.spi.ImageSource;
import io.clusterwright.core.spi.Machine;
import io.clusterwright.core.type.ClusterwrightException;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * Boots one machine from a captured image, under a name and a host key that the image has never seen, and proves it. Only then does the
 * image count; one that fails is deleted.
 */
final class BootTest {
    private final ClusterWork work;
    private final NodePlan addresses;

    BootTest(ClusterWork work, NodePlan addresses) {
        this.work = work;
        this.addresses = addresses;
    }

    /**
     * Tests the customised image: a machine of it is reached, becomes the only member of a cluster, and passes the checks that are about
     * an image.
     */
    void ofImage(String image) {
        test(image, test -> {
            List<Machine> alone = List.of(test.machine());
            work.join(test.machine(), alone);
            // Not closed: it would close the sessions of the whole creation.
            work.steadily(test.machine(), Step.BOOT_TEST, session -> check(work.cluster(alone), session));
        });
    }

    /** Tests an updated base, which no node boots: a machine of it becomes ready. */
    void ofUpdates(String image) {
        test(image, test -> {});
    }

    private void test(String image, Consumer<ImageMachine> proof) {
        work.events.step(Step.BOOT_TEST, addresses.testName() + " from " + image, () -> {
            ImageMachine passed = counts(image, () -> {
                ImageMachine test = ImageMachine.boot(
                        work, addresses.testName(), addresses.templateAddress(), new ImageSource.Captured(image));
                proof.accept(test);
                return test;
            });
            passed.delete();
        });
    }

    /** Lets an image count that a machine was booted from; deletes it when that fails. */
    ImageMachine counts(String image, Supplier<ImageMachine> boot) {
        ImageMachine machine;
        try {
            machine = boot.get();
        } catch (RuntimeException | Error e) {
            throw refused(image, e);
        }
        work.provider.proven(image);
        return machine;
    }

    /** Throws another exception where it was the connection that failed. */
    private void check(Cluster cluster, NodeSession session) {
        for (ClusterCheck check : Services.of(ClusterCheck.class)) {
            if (!check.provesImage() || !check.wanted(work.spec)) {
                continue;
            }
            CheckReport report = check.run(cluster, line -> work.events.progress(Step.BOOT_TEST, line));
            work.events.progress(Step.BOOT_TEST, report.check() + ": " + report.summary());
            if (report.status() != CheckReport.Status.PASSED) {
                throw session.isOpen()
                        ? new ClusterwrightException("check " + report.check() + ": " + report.summary())
                        : new NodeUnreachableException(session.node(), report.summary());
            }
        }
    }

    private ClusterwrightException refused(String image, Throwable cause) {
        String fate = Tasks.uninterruptibly(() -> {
            try {
                if (work.images.find(image).filter(StoredImage::proven).isPresent()) {
                    return "another creation has built it meanwhile, and it is kept";
                }
                work.provider.deleteImage(image);
                work.deleted(ClusterWork.image(image));
                return "it was deleted";
            } catch (RuntimeException e) {
                return "it could not be deleted and does not count: " + e.getMessage();
            }
        });
        return new ClusterwrightException(
                "image " + image + " did not pass its boot test; " + fate + ". The machine booted from it: "
                        + cause.getMessage()
                        + ". Check what the customisation changed in the boot, in SSH or in the MPI",
                cause);
    }
}
