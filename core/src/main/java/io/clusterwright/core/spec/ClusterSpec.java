package io.clusterwright.core.spec;

import static io.clusterwright.core.spec.SpecCodecs.duration;
import static io.clusterwright.core.spec.SpecCodecs.form;
import static io.clusterwright.core.spec.SpecCodecs.listOf;
import static io.clusterwright.core.spec.SpecCodecs.oneOf;
import static io.clusterwright.core.spec.SpecCodecs.parsed;
import static io.clusterwright.core.spec.SpecCodecs.text;
import static io.clusterwright.core.spec.SpecCodecs.textsOf;

import io.clusterwright.core.internal.spec.ProviderNames;
import io.clusterwright.core.spec.Table.Field;
import io.clusterwright.core.type.ClusterName;
import io.clusterwright.core.type.HasJson;
import io.clusterwright.core.type.InvalidValueException;
import io.clusterwright.core.type.NodeName;
import io.clusterwright.core.type.UserName;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.yaml.snakeyaml.nodes.Node;

/**
 * The spec of a cluster, without the steps that make it. Use it to describe a cluster in code; {@link SpecReader}
 * reads one from a file.
 *
 * <pre>{@code
 * ClusterSpec spec = ClusterSpec.builder("demo")
 *         .region("westeurope") // local nodes need neither a region nor a size
 *         .nodes(nodes -> nodes.count(4).size("Standard_HB120rs_v3"))
 *         .network(network -> network.addressSpace("10.32.0.0/16"))
 *         .timeToLive(Duration.ofHours(8))
 *         .build();
 * String json = spec.toJson(); // SpecReader reads it again
 * }</pre>
 *
 * <p>Immutable. An instance is valid by itself; a plan finds out whether a provider can carry it out.
 */
public final class ClusterSpec extends SpecPart<ClusterSpec.Builder> implements HasJson {
    private static final UserName JOB_USER = UserName.of("hpcuser");
    private static final int WINDOWS_TEMPLATE_PREFIX = 6;

    static final Table<ClusterSpec> FIELDS = new Table<>("the cluster spec", ClusterSpec::new, Builder::new);
    static final Field<ClusterName> NAME = FIELDS.required(
            "name",
            parsed("a cluster name", "cluster", ClusterName::of),
            "give a name of a-z, 0-9 and '-', such as cluster");
    private static final Field<String> REGION =
            FIELDS.optional("region", form("a region", "westeurope", Checks.REGION));
    private static final Field<OperatingSystem> OPERATING_SYSTEM =
            FIELDS.defaulted("operatingSystem", oneOf(OperatingSystem.class), OperatingSystem.LINUX);
    private static final Field<String> RESOURCE_GROUP = FIELDS.derived(
            "resourceGroup", text("a name", "cluster-rg", Checks.RESOURCE_GROUP::check), ClusterSpec::resourceGroup);
    private static final Field<Login> LOGIN = FIELDS.part("login", Login.FIELDS);
    private static final Field<Map<String, String>> TAGS =
            FIELDS.defaulted("tags", textsOf("tags", "a value", "wing-flow", Checks::tag, Checks::tagValue), Map.of());
    private static final Field<Duration> TIME_TO_LIVE = FIELDS.optional("timeToLive", duration("time to live", "8h"));
    private static final Field<CostCap> COST_CAP = FIELDS.optional("costCap", CostCap.FIELDS);
    static final Field<NodeGroup> NODES =
            FIELDS.required("nodes", NodeGroup.FIELDS, "give the number of nodes, such as {count: 8}");
    private static final Field<HeadNode> HEAD_NODE = FIELDS.optional("headNode", HeadNode.FIELDS);
    private static final Field<NetworkSpec> NETWORK = FIELDS.part("network", NetworkSpec.FIELDS);
    private static final Field<Placement> PLACEMENT = FIELDS.part("placement", Placement.FIELDS);
    private static final Field<ImageSpec> IMAGE = FIELDS.part("image", ImageSpec.FIELDS);
    private static final Field<List<ExtensionSpec>> EXTENSIONS =
            FIELDS.defaulted("extensions", listOf(ExtensionSpec.FIELDS), List.of());
    private static final Field<MpiSettings> MPI = FIELDS.part("mpi", MpiSettings.FIELDS);
    private static final Field<Scheduler> SCHEDULER =
            FIELDS.defaulted("scheduler", oneOf(Scheduler.class), Scheduler.NONE);
    private static final Field<Verification> VERIFY = FIELDS.part("verify", Verification.FIELDS);
    private static final Field<HpcPackSpec> HPC_PACK = FIELDS.optional("hpcPack", HpcPackSpec.FIELDS);
    private static final Field<Map<String, Map<String, @Nullable Object>>> ON =
            FIELDS.defaulted("on", SpecCodecs.OVERLAYS, Map.of());
    private static final Field<List<String>> SUPPRESS =
            FIELDS.defaulted("suppress", listOf(form("a finding code", "CW-FABRIC-003", Checks.CODE)), List.of());
    private static final Field<Path> BASE_FOLDER = FIELDS.hidden("baseFolder", Path.class);
    private static final Field<Node> SOURCE = FIELDS.hidden("source", Node.class);

