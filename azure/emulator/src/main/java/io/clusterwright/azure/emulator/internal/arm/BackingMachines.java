package io.clusterwright.azure.emulator.internal.arm;

import io.clusterwright.core.type.AddressRange;
import io.clusterwright.core.type.Ipv4Address;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/**
 * The machines behind virtual machines: records, or real nodes. The defaults are for records: everything succeeds, commands print
 * nothing, and nothing listens. Futures fail with an {@link ArmException}.
 */
public interface BackingMachines extends AutoCloseable {
    /** Creates a machine, and starts it where the order says so. */
    default CompletableFuture<?> create(Order order) {
        return ResourceType.NO_MACHINES;
    }

    default CompletableFuture<?> start(ResourcePath machine) {
        return ResourceType.NO_MACHINES;
    }

    default CompletableFuture<?> stop(ResourcePath machine) {
        return ResourceType.NO_MACHINES;
    }

    default CompletableFuture<?> restart(ResourcePath machine) {
        return stop(machine).thenCompose(stopped -> start(machine));
    }

    /**
     * Refuses machines of an operating system that they cannot boot.
     *
     * @param system {@code Linux} or {@code Windows}
     */
    default void requireSystem(String system) {}

    default CompletableFuture<?> delete(ResourcePath machine) {
        return ResourceType.NO_MACHINES;
    }

    /** Deletes what stands for a subnet in which nothing lives any more. */
    default CompletableFuture<?> deleteNetwork(ResourcePath subnet) {
        return ResourceType.NO_MACHINES;
    }

    /** Keeps the disk of a machine that does not run as an image. */
    default CompletableFuture<?> capture(ResourcePath machine, ResourcePath image) {
        return ResourceType.NO_MACHINES;
    }

    /** Runs a shell script as root. */
    default CompletableFuture<Output> run(ResourcePath machine, String script) {
        return CompletableFuture.completedFuture(Output.NONE);
    }

    /** Runs a shell script as root that reads this input. */
    default CompletableFuture<Output> run(ResourcePath machine, String script, byte[] input) {
        return run(machine, script);
    }

    /**
     * Runs a script of PowerShell as LocalSystem.
     *
     * @param name the computer name
     */
    default CompletableFuture<Output> powerShell(ResourcePath machine, String name, String script) {
        return CompletableFuture.completedFuture(Output.NONE);
    }

    /** The address of what a machine has written to its console, valid for this time. */
    default Optional<URI> console(ResourcePath machine, Duration valid) {
        return Optional.empty();
    }

    /**
     * Lets callers from outside reach an address, which is one of this machine's loopback network.
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
    default void close() {}

    /**
     * A machine to make.
     *
     * @param id of the virtual machine
     * @param name its host name
     * @param size its size
     * @param boots whether it is ever started
     */
    record Order(ResourcePath id, String name, String size, Place place, Login login, Source source, boolean boots) {}

    /**
     * The place of a machine in a network.
     *
     * @param subnetId of the subnet it lives in
     * @param address its private address
     * @param space the addresses of its network
     * @param subnet the addresses of its subnet
     */
    record Place(ResourcePath subnetId, Ipv4Address address, AddressRange space, AddressRange subnet) {}

    /**
     * The account to make.
     *
     * @param user its name; empty where the image brings its accounts along
     * @param keys the keys that may log in as that account
     */
    record Login(String user, List<String> keys) {
        /** Copies the list. */
        public Login {
            keys = List.copyOf(keys);
        }
    }

    /**
     * The image and the custom data that a machine starts from.
     *
     * @param image the captured image; nothing for one of the marketplace
     * @param marketplace the {@code publisher:offer:sku}; empty for none
     * @param customData decoded; empty for none
     */
    record Source(Optional<ResourcePath> image, String marketplace, String customData) {}

    /** Exit status and output of a script. */
    record Output(int exit, String stdout, String stderr) {
        public static final Output NONE = new Output(0, "", "");
    }
}
