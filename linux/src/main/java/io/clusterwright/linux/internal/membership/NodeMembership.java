package io.clusterwright.linux.internal.membership;

import io.clusterwright.core.NodeSession;
import io.clusterwright.core.catalog.VmSizeFacts;
import io.clusterwright.core.catalog.VmSizes;
import io.clusterwright.core.internal.text.TextResource;
import io.clusterwright.core.spec.ClusterSpec;
import io.clusterwright.core.spec.Customization.UserAccount;
import io.clusterwright.core.spec.HeadNode;
import io.clusterwright.core.spec.SshTrust;
import io.clusterwright.core.spi.Machine;
import io.clusterwright.core.spi.NodeBackend.Trust;
import io.clusterwright.core.type.GroupName;
import io.clusterwright.core.type.Ipv4Address;
import io.clusterwright.core.type.NodeName;
import io.clusterwright.core.type.UserName;
import io.clusterwright.linux.HostsFile;
import io.clusterwright.linux.KnownHost;
import io.clusterwright.linux.KnownHosts;
import io.clusterwright.linux.SshClientConfig;
import io.clusterwright.linux.SshHost;
import io.clusterwright.linux.internal.node.FileBatch;
import io.clusterwright.linux.internal.node.NodeFiles;
import io.clusterwright.linux.internal.node.NodePath;
import io.clusterwright.linux.internal.node.NodeSetup;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Makes a node a member of its cluster: one command makes the account of jobs and reads what is there, one writes what has to change. */
public final class NodeMembership {
    private static final NodePath KNOWN_HOSTS = NodePath.of("/etc/ssh/ssh_known_hosts");
    private static final NodePath HOSTS = NodePath.of("/etc/hosts");

    private final ClusterSpec spec;
    private final NodeName here;
    private final List<Machine> members;
    private final List<UserName> users;
    private final List<SshTrustFiles> keys;

    private NodeMembership(NodeSetup setup, List<Machine> members, Trust trust) {
        this.spec = setup.spec();
        this.here = setup.session().node();
        this.members = List.copyOf(members);
        this.users = List.copyOf(SshTrustFiles.users(setup));
        this.keys = SshTrustFiles.of(setup, trust);
    }

    /** Makes the session's node a member. */
    public static void join(NodeSession session, ClusterSpec spec, List<Machine> members, Trust trust) {
        NodeSetup setup = new NodeSetup(session, spec, line -> {});
        SshTrustFiles.requireSupported(setup.customization().ssh());
        NodeMembership joining = new NodeMembership(setup, members, trust);
        String first = jobAccountScript(jobAccount(spec)) + trustNetwork(spec);
        FileBatch batch = joining.changes(NodeFiles.read(session, first, joining.paths()));
        if (!batch.isEmpty()) {
            setup.run(batch.command());
        }
    }

    private static String trustNetwork(ClusterSpec spec) {
        return TextResource.read(NodeMembership.class.getResourceAsStream("trust-network.sh"), "trust-network.sh")
                .replace("@RANGE@", spec.network().subnet().range().toString());
    }

    private List<NodePath> paths() {
        List<NodePath> paths = new ArrayList<>(List.of(KNOWN_HOSTS, HOSTS, hostfile()));
        keys.forEach(one -> paths.addAll(one.paths()));
        users.forEach(user -> paths.add(config(user)));
        return paths;
    }

    private NodePath hostfile() {
        return NodePath.home(spec.mpiUser(), "hostfile");
    }

    private static NodePath config(UserName user) {
        return NodePath.home(user, ".ssh/config");
    }

    private FileBatch changes(NodeFiles now) {
        FileBatch batch = new FileBatch();
        batch.putIfChanged(now, KNOWN_HOSTS, knownHosts().edit(now.text(KNOWN_HOSTS)), "644", "root:");
        batch.putIfChanged(now, HOSTS, hosts().edit(now.text(HOSTS), spec.name()), "", "");
        batch.putIfChanged(now, hostfile(), hostfileText(now.cores()), "644", "");
        keys.forEach(one -> one.write(now, batch));
        for (UserName user : users) {
            String text = clientConfig().edit(now.text(config(user)), spec.name());
            batch.putIfChanged(now, config(user), text, "600", "");
        }
        return batch;
    }