    private ClusterSpec(Values values) {
        super(values);
    }

    /**
     * A builder with the default of every field but the number of nodes.
     *
     * @throws InvalidValueException when the name is not a cluster's
     */
    public static Builder builder(String name) {
        return new Builder().name(name);
    }

    /** A builder with the default of every field but the number of nodes. */
    public static Builder builder(ClusterName name) {
        return new Builder().name(name);
    }

    /** The name of the cluster, from which the names of its resources follow. Required. */
    public ClusterName name() {
        return get(NAME);
    }

    /** The place of the cluster, such as {@code westeurope}. Required in a cloud; providers without regions ignore it. */
    public Optional<String> region() {
        return find(REGION);
    }

    /**
     * The region, for what needs one.
     *
     * @throws InvalidSpecException when the spec names none
     */
    public String requireRegion() {
        return region().orElseThrow(() -> new InvalidSpecException(
                List.of(SpecProblem.missing("region", "write region: westeurope, or another region"))));
    }

    /** The operating system of the nodes. Default: {@link OperatingSystem#LINUX}. */
    public OperatingSystem operatingSystem() {
        return get(OPERATING_SYSTEM);
    }

    /**
     * The group of all resources. Default: the name of the cluster and {@code -rg}. A group that existed before is used
     * and never deleted.
     */
    public String resourceGroup() {
        return find(RESOURCE_GROUP).orElseGet(() -> name() + "-rg");
    }

    /** The account through which nodes are managed. Default: {@code azureuser} with a key made for the cluster. */
    public Login login() {
        return get(LOGIN);
    }

    /**
     * Names and values put on every resource, at most 40. Names ignore case, and do not begin with {@code clusterwright}.
     * Default: none besides the tags of the library.
     */
    public Map<String, String> tags() {
        return get(TAGS);
    }

    /**
     * The time after which Azure ends the machines. {@code destroy --expired} then deletes the rest of the cluster. Local nodes run until
     * they are destroyed. Default: none.
     */
    public Optional<Duration> timeToLive() {
        return find(TIME_TO_LIVE);
    }

    /** The limit of the cost of the cluster. Default: none. */
    public Optional<CostCap> costCap() {
        return find(COST_CAP);
    }

    /** The compute nodes. Required. */
    public NodeGroup nodes() {
        return get(NODES);
    }

    /** A separate head node, without ranks, outside of the placement, never a spot machine. Default: none, the first node is the head. */
    public Optional<HeadNode> headNode() {
        return find(HEAD_NODE);
    }

    /** The name of the head: of the separate head node, or else of the first node. */
    public NodeName headName() {
        return headNode().map(HeadNode::name).orElseGet(() -> nodes().pattern().name(0));
    }

    /** Whether this is the separate head node, which is none of {@link #nodes()}. */
    public boolean isSeparateHead(NodeName machine) {
        return headNode().filter(head -> head.name().equals(machine)).isPresent();
    }

    /** The network of the nodes. Default: a new one of 10.32.0.0/16. */
    public NetworkSpec network() {
        return get(NETWORK);
    }

    /** The grouping of machines on one fabric. Default: chosen by size and count. */
    public Placement placement() {
        return get(PLACEMENT);
    }

    /** The image of the nodes. Default: the image that suits the size, captured. */
    public ImageSpec image() {
        return get(IMAGE);
    }

    /** The software that the provider installs into running machines. Default: none. */
    public List<ExtensionSpec> extensions() {
        return get(EXTENSIONS);
    }

    /** The defaults of MPI jobs. Default: by size and MPI, a rank for each core. */
    public MpiSettings mpi() {
        return get(MPI);
    }

    /** The scheduler of jobs. Default: {@link Scheduler#NONE}. */
    public Scheduler scheduler() {
        return get(SCHEDULER);
    }

    /** The proof that the cluster works. Default: host names over all nodes and a ring of ping-pongs. */
    public Verification verify() {
        return get(VERIFY);
    }

    /** The settings of a cluster of HPC Pack. Default: none. */
    public Optional<HpcPackSpec> hpcPack() {
        return find(HPC_PACK);
    }

