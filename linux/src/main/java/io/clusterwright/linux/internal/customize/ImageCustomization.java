package io.clusterwright.linux.internal.customize;

import io.clusterwright.core.Command;
import io.clusterwright.core.CommandResult;
import io.clusterwright.core.NodeSession;
import io.clusterwright.core.spec.ClusterSpec;
import io.clusterwright.core.spi.NodeBackend.PackageFeed;
import io.clusterwright.core.spi.NodeBackend.Trust;
import io.clusterwright.core.type.ClusterwrightException;
import io.clusterwright.linux.internal.membership.SshTrustFiles;
import io.clusterwright.linux.internal.node.Site;
import io.clusterwright.linux.internal.packages.Packages;
import io.clusterwright.linux.internal.slurm.SlurmPackages;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Carries out the customisation of an image, one small step after another. */
public final class ImageCustomization {
    private final Site site;
    private final PackageFeed feed;
    private @Nullable Packages packages;

    /** A customisation of the session's node. */
    public ImageCustomization(NodeSession session, ClusterSpec spec, PackageFeed feed, Consumer<String> progress) {
        this.site = new Site(session, spec, progress);
        this.feed = feed;
    }

    /** Brings the system up to date. */
    public void update() {
        requireSudo();
        SystemUpdate.run(site, feed);
    }

    /** Does everything but the updates. */
    public void customize(Trust trust) {
        requireSudo();
        Accounts.run(site);
        installPackages();
        Memlock.run(site);
        SshTrustFiles.run(site, trust);
        FileCopies.run(site);
        ScriptRuns.run(site);
    }

    /** Takes the identity off the node. */
    public void deprovision() {
        Deprovisioning.run(site);
    }

    /** One transaction for everything that comes from the distribution. */
    private void installPackages() {
        List<String> wanted = new ArrayList<>(site.customization().packages());
        wanted.addAll(MpiSetup.fromDistribution(site, this::packages));
        if (site.spec().image().capture()) {
            wanted.addAll(Deprovisioning.missingAgent(site, this::packages));
        }
        if (!wanted.isEmpty()) {
            packages().install(wanted);
            site.say("packages " + String.join(", ", wanted));
        }
        MpiSetup.run(site, this::packages);
        SlurmPackages.run(site, this::packages);
    }

    private Packages packages() {
        Packages known = packages;
        if (known == null) {
            known = Packages.of(site, feed);
            packages = known;
        }
        return known;
    }

    private void requireSudo() {
        CommandResult sudo = site.session().run(Command.of("true").elevate());
        if (!sudo.succeeded()) {
            throw new ClusterwrightException("on " + site.session().node() + ", user "
                    + site.session().user()
                    + " cannot use sudo without a prompt: " + sudo.stderr().strip() + "; put \""
                    + site.session().user()
                    + " ALL=(ALL) NOPASSWD:ALL\" into a file of /etc/sudoers.d");
        }
    }
}
