package io.clusterwright.core.spec;

import io.clusterwright.core.internal.text.PrintableText;
import io.clusterwright.core.spec.Table.Field;
import io.clusterwright.core.type.FileMode;
import io.clusterwright.core.type.GroupName;
import io.clusterwright.core.type.MemlockLimit;
import io.clusterwright.core.type.MemlockSubject;
import io.clusterwright.core.type.UserName;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * The changes to a machine before it is captured as the image of the nodes. Use it to install packages, an MPI, files and scripts.
 *
 * <pre>{@code
 * ClusterSpec customized = spec.toBuilder()
 *         .image(image -> image.base("almalinux:almalinux-hpc:8_10-hpc-gen2:latest")
 *                 .customize(customize -> customize
 *                         .packages("hwloc", "numactl")
 *                         .mpi(mpi -> mpi.flavour(MpiFlavour.OPEN_MPI))
 *                         .memlock(MemlockRule.of("@mpi", "unlimited"))
 *                         .addFile(FileCopy.of("solver.conf", "/etc/solver.conf"))
 *                         .addScript(Script.of("install-solver", "install-app.sh"))))
 *         .build();
 * }</pre>
 */
public final class Customization extends SpecPart<Customization.Builder> {
    static final Table<Customization> FIELDS = new Table<>("customize", Customization::new, Builder::new);
    private static final Field<UserAccount> USER = FIELDS.optional("user", UserAccount.FIELDS);
    private static final Field<Updates> UPDATES = FIELDS.part("updates", Updates.FIELDS);
    private static final Field<List<String>> PACKAGES = FIELDS.defaulted(
            "packages", SpecCodecs.listOf(SpecCodecs.form("a package name", "nfs-common", Checks.PACKAGE)), List.of());
    private static final Field<List<MemlockRule>> MEMLOCK =
            FIELDS.defaulted("memlock", SpecCodecs.listOf(MemlockRule.FIELDS), List.of());
    private static final Field<SshTrust> SSH = FIELDS.part("ssh", SshTrust.FIELDS);
    private static final Field<MpiInstall> MPI = FIELDS.optional("mpi", MpiInstall.FIELDS);
    private static final Field<List<FileCopy>> FILES =
            FIELDS.defaulted("files", SpecCodecs.listOf(FileCopy.FIELDS), List.of());
    private static final Field<List<Script>> SCRIPTS =
            FIELDS.defaulted("scripts", SpecCodecs.listOf(Script.FIELDS), List.of());

    private Customization(Values values) {
        super(values);
    }

    /** A builder with the default of every field. */
    public static Builder builder() {
        return new Builder();
    }

    /** The account that jobs run as. Default: {@code hpcuser} on Linux, see {@link ClusterSpec#mpiUser()}. */
    public Optional<UserAccount> user() {
        return find(USER);
    }

    /** The updates to install. Default: none; where there are some, the kernel is held by default. */
    public Updates updates() {
        return get(UPDATES);
    }

    /** Packages to install, as the distribution names them. Default: none. */
    public List<String> packages() {
        return get(PACKAGES);
    }

    /** The limits of locked memory. Default: none. */
    public List<MemlockRule> memlock() {
        return get(MEMLOCK);
    }

    /** The trust between nodes. Default: one key for the cluster, pinned host keys. */
    public SshTrust ssh() {
        return get(SSH);
    }

    /** The MPI to install. Default: none. */
    public Optional<MpiInstall> mpi() {
        return find(MPI);
    }

    /** Files to copy. Default: none. */
    public List<FileCopy> files() {
        return get(FILES);
    }

    /** Scripts to run, in order, after everything else. Default: none. Their names differ. */
    public List<Script> scripts() {
        return get(SCRIPTS);
    }

    @Override
    void check(Problems problems) {
        requireDistinct("scripts", "name", scripts().stream().map(Script::name).toList(), problems);
        requireDistinct("files", "to", files().stream().map(FileCopy::to).toList(), problems);
    }

    private static void requireDistinct(String list, String field, List<String> values, Problems problems) {
        Map<String, Integer> seen = new HashMap<>();
        for (int i = 0; i < values.size(); i++) {
            Integer first = seen.putIfAbsent(values.get(i), i);
            if (first != null) {
                problems.add(
                        list + "[" + i + "]." + field,
                        list + "[" + first + "] and " + list + "[" + i + "] have the same " + field + ", "
                                + values.get(i),
                        "change the " + field + " of one of them");
            }
        }
    }

    /** Setters of the fields of {@link Customization}. */
    public static final class Builder extends SpecPart.Builder<Customization, Builder> {
        Builder() {
            super(FIELDS);
        }

        public Builder user(UserAccount user) {
            return set(USER, user);
        }

        /** Sets the account by its name and the names of its groups. */
        public Builder user(String name, String... groups) {
            return user(UserAccount.of(name, groups));
        }

