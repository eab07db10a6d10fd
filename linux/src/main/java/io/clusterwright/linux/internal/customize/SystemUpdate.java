package io.clusterwright.linux.internal.customize;

import io.clusterwright.core.spec.Customization.Updates;
import io.clusterwright.core.spec.Customization.Updates.Install;
import io.clusterwright.core.spec.Customization.Updates.Kernel;
import io.clusterwright.core.spi.NodeBackend.PackageFeed.Supply;
import io.clusterwright.core.type.ClusterwrightException;
import io.clusterwright.linux.internal.node.NodeSetup;
import io.clusterwright.linux.internal.packages.PackageManager;
import io.clusterwright.linux.internal.packages.Packages;
import java.util.ArrayList;
import java.util.List;

/** Brings a system up to date. A held kernel is compared before and after: the drivers of a fabric are built for it. */
final class SystemUpdate {
    private SystemUpdate() {}

    static void run(ImageCustomization on) {
        Updates updates = on.wanted().updates();
        if (updates.install() == Install.NONE) {
            return;
        }
        Packages packages = on.packages();
        boolean hold = updates.kernel() == Kernel.HOLD;
        List<String> before = packages.kernels();
        packages.holdKernel(hold, before);
        int count = packages.update();
        String kind = kind(updates);
        on.setup().report(count == 0 ? "no " + kind + " are missing" : "installed " + count + " " + kind);
        if (hold) {
            requireSameKernel(on.setup(), before, packages.kernels());
            on.setup()
                    .report(
                            before.isEmpty()
                                    ? "no kernel package is installed here"
                                    : "the kernel is as it was: " + before.get(0));
        }
    }

    /** A held kernel is locked first. */
    static void write(CloudConfig data) {
        Updates updates = data.customization().updates();
        if (updates.install() != Install.NONE) {
            boolean hold = updates.kernel() == Kernel.HOLD;
            data.step(
                    kind(updates) + (hold ? ", with the kernel as it is" : ""),
                    manager -> lines(manager, updates.install(), hold));
        }
    }

    private static List<String> lines(PackageManager manager, Install which, boolean hold) {
        List<String> lines = new ArrayList<>();
        String update = CloudConfig.line(manager.update(which, hold, List.of(), Supply.ONLINE));
        if (manager == PackageManager.APT) {
            if (hold) {
                lines.add("dpkg-query -W -f '${db:Status-Status} ${Package}\\n' | sed -n -E 's/^installed ("
                        + PackageManager.DEBIAN_KERNEL + ")$/\\1/p' |\n        xargs -r apt-mark hold");
            }
            lines.add("apt-get -q update");
            lines.add("apt-get -s -q dist-upgrade | sed -n '/^Inst [^ ]* \\[/p'"
                    + (which == Install.SECURITY ? " | grep -e '-[Ss]ecurity'" : "")
                    + " | cut -d ' ' -f 2 |\n        xargs -r " + update);
            return lines;
        }
        List<String> lock = manager.holdKernel(hold, List.of());
        if (hold && !lock.isEmpty()) {
            lines.add(CloudConfig.line(lock));
        }
        lines.add(update);
        return lines;
    }

    private static String kind(Updates updates) {
        return updates.install() == Install.SECURITY ? "security updates" : "updates";
    }

    private static void requireSameKernel(NodeSetup setup, List<String> before, List<String> after) {
        if (!before.equals(after)) {
            List<String> gone = new ArrayList<>(before);
            gone.removeAll(after);
            List<String> added = new ArrayList<>(after);
            added.removeAll(before);
            throw new ClusterwrightException("on " + setup.session().node() + ", the update changed the kernel although"
                    + " updates.kernel is hold: removed " + gone + ", added " + added
                    + "; the RDMA driver may not load."
                    + " Create the image again, and write updates: {install: none} if this repeats");
        }
    }
}
