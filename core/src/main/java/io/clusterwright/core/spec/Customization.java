package io.clusterwright.core.spec;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** What is done to a machine before it is captured as the image of the nodes. */
public final class Customization {
    private final @Nullable UserAccount user;
    private final Updates updates;
    private final List<String> packages;
    private final List<MemlockRule> memlock;
    private final SshTrust ssh;
    private final @Nullable MpiInstall mpi;
    private final List<FileCopy> files;
    private final List<Script> scripts;

    private Customization(
            Builder builder, @Nullable UserAccount user, Updates updates, SshTrust ssh, @Nullable MpiInstall mpi) {
        this.user = user;
        this.updates = updates;
        this.packages = List.copyOf(builder.packages);
        this.memlock = List.copyOf(builder.memlock);
        this.ssh = ssh;
        this.mpi = mpi;
        this.files = List.copyOf(builder.files);
        this.scripts = List.copyOf(builder.scripts);
    }

    /** Starts with the default of everything. */
    public static Builder builder() {
        return new Builder();
    }

    /** A builder that holds the same values. */
    public Builder toBuilder() {
        Builder builder = new Builder();
        builder.user = user == null ? null : user.toBuilder();
        builder.updates = updates.toBuilder();
        builder.packages.addAll(packages);
        builder.memlock.addAll(memlock);
        builder.ssh = ssh.toBuilder();
        builder.mpi = mpi == null ? null : mpi.toBuilder();
        builder.files.addAll(files);
        builder.scripts.addAll(scripts);
        return builder;
    }

    /** The account for the people who run jobs. Default: none besides the login. */
    public Optional<UserAccount> user() {
        return Optional.ofNullable(user);
    }

    /** Which updates are installed. Default: none, and the kernel is held. */
    public Updates updates() {
        return updates;
    }

    /** Packages of the distribution to install, by its names. Default: none. */
    public List<String> packages() {
        return packages;
    }

    /** Who may lock how much memory. Default: no rule. */
    public List<MemlockRule> memlock() {
        return memlock;
    }

    /** How nodes log in to each other. Default: one key for the cluster, pinned host keys. */
    public SshTrust ssh() {
        return ssh;
    }

    /** The MPI to install. Default: none. */
    public Optional<MpiInstall> mpi() {
        return Optional.ofNullable(mpi);
    }

    /** Files to copy. Default: none. */
    public List<FileCopy> files() {
        return files;
    }

    /** Scripts to run, in order, after everything else. Default: none. Each name is used once. */
    public List<Script> scripts() {
        return scripts;
    }

    private List<Object> state() {
        return List.of(user(), updates(), packages(), memlock(), ssh(), mpi(), files(), scripts());
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof Customization that && state().equals(that.state());
    }

    @Override
    public int hashCode() {
        return state().hashCode();
    }

    @Override
    public String toString() {
        return "Customization" + state();
    }

    /** Collects the parts of a {@link Customization}. */
    public static final class Builder {
        private UserAccount.@Nullable Builder user;
        private Updates.Builder updates = Updates.builder();
        private final List<String> packages = new ArrayList<>();
        private final List<MemlockRule> memlock = new ArrayList<>();
        private SshTrust.Builder ssh = SshTrust.builder();
        private MpiInstall.@Nullable Builder mpi;
        private final List<FileCopy> files = new ArrayList<>();
        private final List<Script> scripts = new ArrayList<>();

        Builder() {}

        /** Sets {@link Customization#user()}. */
        public Builder user(UserAccount user) {
            this.user = user.toBuilder();
            return this;
        }

        /** Describes {@link Customization#user()}, starting from what was described so far. */
        public Builder user(Consumer<UserAccount.Builder> user) {
            UserAccount.Builder builder = this.user == null ? UserAccount.builder() : this.user;
            user.accept(builder);
            this.user = builder;
            return this;
        }

        /** Sets {@link Customization#updates()}. */
        public Builder updates(Updates updates) {
            this.updates = updates.toBuilder();
            return this;
        }

        /** Describes {@link Customization#updates()}, starting from what was described so far. */
        public Builder updates(Consumer<Updates.Builder> updates) {
            updates.accept(this.updates);
            return this;
        }

        /** Replaces {@link Customization#packages()}. */
        public Builder packages(List<String> packages) {
            List<String> copy = List.copyOf(packages);
            this.packages.clear();
            copy.forEach(this::addPackage);
            return this;
        }

        /** Replaces {@link Customization#packages()}. */
        public Builder packages(String... packages) {
            return packages(List.of(packages));
        }