        public Builder updates(Updates updates) {
            return set(UPDATES, updates);
        }

        public Builder packages(List<String> packages) {
            return set(PACKAGES, packages);
        }

        public Builder packages(String... packages) {
            return packages(List.of(packages));
        }

        public Builder addPackage(String packageName) {
            return add(PACKAGES, packageName);
        }

        public Builder memlock(List<MemlockRule> memlock) {
            return set(MEMLOCK, memlock);
        }

        public Builder memlock(MemlockRule... memlock) {
            return memlock(List.of(memlock));
        }

        public Builder addMemlock(MemlockRule memlock) {
            return add(MEMLOCK, memlock);
        }

        public Builder ssh(SshTrust ssh) {
            return set(SSH, ssh);
        }

        public Builder ssh(Consumer<SshTrust.Builder> ssh) {
            return edit(SSH, ssh);
        }

        public Builder mpi(MpiInstall mpi) {
            return set(MPI, mpi);
        }

        public Builder mpi(Consumer<MpiInstall.Builder> mpi) {
            return edit(MPI, mpi);
        }

        public Builder files(List<FileCopy> files) {
            return set(FILES, files);
        }

        public Builder addFile(FileCopy file) {
            return add(FILES, file);
        }

        public Builder scripts(List<Script> scripts) {
            return set(SCRIPTS, scripts);
        }

        public Builder addScript(Script script) {
            return add(SCRIPTS, script);
        }
    }

    /**
     * An account on every node for the people who run jobs.
     *
     * @param name the name of the account
     * @param groups further groups of the account, created if they do not exist; default none
     */
    public record UserAccount(UserName name, List<GroupName> groups) {
        static final Table<UserAccount> FIELDS = new Table<>(
                        "user", values -> new UserAccount(values.get("name"), values.get("groups")))
                .required("name", SpecCodecs.USER_NAME, UserAccount::name, "give a name such as hpcuser")
                .defaulted(
                        "groups",
                        SpecCodecs.listOf(SpecCodecs.parsed("a group name", "hpc", GroupName::of)),
                        UserAccount::groups,
                        List.of());

        /** Copies the groups. */
        public UserAccount {
            Objects.requireNonNull(name, "name");
            groups = List.copyOf(groups);
        }

        /**
         * An account by its name and the names of its groups.
         *
         * @throws io.clusterwright.core.type.InvalidValueException when a name is not of its form
         */
        public static UserAccount of(String name, String... groups) {
            return new UserAccount(
                    UserName.of(name), Arrays.stream(groups).map(GroupName::of).toList());
        }
    }

    /**
     * The updates of an image.
     *
     * @param install the updates to install; default {@link Install#NONE}
     * @param kernel whether updates may change the kernel; default {@link Kernel#HOLD}
     */
    public record Updates(Install install, Kernel kernel) {
        static final Table<Updates> FIELDS = new Table<>(
                        "updates", values -> new Updates(values.get("install"), values.get("kernel")))
                .defaulted("install", SpecCodecs.oneOf(Install.class), Updates::install, Install.NONE)
                .defaulted("kernel", SpecCodecs.oneOf(Kernel.class), Updates::kernel, Kernel.HOLD);

        /** Refuses null. */
        public Updates {
            Objects.requireNonNull(install, "install");
            Objects.requireNonNull(kernel, "kernel");
        }

        /** No updates. */
        public static Updates none() {
            return new Updates(Install.NONE, Kernel.HOLD);
        }

        /** Security updates, without updates of the kernel. */
        public static Updates securityHoldingKernel() {
            return new Updates(Install.SECURITY, Kernel.HOLD);
        }

        /** All updates, without updates of the kernel. */
        public static Updates allHoldingKernel() {
            return new Updates(Install.ALL, Kernel.HOLD);
        }

        /** The updates to install. */
        public enum Install {
            /** No update. */
            NONE,
            /** Security updates. */
            SECURITY,
            /** All updates. */
            ALL;

            /** The name in a cluster spec, such as {@code none}. */
            @Override
            public String toString() {
                return PrintableText.word(this);
            }
        }

        /** The treatment of the kernel by updates. */
        public enum Kernel {
            /** The kernel stays as it is, because the drivers of the fabric are built for it. */
            HOLD,
            /** The kernel is updated with the rest. */
            ALLOW;

            /** The name in a cluster spec, such as {@code hold}. */
            @Override
            public String toString() {
                return PrintableText.word(this);
            }
        }
    }

