package io.clusterwright.azure.emulator;

import io.clusterwright.azure.emulator.internal.arm.BackingMachines;
import io.clusterwright.azure.emulator.internal.batch.BatchServer;
import io.clusterwright.azure.emulator.internal.machines.FakeMachines;
import io.clusterwright.azure.emulator.internal.machines.RealMachines;
import io.clusterwright.core.spi.MachineHost;
import io.clusterwright.core.type.AddressRange;
import io.clusterwright.core.type.Secret;
import io.clusterwright.emulator.internal.http.LoopbackServer;
import io.clusterwright.emulator.internal.http.Recorder;
import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * One account of Azure Batch on this machine: pools, jobs and multi-instance tasks over HTTP, as far as an MPI job
 * needs them. Use it to test code that calls {@code AzureBatch}. Nodes are records whose commands succeed and print
 * nothing, unless {@link Builder#machinesBackedBy} makes them real; then it asks for a {@linkplain #token token}.
 * Safe for use by several threads.
 *
 * <pre>{@code
 * try (BatchEmulator emulator = BatchEmulator.builder().start()) {
 *     AzureBatch batch =
 *             AzureBatch.onLoopback(emulator.url(), emulator.token().orElse(Secret.of("none")));
 *     System.out.println(batch.pools());
 * }
 * }</pre>
 */
public final class BatchEmulator implements AutoCloseable {
    private final BackingMachines machines;
    private final @Nullable Secret token;
    private final BatchServer server;

    private BatchEmulator(Builder builder) {
        this.machines = builder.host == null ? new FakeMachines(null) : new RealMachines(builder.host, null);
        this.token = builder.host == null ? null : LoopbackServer.randomToken();
        this.server = new BatchServer(machines, builder.space, token, new Recorder(builder.recordings));
    }

    /** A builder with the standard settings. */
    public static Builder builder() {
        return new Builder();
    }

    /** The endpoint of the account. */
    public URI url() {
        return URI.create("http://127.0.0.1:" + server.port());
    }

    /** The token that each request must carry as {@code Authorization: Bearer TOKEN}; empty when its nodes are records. */
    public Optional<Secret> token() {
        return Optional.ofNullable(token);
    }

    /**
     * A container of the storage account that is linked to the account, which is made where it is not there.
     *
     * @param name 3 to 63 lower-case letters, digits and hyphens
     * @param permissions such as {@code rcw} to read, create and write its files; {@code l} lists them
     * @return its URL on this machine, with a signature for these permissions
     */
    public Secret container(String name, String permissions) {
        return Secret.of(server.container(name, permissions).toString());
    }

    /** Everything that exists now, such as {@code pools/p} and {@code jobs/j}. */
    public List<String> resources() {
        return server.resources();
    }

    /** Ends it; the nodes of its pools are deleted. */
    @Override
    public void close() {
        server.close();
        machines.close();
    }

    /** Sets what an emulated account does. */
    public static final class Builder {
        private AddressRange space = AddressRange.of("10.0.0.0/16");
        private @Nullable MachineHost host;
        private @Nullable Path recordings;

        private Builder() {}

        /** The addresses of all nodes; by default {@code 10.0.0.0/16}. */
        public Builder addressSpace(AddressRange range) {
            this.space = Objects.requireNonNull(range, "range");
            return this;
        }

        /**
         * Makes every node a real machine, on which tasks really run.
         *
         * @param machineHost stays open when the emulator is closed
         */
        public Builder machinesBackedBy(MachineHost machineHost) {
            this.host = Objects.requireNonNull(machineHost, "machineHost");
            return this;
        }

        /** Writes every request with its answer to this folder, which is made; one JSON file each, without tokens. */
        public Builder recordTo(Path folder) {
            this.recordings = Objects.requireNonNull(folder, "folder");
            return this;
        }

        /** Starts it. */
        public BatchEmulator start() {
            return new BatchEmulator(this);
        }
    }
}
