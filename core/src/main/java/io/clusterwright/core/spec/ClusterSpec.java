package io.clusterwright.core.spec;

import io.clusterwright.core.type.ClusterName;
import io.clusterwright.core.type.InvalidValueException;
import io.clusterwright.core.type.NodeName;
import io.clusterwright.core.type.UserName;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The description of a cluster: what it is, not how it comes about.
 *
 * <p>Immutable. One that exists is valid by itself; whether a provider can carry it out is for a plan to say.
 */
public final class ClusterSpec {
    private static final int WINDOWS_TEMPLATE_PREFIX = 6;

    private final ClusterName name;
    private final String region;
    private final OperatingSystem operatingSystem;
    private final @Nullable String resourceGroup;
    private final Login login;
    private final Map<String, String> tags;
    private final @Nullable Duration timeToLive;
    private final @Nullable CostCap costCap;
    private final NodeGroup nodes;
    private final @Nullable HeadNode headNode;
    private final NetworkSpec network;
    private final Placement placement;
    private final ImageSpec image;
    private final List<ExtensionSpec> extensions;
    private final MpiSettings mpi;
    private final Scheduler scheduler;
    private final Verification verify;
    private final @Nullable HpcPackSpec hpcPack;
    private final Map<String, SpecOverlay> on;
    private final List<String> suppress;
    private final @Nullable Path baseFolder;

    private ClusterSpec(
            Builder builder,
            Login login,
            @Nullable CostCap costCap,
            NodeGroup nodes,
            @Nullable HeadNode headNode,
            NetworkSpec network,
            Placement placement,
            ImageSpec image,
            MpiSettings mpi,
            Verification verify,
            @Nullable HpcPackSpec hpcPack) {
        this.name = Objects.requireNonNull(builder.name);
        this.region = Objects.requireNonNull(builder.region);
        this.operatingSystem = builder.operatingSystem;
        this.resourceGroup = builder.resourceGroup;
        this.login = login;
        this.tags = Collections.unmodifiableMap(new LinkedHashMap<>(builder.tags));
        this.timeToLive = builder.timeToLive;
        this.costCap = costCap;
        this.nodes = nodes;
        this.headNode = headNode;
        this.network = network;
        this.placement = placement;
        this.image = image;
        this.extensions = List.copyOf(builder.extensions);
        this.mpi = mpi;
        this.scheduler = builder.scheduler;
        this.verify = verify;
        this.hpcPack = hpcPack;
        this.on = Collections.unmodifiableMap(new LinkedHashMap<>(builder.on));
        this.suppress = List.copyOf(builder.suppress);
        this.baseFolder = builder.baseFolder;
    }

    /**
     * Starts the description of a cluster with the default of everything but region, count and size of the nodes.
     *
     * @throws InvalidValueException when the name is not a cluster's
     */
    public static Builder builder(String name) {
        return builder(ClusterName.parse(name));
    }

    /** Starts the description of a cluster with the default of everything but region, count and size of the nodes. */
    public static Builder builder(ClusterName name) {
        return new Builder().name(name);
    }

    /** A builder that holds the same values. */
    public Builder toBuilder() {
        Builder builder = new Builder();
        builder.name = name;
        builder.region = region;
        builder.operatingSystem = operatingSystem;
        builder.resourceGroup = resourceGroup;
        builder.login = login.toBuilder();
        builder.tags.putAll(tags);
        builder.timeToLive = timeToLive;
        builder.costCap = costCap == null ? null : costCap.toBuilder();
        builder.nodes = nodes.toBuilder();
        builder.headNode = headNode == null ? null : headNode.toBuilder();
        builder.network = network.toBuilder();
        builder.placement = placement.toBuilder();
        builder.image = image.toBuilder();
        builder.extensions.addAll(extensions);
        builder.mpi = mpi.toBuilder();
        builder.scheduler = scheduler;
        builder.verify = verify.toBuilder();
        builder.hpcPack = hpcPack == null ? null : hpcPack.toBuilder();
        builder.on.putAll(on);
        builder.suppress.addAll(suppress);
        builder.baseFolder = baseFolder;
        return builder;
    }

    /** The name of the cluster, from which the names of all it is made of follow. Required. */
    public ClusterName name() {
        return name;
    }

    /** Where the cluster is, such as {@code westeurope}. Required; providers without regions ignore it. */
    public String region() {
        return region;
    }

    /** What the nodes run. Default: {@link OperatingSystem#LINUX}. */
    public OperatingSystem operatingSystem() {
        return operatingSystem;
    }

