package io.clusterwright.linux;

import io.clusterwright.core.Cluster;
import io.clusterwright.core.Node;
import io.clusterwright.core.internal.concurrent.Tasks;
import io.clusterwright.core.internal.session.KeptSessions;
import io.clusterwright.core.internal.text.Reason;
import io.clusterwright.core.spec.ClusterSpec;
import io.clusterwright.core.spi.Endpoint;
import io.clusterwright.core.spi.NodeTransport.Target;
import io.clusterwright.core.spi.SshKeyPair;
import io.clusterwright.core.type.AddressRange;
import io.clusterwright.core.type.ClusterwrightException;
import io.clusterwright.core.type.Interconnect;
import io.clusterwright.core.type.InvalidValueException;
import io.clusterwright.core.type.Ipv4Address;
import io.clusterwright.core.type.NodeName;
import io.clusterwright.core.type.SshPublicKey;
import io.clusterwright.core.type.UserName;
import io.clusterwright.linux.internal.ssh.Ed25519Keys;
import io.clusterwright.linux.internal.ssh.SshTransport;
import java.io.IOException;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalInt;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Linux hosts that exist already, such as hosts that a scheduler allocated: {@link #connect} makes them a {@link
 * Cluster}, on which jobs run as on one that was created. Use it inside a job of a scheduler, or on machines of your
 * own.
 *
 * <pre>{@code
 * try (Cluster hosts = Hosts.ofThisJob().connect()) {
 *     MpiJob.of("/opt/app/solver", "case.xml").on(hosts).run().orThrow();
 * }
 * }</pre>
 *
 * <p>A node is named after the first label of its host, since node names hold no dot: {@code node1.example.org} is dialled by that name and
 * becomes node {@code node1}; the host {@code 10.32.0.11} becomes node {@code 10-32-0-11}, and {@code gpu_node1} becomes {@code gpu-node1}. A second host of
 * the same label becomes a node of its whole name, {@code node1-example-net}. Slots of the list become {@link Node#slots()}.
 *
 * <p>Host keys are strict: a host whose key is not in a known_hosts file is refused, unless {@link
 * #trustOnFirstUse()} was chosen. Immutable;
 * each method returns a changed copy. Nothing is changed on the hosts.
 */
public final class Hosts {
    private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(40);
    private static final int AT_ONCE = 8;
    private static final List<String> KEY_FILES = List.of("id_ed25519", "id_ecdsa", "id_rsa");
    private static final Path SYSTEM_KNOWN_HOSTS = Path.of("/etc/ssh/ssh_known_hosts");

    private final HostList list;
    private String user;
    private @Nullable Path privateKey;
    private @Nullable Path knownHosts;
    private int port;
    private Interconnect interconnect = Interconnect.NONE;
    private boolean trustsFirst;

    private Hosts(HostList list) {
        this.list = list;
        this.user = list.user() == null
                ? System.getProperty("user.name")
                : UserName.of(list.user()).value();
        this.port = list.port() == null ? 22 : SshHost.requirePort(list.port());
    }

    private Hosts with(Consumer<Hosts> change) {
        Hosts copy = new Hosts(list);
        copy.user = user;
        copy.privateKey = privateKey;
        copy.knownHosts = knownHosts;
        copy.port = port;
        copy.interconnect = interconnect;
        copy.trustsFirst = trustsFirst;
        change.accept(copy);
        return copy;
    }

    /**
     * Hosts by name or address, each with its slots where a number is known: {@code node1}, {@code node2:4}.
     *
     * @throws InvalidValueException when no host is given, one is not as described, or two have the same node name
     */
    public static Hosts of(String... hosts) {
        return of(Arrays.asList(hosts));
    }

    /** As {@link #of(String...)}. */
    public static Hosts of(List<String> hosts) {
        return new Hosts(HostList.machineFile(String.join("\n", hosts)));
    }

    /**
     * The hosts of a machine file: of Hydra and Intel MPI ({@code node1:4}), Open MPI ({@code node1 slots=4}), MVAPICH
     * ({@code node1:4:mlx5_0}) or Slurm ({@code node[1-3]}), one host or range to a line. Slots of a host that is listed several times are
     * added up. A host with {@code slots=0} is left out. {@code me@node1}, {@code username=} and {@code port=} are the account and the port of
     * the login, the same in each line.
     *
     * @throws InvalidValueException when the file cannot be read, or a line has none of these forms
     */
    public static Hosts machineFile(Path file) {
        return inFile(file, () -> HostList.machineFile(read(file, "machine file")));
    }

    /**
     * The hosts of {@code PBS_NODEFILE}: a host has as many slots as the file has lines for it.
     *
     * @throws InvalidValueException when the file cannot be read, or a line is no host
     */
    public static Hosts pbsNodeFile(Path file) {
        return inFile(file, () -> HostList.pbsNodeFile(read(file, "node file")));
    }

    /**
     * The hosts of {@code SLURM_JOB_NODELIST}, such as {@code node[1-3,7]}, without slots.
     *
     * @throws InvalidValueException when it is not such a list
     */
    public static Hosts slurmNodeList(String list) {
        return new Hosts(HostList.slurm(list, ""));
    }

    /**
     * The hosts that the scheduler gave to the job in which this process runs: {@code SLURM_JOB_NODELIST} with
     * {@code SLURM_TASKS_PER_NODE}, or {@code PBS_NODEFILE}. In a step of srun with fewer nodes than the job, the hosts of the step
     * ({@code SLURM_STEP_NODELIST} with {@code SLURM_STEP_TASKS_PER_NODE}).
     *
     * @throws InvalidValueException when neither variable is set, or the file of PBS cannot be read
     */
    public static Hosts ofThisJob() {
        return ofJob(System.getenv());
    }

    static Hosts ofJob(Map<String, String> environment) {
        String slurm = environment.get("SLURM_JOB_NODELIST");
        if (slurm != null) {
            return new Hosts(HostList.slurmJob(slurm, environment));
        }
        String pbs = environment.get("PBS_NODEFILE");
        if (pbs != null) {
            return pbsNodeFile(Path.of(pbs));
        }
        throw InvalidValueException.of(
                "SLURM_JOB_NODELIST and PBS_NODEFILE are not set, as this process does not run in a job",
                "start it in a job of Slurm or PBS, or name the hosts in a machine file, such as --hostfile FILE");
    }

    /** The account to log in as; default: the account that the machine file names, or the account of this process. */
    public Hosts user(String user) {
        String name = UserName.of(user).value();
        return with(copy -> copy.user = name);
    }

    /**
     * The private key to log in with, in the form of ssh-keygen and without a passphrase; default: the first of {@code ~/.ssh/id_ed25519},
     * {@code id_ecdsa} and {@code id_rsa} that exists.
     */
    public Hosts privateKey(Path file) {
        Objects.requireNonNull(file, "file");
        return with(copy -> copy.privateKey = file);
    }

    /** The file of known host keys; default: {@code ~/.ssh/known_hosts} and {@code /etc/ssh/ssh_known_hosts}. */
    public Hosts knownHosts(Path file) {
        Objects.requireNonNull(file, "file");
        return with(copy -> copy.knownHosts = file);
    }

    /**
     * The port of the SSH servers; default: the port that the machine file names, or 22.
     *
     * @throws InvalidValueException when it is not 1 to 65535
     */
    public Hosts port(int port) {
        SshHost.requirePort(port);
        return with(copy -> copy.port = port);
    }

    /** The fast network that all hosts have; default {@link Interconnect#NONE}. */
    public Hosts interconnect(Interconnect interconnect) {
        Objects.requireNonNull(interconnect, "interconnect");
        return with(copy -> copy.interconnect = interconnect);
    }

    /**
     * Accepts the key of a host that no file knows, and adds it to the file of known hosts. A key that differs from a known one is still
     * refused. Only for networks in which no one else can answer in a host's place.
     */
    public Hosts trustOnFirstUse() {
        return with(copy -> copy.trustsFirst = true);
    }

    /**
     * The hosts as a cluster, whose {@link Cluster#close()} ends the sessions. Logins happen when a session is first needed.
     *
     * @throws ClusterwrightException when a host cannot be resolved, its key is not known, or the private key cannot be read
     */
    public Cluster connect() {
        SshKeyPair identity = Ed25519Keys.read(identityFile());
        SshTransport transport = new SshTransport();
        boolean connected = false;
        try {
            Map<NodeName, String> names = list.names();
            Map<NodeName, Host> hosts = hosts(names, transport);
            List<Node> nodes = new ArrayList<>();
            names.forEach((name, host) -> {
                Host found = Objects.requireNonNull(hosts.get(name));
                Node node = new Node(name, Ipv4Address.of(found.endpoint().host()), found.key(), interconnect);
                OptionalInt slots = Objects.requireNonNull(list.slots().get(host));
                nodes.add(slots.isPresent() ? node.withSlots(slots.getAsInt()) : node);
            });
            KeptSessions sessions = new KeptSessions(transport, (node, account) -> {
                Host host = Objects.requireNonNull(hosts.get(node));
                return transport.connect(
                        new Target(node, host::endpoint, account, identity, host.key(), CONNECT_TIMEOUT));
            });
            Cluster cluster = Cluster.of(spec(nodes), nodes, sessions);
            connected = true;
            return cluster;
        } finally {
            if (!connected) {
                transport.close();
            }
        }
    }

    /** The subnet is the smallest range with all hosts: by it, launchers choose among the networks of a host. */
    private ClusterSpec spec(List<Node> nodes) {
        int first = nodes.get(0).address().bits();
        int differing =
                nodes.stream().mapToInt(node -> node.address().bits() ^ first).reduce(0, (a, b) -> a | b);
        int prefix = Integer.numberOfLeadingZeros(differing);
        int mask = prefix == 0 ? 0 : -1 << 32 - prefix;
        AddressRange range = new AddressRange(new Ipv4Address(first & mask), prefix);
        return ClusterSpec.builder("hosts")
                .login(login -> login.user(user))
                .nodes(group -> group.count(nodes.size()))
                .network(network -> network.addressSpace(range).subnet("hosts", range.toString()))
                .image(image -> image.capture(false).customize(customize -> customize.user(user)))
                .build();
    }

    private Map<NodeName, Host> hosts(Map<NodeName, String> names, SshTransport transport) {
        HostKeys known = HostKeys.read(knownHostsFiles());
        Map<NodeName, Host> hosts = new ConcurrentHashMap<>();
        Map<String, SshPublicKey> learnt = new ConcurrentHashMap<>();
        Tasks.interruptibly(
                "interrupted while the hosts' keys were looked up",
                () -> Tasks.forEach("hosts", AT_ONCE, names.entrySet(), entry -> {
                    String host = entry.getValue();
                    Endpoint endpoint = new Endpoint(resolve(host), port);
                    SshPublicKey key = known.find(List.of(host, endpoint.host()), endpoint.port())
                            .orElseGet(() -> {
                                SshPublicKey shown = firstUse(host, endpoint, transport, known);
                                learnt.put(host, shown);
                                return shown;
                            });
                    hosts.put(entry.getKey(), new Host(endpoint, key));
                }));
        remember(learnt);
        return new LinkedHashMap<>(hosts);
    }

    private SshPublicKey firstUse(String host, Endpoint endpoint, SshTransport transport, HostKeys known) {
        if (!trustsFirst) {
            throw new ClusterwrightException("the key of host " + host + " is not known: "
                    + String.join(
                            " and ", known.files().stream().map(Path::toString).toList())
                    + " have no entry for " + KnownHost.atPort(host, endpoint.port())
                    + "; run ssh " + host + " once and compare the key"
                    + " (in Java also trustOnFirstUse, which takes any key the first time)");
        }
        return transport.shownKey(endpoint, CONNECT_TIMEOUT);
    }

    private void remember(Map<String, SshPublicKey> learnt) {
        if (learnt.isEmpty()) {
            return;
        }
        Path file = knownHostsFiles().get(0);
        List<KnownHost> entries = learnt.entrySet().stream()
                .map(entry -> new KnownHost(List.of(KnownHost.atPort(entry.getKey(), port)), entry.getValue()))
                .toList();
        try {
            Files.createDirectories(Objects.requireNonNull(file.toAbsolutePath().getParent()));
            if (!Files.exists(file)) {
                Files.createFile(file);
            }
            FileEditor.edit(file, new KnownHosts(entries)::edit);
        } catch (IOException e) {
            throw new ClusterwrightException("cannot add the hosts' keys to " + file + ": " + Reason.of(e), e);
        }
    }

    private static String resolve(String host) {
        try {
            return Stream.of(InetAddress.getAllByName(host))
                    .filter(Inet4Address.class::isInstance)
                    .findFirst()
                    .orElseThrow(() -> new ClusterwrightException(
                            "host " + host + " has no IPv4 address; write its IPv4 address in the list of hosts"))
                    .getHostAddress();
        } catch (UnknownHostException e) {
            throw new ClusterwrightException(
                    "host " + host + " cannot be resolved: check the name, or add it to /etc/hosts", e);
        }
    }

    private Path identityFile() {
        if (privateKey != null) {
            return privateKey;
        }
        return KEY_FILES.stream()
                .map(name -> folder().resolve(name))
                .filter(Files::isReadable)
                .findFirst()
                .orElseThrow(() -> new ClusterwrightException("there is no private key to log in with: " + folder()
                        + " has none of " + String.join(", ", KEY_FILES)
                        + "; run: ssh-keygen -t ed25519 -N '' -f " + folder().resolve("id_ed25519")
                        + ", or name a key, such as --key FILE"));
    }

    private List<Path> knownHostsFiles() {
        return knownHosts != null ? List.of(knownHosts) : List.of(folder().resolve("known_hosts"), SYSTEM_KNOWN_HOSTS);
    }

    private static Path folder() {
        return Path.of(System.getProperty("user.home"), ".ssh");
    }

    /** The hosts of a file, whose name is in each refusal. */
    private static Hosts inFile(Path file, Supplier<HostList> hosts) {
        try {
            return new Hosts(hosts.get());
        } catch (InvalidValueException e) {
            if (e.summary().contains(file.toString())) {
                throw e;
            }
            throw InvalidValueException.of(file + ": " + e.summary(), e.remedy());
        }
    }

    private static String read(Path file, String kind) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw InvalidValueException.of(
                    "cannot read the " + kind + " " + file + ": " + Reason.of(e),
                    "name a text file in UTF-8 with one host to a line, such as node1:4");
        }
    }

    /**
     * The address of a host and its key.
     *
     * @param endpoint the address to dial
     * @param key the only host key accepted
     */
    private record Host(Endpoint endpoint, SshPublicKey key) {}
}
