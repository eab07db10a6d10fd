package io.clusterwright.azure.emulator.internal.arm;

import io.clusterwright.core.type.AddressRange;
import io.clusterwright.core.type.Ipv4Address;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/** The machines behind virtual machines: records, or real nodes. Futures fail with an {@link ArmException}. */
public interface BackingMachines extends AutoCloseable {
    /** Creates a machine, and starts it where the order says so. */
    CompletableFuture<?> create(Order order);

    CompletableFuture<?> start(ResourcePath machine);

    CompletableFuture<?> stop(ResourcePath machine);

    default CompletableFuture<?> restart(ResourcePath machine) {
        return stop(machine).thenCompose(stopped -> start(machine));
    }

    /**
     * Refuses machines of an operating system that they cannot boot. Default: records have any.
     *
     * @param system {@code Linux} or {@code Windows}
     */
    default void requireSystem(String system) {}

    CompletableFuture<?> delete(ResourcePath machine);

    /** Deletes what stands for a subnet in which nothing lives any more. */
    CompletableFuture<?> deleteNetwork(ResourcePath subnet);

    /** Keeps the disk of a machine that does not run as an image. */
    CompletableFuture<?> capture(ResourcePath machine, ResourcePath image);

    /** Runs a shell script as root. */
    CompletableFuture<Output> run(ResourcePath machine, String script);

    /** Runs a shell script as root that reads this input. */
    default CompletableFuture<Output> run(ResourcePath machine, String script, byte[] input) {
        return run(machine, script);
    }

    /**
     * Runs a script of PowerShell as LocalSystem.
     *
     * @param name the computer name
     */
    CompletableFuture<Output> powerShell(ResourcePath machine, String name, String script);

    /** The address of what a machine has written to its console, valid for this time. Default: none, and nothing is behind it. */
    default Optional<URI> console(ResourcePath machine, Duration valid) {
        return Optional.empty();
    }

    /**
     * Lets callers from outside reach an address, which is one of this machine's loopback network. Default: nothing listens.
     *
     * @param behind gives the private address that a connection leads to; asked for each, and empty for none
     */
    default void listen(String address, int port, Supplier<Optional<String>> behind) {}

    /** Ends what listens at an address. */
    default void close(String address) {}

    /** The place of the first public address in the range of those, so that several emulators on this machine have different ones. */
    default long firstAddress() {
        return 1;
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
     * @param keys the keys that may log in as that account
     * @param image the captured image it starts from; nothing for one of the marketplace
     * @param marketplace the {@code publisher:offer:sku} it starts from; empty for none
     * @param size its size
     * @param boots whether it is ever started
     */
    record Order(
            ResourcePath id,
            ResourcePath subnetId,
            String name,
            Ipv4Address address,
            AddressRange space,
            AddressRange subnet,
            String customData,
            String user,
            List<String> keys,
            Optional<ResourcePath> image,
            String marketplace,
            String size,
            boolean boots) {
        /** Copies the list. */
        public Order {
            keys = List.copyOf(keys);
        }
    }

    /** Exit status and output of a script. */
    record Output(int exit, String stdout, String stderr) {}
}
