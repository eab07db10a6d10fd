package io.clusterwright.windows.emulator;

import io.clusterwright.core.type.Secret;
import io.clusterwright.windows.emulator.internal.api.HpcApi;
import io.clusterwright.windows.emulator.internal.api.WindowsHpcApi;
import io.clusterwright.windows.emulator.internal.http.Api;
import io.clusterwright.windows.emulator.internal.http.Certificates;
import io.clusterwright.windows.emulator.internal.http.Faults;
import io.clusterwright.windows.emulator.internal.http.HeadNodeServer;
import io.clusterwright.windows.emulator.internal.http.Recorder;
import io.clusterwright.windows.emulator.internal.http.Users;
import io.clusterwright.windows.emulator.internal.scheduler.Nodes;
import io.clusterwright.windows.emulator.internal.scheduler.Scheduler;
import java.net.URI;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * A head node of HPC Pack on the loopback address: its REST interface as Microsoft describes it, over TLS with a certificate of its own
 * and one user with a password of its own.
 *
 * <p>Jobs are queued, get nodes for themselves, run their tasks one after the other and end as on a head node. By default tasks are
 * not run at all; {@link MpiTaskRunner} runs them for real. What is emulated and what is not is in {@code docs/hpc-pack-rest.md}. It
 * keeps nothing when it is closed. Safe for use by several threads.
 */
public final class HpcPackEmulator implements AutoCloseable {
    private final Users users;
    private final Faults faults = new Faults();
    private final Nodes nodes;
    private final Scheduler scheduler;
    private final @Nullable Certificates certificates;
    private final HeadNodeServer server;

    private HpcPackEmulator(Builder builder) {
        this.users = new Users(builder.user, Secret.of(random()), Secret.of(random()));
        this.nodes = new Nodes(builder.nodes, builder.transition);
        this.scheduler = new Scheduler(nodes, builder.runner, faults, users, builder.credentialsCached);
        this.certificates = builder.plainHttp ? null : Certificates.create();
        Api api = builder.generation == HpcPackGeneration.HPC_2012
                ? new WindowsHpcApi(scheduler, nodes)
                : new HpcApi(builder.generation, scheduler, nodes);
        Optional<Recorder> recorder = Optional.ofNullable(builder.recordings).map(Recorder::new);
        this.server = new HeadNodeServer(api, users, faults, recorder, Optional.ofNullable(certificates), builder.port);
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

    /** Where it listens, such as {@code https://localhost:40123}. */
    public URI url() {
        return URI.create((certificates == null ? "http" : "https") + "://localhost:" + server.port());
    }

    /**
     * The certificate that a client must trust.
     *
     * @throws IllegalStateException when it speaks plain HTTP
     */
    public X509Certificate certificate() {
        if (certificates == null) {
            throw new IllegalStateException("this head node speaks plain HTTP and has no certificate");
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

    /** Lets something go wrong from now on. */
    public void inject(HeadNodeFault fault) {
        if (fault instanceof HeadNodeFault.NodeUnreachable lost) {
            scheduler.lose(lost.node());
        }
        faults.add(fault);
    }

    /** Lets go right again what can; a node that is lost stays so. */
    public void heal() {
        faults.clear();
    }

    /** What was asked so far, in the order of the answers. */
    public List<SeenRequest> requests() {
        return server.seen();
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
        private int port;
        private HpcPackGeneration generation = HpcPackGeneration.HPC_2019;
        private String user = "HPC\\hpcadmin";
        private List<EmulatedNode> nodes = IntStream.rangeClosed(1, 2)
                .mapToObj(i -> new EmulatedNode("CN00" + i, 8))
                .toList();
        private Duration transition = Duration.ofMillis(100);
        private TaskRunner runner = TaskRunner.pretending();
        private boolean credentialsCached = true;
        private boolean plainHttp;
        private @Nullable Path recordings;

        private Builder() {}

        /** The port to listen on; 0 (the default) is any that is free. */
        public Builder port(int number) {
            this.port = number;
            return this;
        }

        /** Which HPC Pack it is; 2019 by default. */
        public Builder generation(HpcPackGeneration emulated) {
            this.generation = Objects.requireNonNull(emulated, "emulated");
            return this;
        }

        /** The one user; {@code HPC\hpcadmin} by default. */
        public Builder user(String name) {
            this.user = Objects.requireNonNull(name, "name");
            return this;
        }

        /** The compute nodes. */
        public Builder nodes(List<EmulatedNode> all) {
            this.nodes = List.copyOf(all);
            return this;
        }

        /** How long a node takes from one state to the next; 100 ms by default. */
        public Builder transition(Duration length) {
            this.transition = Objects.requireNonNull(length, "length");
            return this;
        }

        /** What runs the tasks; nothing by default. It stays open when the head node is closed. */
        public Builder tasksRunBy(TaskRunner given) {
            this.runner = Objects.requireNonNull(given, "given");
            return this;
        }

        /** Lets the head node hold no password: each job must bring one. */
        public Builder withoutCachedCredentials() {
            this.credentialsCached = false;
            return this;
        }

        /** Speaks HTTP instead of HTTPS, which starts half a second sooner. */
        public Builder plainHttp() {
            this.plainHttp = true;
            return this;
        }

        /** Keeps each request and answer, without login and passwords, in a folder, which is made. */
        public Builder recordTo(Path folder) {
            this.recordings = Objects.requireNonNull(folder, "folder");
            return this;
        }

        /** Starts it. */
        public HpcPackEmulator start() {
            return new HpcPackEmulator(this);
        }
    }
}
