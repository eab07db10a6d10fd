package io.clusterwright.windows.hpcpack;

import io.clusterwright.core.spec.MpiFlavour;
import io.clusterwright.core.type.ClusterwrightException;
import io.clusterwright.core.type.InvalidValueException;
import io.clusterwright.core.type.Ipv4Address;
import io.clusterwright.core.type.NodeName;
import io.clusterwright.core.type.Secret;
import io.clusterwright.mpi.MpiInstallation;
import io.clusterwright.mpi.spi.LaunchNode;
import io.clusterwright.mpi.spi.LaunchRequest;
import io.clusterwright.mpi.spi.ScheduledJob;
import io.clusterwright.mpi.spi.SchedulerTarget;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The nodes of an HPC Pack cluster, for MPI jobs that its head node queues and runs. Immutable; each method that names a part gives another
 * target. It never closes the client.
 *
 * <p>The nodes are those that took jobs when the target was made. The head node chooses among them for each job, unless {@link #only} names
 * them. A node's address is not known here, and reported as 0.0.0.0.
 */
public final class HpcPackTarget implements SchedulerTarget {
    private static final Ipv4Address UNKNOWN = Ipv4Address.parse("0.0.0.0");
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

    @Override
    public ScheduledJob submit(LaunchRequest request, Duration limit) {
        return client.queue(request, limit, this::placed, this::submit);
    }

    @Override
    public ScheduledJob find(String id) {
        return client.queued(id);
    }

    private HpcPackJob placed(HpcPackJob job, List<LaunchNode> used) {
        HpcPackJob placed = job.property("JobTemplate", template).property("NodeGroups", group);
        return named
                ? placed.requestedNodes(
                        used.stream().map(node -> node.name().value()).toList())
                : placed;
    }

    private void submit(int job) {
        if (account == null) {
            client.jobs().submit(job);
        } else {
            client.jobs().submit(job, account.user(), account.password());
        }
    }

    /** The same with some of its nodes; jobs run on no others. */
    @Override
    public HpcPackTarget only(Collection<NodeName> names) {
        List<LaunchNode> some = LaunchNode.select(nodes, names);
        return new HpcPackTarget(client, some, true, group, template, version, account);
    }

    /** The account that jobs run as. */
    private record Account(String user, Secret password) {}
}
