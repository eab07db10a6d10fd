package io.clusterwright.windows.hpcpack;

import io.clusterwright.core.spec.MpiFlavour;
import io.clusterwright.core.type.ClusterwrightException;
import io.clusterwright.core.type.InvalidValueException;
import io.clusterwright.core.type.Ipv4Address;
import io.clusterwright.core.type.NodeName;
import io.clusterwright.core.type.Secret;
import io.clusterwright.mpi.MpiInstallation;
import io.clusterwright.mpi.spi.LaunchCommand;
import io.clusterwright.mpi.spi.LaunchNode;
import io.clusterwright.mpi.spi.LaunchRequest;
import io.clusterwright.mpi.spi.ScheduledJob;
import io.clusterwright.mpi.spi.SchedulerTarget;
import io.clusterwright.windows.internal.jobs.HpcPackLauncher;
import io.clusterwright.windows.internal.quoting.HpcPackCommandLine;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The nodes of an HPC Pack cluster, for MPI jobs that its head node queues and runs. Immutable; each method that names a part gives another
 * target. It never closes the client.
 *
 * <p>The nodes are those that took jobs when the target was made. The head node chooses among them for each job, unless {@link #only} names
 * them. A node's address is not known here, and reported as 0.0.0.0.
 */
public final class HpcPackTarget implements SchedulerTarget {
    private static final Ipv4Address UNKNOWN = Ipv4Address.parse("0.0.0.0");
    private static final Logger LOG = LoggerFactory.getLogger(HpcPackTarget.class);
    private static final Duration LONGEST = Duration.ofDays(30);
    private static final String HEAD_NODES = "HeadNodes";

    private final HpcPackClient client;
    private final List<LaunchNode> nodes;
    private final boolean named;
    private final String group;
    private final String template;
    private final String version;
    private final @Nullable Account account;

    private HpcPackTarget(
            HpcPackClient client,
            List<LaunchNode> nodes,
            boolean named,
            String group,
            String template,
            String version,
            @Nullable Account account) {
        this.client = client;
        this.nodes = nodes;
        this.named = named;
        this.group = group;
        this.template = template;
        this.version = version;
        this.account = account;
    }

    /**
     * All nodes that take jobs now, but for head nodes.
     *
     * @throws ClusterwrightException when the head node does not answer, or no node takes jobs
     */
    public static HpcPackTarget of(HpcPackClient client) {
        return of(client, "");
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
        return of(client, group);
    }

    private static HpcPackTarget of(HpcPackClient client, String group) {
        List<HpcPackNode> all = client.nodes().list();
        List<String> members = (group.isEmpty()
                        ? all.stream().filter(HpcPackTarget::isNoHead).map(HpcPackNode::name)
                        : client.nodes().inGroup(group).stream())
                .map(name -> name.toLowerCase(Locale.ROOT))
                .toList();
        List<LaunchNode> nodes = all.stream()
                .filter(node -> members.contains(node.name().toLowerCase(Locale.ROOT)))
                .filter(HpcPackNode::takesJobs)
                .map(node -> new LaunchNode(
                        NodeName.parse(node.name()), UNKNOWN, node.cores().orElse(1)))
                .toList();
        if (nodes.isEmpty()) {
            String where = group.isEmpty() ? "of " + client.connection().headNode() : "of group " + group;
            throw new ClusterwrightException("no node " + where + " takes jobs now: " + described(all, members)
                    + "; bring nodes online (client.nodes().bringOnline, or node online)");
        }
        return new HpcPackTarget(client, nodes, false, group, "", "10", null);
    }

    private static boolean isNoHead(HpcPackNode node) {
        return node.groups().stream().noneMatch(HEAD_NODES::equalsIgnoreCase);
    }

    private static String described(List<HpcPackNode> all, List<String> members) {
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
        return new HpcPackTarget(client, nodes, named, group, Objects.requireNonNull(name, "name"), version, account);
    }

    /**
     * The same nodes, with jobs that run as an account; by default as the one that logged in, whose password the head node must hold.
     *
     * @param user such as {@code DOMAIN\\user} or {@code user@domain.example}
     */
    public HpcPackTarget runAs(String user, Secret password) {
        Account other = new Account(HpcPackLogin.requireUser(user), Objects.requireNonNull(password, "password"));
        return new HpcPackTarget(client, nodes, named, group, template, version, other);
    }

    /** The same nodes with this version of MS-MPI, which the head node does not report; {@code 10} by default. */
    public HpcPackTarget msMpi(String number) {
        if (!number.matches("\\d+(\\.\\d+){0,3}")) {
            throw new InvalidValueException("version of MS-MPI", number, "numbers and dots", "10.1.12498.18");
        }
        return new HpcPackTarget(client, nodes, named, group, template, number, account);
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
        return Optional.of(new MpiInstallation(MpiFlavour.MS_MPI, version, "mpiexec"));
    }

    /** The same with some of its nodes; jobs run on no others. */
    @Override
    public HpcPackTarget only(Collection<NodeName> names) {
        List<LaunchNode> some = LaunchNode.select(nodes, names);
        return new HpcPackTarget(client, some, true, group, template, version, account);
    }

    @Override
    public ScheduledJob submit(LaunchRequest request, Duration limit) {
        LaunchCommand command = new HpcPackLauncher().command(request);
        List<LaunchNode> used = request.usedNodes();
        HpcPackTask task = HpcPackTask.of(HpcPackCommandLine.stored(command.arguments()))
                .name(request.program().get(0))
                .nodes(used.size(), used.size());
        int job = client.jobs().create(job(request, used, limit));
        try {
            int number = client.jobs().addTask(job, task);
            submit(job);
            return new HpcPackRun(client, job, number, command.arguments());
        } catch (RuntimeException e) {
            abandon(job, e);
            throw e;
        }
    }

    /** Jobs that {@link #submit} made have one task, the first. */
    @Override
    public ScheduledJob find(String id) {
        if (!id.matches("[1-9]\\d{0,8}")) {
            throw new InvalidValueException("id of an HPC Pack job", id, "a positive number", "19");
        }
        return new HpcPackRun(client, Integer.parseInt(id), 1, List.of());
    }

    private HpcPackJob job(LaunchRequest request, List<LaunchNode> used, Duration limit) {
        HpcPackJob job = HpcPackJob.named(request.folder().token())
                .nodes(used.size(), used.size())
                .property("FailOnTaskFailure", "true");
        if (limit.compareTo(LONGEST) <= 0) {
            job = job.runtime(limit.plusSeconds(1));
        }
        if (!group.isEmpty()) {
            job = job.nodeGroups(List.of(group));
        }
        if (named) {
            job = job.requestedNodes(
                    used.stream().map(node -> node.name().value()).toList());
        }
        return template.isEmpty() ? job : job.template(template);
    }

    /** A job that was created and not submitted would stay for ever. */
    private void abandon(int job, RuntimeException why) {
        boolean interrupted = Thread.interrupted();
        try {
            client.jobs().cancelAtOnce(job, "it could not be submitted");
        } catch (ClusterwrightException e) {
            LOG.debug("job {} stays at the head node", job, e);
            why.addSuppressed(e);
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private void submit(int job) {
        if (account == null) {
            client.jobs().submit(job);
        } else {
            client.jobs().submit(job, account.user(), account.password());
        }
    }

    /** The account that jobs run as. */
    private record Account(String user, Secret password) {}
}