    /**
     * The group that everything is made in. Default: the name of the cluster and {@code -rg}. A group that was there
     * before is used and never deleted.
     */
    public String resourceGroup() {
        return Objects.requireNonNullElse(resourceGroup, name + "-rg");
    }

    /** The account through which nodes are managed. Default: {@code azureuser} with a key made for the cluster. */
    public Login login() {
        return login;
    }

    /** Names and values put on everything that is made. Default: none besides our own; at most 40. */
    public Map<String, String> tags() {
        return tags;
    }

    /**
     * How long after its creation the cluster counts as expired, when {@code destroy --expired} removes it. Default:
     * never.
     */
    public Optional<Duration> timeToLive() {
        return Optional.ofNullable(timeToLive);
    }

    /** The most that the cluster may cost. Default: no limit. */
    public Optional<CostCap> costCap() {
        return Optional.ofNullable(costCap);
    }

    /** The compute nodes. Required. */
    public NodeGroup nodes() {
        return nodes;
    }

    /** A head node of its own. Default: none, and the first node is the head. */
    public Optional<HeadNode> headNode() {
        return Optional.ofNullable(headNode);
    }

    /** The network of the nodes. Default: a new one of 10.32.0.0/16. */
    public NetworkSpec network() {
        return network;
    }

    /** How machines are kept on one fabric. Default: chosen by size and count. */
    public Placement placement() {
        return placement;
    }

    /** What the nodes start from. Default: the image that suits the size, captured. */
    public ImageSpec image() {
        return image;
    }

    /** What the provider installs into running machines. Default: none. */
    public List<ExtensionSpec> extensions() {
        return extensions;
    }

    /** How MPI jobs run. Default: by size and MPI, a rank for each core. */
    public MpiSettings mpi() {
        return mpi;
    }

    /** Who hands out the nodes to jobs. Default: {@link Scheduler#NONE}. */
    public Scheduler scheduler() {
        return scheduler;
    }

    /** What proves that the cluster works. Default: host names over all nodes and a ring of ping-pongs. */
    public Verification verify() {
        return verify;
    }

    /** What only a cluster of HPC Pack has. Default: none. */
    public Optional<HpcPackSpec> hpcPack() {
        return Optional.ofNullable(hpcPack);
    }

    /** What differs on one kind of provider, by its name ({@code local}, {@code azure}). Default: nothing. */
    public Map<String, SpecOverlay> on() {
        return on;
    }

    /** Codes of findings that are not reported. Default: none. */
    public List<String> suppress() {
        return suppress;
    }

    private static final int MOST_TAGS = 40;
    private static final int MOST_PROVIDERS = 10;

    /**
     * The description as one kind of provider carries it out: with its part of {@link #on()} laid over the rest, and without
     * any other. Where that part lowers {@code nodes.count} below the quorum and says nothing of the quorum, the quorum
     * follows.
     *
     * @param provider the name of the kind, such as {@code local}; {@code emulator}, an emulated Azure, takes the part of
     *     {@code azure} unless it has one of its own
     */
    public ClusterSpec forProvider(String provider) {
        boolean azure = provider.equals("emulator") && !on.containsKey(provider);
        SpecOverlay overlay = on.get(azure ? "azure" : provider);
        return overlay == null ? toBuilder().on(Map.of()).build() : Overlays.apply(this, provider, overlay);
    }

    /**
     * The same description with another number of nodes; a quorum that is named and larger follows it.
     *
     * @throws io.clusterwright.core.type.InvalidValueException when no cluster has this many
     */
    public ClusterSpec withNodeCount(int count) {
        return toBuilder()
                .nodes(group -> {
                    group.count(count);
                    if (nodes.givenQuorum().filter(quorum -> quorum > count).isPresent()) {
                        group.quorum(count);
                    }
                })
                .build();
    }

    /** The folder where relative paths of files, scripts and secrets start; not part of what the description says. Default: the working folder, as an empty path. */
    public Path baseFolder() {
        return baseFolder == null ? Path.of("") : baseFolder;
    }

    /** The same description with its relative paths starting at another folder. */
    public ClusterSpec withBaseFolder(Path folder) {
        return toBuilder().baseFolder(folder).build();
    }

    /** The account that MPI jobs run as: the one the image is given for them, or else the login. */
    public UserName mpiUser() {
        return image.customize().user().map(UserAccount::name).orElse(login.user());
    }

    /** A path of this description, such as a script's, made to start at {@link #baseFolder()} when it is relative. */
    public Path resolve(String path) {
        return baseFolder().resolve(path);
    }

    /** The description as YAML. */
    @Override
    public String toString() {
        return SpecWriter.yaml(this);
    }