    /**
     * A limit of locked memory, which a fabric needs.
     *
     * @param who a user, a group or everyone
     * @param limit the amount of memory that may be locked
     */
    public record MemlockRule(MemlockSubject who, MemlockLimit limit) {
        static final Table<MemlockRule> FIELDS = new Table<>(
                        "memlock", values -> new MemlockRule(values.get("who"), values.get("limit")))
                .required(
                        "who",
                        SpecCodecs.parsed("a user, @group or *", "\"@hpc\"", MemlockSubject::of),
                        MemlockRule::who,
                        "give a user, a group such as @hpc, or *")
                .required(
                        "limit",
                        SpecCodecs.parsed("a number of KiB or unlimited", "unlimited", MemlockLimit::of),
                        MemlockRule::limit,
                        "give a number of KiB or unlimited");

        /** Refuses null. */
        public MemlockRule {
            Objects.requireNonNull(who, "who");
            Objects.requireNonNull(limit, "limit");
        }

        /** A rule for {@code hpcuser}, {@code @hpc} or {@code *}, with a number of KiB or {@code unlimited}. */
        public static MemlockRule of(String who, String limit) {
            return new MemlockRule(MemlockSubject.of(who), MemlockLimit.of(limit));
        }
    }

    /**
     * A file that is copied onto every node.
     *
     * @param from the file on this machine; a relative path starts at the folder of the cluster spec
     * @param to the absolute path on the node
     * @param mode the permissions of the file on the node; default 0644
     */
    public record FileCopy(String from, String to, FileMode mode) {
        private static final FileMode DEFAULT_MODE = FileMode.of("0644");

        static final Table<FileCopy> FIELDS = new Table<>(
                        "files", values -> new FileCopy(values.get("from"), values.get("to"), values.get("mode")))
                .required(
                        "from",
                        SpecCodecs.form("a path", "./solver.conf", Checks.PATH.as("file to copy")),
                        FileCopy::from,
                        "give the path of a file, such as ./solver.conf")
                .required(
                        "to",
                        SpecCodecs.form("the absolute path of a file", "/opt/app/solver.conf", Checks.FILE_ON_NODE),
                        FileCopy::to,
                        "give an absolute path, such as /opt/app/solver.conf")
                .defaulted(
                        "mode",
                        SpecCodecs.parsed("a file mode", "\"0644\"", FileMode::of),
                        FileCopy::mode,
                        DEFAULT_MODE);

        /**
         * Checks the paths.
         *
         * @throws io.clusterwright.core.type.InvalidValueException when a path is not of its form
         */
        public FileCopy {
            Objects.requireNonNull(mode, "mode");
            Checks.PATH.as("file to copy").check(from);
            Checks.FILE_ON_NODE.check(to);
        }

        /** A file with permissions 0644. */
        public static FileCopy of(String from, String to) {
            return new FileCopy(from, to, DEFAULT_MODE);
        }

        /** Sets other permissions, such as {@code 0755}. */
        public FileCopy mode(String other) {
            return new FileCopy(from, to, FileMode.of(other));
        }
    }

    /**
     * A script of the user that runs on every node while the image is made.
     *
     * @param name the name of the script in events and messages
     * @param path the script on this machine; a relative path starts at the folder of the cluster spec
     * @param sudo whether the script runs with the rights of root; default false
     * @param timeout the time limit of the script; default 15 minutes
     */
    public record Script(String name, String path, boolean sudo, Duration timeout) {
        /** The default of {@link #timeout()}. */
        public static final Duration DEFAULT_TIMEOUT = Duration.ofMinutes(15);

        static final Table<Script> FIELDS = new Table<>(
                        "scripts",
                        values -> new Script(
                                values.get("name"), values.get("path"), values.get("sudo"), values.get("timeout")))
                .required(
                        "name",
                        SpecCodecs.parsed("a name", "install-app", text -> Checks.label("script name", text)),
                        Script::name,
                        "give a name, such as install-app")
                .required(
                        "path",
                        SpecCodecs.form("a path", "./install-app.sh", Checks.PATH.as("script")),
                        Script::path,
                        "give the path of a script, such as ./install-app.sh")
                .defaulted("sudo", SpecCodecs.BOOL, Script::sudo, false)
                .defaulted("timeout", SpecCodecs.duration("timeout", "15m"), Script::timeout, DEFAULT_TIMEOUT);

        /**
         * Checks the values.
         *
         * @throws io.clusterwright.core.type.InvalidValueException when a value is out of its range
         */
        public Script {
            Checks.label("script name", name);
            Checks.PATH.as("script").check(path);
            Checks.positive("timeout", timeout);
        }

        /** A script that runs without the rights of root for at most 15 minutes. */
        public static Script of(String name, String path) {
            return new Script(name, path, false, DEFAULT_TIMEOUT);
        }

        /** Sets whether the script runs as root. */
        public Script sudo(boolean other) {
            return new Script(name, path, other, timeout);
        }

        /** Sets the time limit. */
        public Script timeout(Duration other) {
            return new Script(name, path, sudo, other);
        }
    }
}
