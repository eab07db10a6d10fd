package io.clusterwright.azure;

import static org.assertj.core.api.Assertions.assertThat;

import io.clusterwright.azure.emulator.BatchEmulator;
import io.clusterwright.azure.internal.batch.BatchCalls;
import io.clusterwright.core.spec.ClusterSpec;
import io.clusterwright.core.spec.MpiFlavour;
import io.clusterwright.core.type.AddressRange;
import io.clusterwright.linux.local.LocalMachines;
import io.clusterwright.mpi.job.MpiInstallation;
import java.nio.file.Path;
import java.time.Duration;
import java.util.function.UnaryOperator;

/** A pool on an emulated Batch account whose nodes are real. */
final class RealPool implements AutoCloseable {
    static final Duration SOON = Duration.ofMinutes(4);
    static final MpiInstallation HPC_X = new MpiInstallation(MpiFlavour.HPC_X, "4.1.4", "mpirun");

    private static final Duration POLL = Duration.ofMillis(50);

    final BatchEmulator emulator;
    final BatchPool pool;

    private RealPool(BatchEmulator emulator, BatchPool pool) {
        this.emulator = emulator;
        this.pool = pool;
    }

    /**
     * Makes a pool and waits for its nodes.
     *
     * @param folder of the machines
     * @param range of their addresses
     * @param settings what the pool has beside its description
     */
    static RealPool create(Path folder, String range, ClusterSpec spec, UnaryOperator<BatchPool> settings) {
        LocalMachines local = AzureFixture.local(folder);
        BatchEmulator emulator = BatchEmulator.builder()
                .addressSpace(AddressRange.of(range))
                .machinesBackedBy(local.host())
                .start();
        try {
            BatchPool pool = settings.apply(connect(emulator).pool(spec)).create();
            assertThat(pool.awaitReady(SOON))
                    .hasSize(spec.nodes().count())
                    .allSatisfy(node -> assertThat(node.state()).isEqualTo("idle"));
            return new RealPool(emulator, pool);
        } catch (RuntimeException | Error e) {
            emulator.close();
            throw e;
        }
    }

    static AzureBatch connect(BatchEmulator emulator) {
        return AzureBatch.connect(AzureFixture.pipeline(emulator.token()), emulator.url(), POLL);
    }

    /** Requests to the account that no method has. */
    BatchCalls calls() {
        return new BatchCalls(AzureFixture.pipeline(emulator.token()), emulator.url(), POLL);
    }

    @Override
    public void close() {
        try (BatchEmulator ended = emulator) {
            pool.delete();
        }
    }
}
