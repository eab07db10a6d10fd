package io.clusterwright.linux.internal.customize;

import io.clusterwright.core.spec.Customization.Updates;
import io.clusterwright.core.spec.Customization.Updates.Install;
import io.clusterwright.core.spec.Customization.Updates.Kernel;
import io.clusterwright.core.spi.NodeBackend.PackageFeed;
import io.clusterwright.core.type.ClusterwrightException;
import io.clusterwright.linux.internal.node.Site;
import io.clusterwright.linux.internal.packages.Packages;
import java.util.ArrayList;
import java.util.List;

/** Brings a system up to date. A held kernel is compared before and after: the drivers of a fabric are built for it. */
final class SystemUpdate {
    private SystemUpdate() {}

    static void run(Site site, PackageFeed feed) {
        Updates updates = site.customization().updates();
        if (updates.install() == Install.NONE) {
            return;
        }
        Packages packages = Packages.of(site, feed);
        boolean hold = updates.kernel() == Kernel.HOLD;
        List<String> before = packages.kernels();
        packages.holdKernel(hold, before);
        int count = packages.update();
        String kind = updates.install() == Install.SECURITY ? "security updates" : "updates";
        site.say(count == 0 ? "no " + kind + " are missing" : "installed " + count + " " + kind);
        if (hold) {
            requireSameKernel(site, before, packages.kernels());
            site.say(
                    before.isEmpty()
                            ? "no kernel package is installed here"
                            : "the kernel is as it was: " + before.get(0));
        }
    }

    static void requireSameKernel(Site site, List<String> before, List<String> after) {
        if (!before.equals(after)) {
            List<String> gone = new ArrayList<>(before);
            gone.removeAll(after);
            List<String> added = new ArrayList<>(after);
            added.removeAll(before);
            throw new ClusterwrightException("on " + site.session().node() + ", the update changed the kernel although"
                    + " updates.kernel is hold: gone " + gone + ", new " + added
                    + "; the driver of the fabric may not load."
                    + " Start again from the base image, and set updates.install to none if this repeats");
        }
    }
}
