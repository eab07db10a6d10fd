package io.clusterwright.linux.internal.local;

import io.clusterwright.core.ResourceId;
import io.clusterwright.core.spec.ClusterSpec;
import io.clusterwright.core.spi.Bootstrap;
import io.clusterwright.core.spi.ImageSource;
import io.clusterwright.core.spi.Machine;
import io.clusterwright.core.spi.MachineProvider.MachineOutcome;
import io.clusterwright.core.spi.MachineProvider.MachineRequest;
import io.clusterwright.core.spi.MachineProvider.ResourceLog;
import io.clusterwright.core.spi.SshKeyPair;
import io.clusterwright.core.type.ClusterId;
import io.clusterwright.core.type.ClusterName;
import io.clusterwright.core.type.ImageReference;
import io.clusterwright.core.type.NodeName;
import io.clusterwright.core.type.Secret;
import io.clusterwright.core.type.SshPublicKey;
import io.clusterwright.core.type.UserName;
import io.clusterwright.core.type.VmSize;
import io.clusterwright.linux.local.LocalMachines;
import java.io.Closeable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** A cluster of real nodes for one test, reached with the real {@code ssh}; gone when it is closed. */
public final class Lab implements AutoCloseable {
    public static final ImageSource THIS_SYSTEM = new ImageSource.Base(new ImageReference.Auto());
    static final UserName USER = UserName.of("azureuser");

    public final LocalProvider machines;
    final ClusterSpec spec;
    private final ClusterId id;
    final Path folder;
    private final List<Closeable> held = new ArrayList<>();
    final List<String> announced = Collections.synchronizedList(new ArrayList<>());
    final ResourceLog log = new ResourceLog() {
        @Override
        public ClusterId cluster() {
            return id;
        }

        @Override
        public void creating(ResourceId resource) {
            announced.add("creating " + resource);
        }

        @Override
        public void created(ResourceId resource) {
            announced.add("created " + resource);
        }

        @Override
        public void deleted(ResourceId resource) {
            announced.add("deleted " + resource);
        }
    };

    public final Folders folders;

    /** A cluster in separate folders. */
    public Lab(String name, String addressSpace) throws IOException {
        this(name, addressSpace, Files.createTempDirectory("clusterwright-lab-"));
    }

    /** A cluster in these folders, with the id that they have or get. */
    public Lab(String name, String addressSpace, Path folder) throws IOException {
        this(spec(name, addressSpace), folder, knownId(folder));
    }

    /** A cluster of this id in these folders. */
    Lab(ClusterSpec spec, Path folder, String id) throws IOException {
        this.folder = folder;
        this.folders = new Folders(folder.resolve("run"), folder.resolve("store"));
        this.machines = machines(folder);
        this.spec = spec;
        this.id = new ClusterId(spec.name(), id);
        keyPair(folder.resolve("id"));
    }

    private static String knownId(Path folder) throws IOException {
        Path known = folder.resolve("cluster-id");
        if (!Files.exists(known)) {
            Files.writeString(known, ClusterId.random(ClusterName.of("any")).id());
        }
        return Files.readString(known);
    }

    static LocalProvider machines(Path folder) {
        return (LocalProvider) LocalMachines.builder()
                .runFolder(folder.resolve("run"))
                .storeFolder(folder.resolve("store"))
                .build()
                .open();
    }

    static ClusterSpec spec(String name, String addressSpace) {
        return ClusterSpec.builder(name)
                .region("here")
                .nodes(n -> n.count(2).size("Standard_HB120rs_v3"))
                .network(n -> n.addressSpace(addressSpace))
                .build();
    }

    public ClusterId cluster() {
        return id;
    }

    public Lab network() {
        machines.createNetwork(spec, log);
        return this;
    }

