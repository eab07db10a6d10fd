package io.clusterwright.examples.options;

import io.clusterwright.core.Cluster;
import io.clusterwright.linux.Hosts;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options that name hosts which exist already, in the place of a cluster. */
public final class HostOptions {
    private static final String THIS_JOB = "-";

    @Option(
            names = "--hostfile",
            paramLabel = "FILE",
            description = "Run on existing hosts instead of a cluster: a machine file, or - for the nodes of the job of"
                    + " Slurm or PBS in which this program runs.")
    private @Nullable String file;

    @Option(names = "--user", paramLabel = "USER", description = "With --hostfile: the account; default: your own.")
    private @Nullable String user;

    @Option(
            names = "--key",
            paramLabel = "FILE",
            description = "With --hostfile: the private key; default: the first in ~/.ssh.")
    private @Nullable Path key;

    @Option(
            names = "--known-hosts",
            paramLabel = "FILE",
            description = "With --hostfile: the known host keys; default: ~/.ssh/known_hosts and those of the system.")
    private @Nullable Path knownHosts;

    @Option(names = "--port", paramLabel = "N", description = "With --hostfile: the port of sshd; default: 22.")
    private @Nullable Integer port;

    /** Whether hosts were named. */
    public boolean given() {
        return file != null;
    }

    /** Whether an option was given that only hosts have. */
    public boolean withoutHosts() {
        return file == null && (user != null || key != null || knownHosts != null || port != null);
    }

    /** Connects to the hosts; the caller closes them. */
    public Cluster connect() {
        String name = file == null ? THIS_JOB : file;
        Hosts hosts = name.equals(THIS_JOB) ? Hosts.ofThisJob() : Hosts.machineFile(Path.of(name));
        hosts = user == null ? hosts : hosts.user(user);
        hosts = key == null ? hosts : hosts.privateKey(key);
        hosts = knownHosts == null ? hosts : hosts.knownHosts(knownHosts);
        hosts = port == null ? hosts : hosts.port(port);
        return hosts.connect();
    }
}
