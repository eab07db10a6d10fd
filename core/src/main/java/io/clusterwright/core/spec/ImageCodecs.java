package io.clusterwright.core.spec;

import io.clusterwright.core.internal.spec.Codec;
import io.clusterwright.core.internal.spec.Codecs;
import io.clusterwright.core.internal.spec.RecordCodec;
import io.clusterwright.core.type.FileMode;
import io.clusterwright.core.type.GroupName;
import io.clusterwright.core.type.ImageReference;
import io.clusterwright.core.type.MemlockLimit;
import io.clusterwright.core.type.MemlockSubject;
import io.clusterwright.core.type.UserName;
import java.util.List;

/** The names of what a description says of the image. */
final class ImageCodecs {
    static final Codec<UserName> USER_NAME = Codecs.parsed("a user name", "hpcuser", UserName::parse);

    private static final RecordCodec<UserAccount, UserAccount.Builder> USER = RecordCodec.of(
                    "user", UserAccount::builder, UserAccount.Builder::build)
            .required("name", USER_NAME, UserAccount::name, UserAccount.Builder::name)
            .defaulted(
                    "groups",
                    Codecs.listOf(Codecs.parsed("a group name", "hpc", GroupName::parse)),
                    UserAccount::groups,
                    UserAccount.Builder::groups,
                    List.of());

    private static final RecordCodec<Updates, Updates.Builder> UPDATES = RecordCodec.of(
                    "updates", Updates::builder, Updates.Builder::build)
            .defaulted(
                    "install",
                    Codecs.oneOf(Updates.Install.class),
                    Updates::install,
                    Updates.Builder::install,
                    Updates.Install.NONE)
            .defaulted(
                    "kernel",
                    Codecs.oneOf(Updates.Kernel.class),
                    Updates::kernel,
                    Updates.Builder::kernel,
                    Updates.Kernel.HOLD);

    private static final RecordCodec<MemlockRule, MemlockRule.Builder> MEMLOCK = RecordCodec.of(
                    "memlock", MemlockRule::builder, MemlockRule.Builder::build)
            .required(
                    "who",
                    Codecs.parsed("a user, @group or *", "\"@hpc\"", MemlockSubject::parse),
                    MemlockRule::who,
                    MemlockRule.Builder::who)
            .required(
                    "limit",
                    Codecs.parsed("a number of KiB or unlimited", "unlimited", MemlockLimit::parse),
                    MemlockRule::limit,
                    MemlockRule.Builder::limit);

    private static final RecordCodec<SshTrust, SshTrust.Builder> TRUST = RecordCodec.of(
                    "ssh", SshTrust::builder, SshTrust.Builder::build)
            .defaulted(
                    "trust",
                    Codecs.oneOf(SshTrust.Trust.class),
                    SshTrust::trust,
                    SshTrust.Builder::trust,
                    SshTrust.Trust.CLUSTER_KEY)
            .defaulted(
                    "hostKeys",
                    Codecs.oneOf(SshTrust.HostKeys.class),
                    SshTrust::hostKeys,
                    SshTrust.Builder::hostKeys,
                    SshTrust.HostKeys.PINNED)
            .defaulted(
                    "acceptRange",
                    Codecs.listOf(Codecs.parsed(
                            "a range of addresses",
                            "10.32.0.*",
                            Checks::addressPattern,
                            Checks.ADDRESS_PATTERN.regex())),
                    SshTrust::acceptRange,
                    SshTrust.Builder::acceptRange,
                    List.of());

    private static final RecordCodec<FileCopy, FileCopy.Builder> FILE = RecordCodec.of(
                    "files", FileCopy::builder, FileCopy.Builder::build)
            .required("from", path("./solver.conf"), FileCopy::from, FileCopy.Builder::from)
            .required(
                    "to",
                    Codecs.parsed(
                            "an absolute path",
                            "/opt/app/solver.conf",
                            Checks::absolutePath,
                            Checks.ABSOLUTE_PATH.regex()),
                    FileCopy::to,
                    FileCopy.Builder::to)
            .defaulted(
                    "mode",
                    Codecs.parsed("a file mode", "\"0644\"", FileMode::parse),
                    FileCopy::mode,
                    FileCopy.Builder::mode,
                    FileMode.parse("0644"));

    private static final RecordCodec<Script, Script.Builder> SCRIPT = RecordCodec.of(
                    "scripts", Script::builder, Script.Builder::build)
            .required(
                    "name",
                    Codecs.parsed("a name", "install-app", text -> Checks.label("script name", text)),
                    Script::name,
                    Script.Builder::name)
            .required("path", path("./install-app.sh"), Script::path, Script.Builder::path)
            .defaulted("sudo", Codecs.bool(), Script::sudo, Script.Builder::sudo, false)
            .defaulted(
                    "timeout",
                    Codecs.duration("15m"),
                    Script::timeout,
                    Script.Builder::timeout,
                    Script.DEFAULT_TIMEOUT);

    private static final RecordCodec<Customization, Customization.Builder> CUSTOMIZE = RecordCodec.of(
                    "customize", Customization::builder, Customization.Builder::build)
            .optional("user", USER, Customization::user, Customization.Builder::user)
            .part("updates", UPDATES, Customization::updates, Customization.Builder::updates)
            .defaulted(
                    "packages",
                    Codecs.listOf(
                            Codecs.parsed("a package name", "nfs-common", Checks::packageName, Checks.PACKAGE.regex())),
                    Customization::packages,
                    Customization.Builder::packages,
                    List.of())
            .defaulted(
                    "memlock",
                    Codecs.listOf(MEMLOCK),
                    Customization::memlock,
                    Customization.Builder::memlock,
                    List.of())
            .part("ssh", TRUST, Customization::ssh, Customization.Builder::ssh)
            .optional("mpi", MpiCodecs.INSTALL, Customization::mpi, Customization.Builder::mpi)
            .defaulted("files", Codecs.listOf(FILE), Customization::files, Customization.Builder::files, List.of())
            .defaulted(
                    "scripts",
                    Codecs.listOf(SCRIPT),
                    Customization::scripts,
                    Customization.Builder::scripts,
                    List.of());

    static final RecordCodec<ImageSpec, ImageSpec.Builder> IMAGE = RecordCodec.of(
                    "image", ImageSpec::builder, ImageSpec.Builder::build)
            .defaulted(
                    "base",
                    Codecs.parsed("an image", "microsoft-dsvm:ubuntu-hpc:2204:latest", ImageReference::parse),
                    ImageSpec::base,
                    ImageSpec.Builder::base,
                    ImageReference.parse("auto"))
            .defaulted("capture", Codecs.bool(), ImageSpec::capture, ImageSpec.Builder::capture, true)
            .part("customize", CUSTOMIZE, ImageSpec::customize, ImageSpec.Builder::customize)
            .defaulted(
                    "deprovision",
                    Codecs.oneOf(Deprovision.class),
                    ImageSpec::deprovision,
                    ImageSpec.Builder::deprovision,
                    Deprovision.KEEP_USER);

    private ImageCodecs() {}

    private static Codec<String> path(String example) {
        return Codecs.parsed("a path", example, text -> Checks.path("path", text), Checks.PATH.regex());
    }
}