    /**
     * The differences on kinds of providers, by their names ({@code local}, {@code azure}): part of a spec as texts,
     * numbers, booleans, lists and maps of these. {@link #forProvider} lays them over the rest: groups of names are
     * merged name by name, a list or a single value takes the place of the one below it, and null brings back the
     * default. Default: none.
     */
    public Map<String, Map<String, @Nullable Object>> on() {
        return get(ON);
    }

    /** Codes of findings that are not reported. Default: none. */
    public List<String> suppress() {
        return get(SUPPRESS);
    }

    /**
     * The spec as one kind of provider carries it out: with its part of {@link #on()} laid over the rest, and
     * without the others. Where that part lowers {@code nodes.count} below the quorum and has no quorum, the quorum
     * follows.
     *
     * @param provider the name of the kind, such as {@code local}; {@code emulator}, an emulated Azure, takes the part of
     *     {@code azure} unless it has a separate one
     */
    public ClusterSpec forProvider(String provider) {
        Map<String, @Nullable Object> overlay = on().get(ProviderNames.partOf(provider, on().keySet()));
        return overlay == null ? toBuilder().on(Map.of()).build() : Overlay.over(this, provider, overlay);
    }

    /**
     * Returns the spec with another number of nodes; a larger quorum is lowered to it.
     *
     * @throws InvalidValueException when no cluster has this number of nodes
     */
    public ClusterSpec withNodeCount(int count) {
        boolean lower = nodes().givenQuorum().filter(quorum -> quorum > count).isPresent();
        return toBuilder()
                .nodes(nodes -> {
                    nodes.count(count);
                    if (lower) {
                        nodes.quorum(count);
                    }
                })
                .build();
    }

    /**
     * The folder where relative paths of files, scripts and secrets start; no part of the spec. Default: the
     * working folder, as an empty path.
     */
    public Path baseFolder() {
        return find(BASE_FOLDER).orElse(Path.of(""));
    }

    /**
     * The account that MPI jobs run as: {@code image.customize.user}; without it, {@code hpcuser} on Linux,
     * which has no sudo and is created on every node, and the login on Windows.
     */
    public UserName mpiUser() {
        return image().customize()
                .user()
                .map(Customization.UserAccount::name)
                .orElse(operatingSystem() == OperatingSystem.LINUX ? JOB_USER : login().user());
    }

    /** A path of this spec, such as a script's, made to start at {@link #baseFolder()} when it is relative. */
    public Path resolve(String path) {
        return baseFolder().resolve(path);
    }

    /**
     * The problem with the line and the column of its field, where this spec was read from text; a field that
     * is absent has the place of the group that would hold it.
     */
    public SpecProblem located(SpecProblem problem) {
        return find(SOURCE).map(source -> SpecReader.located(problem, source)).orElse(problem);
    }

    /** The values that are not defaults. */
    @Override
    public Map<String, Object> toMap() {
        return Collections.unmodifiableMap(FIELDS.write(this));
    }

    /** The values that are not defaults, as JSON that {@link SpecReader} reads as an equal spec. */
    @Override
    public String toJson() {
        return FIELDS.json(this);
    }

    /** The values that are not defaults, as YAML that {@link SpecReader} reads as an equal spec. */
    @Override
    public String toString() {
        return FIELDS.yaml(this);
    }

    /**
     * The name of the machine from which the image is made: the name of the cluster, on Windows its first six
     * characters, and {@code -template}.
     */
    public NodeName templateName() {
        return serving("-template");
    }

    /** The name of the machine that tests a new image: the same with {@code -boottest}. */
    public NodeName bootTestName() {
        return serving("-boottest");
    }

    private NodeName serving(String suffix) {
        String name = name().value();
        boolean shorten = operatingSystem() == OperatingSystem.WINDOWS && name.length() > WINDOWS_TEMPLATE_PREFIX;
        return new NodeName((shorten ? name.substring(0, WINDOWS_TEMPLATE_PREFIX) : name) + suffix);
    }

    @Override
    void check(Problems problems) {
        Checks.tagNames(tags(), problems);
        Overlay.checkNumber(on(), problems);
        find(NODES).ifPresent(nodes -> {
            headNode().ifPresent(head -> head.check(problems, nodes));
            find(NETWORK).ifPresent(network -> network.check(problems, nodes));
        });
    }

    /** Setters of the fields of {@link ClusterSpec}. */
    public static final class Builder extends SpecPart.Builder<ClusterSpec, Builder> {
        Builder() {
            super(FIELDS);
        }

        public Builder name(ClusterName name) {
            return set(NAME, name);
        }

        public Builder name(String name) {
            return parse(NAME, name);
        }

        public Builder region(String region) {
            return set(REGION, region);
        }

