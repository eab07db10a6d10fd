package io.clusterwright.linux.internal.customize;

import io.clusterwright.core.internal.text.PosixShell;
import io.clusterwright.core.spec.MpiFlavour;
import io.clusterwright.core.spec.MpiInstall;
import io.clusterwright.core.spec.MpiInstall.MpiSource;
import io.clusterwright.core.spi.NodeBackend.PackageFeed.Supply;
import io.clusterwright.core.type.ClusterwrightException;
import io.clusterwright.linux.internal.packages.PackageManager;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Everything that comes from the distribution, in one transaction: the packages of the spec, the packages of the MPI, and the Azure agent. */
final class DistributionPackages {
    private DistributionPackages() {}

    static void run(ImageCustomization on) {
        List<String> wanted = new ArrayList<>(on.wanted().packages());
        mpi(on.wanted().mpi()).ifPresent(flavour -> {
            PackageManager manager = on.packages().manager();
            if (manager.mpi(flavour).isEmpty()) {
                throw new ClusterwrightException("on " + on.setup().session().node() + ", the distribution's " + manager
                        + " has no package of " + flavour
                        + ": write mpi: {install: image} if the image has it, or install: {archive: URL, sha256: …}");
            }
            wanted.addAll(manager.mpi(flavour));
        });
        if (on.setup().spec().image().capture() && Deprovisioning.agentIsMissing(on.setup())) {
            wanted.add(on.packages().manager().agent());
        }
        if (!wanted.isEmpty()) {
            on.packages().install(wanted);
            on.setup().report("packages " + String.join(", ", wanted));
        }
    }

    static void write(CloudConfig data) {
        List<String> named = data.customization().packages();
        Optional<MpiFlavour> mpi = mpi(data.customization().mpi());
        if (named.isEmpty() && mpi.isEmpty()) {
            return;
        }
        String title = named.isEmpty() ? "" : "packages " + String.join(", ", named);
        data.step(
                title
                        + mpi.map(flavour -> (named.isEmpty() ? "" : "; ") + flavour + " from the distribution")
                                .orElse(""),
                manager -> lines(manager, named, mpi));
    }

    private static List<String> lines(PackageManager manager, List<String> named, Optional<MpiFlavour> mpi) {
        List<String> wanted = new ArrayList<>(named);
        mpi.ifPresent(flavour -> wanted.addAll(manager.mpi(flavour)));
        if (mpi.isPresent() && wanted.size() == named.size()) {
            return List.of("fail "
                    + PosixShell.quote(manager + " has no package of " + mpi.get()
                            + ": set image.customize.mpi.install to image where the image holds it, or to an archive"));
        }
        String install = CloudConfig.line(manager.install(wanted, Supply.ONLINE));
        return manager == PackageManager.ZYPPER
                ? List.of(install)
                : List.of(CloudConfig.line(manager.refresh()), install);
    }

    private static Optional<MpiFlavour> mpi(Optional<MpiInstall> mpi) {
        return mpi.filter(one -> one.install() instanceof MpiSource.Distribution)
                .map(MpiInstall::flavour);
    }
}