        /** Appends one to {@link Customization#packages()}. */
        public Builder addPackage(String packageName) {
            packages.add(Checks.packageName(packageName));
            return this;
        }

        /** Replaces {@link Customization#memlock()}. */
        public Builder memlock(List<MemlockRule> memlock) {
            List<MemlockRule> copy = List.copyOf(memlock);
            this.memlock.clear();
            copy.forEach(this::addMemlock);
            return this;
        }

        /** Appends one to {@link Customization#memlock()}. */
        public Builder addMemlock(MemlockRule memlock) {
            this.memlock.add(Objects.requireNonNull(memlock, "memlock"));
            return this;
        }

        /**
         * Describes one and appends it to {@link Customization#memlock()}.
         *
         * @throws InvalidSpecException when it is not valid by itself
         */
        public Builder addMemlock(Consumer<MemlockRule.Builder> memlock) {
            MemlockRule.Builder builder = MemlockRule.builder();
            memlock.accept(builder);
            return addMemlock(builder.build());
        }

        /** Sets {@link Customization#ssh()}. */
        public Builder ssh(SshTrust ssh) {
            this.ssh = ssh.toBuilder();
            return this;
        }

        /** Describes {@link Customization#ssh()}, starting from what was described so far. */
        public Builder ssh(Consumer<SshTrust.Builder> ssh) {
            ssh.accept(this.ssh);
            return this;
        }

        /** Sets {@link Customization#mpi()}. */
        public Builder mpi(MpiInstall mpi) {
            this.mpi = mpi.toBuilder();
            return this;
        }

        /** Describes {@link Customization#mpi()}, starting from what was described so far. */
        public Builder mpi(Consumer<MpiInstall.Builder> mpi) {
            MpiInstall.Builder builder = this.mpi == null ? MpiInstall.builder() : this.mpi;
            mpi.accept(builder);
            this.mpi = builder;
            return this;
        }

        /** Replaces {@link Customization#files()}. */
        public Builder files(List<FileCopy> files) {
            List<FileCopy> copy = List.copyOf(files);
            this.files.clear();
            copy.forEach(this::addFile);
            return this;
        }

        /** Appends one to {@link Customization#files()}. */
        public Builder addFile(FileCopy file) {
            files.add(Objects.requireNonNull(file, "file"));
            return this;
        }

        /**
         * Describes one and appends it to {@link Customization#files()}.
         *
         * @throws InvalidSpecException when it is not valid by itself
         */
        public Builder addFile(Consumer<FileCopy.Builder> file) {
            FileCopy.Builder builder = FileCopy.builder();
            file.accept(builder);
            return addFile(builder.build());
        }

        /** Replaces {@link Customization#scripts()}. */
        public Builder scripts(List<Script> scripts) {
            List<Script> copy = List.copyOf(scripts);
            this.scripts.clear();
            copy.forEach(this::addScript);
            return this;
        }

        /** Appends one to {@link Customization#scripts()}. */
        public Builder addScript(Script script) {
            scripts.add(Objects.requireNonNull(script, "script"));
            return this;
        }

        /**
         * Describes one and appends it to {@link Customization#scripts()}.
         *
         * @throws InvalidSpecException when it is not valid by itself
         */
        public Builder addScript(Consumer<Script.Builder> script) {
            Script.Builder builder = Script.builder();
            script.accept(builder);
            return addScript(builder.build());
        }

        /** Replaces {@link Customization#memlock()}. */
        public Builder memlock(MemlockRule... memlock) {
            return memlock(List.of(memlock));
        }

        /**
         * The description.
         *
         * @throws InvalidSpecException with every reason why the parts do not make a whole
         */
        public Customization build() {
            Problems problems = new Problems();

            @Nullable UserAccount userPart = user == null ? null : problems.part("user", user::build);

            @Nullable Updates updatesPart = problems.part("updates", this.updates::build);

            @Nullable SshTrust sshPart = problems.part("ssh", this.ssh::build);

            @Nullable MpiInstall mpiPart = mpi == null ? null : problems.part("mpi", mpi::build);

            Set<String> names = new HashSet<>();
            for (int i = 0; i < scripts.size(); i++) {
                String name = scripts.get(i).name();
                if (!names.add(name)) {
                    problems.add(
                            "scripts[" + i + "].name",
                            "the name " + name + " is taken by an earlier script",
                            "give each script a name of its own");
                }
            }

            problems.throwIfAny();
            return new Customization(
                    this, userPart, Objects.requireNonNull(updatesPart), Objects.requireNonNull(sshPart), mpiPart);
        }
    }
}