    /** What was given for {@link #resourceGroup()}, without its default. */
    Optional<String> givenResourceGroup() {
        return Optional.ofNullable(resourceGroup);
    }

    /**
     * The name of the machine from which the image is made: the cluster's name, of which Windows leaves six characters, and
     * {@code -template}.
     */
    public NodeName templateName() {
        return serving("-template");
    }

    /** The name of the machine that proves a new image: the same with {@code -boottest}. */
    public NodeName bootTestName() {
        return serving("-boottest");
    }

    private NodeName serving(String what) {
        boolean shorten =
                operatingSystem() == OperatingSystem.WINDOWS && name.value().length() > WINDOWS_TEMPLATE_PREFIX;
        return new NodeName((shorten ? name.value().substring(0, WINDOWS_TEMPLATE_PREFIX) : name.value()) + what);
    }

    private List<Object> state() {
        return Arrays.asList(
                name(),
                region(),
                operatingSystem(),
                resourceGroup(),
                login(),
                tags(),
                timeToLive(),
                costCap(),
                nodes(),
                headNode(),
                network(),
                placement(),
                image(),
                extensions(),
                mpi(),
                scheduler(),
                verify(),
                hpcPack(),
                on(),
                suppress());
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof ClusterSpec that && state().equals(that.state());
    }

    @Override
    public int hashCode() {
        return state().hashCode();
    }

    /** Collects the parts of a {@link ClusterSpec}. */
    public static final class Builder {
        private @Nullable ClusterName name;
        private @Nullable String region;
        private OperatingSystem operatingSystem = OperatingSystem.LINUX;
        private @Nullable String resourceGroup;
        private Login.Builder login = Login.builder();
        private final Map<String, String> tags = new LinkedHashMap<>();
        private @Nullable Duration timeToLive;
        private CostCap.@Nullable Builder costCap;
        private NodeGroup.Builder nodes = NodeGroup.builder();
        private HeadNode.@Nullable Builder headNode;
        private NetworkSpec.Builder network = NetworkSpec.builder();
        private Placement.Builder placement = Placement.builder();
        private ImageSpec.Builder image = ImageSpec.builder();
        private final List<ExtensionSpec> extensions = new ArrayList<>();
        private MpiSettings.Builder mpi = MpiSettings.builder();
        private Scheduler scheduler = Scheduler.NONE;
        private Verification.Builder verify = Verification.builder();
        private HpcPackSpec.@Nullable Builder hpcPack;
        private final Map<String, SpecOverlay> on = new LinkedHashMap<>();
        private final List<String> suppress = new ArrayList<>();
        private @Nullable Path baseFolder;

        Builder() {}

        /** Sets {@link ClusterSpec#name()}. */
        public Builder name(ClusterName name) {
            this.name = Objects.requireNonNull(name, "name");
            return this;
        }

        /**
         * Sets {@link ClusterSpec#name()} from text.
         *
         * @throws InvalidValueException when the text is not of the form
         */
        public Builder name(String name) {
            return name(ClusterName.parse(name));
        }

        /** Sets {@link ClusterSpec#region()}. */
        public Builder region(String region) {
            this.region = Checks.region(region);
            return this;
        }

        /** Sets {@link ClusterSpec#operatingSystem()}. */
        public Builder operatingSystem(OperatingSystem operatingSystem) {
            this.operatingSystem = Objects.requireNonNull(operatingSystem, "operatingSystem");
            return this;
        }

        /** Sets {@link ClusterSpec#resourceGroup()}. */
        public Builder resourceGroup(String resourceGroup) {
            this.resourceGroup = Checks.resourceGroup(resourceGroup);
            return this;
        }

        /** Sets {@link ClusterSpec#login()}. */
        public Builder login(Login login) {
            this.login = login.toBuilder();
            return this;
        }

        /** Describes {@link ClusterSpec#login()}, starting from what was described so far. */
        public Builder login(Consumer<Login.Builder> login) {
            login.accept(this.login);
            return this;
        }

        /** Replaces {@link ClusterSpec#tags()}. */
        public Builder tags(Map<String, String> tags) {
            Map<String, String> copy = new LinkedHashMap<>(tags);
            this.tags.clear();
            copy.forEach(this::putTag);
            return this;
        }

        /** Adds one to {@link ClusterSpec#tags()}, in place of an earlier one of the same name. */
        public Builder putTag(String name, String value) {
            tags.put(Checks.tag(name), Checks.tagValue(value));
            return this;
        }

        /** Sets {@link ClusterSpec#timeToLive()}. */
        public Builder timeToLive(Duration timeToLive) {
            this.timeToLive = Checks.positive("time to live", timeToLive);
            return this;
        }