    MachineRequest request(int number, ImageSource image) {
        NodeName name = NodeName.of(spec.name() + "-" + number);
        return new MachineRequest(
                name,
                spec.network().subnet().range().address(number),
                VmSize.of("Standard_HB120rs_v3"),
                image,
                new Bootstrap(
                        name,
                        USER,
                        List.of(read(folder.resolve("id.pub")).strip()),
                        keyPair(folder.resolve("host" + number))));
    }

    List<MachineOutcome> outcomes(List<MachineRequest> requests) {
        List<MachineOutcome> outcomes = Collections.synchronizedList(new ArrayList<>());
        machines.createMachines(spec, requests, log, outcomes::add);
        return List.copyOf(outcomes);
    }

    /** Boots nodes of these numbers. */
    public List<Machine> boot(ImageSource image, int... numbers) {
        List<MachineRequest> requests = new ArrayList<>();
        for (int number : numbers) {
            requests.add(request(number, image));
        }
        List<Machine> made = new ArrayList<>();
        for (MachineOutcome outcome : outcomes(requests)) {
            if (outcome instanceof MachineOutcome.Failed failed) {
                throw failed.cause();
            }
            made.add(((MachineOutcome.Made) outcome).machine());
        }
        made.sort((a, b) -> a.name().compareTo(b.name()));
        return made;
    }

    /** Runs a shell command on a node as the login user. */
    Answer ssh(Machine machine, String command) {
        return ssh(machine, command, "");
    }

    Answer ssh(Machine machine, String command, String input) {
        Path knownHosts = folder.resolve("known_hosts-" + machine.name());
        try {
            Files.writeString(
                    knownHosts,
                    machine.address() + " " + machine.hostKey().type() + " "
                            + machine.hostKey().base64() + "\n");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        HostCommand.Result result = HostCommand.of(
                        "ssh",
                        "-F",
                        "none",
                        "-i",
                        folder.resolve("id").toString(),
                        "-o",
                        "UserKnownHostsFile=" + knownHosts,
                        "-o",
                        "StrictHostKeyChecking=yes",
                        "-o",
                        "BatchMode=yes",
                        "-o",
                        "ConnectTimeout=5",
                        USER + "@" + machines.endpoint(cluster(), machine).host(),
                        command)
                .input(input)
                .timeout(Duration.ofSeconds(120))
                .run("ssh");
        return new Answer(
                result.exitStatus(), result.stdout().strip(), result.stderr().strip());
    }

    String output(Machine machine, String command) {
        Answer answer = ssh(machine, command);
        if (answer.exit() != 0) {
            throw new AssertionError(machine.name() + ": `" + command + "` gave " + answer);
        }
        return answer.out();
    }

    public void destroy() {
        machines.remaining(cluster()).forEach(resource -> machines.delete(cluster(), resource));
        // Announced before any of it exists, so that a cluster manager deletes it in any case.
        machines.delete(cluster(), new ResourceId("network", cluster().name().value()));
    }

    @Override
    public void close() throws IOException {
        for (Closeable one : held) {
            one.close();
        }
        destroy();
        DurableFiles.deleteTree(folder);
    }

    public static SshKeyPair keyPair(Path file) {
        if (!Files.exists(file)) {
            HostCommand.of("ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-C", "test", "-f", file.toString())
                    .orThrow("make a key");
        }
        return new SshKeyPair(SshPublicKey.of(read(Path.of(file + ".pub")).strip()), Secret.of(read(file)));
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The network namespaces of these nodes, whose numbers no other namespace gets before this is closed. */
    Set<String> namespaces(List<Machine> nodes) throws IOException {
        Set<String> found = new HashSet<>();
        for (Machine node : nodes) {
            long pid = machines.host.processOf(cluster().name(), node.name()).orElseThrow();
            Path process = Path.of("/proc", Long.toString(pid));
            held.add(Files.newInputStream(process.resolve("ns/net")));
            found.add(MachineSnapshot.namespace(process));
        }
        return found;
    }

    MachineSnapshot snapshot() throws IOException {
        return MachineSnapshot.of(folders, cluster());
    }

    record Answer(int exit, String out, String err) {}
}
