package io.clusterwright.windows.hpcpack;

import io.clusterwright.core.catalog.VmSizeFacts;
import io.clusterwright.core.catalog.VmSizes;
import io.clusterwright.core.spec.ClusterSpec;
import io.clusterwright.core.spec.HpcPackBurst;
import io.clusterwright.core.spec.HpcPackSpec;
import io.clusterwright.core.spec.MpiFlavour;
import io.clusterwright.core.type.ClusterwrightException;
import io.clusterwright.core.type.Interconnect;
import io.clusterwright.core.type.InvalidValueException;
import io.clusterwright.core.type.Ipv4Address;
import io.clusterwright.core.type.NodeName;
import io.clusterwright.core.type.NodeSet;
import io.clusterwright.core.type.Secret;
import io.clusterwright.mpi.job.MpiInstallation;
import io.clusterwright.mpi.job.QueuedJob;
import io.clusterwright.mpi.job.QueuedJobStatus;
import io.clusterwright.mpi.preset.MpiPresets;
import io.clusterwright.mpi.spi.LaunchNode;
import io.clusterwright.mpi.spi.LaunchRequest;
import io.clusterwright.mpi.spi.ScheduledJob;
import io.clusterwright.mpi.spi.SchedulerTarget;
import java.time.Duration;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The nodes of an HPC Pack cluster, for MPI jobs that its head node queues and runs. Immutable; each method that names a part gives another
 * target. It never closes the client.
 *
 * <p>The nodes are those that took jobs when the target was made. The head node chooses among them for each job, unless {@link #only} names
 * them. A node's address is not known here, and reported as 0.0.0.0.
 */
public final class HpcPackTarget implements SchedulerTarget {
    private static final Ipv4Address UNKNOWN = Ipv4Address.of("0.0.0.0");
    private static final String HEAD_NODES = "HeadNodes";

    private final HpcPackClient client;
    private final List<LaunchNode> nodes;
    private final Map<String, String> domains;
    private final Settings settings;

    private HpcPackTarget(
            HpcPackClient client, List<LaunchNode> nodes, Map<String, String> domains, Settings settings) {
        this.client = client;
        this.nodes = nodes;
        this.domains = domains;
        this.settings = settings;
    }

    /**
     * All nodes that take jobs now, but for head nodes.
     *
     * @throws ClusterwrightException when the head node does not answer, or no node takes jobs
     */
    public static HpcPackTarget of(HpcPackClient client) {
        return of(client, "", PlacementDomains.of(Map.of()));
    }

    /**
     * The nodes that a description names: those of {@code hpcPack.burst.nodeGroup} for a burst, else of {@code hpcPack.nodeGroup}, else the
     * nodes of the description itself. Jobs run under {@code hpcPack.jobTemplate}, as the account of {@code hpcPack.head}, with the
     * preset, netmask and variables of {@code mpi}. Nodes of a burst find their network themselves and get the variables alone.
     *
     * @throws ClusterwrightException when the head node does not answer, there is no such group, or none of its nodes takes jobs
     */
    public static HpcPackTarget of(HpcPackClient client, ClusterSpec spec) {
        Optional<HpcPackSpec> pack = spec.hpcPack();
        boolean burst = pack.filter(given -> given.scenario() == HpcPackSpec.Scenario.BURST)
                .isPresent();
        String group = pack.filter(given -> burst)
                .flatMap(HpcPackSpec::burst)
                .map(HpcPackBurst::nodeGroup)
                .or(() -> pack.flatMap(HpcPackSpec::nodeGroup))
                .orElse("");
        HpcPackTarget target = of(client, group, PlacementDomains.of(spec)).ofCluster(spec);
        Map<String, String> variables = new LinkedHashMap<>();
        if (!burst) {
            spec.mpi().netmask().ifPresent(mask -> variables.put("MPICH_NETMASK", mask));
        }
        variables.putAll(spec.mpi().env());
        Interconnect network = burst
                ? Interconnect.NONE
                : VmSizes.standard()
                        .ofNodes(spec)
                        .map(VmSizeFacts::interconnect)
                        .orElse(Interconnect.NONE);
        HpcPackTarget described = target.with(
                target.settings.of(network, burst ? MpiPresets.AUTO : spec.mpi().preset(), variables));
        HpcPackTarget templated =
                pack.flatMap(HpcPackSpec::jobTemplate).map(described::template).orElse(described);
        return pack.flatMap(HpcPackSpec::head)
                .map(head -> templated.runAs(head.user(), head.password().resolve(System.getenv(), spec.baseFolder())))
                .orElse(templated);
    }

    /**
     * The nodes of a node group that take jobs now, such as {@code AzureNodes}.
     *
     * @throws ClusterwrightException when the head node does not answer, there is no such group, or none of its nodes takes jobs
     */
    public static HpcPackTarget ofGroup(HpcPackClient client, String group) {
        if (group.isBlank()) {
            throw new InvalidValueException("node group", group, "the name of a node group", "AzureNodes");
        }
        return of(client, group, PlacementDomains.of(Map.of()));
    }

    private static HpcPackTarget of(HpcPackClient client, String group, PlacementDomains known) {
        List<HpcPackNode> all = client.nodes().list();
        Set<String> members = (group.isEmpty()
                        ? all.stream().filter(HpcPackTarget::isNoHead).map(HpcPackNode::name)
                        : client.nodes().inGroup(group).stream())
                .map(name -> name.toLowerCase(Locale.ROOT))
                .collect(Collectors.toSet());
        List<LaunchNode> nodes = all.stream()
                .filter(node -> members.contains(node.name().toLowerCase(Locale.ROOT)))
                .filter(HpcPackNode::takesJobs)
                .map(node -> new LaunchNode(
                        NodeName.of(node.name()), UNKNOWN, node.cores().orElse(1)))
                .toList();
        if (nodes.isEmpty()) {
            String where = group.isEmpty() ? "of " + client.connection().headNode() : "of group " + group;
            throw new ClusterwrightException("no node " + where + " takes jobs now: " + described(all, members)
                    + "; bring nodes online (client.nodes().bringOnline, or node online)");
        }
        return new HpcPackTarget(client, nodes, known.of(all), Settings.of(group));
    }

    /** Without a group, the nodes of the cluster alone: jobs never run on machines that are not its own. */
    private HpcPackTarget ofCluster(ClusterSpec spec) {
        if (!settings.group.isEmpty()) {
            return this;
        }
        Set<String> described = spec.nodes().names().stream()
                .map(name -> name.value().toLowerCase(Locale.ROOT))
                .collect(Collectors.toSet());
        List<NodeName> own = nodeNames().stream()
                .filter(name -> described.contains(name.value().toLowerCase(Locale.ROOT)))
                .toList();
        if (own.isEmpty()) {
            throw new ClusterwrightException(
                    "none of " + NodeSet.fold(spec.nodes().names())
                            + " takes jobs of " + client.connection().headNode()
                            + "; add them to its cluster and bring them online, or write hpcPack.nodeGroup for the nodes of a group");
        }
        return only(own);
    }

    private HpcPackTarget with(Settings other) {
        return new HpcPackTarget(client, nodes, domains, other);
    }

    private static boolean isNoHead(HpcPackNode node) {
        return node.groups().stream().noneMatch(HEAD_NODES::equalsIgnoreCase);
    }

    private static String described(List<HpcPackNode> all, Set<String> members) {
        String states = String.join(
                ", ",
                all.stream()
                        .filter(node -> members.contains(node.name().toLowerCase(Locale.ROOT)))
                        .limit(10)
                        .map(node -> node.name() + " is " + node.state().word() + ", health "
                                + node.health().word())
                        .toList());
        return states.isEmpty() ? "it has no node" : states;
    }

    /** The same nodes under this job template. */
    public HpcPackTarget template(String name) {
        return with(settings.template(Objects.requireNonNull(name, "name")));
    }

    /**
     * The same nodes, with jobs that run as an account; by default as the one that logged in, whose password the head node must hold.
     *
     * @param user such as {@code DOMAIN\\user} or {@code user@domain.example}
     */
    public HpcPackTarget runAs(String user, Secret password) {
        return with(settings.account(
                new Account(HpcPackLogin.requireUser(user), Objects.requireNonNull(password, "password"))));
    }

    /** The same nodes with this version of MS-MPI, which the head node does not report; {@code 10} by default. */
    public HpcPackTarget msMpi(String number) {
        if (!number.matches("\\d+(\\.\\d+){0,3}")) {
            throw new InvalidValueException("version of MS-MPI", number, "numbers and dots", "10.1.12498.18");
        }
        return with(settings.version(number));
    }

    /**
     * The same nodes with these placement domains, which RDMA does not cross: cloud services, availability sets or placement groups. A job
     * that could get nodes of two of them is refused. By default the burst nodes of one node template are a domain, and all other nodes are.
     *
     * @param given the domain of each node and of each node group that lies in one; case does not matter in the names
     * @throws ClusterwrightException when the head node does not answer
     */
    public HpcPackTarget domains(Map<String, String> given) {
        return new HpcPackTarget(
                client, nodes, PlacementDomains.of(given).of(client.nodes().list()), settings);
    }

    @Override
    public List<LaunchNode> nodes() {
        return nodes;
    }

    @Override
    public Optional<MpiFlavour> flavour() {
        return Optional.of(MpiFlavour.MS_MPI);
    }

    @Override
    public Optional<MpiInstallation> installation() {
        return Optional.of(new MpiInstallation(MpiFlavour.MS_MPI, settings.version, "mpiexec"));
    }

    @Override
    public Interconnect interconnect() {
        return settings.network;
    }

    @Override
    public String preset() {
        return settings.preset;
    }

    @Override
    public Map<String, String> environment() {
        return settings.environment;
    }

    /** The nodes that were online when this target was made and are no more, or are not healthy. */
    @Override
    public List<NodeName> lost() {
        Set<String> good = client.nodes().list().stream()
                .filter(HpcPackNode::takesJobs)
                .map(node -> node.name().toLowerCase(Locale.ROOT))
                .collect(Collectors.toSet());
        return nodeNames().stream()
                .filter(node -> !good.contains(node.value().toLowerCase(Locale.ROOT)))
                .toList();
    }

    /**
     * Submits a job.
     *
     * @throws InvalidValueException when its nodes could lie in two placement domains
     */
    @Override
    public ScheduledJob submit(LaunchRequest request, Duration limit) {
        return client.queue(request, limit, this::placed, this::submit);
    }

    @Override
    public ScheduledJob find(String id) {
        return client.queued(id);
    }

    /** All jobs of the head node, without the names of their nodes. */
    @Override
    public List<QueuedJob.Listed> jobs() {
        return client.jobs().list().stream()
                .sorted(Comparator.comparingInt(JobStatus::id))
                .map(job -> new QueuedJob.Listed(
                        Integer.toString(job.id()),
                        job.properties().getOrDefault("Name", ""),
                        job.properties().getOrDefault("Owner", ""),
                        QueuedJobStatus.of(state(job.state()), job.state().word(), job.errorMessage()),
                        ""))
                .toList();
    }

    private static QueuedJobStatus.State state(JobState state) {
        return switch (state) {
            case CONFIGURING, SUBMITTED, VALIDATING, EXTERNAL_VALIDATION, QUEUED -> QueuedJobStatus.State.WAITING;
            case FINISHED -> QueuedJobStatus.State.SUCCEEDED;
            case FAILED -> QueuedJobStatus.State.FAILED;
            case CANCELED -> QueuedJobStatus.State.CANCELLED;
            case DISPATCHING, RUNNING, FINISHING, CANCELING, UNKNOWN -> QueuedJobStatus.State.RUNNING;
        };
    }

    private HpcPackJob placed(HpcPackJob job, List<LaunchNode> used) {
        List<LaunchNode> possible = settings.named ? used : nodes;
        List<String> names = possible.stream().map(node -> node.name().value()).toList();
        if (used.size() > 1) {
            PlacementDomains.of(domains).check(names, false);
        }
        HpcPackJob placed = job.property("JobTemplate", settings.template).property("NodeGroups", settings.group);
        return settings.named ? placed.requestedNodes(names) : placed;
    }

    private void submit(int job) {
        if (settings.account == null) {
            client.jobs().submit(job);
        } else {
            client.jobs().submit(job, settings.account.user(), settings.account.password());
        }
    }

    /** The same with some of its nodes; jobs run on no others. */
    @Override
    public HpcPackTarget only(Collection<NodeName> names) {
        return new HpcPackTarget(client, LaunchNode.select(nodes, names), domains, settings.ofNamedNodes());
    }

    /** The account that jobs run as. */
    private record Account(String user, Secret password) {}

    /** The parts of a job that do not depend on its program. */
    private record Settings(
            boolean named,
            String group,
            String template,
            String version,
            @Nullable Account account,
            Interconnect network,
            String preset,
            Map<String, String> environment) {
        static Settings of(String group) {
            return new Settings(false, group, "", "10", null, Interconnect.NONE, MpiPresets.AUTO, Map.of());
        }

        Settings ofNamedNodes() {
            return new Settings(true, group, template, version, account, network, preset, environment);
        }

        Settings template(String name) {
            return new Settings(named, group, name, version, account, network, preset, environment);
        }

        Settings version(String number) {
            return new Settings(named, group, template, number, account, network, preset, environment);
        }

        Settings account(Account other) {
            return new Settings(named, group, template, version, other, network, preset, environment);
        }

        Settings of(Interconnect fast, String name, Map<String, String> variables) {
            return new Settings(
                    named, group, template, version, account, fast, name, Collections.unmodifiableMap(variables));
        }
    }
}
