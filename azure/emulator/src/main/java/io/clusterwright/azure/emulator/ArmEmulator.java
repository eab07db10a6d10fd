package io.clusterwright.azure.emulator;

import io.clusterwright.azure.emulator.internal.arm.BackingMachines;
import io.clusterwright.azure.emulator.internal.arm.Cloud;
import io.clusterwright.azure.emulator.internal.arm.EmulatedClock;
import io.clusterwright.azure.emulator.internal.arm.FaultCounter;
import io.clusterwright.azure.emulator.internal.arm.FaultScript;
import io.clusterwright.azure.emulator.internal.http.ArmServer;
import io.clusterwright.azure.emulator.internal.machines.FakeMachines;
import io.clusterwright.azure.emulator.internal.machines.RealMachines;
import io.clusterwright.azure.emulator.internal.machines.ResourceLedger;
import io.clusterwright.core.spi.MachineHost;
import io.clusterwright.core.type.InvalidValueException;
import io.clusterwright.core.type.Secret;
import io.clusterwright.core.type.VmSize;
import io.clusterwright.emulator.internal.http.Call;
import io.clusterwright.emulator.internal.http.LoopbackServer;
import io.clusterwright.emulator.internal.http.Recorder;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BinaryOperator;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The part of Azure Resource Manager that a cluster needs, as an HTTP server on the loopback address: no account, no
 * network, and the same requests, answers, delays and errors. Use it to test code that calls Azure, with any client
 * of Resource Manager.
 *
 * <pre>{@code
 * try (ArmEmulator azure = ArmEmulator.builder().realistic().virtualTime().start();
 *         ClusterManager clusters =
 *                 ClusterManager.on(AzureMachines.onLoopback(azure.url(), azure.subscriptionId())
 *                         .build())) {
 *     Plan plan = clusters.plan(spec);
 *     System.out.println(plan.isFeasible());
 *     for (SeenRequest request : azure.requests()) {
 *         System.out.println(request.method() + " " + request.path() + ": " + request.status());
 *     }
 * }
 * }</pre>
 *
 * <p>One emulator is one subscription, empty at first. It keeps nothing when it is closed. Virtual machines are records, unless
 * {@linkplain Builder#machinesBackedBy they are backed} by real ones; then it asks for a {@linkplain #token token}. Requests with a
 * {@code Host} or {@code Origin} that is not this machine's loopback are refused. Safe for use by several threads.
 */
public final class ArmEmulator implements AutoCloseable {
    private final Cloud cloud;
    private final BackingMachines machines;
    private final @Nullable Secret token;
    private final ArmServer server;
    private final Runnable end;
    private final AtomicBoolean closed = new AtomicBoolean();

    private ArmEmulator(Builder builder) {
        this.cloud = new Cloud(
                builder.settings(),
                new EmulatedClock(builder.pace),
                new FaultCounter(builder.faults, builder.chance, builder.seed));
        this.machines = builder.machines();
        this.token = builder.host == null ? null : LoopbackServer.randomToken();
        Recorder recorder = new Recorder(builder.recordings);
        this.server = new ArmServer(cloud, machines, builder.throttling, recorder, builder::gated, token, builder.port);
        this.end = builder.end;
    }

    /** A builder of an emulator on a free port, fast, with 1,000 cores of each family, without throttling and faults. */
    public static Builder builder() {
        return new Builder();
    }

    /** An emulator as the builder has it at first. */
    public static ArmEmulator start() {
        return builder().start();
    }

    /** Its endpoint, such as {@code http://127.0.0.1:40123}: a client's Resource Manager endpoint. */
    public URI url() {
        return URI.create("http://127.0.0.1:" + server.port());
    }

    @Override
    public String toString() {
        return "emulated Azure at " + url();
    }

    /** The id of the one subscription. */
    public String subscriptionId() {
        return cloud.settings().subscription();
    }

    /**
     * The token that each request must carry as {@code Authorization: Bearer TOKEN}, random for each emulator; empty when its machines are
     * records. Real machines run what a request says as root.
     */
    public Optional<Secret> token() {
        return Optional.ofNullable(token);
    }

    /** The last 20,000 requests, in the order of the answers. */
    public List<SeenRequest> requests() {
        return server.seen().stream()
                .map(seen -> new SeenRequest(
                        seen.method(), seen.path(), seen.status().orElse(0), seen.at()))
                .toList();
    }

    /** The id of everything that exists now: resource groups, resources, and their parts such as the instances of a scale set. */
    public List<String> resources() {
        synchronized (cloud) {
            cloud.operations().settle();
            return cloud.store().all().map(resource -> resource.id().toString()).toList();
        }
    }

    /** The time that has passed in the emulated cloud since it started; with virtual time more than really has. */
    public Duration elapsed() {
        synchronized (cloud) {
            return cloud.clock().elapsed();
        }
    }

    /** Replaces the faults; without any, nothing fails any more. */
    public void faults(Fault... faults) {
        synchronized (cloud) {
            cloud.faults().replace(List.of(faults));
        }
    }

    /**
     * The faults that have not hit all their requests, with the remaining {@linkplain Fault#skip() skips} and {@linkplain Fault#times()
     * hits}. A fault that {@linkplain Fault#always() always} hits is in the list until its first hit. A test that asserts that the list is
     * empty notices a fault whose path matches no request.
     */
    public List<Fault> pendingFaults() {
        synchronized (cloud) {
            return List.copyOf(cloud.faults().pending());
        }
    }

    /** Lets time pass in the emulated cloud at once. */
    public void advance(Duration duration) {
        synchronized (cloud) {
            cloud.clock().advance(duration);
            cloud.operations().settle();
        }
    }

    /** Stops listening, deletes every real machine it made, and forgets everything. */
    @Override
    public void close() {
        if (closed.compareAndSet(false, true)) {
            server.close();
            machines.close();
            end.run();
        }
    }

    /** Sets up an emulator. */
    public static final class Builder {
        private static final int HIGHEST_PORT = 65_535;

        private static final double REALISTIC_CHANCE = 0.001;

        private int port;
        private String subscription = "c1057e40-0000-4000-8000-000000000001";
        private boolean realistic;
        private EmulatedClock.Pace pace = EmulatedClock.Pace.REAL;
        private @Nullable Duration retryAfter;
        private boolean throttling;
        private List<Fault> faults = List.of();
        private double chance;
        private long seed;
        private @Nullable Path recordings;
        private @Nullable MachineHost host;
        private @Nullable BinaryOperator<String> powerShell;
        private @Nullable ResourceLedger ledger;
        private Runnable end = () -> {};
        private int coresPerFamily = 1000;
        private int regionalCores = 100_000;
        private int spotCores = 100_000;
        private int publicAddresses = 1000;
        private int pageSize = 100;
        private boolean retiredSizes;
        private boolean acceptedTerms;
        private Predicate<SeenRequest> carriesOut = request -> true;
        private Predicate<SeenRequest> answers = request -> true;
        private final Map<String, Integer> familyLimits = new LinkedHashMap<>();
        private final Set<String> unregistered = new HashSet<>();
        private final Set<String> restrictedSizes = new HashSet<>();
        private @Nullable List<String> visible;

        private Builder() {}

        /**
         * The port to listen on; 0 (the default) is any that is free.
         *
         * @throws InvalidValueException when it is not from 0 to 65535
         */
        public Builder port(int port) {
            if (port < 0 || port > HIGHEST_PORT) {
                throw new InvalidValueException("port", String.valueOf(port), "1 to 65535, or 0 for a free port", 8080);
            }
            this.port = port;
            return this;
        }

        /** The id of the subscription; a fixed one by default. */
        public Builder subscriptionId(String id) {
            this.subscription = id;
            return this;
        }

        /**
         * Lets things take the time they take in Azure (a virtual machine 75 s), with Azure's default quotas, throttled as Azure
         * does, and refuses versions of the API that Azure does not have. Each limit can be changed after this call. By default an operation is over when it is first asked for.
         */
        public Builder realistic() {
            this.realistic = true;
            this.throttling = true;
            this.coresPerFamily = 10;
            this.regionalCores = 10;
            this.spotCores = 3;
            this.publicAddresses = 10;
            this.chance = REALISTIC_CHANCE;
            return this;
        }

        /**
         * Lets the emulated time leap ahead, whenever a client asks for an operation, by as much as that client was asked
         * to wait, or 10 s where it was not; also when an {@linkplain Fault.Kind#OUTAGE outage} leaves it without an answer. Clients that
         * wait at the same time share the leap. With {@link #realistic()} an hour passes in milliseconds; {@link ArmEmulator#elapsed()} is
         * the sum.
         */
        public Builder virtualTime() {
            this.pace = EmulatedClock.Pace.LEAPING;
            return this;
        }

        /** Lets time in the emulated cloud pass by {@link ArmEmulator#advance} alone, however long the clients really take. */
        public Builder standingTime() {
            this.pace = EmulatedClock.Pace.STANDING;
            return this;
        }

        /**
         * The wait between two polls that answers ask for, in whole seconds; by default 1, and 10 when realistic. With 0 answers ask for
         * none, like some services of Azure, and clients poll as they like.
         *
         * @throws InvalidValueException when it is negative or has a fraction of a second
         */
        public Builder retryAfter(Duration wait) {
            if (wait.isNegative() || wait.toNanosPart() != 0) {
                throw new InvalidValueException("Retry-After", wait, "a whole number of seconds, 0 or more", "PT5S");
            }
            this.retryAfter = wait;
            return this;
        }

        /** Turns the published request limits on or off; by default off, unless realistic. */
        public Builder throttling(boolean on) {
            this.throttling = on;
            return this;
        }

        /** The faults of requests and operations; by default none. The first that matches and is not used up decides about a request. */
        public Builder faults(List<Fault> all) {
            this.faults = List.copyOf(all);
            return this;
        }

        /**
         * Reads the faults from a YAML file, as {@link Fault} shows it.
         *
         * @throws InvalidValueException when a value in it is not allowed; the message names the fault by its number from 0
         * @throws io.clusterwright.core.type.ClusterwrightException when it cannot be read
         */
        public Builder faultsFrom(Path file) {
            return faults(FaultScript.read(file));
        }

        /**
         * Lets machines, and instances of scale sets, fail by chance while they are made: with {@code AllocationFailed} or
         * {@code OSProvisioningTimedOut}, at most twice for each. By default none does; {@link #realistic()} lets one of 1,000 fail.
         *
         * @param rate the part that fails, from 0 (none) to 1
         * @param seed selects which fail; with one seed the same ones do, in whatever order the requests arrive
         * @throws InvalidValueException when the rate is outside this range
         */
        public Builder unreliable(double rate, long seed) {
            if (!(rate >= 0 && rate <= 1)) {
                throw new InvalidValueException("failure rate", rate, "a number from 0 to 1", "0.05");
            }
            this.chance = rate;
            this.seed = seed;
            return this;
        }

        /** Writes every request with its answer to this folder, which is made; one JSON file each, without tokens. */
        public Builder recordTo(Path folder) {
            this.recordings = folder;
            return this;
        }

        /**
         * Makes every virtual machine a real one: boots it, applies its custom data, runs its scripts, captures its disk.
         *
         * @param machineHost stays open when the emulator is closed
         */
        public Builder machinesBackedBy(MachineHost machineHost) {
            this.host = machineHost;
            return this;
        }

        /**
         * Emulates the PowerShell of machines with Windows; all machines are records then. The function gets the computer name and every
         * script of Run Command that is PowerShell, exactly as Azure would get it, and returns what the machine prints on standard output.
         * It is called by several threads, one at a time for each machine.
         */
        public Builder emulatedPowerShell(BinaryOperator<String> run) {
            this.powerShell = run;
            return this;
        }

        /**
         * Decides about each request, before anything else, whether it is carried out; otherwise its connection ends without an answer. The
         * status of the request is 0. Called by several threads; a test counts requests here, and stops its client at one of them.
         */
        public Builder carriesOut(Predicate<SeenRequest> decision) {
            this.carriesOut = decision;
            return this;
        }

        /**
         * Decides about each request that was carried out or refused whether it is answered; otherwise its connection
         * ends without an answer.
         * Called by several threads.
         */
        public Builder answers(Predicate<SeenRequest> decision) {
            this.answers = decision;
            return this;
        }

        private LoopbackServer.Service gated(LoopbackServer.Service service) {
            long start = System.nanoTime();
            return call -> carriesOut.test(seen(call, 0, start))
                    ? service.answer(call).filter(reply -> answers.test(seen(call, reply.status(), start)))
                    : Optional.empty();
        }

        private static SeenRequest seen(Call call, int status, long start) {
            return new SeenRequest(call.method(), call.path(), status, Duration.ofNanos(System.nanoTime() - start));
        }

        private BackingMachines machines() {
            if (host != null && powerShell != null) {
                throw new IllegalStateException("Machines backed by real ones are Linux and have no PowerShell."
                        + " Use machinesBackedBy or emulatedPowerShell, not both.");
            }
            return host == null ? new FakeMachines(powerShell) : new RealMachines(host, ledger);
        }

        Builder ledger(ResourceLedger resources, Runnable closed) {
            this.ledger = resources;
            this.end = closed;
            return this;
        }

        /** The limit of cores of each family in each region. */
        public Builder coresPerFamily(int cores) {
            this.coresPerFamily = cores;
            return this;
        }

        /** The limit of cores of one family in each region, such as {@code standardHBv3Family}. */
        public Builder putFamilyLimit(String family, int cores) {
            familyLimits.put(family, cores);
            return this;
        }

        /** The limit of all cores in a region. */
        public Builder regionalCores(int cores) {
            this.regionalCores = cores;
            return this;
        }

        /** The number of public addresses in each region; 1,000 by default, and 10 when realistic. */
        public Builder publicAddresses(int addresses) {
            this.publicAddresses = addresses;
            return this;
        }

        /** The number of entries on a page of a list; 100 by default. */
        public Builder pageSize(int entries) {
            this.pageSize = entries;
            return this;
        }

        /** Offers sizes that Azure has retired, such as {@link VmSize Standard_A9}: by default they are not available. */
        public Builder retiredSizes(boolean offered) {
            this.retiredSizes = offered;
            return this;
        }

        /** Reports a size as one that the subscription may not use ({@code NotAvailableForSubscription}), and refuses it. */
        public Builder addRestrictedSize(String size) {
            restrictedSizes.add(size.toLowerCase(Locale.ROOT));
            return this;
        }

        /**
         * The subscriptions in the list that a client gets, which may be none; by default the one that there is. Only that one answers
         * other requests.
         */
        public Builder visibleSubscriptions(String... ids) {
            this.visible = List.of(ids);
            return this;
        }

        /** Starts with the terms of all plans of the marketplace accepted; by default none are, and a machine with a plan is refused. */
        public Builder acceptedTerms() {
            this.acceptedTerms = true;
            return this;
        }

        /** Starts with a provider that is not registered, such as {@code Microsoft.Compute}. */
        public Builder addUnregisteredProvider(String namespace) {
            unregistered.add(namespace);
            return this;
        }

        private Cloud.Settings settings() {
            Map<String, String> regions = new LinkedHashMap<>();
            regions.put("westeurope", "West Europe");
            regions.put("northeurope", "North Europe");
            regions.put("uksouth", "UK South");
            regions.put("eastus", "East US");
            regions.put("eastus2", "East US 2");
            regions.put("southcentralus", "South Central US");
            regions.put("westus", "West US");
            regions.put("westus2", "West US 2");
            regions.put("westus3", "West US 3");
            regions.put("japaneast", "Japan East");
            regions.put("brazilsouth", "Brazil South");
            Duration wait = retryAfter != null ? retryAfter : Duration.ofSeconds(realistic ? 10 : 1);
            return new Cloud.Settings(
                    subscription,
                    regions,
                    realistic,
                    wait,
                    coresPerFamily,
                    Map.copyOf(familyLimits),
                    regionalCores,
                    spotCores,
                    retiredSizes,
                    pageSize,
                    Set.copyOf(restrictedSizes),
                    visible == null ? List.of(subscription) : visible,
                    acceptedTerms,
                    publicAddresses,
                    Set.copyOf(unregistered));
        }

        /**
         * Starts it; the caller closes it.
         *
         * @throws io.clusterwright.core.type.ClusterwrightException when the port is taken
         */
        public ArmEmulator start() {
            return new ArmEmulator(this);
        }
    }
}