        public Builder operatingSystem(OperatingSystem operatingSystem) {
            return set(OPERATING_SYSTEM, operatingSystem);
        }

        public Builder resourceGroup(String resourceGroup) {
            return set(RESOURCE_GROUP, resourceGroup);
        }

        public Builder login(Login login) {
            return set(LOGIN, login);
        }

        public Builder login(Consumer<Login.Builder> login) {
            return edit(LOGIN, login);
        }

        public Builder tags(Map<String, String> tags) {
            return set(TAGS, tags);
        }

        public Builder putTag(String name, String value) {
            return add(TAGS, name, value);
        }

        public Builder timeToLive(Duration timeToLive) {
            return set(TIME_TO_LIVE, timeToLive);
        }

        public Builder costCap(CostCap costCap) {
            return set(COST_CAP, costCap);
        }

        public Builder nodes(NodeGroup nodes) {
            return set(NODES, nodes);
        }

        public Builder nodes(Consumer<NodeGroup.Builder> nodes) {
            return edit(NODES, nodes);
        }

        public Builder headNode(HeadNode headNode) {
            return set(HEAD_NODE, headNode);
        }

        public Builder headNode(Consumer<HeadNode.Builder> headNode) {
            return edit(HEAD_NODE, headNode);
        }

        public Builder network(NetworkSpec network) {
            return set(NETWORK, network);
        }

        public Builder network(Consumer<NetworkSpec.Builder> network) {
            return edit(NETWORK, network);
        }

        public Builder placement(Placement placement) {
            return set(PLACEMENT, placement);
        }

        /** Changes the placement so far. */
        public Builder placement(UnaryOperator<Placement> placement) {
            Placement before = given(PLACEMENT);
            return placement(placement.apply(before == null ? new Placement(Placement.Kind.AUTO, false) : before));
        }

        public Builder image(ImageSpec image) {
            return set(IMAGE, image);
        }

        public Builder image(Consumer<ImageSpec.Builder> image) {
            return edit(IMAGE, image);
        }

        public Builder extensions(List<ExtensionSpec> extensions) {
            return set(EXTENSIONS, extensions);
        }

        public Builder addExtension(ExtensionSpec extension) {
            return add(EXTENSIONS, extension);
        }

        /**
         * Describes an extension and appends it.
         *
         * @throws InvalidSpecException when it is not valid by itself
         */
        public Builder addExtension(Consumer<ExtensionSpec.Builder> extension) {
            ExtensionSpec.Builder builder = ExtensionSpec.builder();
            extension.accept(builder);
            return addExtension(builder.build());
        }

        public Builder mpi(MpiSettings mpi) {
            return set(MPI, mpi);
        }

        public Builder mpi(Consumer<MpiSettings.Builder> mpi) {
            return edit(MPI, mpi);
        }

        public Builder scheduler(Scheduler scheduler) {
            return set(SCHEDULER, scheduler);
        }

        public Builder verify(Verification verify) {
            return set(VERIFY, verify);
        }

        public Builder verify(Consumer<Verification.Builder> verify) {
            return edit(VERIFY, verify);
        }

        public Builder hpcPack(HpcPackSpec hpcPack) {
            return set(HPC_PACK, hpcPack);
        }

        public Builder hpcPack(Consumer<HpcPackSpec.Builder> hpcPack) {
            return edit(HPC_PACK, hpcPack);
        }

        public Builder on(Map<String, Map<String, @Nullable Object>> on) {
            return set(ON, on);
        }

        public Builder putOn(String provider, Map<String, @Nullable Object> overlay) {
            return add(ON, provider, overlay);
        }

        /** Adds the differences on a kind of provider as YAML or JSON, such as <code>nodes: {count: 4}</code>. */
        public Builder putOn(String provider, String overlay) {
            return putOn(provider, SpecCodecs.OVERLAY.parse(Objects.requireNonNull(overlay, "overlay")));
        }

        public Builder suppress(List<String> suppress) {
            return set(SUPPRESS, suppress);
        }

        public Builder suppress(String... suppress) {
            return suppress(List.of(suppress));
        }

        public Builder addSuppress(String suppress) {
            return add(SUPPRESS, suppress);
        }

        /** Sets the folder where relative paths start. */
        public Builder baseFolder(Path baseFolder) {
            return set(BASE_FOLDER, baseFolder);
        }

        Builder source(Node source) {
            return set(SOURCE, source);
        }

        /** Takes the text that another spec was read from. */
        Builder sourceOf(ClusterSpec read) {
            read.find(SOURCE).ifPresent(this::source);
            return this;
        }

        @Override
        public ClusterSpec build() {
            ClusterSpec spec = super.build();
            Overlay.check(spec);
            return spec;
        }
    }
}