        /** Sets {@link ClusterSpec#costCap()}. */
        public Builder costCap(CostCap costCap) {
            this.costCap = costCap.toBuilder();
            return this;
        }

        /** Describes {@link ClusterSpec#costCap()}, starting from what was described so far. */
        public Builder costCap(Consumer<CostCap.Builder> costCap) {
            CostCap.Builder builder = this.costCap == null ? CostCap.builder() : this.costCap;
            costCap.accept(builder);
            this.costCap = builder;
            return this;
        }

        /** Sets {@link ClusterSpec#nodes()}. */
        public Builder nodes(NodeGroup nodes) {
            this.nodes = nodes.toBuilder();
            return this;
        }

        /** Describes {@link ClusterSpec#nodes()}, starting from what was described so far. */
        public Builder nodes(Consumer<NodeGroup.Builder> nodes) {
            nodes.accept(this.nodes);
            return this;
        }

        /** Sets {@link ClusterSpec#headNode()}. */
        public Builder headNode(HeadNode headNode) {
            this.headNode = headNode.toBuilder();
            return this;
        }

        /** Describes {@link ClusterSpec#headNode()}, starting from what was described so far. */
        public Builder headNode(Consumer<HeadNode.Builder> headNode) {
            HeadNode.Builder builder = this.headNode == null ? HeadNode.builder() : this.headNode;
            headNode.accept(builder);
            this.headNode = builder;
            return this;
        }

        /** Sets {@link ClusterSpec#network()}. */
        public Builder network(NetworkSpec network) {
            this.network = network.toBuilder();
            return this;
        }

        /** Describes {@link ClusterSpec#network()}, starting from what was described so far. */
        public Builder network(Consumer<NetworkSpec.Builder> network) {
            network.accept(this.network);
            return this;
        }

        /** Sets {@link ClusterSpec#placement()}. */
        public Builder placement(Placement placement) {
            this.placement = placement.toBuilder();
            return this;
        }

        /** Describes {@link ClusterSpec#placement()}, starting from what was described so far. */
        public Builder placement(Consumer<Placement.Builder> placement) {
            placement.accept(this.placement);
            return this;
        }

        /** Sets {@link ClusterSpec#image()}. */
        public Builder image(ImageSpec image) {
            this.image = image.toBuilder();
            return this;
        }

        /** Describes {@link ClusterSpec#image()}, starting from what was described so far. */
        public Builder image(Consumer<ImageSpec.Builder> image) {
            image.accept(this.image);
            return this;
        }

        /** Replaces {@link ClusterSpec#extensions()}. */
        public Builder extensions(List<ExtensionSpec> extensions) {
            List<ExtensionSpec> copy = List.copyOf(extensions);
            this.extensions.clear();
            copy.forEach(this::addExtension);
            return this;
        }

        /** Appends one to {@link ClusterSpec#extensions()}. */
        public Builder addExtension(ExtensionSpec extension) {
            extensions.add(Objects.requireNonNull(extension, "extension"));
            return this;
        }

        /**
         * Describes one and appends it to {@link ClusterSpec#extensions()}.
         *
         * @throws InvalidSpecException when it is not valid by itself
         */
        public Builder addExtension(Consumer<ExtensionSpec.Builder> extension) {
            ExtensionSpec.Builder builder = ExtensionSpec.builder();
            extension.accept(builder);
            return addExtension(builder.build());
        }

        /** Sets {@link ClusterSpec#mpi()}. */
        public Builder mpi(MpiSettings mpi) {
            this.mpi = mpi.toBuilder();
            return this;
        }

        /** Describes {@link ClusterSpec#mpi()}, starting from what was described so far. */
        public Builder mpi(Consumer<MpiSettings.Builder> mpi) {
            mpi.accept(this.mpi);
            return this;
        }

        /** Sets {@link ClusterSpec#scheduler()}. */
        public Builder scheduler(Scheduler scheduler) {
            this.scheduler = Objects.requireNonNull(scheduler, "scheduler");
            return this;
        }

        /** Sets {@link ClusterSpec#verify()}. */
        public Builder verify(Verification verify) {
            this.verify = verify.toBuilder();
            return this;
        }

        /** Describes {@link ClusterSpec#verify()}, starting from what was described so far. */
        public Builder verify(Consumer<Verification.Builder> verify) {
            verify.accept(this.verify);
            return this;
        }

        /** Sets {@link ClusterSpec#hpcPack()}. */
        public Builder hpcPack(HpcPackSpec hpcPack) {
            this.hpcPack = hpcPack.toBuilder();
            return this;
        }

