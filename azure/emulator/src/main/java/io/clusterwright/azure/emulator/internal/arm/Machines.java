package io.clusterwright.azure.emulator.internal.arm;

import io.clusterwright.core.type.AddressRange;
import io.clusterwright.core.type.Ipv4Address;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** What virtual machines really are: nothing at all, or nodes. Futures fail with an {@link ArmException}. */
public interface Machines extends AutoCloseable {
    /** Virtual machines that are records only: everything succeeds, commands print nothing. */
    Machines NONE = new Machines() {
        @Override
        public CompletableFuture<?> create(Order order) {
            return done();
        }

        @Override
        public CompletableFuture<?> start(ArmId machine) {
            return done();
        }

        @Override
        public CompletableFuture<?> stop(ArmId machine) {
            return done();
        }

        @Override
        public CompletableFuture<?> delete(ArmId machine) {
            return done();
        }

        @Override
        public CompletableFuture<?> capture(ArmId machine, ArmId image) {
            return done();
        }

        @Override
        public CompletableFuture<Output> run(ArmId machine, String script) {
            return CompletableFuture.completedFuture(new Output(0, "", ""));
        }

        private static CompletableFuture<?> done() {
            return CompletableFuture.completedFuture(null);
        }

        @Override
        public void close() {}
    };

    /** Makes a machine, and starts it where the order says so. */
    CompletableFuture<?> create(Order order);

    CompletableFuture<?> start(ArmId machine);

    CompletableFuture<?> stop(ArmId machine);

    CompletableFuture<?> delete(ArmId machine);

    /** Keeps the disk of a machine that does not run as an image. */
    CompletableFuture<?> capture(ArmId machine, ArmId image);

    /** Runs a shell script as root. */
    CompletableFuture<Output> run(ArmId machine, String script);

    /**
     * Runs a script of PowerShell as LocalSystem. Default: it prints nothing, as nothing here is a Windows.
     *
     * @param name the computer name
     */
    default CompletableFuture<Output> powerShell(ArmId machine, String name, String script) {
        return CompletableFuture.completedFuture(new Output(0, "", ""));
    }

    @Override
    void close();

    /**
     * A machine to make.
     *
     * @param id of the virtual machine
     * @param subnetId of the subnet it lives in
     * @param name its host name
     * @param address its private address
     * @param space the addresses of its network
     * @param subnet the addresses of its subnet
     * @param customData decoded; empty for none
     * @param user the account to make
     * @param keys who may log in as that account
     * @param image the captured image it starts from; nothing for one of the marketplace
     * @param boots whether it is ever started
     */
    record Order(
            ArmId id,
            ArmId subnetId,
            String name,
            Ipv4Address address,
            AddressRange space,
            AddressRange subnet,
            String customData,
            String user,
            List<String> keys,
            Optional<ArmId> image,
            boolean boots) {
        /** Copies the list. */
        public Order {
            keys = List.copyOf(keys);
        }
    }

    /** What a script printed. */
    record Output(int exit, String stdout, String stderr) {}
}