    private KnownHosts knownHosts() {
        return new KnownHosts(members.stream()
                .map(member -> KnownHost.of(member.name(), member.address(), member.hostKey()))
                .toList());
    }

    private HostsFile hosts() {
        Map<NodeName, Ipv4Address> names = new LinkedHashMap<>();
        members.forEach(member -> names.put(member.name(), member.address()));
        return HostsFile.of(names);
    }

    /** Private addresses of the nodes that run ranks, as the article has them, with the ranks each may run. */
    private String hostfileText(int cores) {
        int slots = spec.mpi().ranksPerNode().orElseGet(() -> ofNodes(cores));
        StringBuilder text = new StringBuilder();
        members.stream()
                .filter(member -> !spec.isSeparateHead(member.name()))
                .forEach(member ->
                        text.append(member.address()).append(':').append(slots).append('\n'));
        return text.toString();
    }

    /** The cores of a node that runs ranks: on the separate head node, which may have others, the cores of their size in the catalog. */
    private int ofNodes(int cores) {
        boolean known = here.equals(spec.headName())
                && spec.headNode()
                        .flatMap(HeadNode::size)
                        .flatMap(VmSizes.standard()::find)
                        .filter(size -> size.vcpus() == cores)
                        .isPresent();
        return known ? VmSizes.standard().ofNodes(spec).map(VmSizeFacts::vcpus).orElse(cores) : cores;
    }

    private SshClientConfig clientConfig() {
        return clientConfig(
                spec.image().customize().ssh(),
                members.stream()
                        .map(member ->
                                SshHost.of(member.name(), member.address().toString()))
                        .toList(),
                members.stream().map(Machine::address).toList());
    }

    /**
     * The SSH client's configuration that a spec asks for.
     *
     * @param hosts the nodes as a client reaches them
     * @param addresses their private addresses
     */
    public static SshClientConfig clientConfig(SshTrust policy, List<SshHost> hosts, List<Ipv4Address> addresses) {
        return switch (policy.hostKeys()) {
            case ACCEPT_IN_RANGE -> SshClientConfig.acceptInRange(policy.acceptRange());
            case ACCEPT_PER_NODE -> SshClientConfig.acceptPerNode(addresses);
            case PINNED -> {
                SshClientConfig.Builder builder = SshClientConfig.builder();
                hosts.forEach(builder::addHost);
                yield builder.build();
            }
        };
    }

    /** The account that jobs run as, with its groups. */
    public static UserAccount jobAccount(ClusterSpec spec) {
        return spec.image().customize().user().orElseGet(() -> new UserAccount(spec.mpiUser(), List.of()));
    }

    /** A script of root that makes the account where it is missing, and prints nothing. */
    public static String jobAccountScript(UserAccount account) {
        String user = account.name().value();
        StringBuilder script = new StringBuilder("export PATH=\"$PATH:/usr/sbin:/sbin\"\n");
        for (GroupName group : account.groups()) {
            script.append("getent group %1$s >/dev/null || groupadd %1$s\n".formatted(group));
        }
        script.append("""
                if ! getent passwd %1$s >/dev/null; then
                    if getent group %1$s >/dev/null; then own="--gid %1$s"; else own=--user-group; fi
                    useradd --create-home --shell /bin/bash $own %1$s >&2
                fi
                """.formatted(user));
        // A new account has a locked password ("!"), which some sshd take as a locked account.
        script.append("case $(getent shadow %1$s | cut -d: -f2) in '!'|'!!') usermod --password '*' %1$s ;; esac\n"
                .formatted(user));
        for (GroupName group : account.groups()) {
            script.append("usermod --append --groups %s %s\n".formatted(group, user));
        }
        return script.toString();
    }
}
