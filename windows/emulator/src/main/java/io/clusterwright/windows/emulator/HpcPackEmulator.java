package io.clusterwright.windows.emulator;

import io.clusterwright.core.internal.concurrent.Tasks;
import io.clusterwright.core.type.InvalidValueException;
import io.clusterwright.core.type.Secret;
import io.clusterwright.emulator.internal.http.Recorder;
import io.clusterwright.emulator.internal.http.Reply;
import io.clusterwright.mpi.job.JobTarget;
import io.clusterwright.mpi.spi.LaunchTarget;
import io.clusterwright.windows.emulator.internal.api.Certificates;
import io.clusterwright.windows.emulator.internal.api.HeadNodeRoutes;
import io.clusterwright.windows.emulator.internal.api.HeadNodeServer;
import io.clusterwright.windows.emulator.internal.scheduler.ComputeNode;
import io.clusterwright.windows.emulator.internal.scheduler.HeadNodeFaults;
import io.clusterwright.windows.emulator.internal.scheduler.HeadNodeScheduler;
import io.clusterwright.windows.emulator.internal.scheduler.HeadNodeScheduler.Users;
import io.clusterwright.windows.emulator.internal.scheduler.Nodes;
import io.clusterwright.windows.emulator.internal.task.TranslatedTask;
import java.net.URI;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A head node of HPC Pack on the loopback address: its REST interface as Microsoft describes it, over TLS with its
 * own certificate and one user with a random password. Use it to test code that calls a head node.
 *
 * <pre>{@code
 * try (HpcPackEmulator head = HpcPackEmulator.builder()
 *         .addNode("CN001", 8, "AzureNodes")
 *         .addNode("CN002", 8, "AzureNodes")
 *         .start()) {
 *     HpcPackConnection connection = HpcPackConnection.of(
 *                     head.url(), HpcPackLogin.basic(head.user(), head.password()))
 *             .trust(List.of(head.certificate()));
 *     try (HpcPackClient client = HpcPackClient.open(connection)) {
 *         System.out.println(client.version());
 *     }
 * }
 * }</pre>
 *
 * <p>Jobs are queued, get nodes for themselves, run their tasks one after the other and end as on a head node. By default tasks are
 * not run at all; {@link Builder#tasksRunOn} runs them on real nodes. {@code docs/emulated-azure.md} lists the emulated part. Nothing is
 * kept when it is closed. Safe for use by several threads.
 */
public final class HpcPackEmulator implements AutoCloseable {
    private final Users users;
    private final HeadNodeFaults faults = new HeadNodeFaults();
    private final Nodes nodes;
    private final HeadNodeScheduler scheduler;
    private final @Nullable Certificates certificates;
    private final HeadNodeServer server;

    private HpcPackEmulator(Builder builder) {
        this.users = new Users("HPC\\hpcadmin", Secret.of(random()), Secret.of(random()));
        this.nodes = new Nodes(builder.nodes(), builder.transition);
        this.scheduler = new HeadNodeScheduler(nodes, builder.runner(), faults, users, builder.credentialsCached);
        this.certificates = builder.plainHttp ? null : Certificates.create();
        HeadNodeRoutes api = HeadNodeRoutes.of(builder.generation, scheduler, nodes);
        this.server = new HeadNodeServer(
                api,
                users,
                faults,
                new Recorder(builder.recordings),
                certificates == null ? null : certificates.context());
    }

    private static String random() {
        byte[] bytes = new byte[12];
        new SecureRandom().nextBytes(bytes);
        return HexFormat.of().formatHex(bytes);
    }

    /** A builder of a head node of HPC Pack 2019 on a free port, with two nodes of 8 cores. */
    public static Builder builder() {
        return new Builder();
    }

    /** Its endpoint, such as {@code https://localhost:40123}. */
    public URI url() {
        return URI.create((certificates == null ? "http" : "https") + "://localhost:" + server.port());
    }

    /**
     * The certificate that a client must trust.
     *
     * @throws IllegalStateException when it uses plain HTTP
     */
    public X509Certificate certificate() {
        if (certificates == null) {
            throw new IllegalStateException(
                    "This head node uses plain HTTP and has no certificate. Build it without plainHttp().");
        }
        return certificates.certificate();
    }

    /** The one user, such as {@code HPC\hpcadmin}. */
    public String user() {
        return users.name();
    }

    /** Its password, made for this head node. */
    public Secret password() {
        return users.password();
    }

    /** A bearer token that is accepted instead. */
    public Secret token() {
        return users.token();
    }

    /** Lets the password that the head node holds expire: jobs are refused unless they bring one. */
    public void expireCredentials() {
        faults.expireCredentials();
    }

    /** Keeps jobs that are submitted from now on in the queue, though nodes are free. */
    public void holdQueue() {
        faults.holdQueue();
    }

    /**
     * Lets tasks fail that start from now on.
     *
     * @param exitCode their exit code
     * @param output the output they write before
     */
    public void failTasks(int exitCode, String output) {
        faults.failTasks(new HeadNodeFaults.TaskFailure(exitCode, output));
    }

    /**
     * Makes a node unreachable for good: its health is {@code Error}, its tasks fail, and no more start there.
     *
     * @param node its name
     */
    public void disconnectNode(String node) {
        scheduler.lose(node);
    }

    /** Answers the next requests with status 503 and this {@code Retry-After}, in whole seconds. */
    public void refuseRequests(int requests, Duration retryAfter) {
        faults.add(
                (call, carriedOut) -> Optional.of(Reply.text(503, "The service is unavailable.", "text/plain")
                        .with("Retry-After", Long.toString(retryAfter.toSeconds()))),
                requests);
    }

    /** Carries out the next requests, and breaks the connection before the answer. */
    public void breakConnections(int requests) {
        faults.add(
                (call, carriedOut) -> {
                    Reply unused = carriedOut.get();
                    return Optional.empty();
                },
                requests);
    }

    /**
     * Answers the next requests with a redirect.
     *
     * @param status such as 307
     * @param location the start of the new location; path and query of the request are appended
     */
    public void redirectRequests(int requests, int status, String location) {
        faults.add(
                (call, carriedOut) -> Optional.of(Reply.empty(status).with("Location", location + call.target())),
                requests);
    }

    /** Answers the next requests late. */
    public void delayRequests(int requests, Duration by) {
        faults.add(
                (call, carriedOut) -> {
                    Tasks.interruptibly(
                            "this thread was interrupted before a late answer", () -> Thread.sleep(by.toMillis()));
                    return Optional.of(carriedOut.get());
                },
                requests);
    }

    /** Ends all faults; a disconnected node stays so. */
    public void heal() {
        faults.clear();
    }

    /**
     * The requests so far in the order of their answers: method, path with query as sent, and status, such as
     * {@code GET /hpc/jobs 200}; in place of the status {@code broken} where the connection was broken.
     */
    public List<String> requests() {
        return server.seen().stream()
                .map(seen -> seen.method() + " " + seen.target() + " "
                        + seen.status().map(String::valueOf).orElse("broken"))
                .toList();
    }

    /** Ends running tasks, stops listening and forgets everything. */
    @Override
    public void close() {
        server.close();
        scheduler.close();
        nodes.close();
    }

    /** Sets up a head node. */
    public static final class Builder {
        private Generation generation = Generation.HPC_2019;
        private final List<ComputeNode.Setup> nodes = new ArrayList<>();
        private Duration transition = Duration.ofMillis(100);
        private TaskRunner runner = TaskRunner.pretending();
        private @Nullable JobTarget target;
        private int pingPongIterations = 200;
        private boolean credentialsCached = true;
        private boolean plainHttp;
        private @Nullable Path recordings;

        private Builder() {}

        /** The emulated HPC Pack; 2019 by default. */
        public Builder generation(Generation emulated) {
            this.generation = Objects.requireNonNull(emulated, "emulated");
            return this;
        }

        /**
         * Adds a compute node that is online; without any, there are {@code CN001} and {@code CN002} with 8 cores.
         *
         * @param groups the node groups it belongs to, besides {@code ComputeNodes}
         * @throws InvalidValueException when the name is blank or there is no core
         */
        public Builder addNode(String name, int cores, String... groups) {
            nodes.add(new ComputeNode.Setup(name, cores, List.of(groups), true));
            return this;
        }

        /**
         * Adds a burst node that is {@code NotDeployed} until it is started.
         *
         * @param groups the node groups it belongs to, besides {@code ComputeNodes}
         * @throws InvalidValueException when the name is blank or there is no core
         */
        public Builder addUndeployedNode(String name, int cores, String... groups) {
            nodes.add(new ComputeNode.Setup(name, cores, List.of(groups), false));
            return this;
        }

        /** The time a node takes from one state to the next; 100 ms by default. */
        public Builder transition(Duration length) {
            this.transition = Objects.requireNonNull(length, "length");
            return this;
        }

        /** The runner of the tasks; by default {@link TaskRunner#pretending}. It is not closed with the head node. */
        public Builder tasksRunBy(TaskRunner given) {
            this.runner = Objects.requireNonNull(given, "given");
            return this;
        }

        /**
         * Runs tasks on real nodes, such as local ones, which become the compute nodes under the same names. {@code mpiexec} of MS-MPI is
         * translated to the MPI of these nodes.
         *
         * <p>Translated are {@code mpiexec} with {@code -n}, {@code -c}, {@code -env}, {@code -wdir}, {@code -timeout},
         * {@code -exitcodes} and {@code -affinity} (which is left out on nodes that share one machine). The program runs under its own
         * name, which must exist on the nodes, but for {@code mpipingpong}: NetPIPE sends the same message in its place, between the
         * first two nodes, and its output is the task's. A line at the start of the output says so. A command without mpiexec runs on the
         * first node, without a shell. Anything else fails with a message and exit code 1.
         */
        public Builder tasksRunOn(JobTarget nodes) {
            this.target = Objects.requireNonNull(nodes, "nodes");
            return this;
        }

        /**
         * The largest number of times that a ping-pong of {@link #tasksRunOn} sends each message; 200 by default. Nodes that share few
         * cores take long for each.
         *
         * @throws InvalidValueException when it is not positive
         */
        public Builder pingPongIterations(int most) {
            if (most < 1) {
                throw new InvalidValueException("number of iterations", most, "1 or more", "200");
            }
            this.pingPongIterations = most;
            return this;
        }

        /** Lets the head node hold no password: each job must bring one. */
        public Builder withoutCachedCredentials() {
            this.credentialsCached = false;
            return this;
        }

        /** Uses HTTP instead of HTTPS, which starts half a second sooner. */
        public Builder plainHttp() {
            this.plainHttp = true;
            return this;
        }

        /** Keeps each request and answer, without login and passwords, in a folder, which is made. */
        public Builder recordTo(Path folder) {
            this.recordings = Objects.requireNonNull(folder, "folder");
            return this;
        }

        private List<ComputeNode.Setup> nodes() {
            if (target != null) {
                return LaunchTarget.of(target).nodes().stream()
                        .map(node -> new ComputeNode.Setup(node.name().value(), node.slots(), List.of(), true))
                        .toList();
            }
            return nodes.isEmpty()
                    ? List.of(
                            new ComputeNode.Setup("CN001", 8, List.of(), true),
                            new ComputeNode.Setup("CN002", 8, List.of(), true))
                    : nodes;
        }

        private TaskRunner runner() {
            return target == null ? runner : TranslatedTask.runner(target, pingPongIterations);
        }

        /**
         * Starts the head node.
         *
         * @throws io.clusterwright.core.type.ClusterwrightException when no port is free
         */
        public HpcPackEmulator start() {
            return new HpcPackEmulator(this);
        }
    }

    /** The versions of HPC Pack that can be emulated. */
    public enum Generation {
        /** {@code /hpc} as Microsoft describes it for 2019. */
        HPC_2019("6.1.7531.0"),
        /** {@code /hpc} with the paths that 2016 has for nodes and groups, which can be read only; from Microsoft's tests and samples. */
        HPC_2016("5.3.6420.0"),
        /** {@code /WindowsHPC} of 2012 and 2012 R2: jobs, tasks, nodes and groups, as Microsoft's reference describes them. */
        HPC_2012("4.5.5079.0");

        private final String version;

        Generation(String version) {
            this.version = version;
        }

        /** The version that the head node reports. */
        public String version() {
            return version;
        }
    }
}