        /** Describes {@link ClusterSpec#hpcPack()}, starting from what was described so far. */
        public Builder hpcPack(Consumer<HpcPackSpec.Builder> hpcPack) {
            HpcPackSpec.Builder builder = this.hpcPack == null ? HpcPackSpec.builder() : this.hpcPack;
            hpcPack.accept(builder);
            this.hpcPack = builder;
            return this;
        }

        /** Replaces {@link ClusterSpec#on()}. */
        public Builder on(Map<String, SpecOverlay> on) {
            Map<String, SpecOverlay> copy = new LinkedHashMap<>(on);
            this.on.clear();
            copy.forEach(this::putOn);
            return this;
        }

        /** Adds one to {@link ClusterSpec#on()}, in place of an earlier one of the same name. */
        public Builder putOn(String name, SpecOverlay value) {
            on.put(Checks.provider(name), Objects.requireNonNull(value, "value"));
            return this;
        }

        /** Replaces {@link ClusterSpec#suppress()}. */
        public Builder suppress(List<String> suppress) {
            List<String> copy = List.copyOf(suppress);
            this.suppress.clear();
            copy.forEach(this::addSuppress);
            return this;
        }

        /** Replaces {@link ClusterSpec#suppress()}. */
        public Builder suppress(String... suppress) {
            return suppress(List.of(suppress));
        }

        /** Appends one to {@link ClusterSpec#suppress()}. */
        public Builder addSuppress(String suppress) {
            this.suppress.add(Checks.findingCode(suppress));
            return this;
        }

        /** Sets where relative paths start, {@link ClusterSpec#baseFolder()}. */
        public Builder baseFolder(Path baseFolder) {
            this.baseFolder = Objects.requireNonNull(baseFolder, "baseFolder");
            return this;
        }

        /**
         * The description.
         *
         * @throws InvalidSpecException with every reason why the parts do not make a whole
         */
        public ClusterSpec build() {
            Problems problems = new Problems();
            problems.require("name", name, "give a name of a-z, 0-9 and '-', such as cluster");
            problems.require("region", region, "give a region, such as westeurope");

            if (on.size() > MOST_PROVIDERS) {
                problems.add(
                        "on",
                        "there are overlays for " + on.size() + " providers, and at most " + MOST_PROVIDERS
                                + " are taken",
                        "keep those of the providers in use");
                problems.throwIfAny();
            }
            nodes.fallbackPrefix(name == null ? null : name.value());
            network.fallbackName(name == null ? null : name + "-vnet");
            if (tags.size() > MOST_TAGS) {
                problems.add(
                        "tags",
                        "there are " + tags.size() + " tags, and a resource holds " + MOST_TAGS + " besides our own",
                        "leave out " + (tags.size() - MOST_TAGS));
            }

            @Nullable Login loginPart = problems.part("login", this.login::build);

            @Nullable CostCap costCapPart = costCap == null ? null : problems.part("costCap", costCap::build);

            @Nullable NodeGroup nodesPart = problems.part("nodes", this.nodes::build);
            if (headNode != null) {
                headNode.nodes(nodesPart == null ? null : nodesPart.pattern());
            }
            @Nullable HeadNode headNodePart = headNode == null ? null : problems.part("headNode", headNode::build);

            @Nullable NetworkSpec networkPart = problems.part("network", this.network::build);

            @Nullable Placement placementPart = problems.part("placement", this.placement::build);

            @Nullable ImageSpec imagePart = problems.part("image", this.image::build);

            @Nullable MpiSettings mpiPart = problems.part("mpi", this.mpi::build);

            @Nullable Verification verifyPart = problems.part("verify", this.verify::build);

            @Nullable HpcPackSpec hpcPackPart = hpcPack == null ? null : problems.part("hpcPack", hpcPack::build);

            if (nodesPart != null && headNodePart != null) {
                CrossRules.headNode(problems, nodesPart, headNodePart);
            }
            if (nodesPart != null && networkPart != null) {
                CrossRules.addresses(problems, nodesPart, networkPart);
            }

            problems.throwIfAny();
            ClusterSpec spec = new ClusterSpec(
                    this,
                    Objects.requireNonNull(loginPart),
                    costCapPart,
                    Objects.requireNonNull(nodesPart),
                    headNodePart,
                    Objects.requireNonNull(networkPart),
                    Objects.requireNonNull(placementPart),
                    Objects.requireNonNull(imagePart),
                    Objects.requireNonNull(mpiPart),
                    Objects.requireNonNull(verifyPart),
                    hpcPackPart);
            on.forEach((provider, overlay) -> problems.part("", () -> Overlays.apply(spec, provider, overlay)));
            problems.throwIfAny();
            return spec;
        }
    }
}
