package io.clusterwright.linux.internal.customize;

import io.clusterwright.core.Command;
import io.clusterwright.core.CommandResult;
import io.clusterwright.core.NodeSession;
import io.clusterwright.core.internal.text.PrintableText;
import io.clusterwright.core.plan.RenderedFile;
import io.clusterwright.core.spec.ClusterSpec;
import io.clusterwright.core.spec.Customization;
import io.clusterwright.core.spec.SshTrust;
import io.clusterwright.core.spi.NodeBackend.PackageFeed;
import io.clusterwright.core.spi.RenderInput;
import io.clusterwright.core.type.ClusterwrightException;
import io.clusterwright.linux.internal.membership.SshTrustFiles;
import io.clusterwright.linux.internal.node.NodeSetup;
import io.clusterwright.linux.internal.packages.Packages;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The customisation of an image, one small step after another: carried out over a session, or written into user data. */
public final class ImageCustomization {
    private static final Step UPDATE = new Step(SystemUpdate::run, SystemUpdate::write);

    /** Every other step, in its order. Keys are written by a joining node alone: an image may serve several clusters. */
    private static final List<Step> STEPS = List.of(
            new Step(UserAccounts::run, UserAccounts::write),
            new Step(DistributionPackages::run, DistributionPackages::write),
            new Step(MpiSetup::run, MpiSetup::write),
            new Step(SlurmPackages::run, SlurmPackages::write),
            new Step(on -> Memlock.run(on.setup), Memlock::write),
            new Step(on -> {}, ImageCustomization::noteTrust),
            new Step(on -> FileCopies.run(on.setup), FileCopies::write),
            new Step(on -> CustomScripts.run(on.setup), CustomScripts::write));

    private final NodeSetup setup;
    private final PackageFeed feed;
    private @Nullable Packages packages;

    /** A customisation of the session's node. */
    public ImageCustomization(NodeSession session, ClusterSpec spec, PackageFeed feed, Consumer<String> progress) {
        this.setup = new NodeSetup(session, spec, progress);
        this.feed = feed;
    }

    /** Brings the system up to date. */
    public void update() {
        requireSudo();
        UPDATE.run.accept(this);
    }

    /** Does everything but the updates. */
    public void customize() {
        SshTrustFiles.requireSupported(wanted().ssh());
        requireSudo();
        STEPS.forEach(step -> step.run.accept(this));
    }

    /** Takes the identity off the node. */
    public void deprovision() {
        Deprovisioning.run(setup);
    }

    /** User data with which a machine does all of it by itself. */
    public static RenderedFile userData(RenderInput input) {
        CloudConfig data = new CloudConfig(input);
        UPDATE.write.accept(data);
        STEPS.forEach(step -> step.write.accept(data));
        return data.file();
    }

    NodeSetup setup() {
        return setup;
    }

    Customization wanted() {
        return setup.customization();
    }

    Packages packages() {
        Packages known = packages;
        if (known == null) {
            known = Packages.of(setup, feed);
            packages = known;
        }
        return known;
    }

    private static void noteTrust(CloudConfig data) {
        SshTrust.Trust wanted = data.customization().ssh().trust();
        if (wanted != SshTrust.Trust.NONE) {
            data.note("trust between the nodes (image.customize.ssh.trust: " + wanted
                    + ") is not set up: it needs private keys, and this file must not hold them. Put a key pair"
                    + " into ~/.ssh of " + data.input().spec().mpiUser()
                    + " on every node, and the public key into authorized_keys");
        }
    }

    private void requireSudo() {
        CommandResult sudo = setup.session().run(Command.of("true").elevate());
        if (!sudo.succeeded()) {
            throw new ClusterwrightException("on " + setup.session().node() + ", user "
                    + setup.session().user()
                    + " cannot use sudo without a password: " + PrintableText.output(sudo.stderr())
                    + "; run there as root: echo '"
                    + setup.session().user()
                    + " ALL=(ALL) NOPASSWD:ALL' >/etc/sudoers.d/90-clusterwright");
        }
    }

    /** One step in both ways. */
    private record Step(Consumer<ImageCustomization> run, Consumer<CloudConfig> write) {}
}
