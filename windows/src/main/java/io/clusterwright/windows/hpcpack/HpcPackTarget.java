package io.clusterwright.windows.hpcpack;

import io.clusterwright.core.catalog.VmSizeFacts;
import io.clusterwright.core.catalog.VmSizes;
import io.clusterwright.core.spec.ClusterSpec;
import io.clusterwright.core.spec.HpcPackBurst;
import io.clusterwright.core.spec.HpcPackSpec;
import io.clusterwright.core.spec.MpiFlavour;
import io.clusterwright.core.spec.MpiSettings;
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
import io.clusterwright.mpi.spi.LaunchCommand;
import io.clusterwright.mpi.spi.LaunchNode;
import io.clusterwright.mpi.spi.LaunchRequest;
import io.clusterwright.mpi.spi.ScheduledJob;
import io.clusterwright.mpi.spi.SchedulerTarget;
import io.clusterwright.windows.internal.jobs.HpcPackLauncher;
import io.clusterwright.windows.internal.quoting.HpcPackCommandLine;
import java.time.Duration;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The nodes of an HPC Pack cluster, for MPI jobs that its head node queues and runs. Use it as the target of a {@link
 * io.clusterwright.mpi.MpiJob}. Immutable; each method that names a part gives another target. It never closes the
 * client.
 *
 * <pre>{@code
 * HpcPackTarget target = HpcPackTarget.ofGroup(client, "AzureNodes");
 * JobResult result =
 *         MpiJob.of("solver.exe", "case.xml").ranksPerNode(1).on(target).run(Duration.ofHours(2));
 * System.out.println(result.summary());
 * }</pre>
 *
 * <p>It has the nodes that took jobs when the target was made. The head node chooses among them for each job, unless {@link #only} names
 * them. A node's address is not known here, and reported as 0.0.0.0.
 */
public final class HpcPackTarget implements SchedulerTarget {
    private static final Logger LOG = LoggerFactory.getLogger(HpcPackTarget.class);
    private static final Duration LONGEST = Duration.ofDays(30);
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
     * The nodes that a spec names: the nodes of {@code hpcPack.burst.nodeGroup} for a burst, else of {@code hpcPack.nodeGroup}, else the
     * nodes of the spec itself. Jobs run under {@code hpcPack.jobTemplate}, as the account of {@code hpcPack.head}, with the
     * defaults of {@code mpi}. Nodes of a burst find their network themselves and get the variables alone.
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
        HpcPackTarget templated = target.with(changed -> {
            changed.network = network;
            changed.defaults = spec.mpi().toBuilder()
                    .preset(burst ? MpiPresets.AUTO : spec.mpi().preset())
                    .env(variables)
                    .build();
            changed.template = pack.flatMap(HpcPackSpec::jobTemplate).orElse("");
        });
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
            throw new ClusterwrightException("no node " + where + " accepts jobs now: " + described(all, members)
                    + "; bring nodes online: clusterwright hpcpack HOST online NODE (client.nodes().bringOnline)");
        }
        return new HpcPackTarget(client, nodes, known.of(all), new Settings(group));
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
                    "no node of " + NodeSet.fold(spec.nodes().names()) + " accepts jobs of "
                            + client.connection().headNode()
                            + "; add the nodes to its cluster and bring them online, or write hpcPack.nodeGroup to use a node group");
        }
        return only(own);
    }

    private HpcPackTarget with(Consumer<Settings> change) {
        return new HpcPackTarget(client, nodes, domains, settings.with(change));
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

    /** Sets the job template. */
    public HpcPackTarget template(String name) {
        Objects.requireNonNull(name, "name");
        return with(changed -> changed.template = name);
    }

    /**
     * Sets the account of jobs. Default: the login account; the head node must have its password.
     *
     * @param user such as {@code DOMAIN\\user} or {@code user@domain.example}
     */
    public HpcPackTarget runAs(String user, Secret password) {
        Account account = new Account(HpcPackLogin.requireUser(user), Objects.requireNonNull(password, "password"));
        return with(changed -> changed.account = account);
    }

    /** Sets the version of MS-MPI, which the head node does not report; {@code 10} by default. */
    public HpcPackTarget msMpi(String number) {
        if (!number.matches("\\d+(\\.\\d+){0,3}")) {
            throw new InvalidValueException("MS-MPI version", number, "numbers and dots", "10.1.12498.18");
        }
        return with(changed -> changed.version = number);
    }

    /**
     * Sets the placement domains, which RDMA does not cross: cloud services, availability sets or placement groups. A job
     * that could get nodes of two of them is refused. By default the burst nodes of one node template are a domain,
     * and all other nodes are.
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
        OptionalInt ranks = settings.defaults.ranksPerNode();
        return ranks.isEmpty()
                ? nodes
                : nodes.stream().map(node -> node.withSlots(ranks.getAsInt())).toList();
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
    public MpiSettings defaults() {
        return settings.defaults;
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
     * Submits a job of one task. When this throws, no job is left behind.
     *
     * @throws InvalidValueException when its nodes could lie in two placement domains
     */
    @Override
    public ScheduledJob submit(LaunchRequest request, Duration limit) {
        LaunchCommand command = new HpcPackLauncher().command(request);
        List<LaunchNode> used = request.usedNodes();
        HpcPackTask task = HpcPackTask.of(HpcPackCommandLine.stored(command.arguments()))
                .name(request.program().get(0))
                .nodes(used.size(), used.size());
        HpcPackJob job = HpcPackJob.named(request.folder().token())
                .nodes(used.size(), used.size())
                .property("FailOnTaskFailure", "true");
        if (limit.compareTo(LONGEST) <= 0) {
            job = job.runtime(limit.plusSeconds(1));
        }
        int id = client.jobs().create(placed(job, used));
        try {
            int number = client.jobs().addTask(id, task);
            submit(id);
            return new HpcPackRun(client, id, number, command.arguments());
        } catch (RuntimeException e) {
            abandon(id, e);
            throw e;
        }
    }

    /** Cancels a job that was created and not submitted, which would stay at the head node. */
    private void abandon(int job, RuntimeException why) {
        boolean interrupted = Thread.interrupted();
        try {
            client.jobs().cancelAtOnce(job, "it could not be submitted");
        } catch (RuntimeException e) {
            LOG.debug("job {} stays at the head node", job, e);
            why.addSuppressed(e);
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** The job of a number; jobs of a target have one task, the first. */
    @Override
    public ScheduledJob find(String id) {
        if (!id.matches("[1-9]\\d{0,8}")) {
            throw new InvalidValueException("HPC Pack job id", id, "a positive number", "19");
        }
        return new HpcPackRun(client, Integer.parseInt(id), 1, List.of());
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
                        QueuedJobStatus.of(job.state().queued(), job.state().word(), job.errorMessage()),
                        ""))
                .toList();
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
        Account account = settings.account;
        if (account == null) {
            client.jobs().submit(job);
        } else {
            client.jobs().submit(job, account.user(), account.password());
        }
    }

    /** Selects some of the nodes; jobs run only there. */
    @Override
    public HpcPackTarget only(Collection<NodeName> names) {
        return new HpcPackTarget(
                client, LaunchNode.select(nodes, names), domains, settings.with(changed -> changed.named = true));
    }

    /** The account that jobs run as. */
    private record Account(String user, Secret password) {}

    /** The parts of a job that do not depend on its program. */
    private static final class Settings {
        private final String group;
        private boolean named;
        private String template = "";
        private String version = "10";
        private @Nullable Account account;
        private Interconnect network = Interconnect.NONE;
        private MpiSettings defaults = NO_DEFAULTS;

        Settings(String group) {
            this.group = group;
        }

        /** Returns a changed copy. */
        Settings with(Consumer<Settings> change) {
            Settings copy = new Settings(group);
            copy.named = named;
            copy.template = template;
            copy.version = version;
            copy.account = account;
            copy.network = network;
            copy.defaults = defaults;
            change.accept(copy);
            return copy;
        }
    }
}
