package io.clusterwright.azure;

import com.azure.core.credential.TokenCredential;
import com.azure.core.http.HttpClient;
import com.azure.core.http.HttpPipeline;
import com.azure.core.management.profile.AzureProfile;
import com.azure.resourcemanager.AzureResourceManager;
import com.azure.resourcemanager.compute.ComputeManager;
import com.azure.resourcemanager.network.NetworkManager;
import com.azure.resourcemanager.resources.ResourceManager;
import com.azure.resourcemanager.resources.models.Subscription;
import io.clusterwright.azure.internal.arm.ArmClient;
import io.clusterwright.azure.internal.arm.Clients;
import io.clusterwright.azure.internal.arm.Connections;
import io.clusterwright.azure.internal.arm.DefaultClient;
import io.clusterwright.core.internal.concurrent.WaitTime;
import io.clusterwright.core.spec.OperatingSystem;
import io.clusterwright.core.spi.MachineProvider;
import io.clusterwright.core.spi.NodeBackend;
import io.clusterwright.core.spi.ProviderMachines;
import io.clusterwright.core.type.AddressRange;
import io.clusterwright.core.type.InvalidValueException;
import io.clusterwright.core.type.Secret;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import java.util.regex.Pattern;

/**
 * Virtual machines of Azure, created through Resource Manager. Use it to create clusters on Azure. All that is
 * created is billed until it is deleted.
 *
 * <pre>{@code
 * ClusterManager managerOfAzure(TokenCredential credential, String tenant, String subscription) {
 *     AzureProfile profile = new AzureProfile(tenant, subscription, AzureEnvironment.AZURE);
 *     return ClusterManager.on(AzureMachines.connect(credential, profile));
 * }
 * }</pre>
 *
 * <p>A call that Azure refuses is an {@link AzureException}. Safe for use by several threads. A pipeline or manager that was handed in
 * stays open. See {@code docs/azure-reference.md} for the resources and their names.
 */
public final class AzureMachines implements ProviderMachines {
    /** The name of this provider: {@value}. */
    public static final String NAME = "azure";

    private final AzureProvider provider;

    private AzureMachines(AzureProvider provider) {
        this.provider = provider;
    }

    /** Machines of the subscription that this object is for, with the standard settings. */
    public static AzureMachines connect(AzureResourceManager azure) {
        return builder(
                        azure.virtualMachines().manager(),
                        azure.networks().manager(),
                        azure.genericResources().manager())
                .build();
    }

    /** Machines reached through this pipeline, which must authenticate by itself, with the standard settings. */
    public static AzureMachines connect(HttpPipeline pipeline, AzureProfile profile) {
        return builder(pipeline, profile).build();
    }

    /** Machines reached with this credential and the HTTP client of the class path, with the standard settings. */
    public static AzureMachines connect(TokenCredential credential, AzureProfile profile) {
        return builder(credential, profile).build();
    }

    /** A builder over these managers, which are for one subscription. */
    public static Builder builder(ComputeManager compute, NetworkManager network, ResourceManager resources) {
        return new Builder(compute, network, resources);
    }

    /**
     * A builder over this pipeline.
     *
     * @param profile names cloud and subscription; without a subscription, the only one that is visible is taken
     * @throws AzureException when no subscription is named and not exactly one is visible, or when the endpoint is plain http
     *     and not on this machine
     */
    public static Builder builder(HttpPipeline pipeline, AzureProfile profile) {
        AzureProfile complete = Connections.complete(pipeline, profile);
        return new Builder(
                ComputeManager.authenticate(pipeline, complete),
                NetworkManager.authenticate(pipeline, complete),
                ResourceManager.authenticate(pipeline, complete).withSubscription(complete.getSubscriptionId()));
    }

    /**
     * A builder with this credential and the HTTP client of the class path. Over plain http, which is for an endpoint on this machine
     * only, no token is asked for.
     *
     * @throws AzureException as for {@link #builder(HttpPipeline, AzureProfile)}
     */
    public static Builder builder(TokenCredential credential, AzureProfile profile) {
        return builder(credential, profile, DefaultClient.create());
    }

    /**
     * A builder with this credential and HTTP client.
     *
     * @throws AzureException as for {@link #builder(HttpPipeline, AzureProfile)}
     */
    public static Builder builder(TokenCredential credential, AzureProfile profile, HttpClient client) {
        return builder(Connections.pipeline(credential, profile, Objects.requireNonNull(client, "client")), profile);
    }

    /**
     * A builder for a Resource Manager on this machine that asks for no token, such as an emulator.
     *
     * @param endpoint where it listens, such as {@code http://127.0.0.1:40123}
     * @throws InvalidValueException when it is plain http and not on this machine
     */
    public static Builder onLoopback(URI endpoint, String subscriptionId) {
        return builder(loopbackPipeline(endpoint), loopbackProfile(endpoint, subscriptionId));
    }

    /**
     * A builder for a Resource Manager on this machine that asks for a separate token, such as an emulator whose machines are real.
     *
     * @param endpoint where it listens, such as {@code http://127.0.0.1:40123}
     * @param subscriptionId the subscription; empty for the only one that is visible
     * @param token the token, which is sent to this endpoint only
     * @throws InvalidValueException when the endpoint is not on this machine
     */
    public static Builder onLoopback(URI endpoint, String subscriptionId, Secret token) {
        return builder(loopbackPipeline(endpoint, token), loopbackProfile(endpoint, subscriptionId));
    }

    /**
     * The profile of a Resource Manager on this machine, such as an emulator, for a separate client of the Azure SDK.
     *
     * <pre>{@code
     * AzureProfile profile = AzureMachines.loopbackProfile(emulator.url(), emulator.subscriptionId());
     * ComputeManager compute = ComputeManager.authenticate(AzureMachines.loopbackPipeline(emulator.url()), profile);
     * }</pre>
     *
     * @param endpoint such as {@code http://127.0.0.1:40123}
     */
    public static AzureProfile loopbackProfile(URI endpoint, String subscriptionId) {
        return Connections.profile(endpoint, subscriptionId);
    }

    /**
     * The pipeline to a Resource Manager on this machine that asks for no token, with the HTTP client of the class path.
     *
     * @throws InvalidValueException when the endpoint is plain http and not on this machine
     */
    public static HttpPipeline loopbackPipeline(URI endpoint) {
        return Connections.pipeline(Connections.NO_TOKEN, Connections.profile(endpoint, ""), DefaultClient.create());
    }

    /**
     * As {@link #loopbackPipeline(URI)}, for an endpoint that asks for a token, which is sent to this endpoint only.
     *
     * @throws InvalidValueException when the endpoint is not on this machine
     */
    public static HttpPipeline loopbackPipeline(URI endpoint, Secret token) {
        return Connections.onLoopback(endpoint, token, DefaultClient.create());
    }

    /** The subscriptions that this pipeline can see. */
    public static List<Subscription> subscriptions(HttpPipeline pipeline, AzureProfile profile) {
        return Connections.subscriptions(pipeline, profile);
    }

    /** The subscriptions that this credential can see. */
    public static List<Subscription> subscriptions(TokenCredential credential, AzureProfile profile) {
        return subscriptions(Connections.pipeline(credential, profile, DefaultClient.create()), profile);
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public String toString() {
        return "machines on " + NAME;
    }

    /**
     * The publishers of images in a region.
     *
     * @throws AzureException when Azure refuses the question
     */
    public List<String> imagePublishers(String region) {
        return provider.imageSearch(region).publishers();
    }

    /**
     * Looks for images of a publisher, each with the version that is newest in the region.
     *
     * @param pattern a regular expression that {@code offer:sku} must have somewhere in it, whatever its case, such as
     *     {@code hpc:.*2204}
     * @return the images that were found, by name; empty when no image was found, or there is no such publisher
     * @throws AzureException when Azure refuses the question
     * @throws java.util.regex.PatternSyntaxException when the pattern is none
     */
    public List<AzureImage> searchImages(String region, String publisher, String pattern) {
        return provider.imageSearch(region).find(publisher, Pattern.compile(pattern, Pattern.CASE_INSENSITIVE));
    }

    /**
     * Looks for images of all publishers, each with the version that is newest in the region.
     *
     * @param pattern {@code PUBLISHER:OFFER:SKU}, each part a regular expression that its name must have somewhere in
     * it, whatever its case,
     *     such as {@code suse:hpc}; parts at the end may be left out. A single part is looked for in the whole
     *     {@code publisher:offer:sku}, of the publishers in the catalog and of publishers whose name has it
     * @return those found, by name
     * @throws InvalidValueException when the pattern is none, or more than 40 publishers have it, whose offers are too many to be listed
     * @throws AzureException when Azure refuses the question
     */
    public List<AzureImage> searchImages(String region, String pattern) {
        return provider.imageSearch(region).find(pattern);
    }

    /**
     * Accepts the terms of an image's purchase plan for the subscription, as {@code az vm image terms accept} does.
     * This is a legal act in the
     * name of the caller, and nothing else of this library does it. Does nothing for an image without a plan.
     *
     * @throws AzureException when Azure refuses it
     */
    public void acceptTerms(AzureImage image) {
        provider.acceptTerms(image.plan());
    }

    @Override
    public MachineProvider open() {
        return provider;
    }

    /** The settings of a connection. */
    public static final class Builder {
        private static final AddressRange THIS_MACHINE = AddressRange.of("127.0.0.1/32");
        private static final int MOST_PARALLEL = 1000;

        private final ComputeManager compute;
        private final NetworkManager network;
        private final ResourceManager resources;
        private final List<AddressRange> callers = new ArrayList<>();
        String imageGroup = "clusterwright-images";
        String gallery = "clusterwright";
        boolean managedImages;
        private Duration pollInterval = Duration.ofSeconds(5);
        int parallel = 128;
        boolean privateAddresses;
        boolean runCommand;
        boolean bootDiagnostics;
        String noSessions = "";
        Function<OperatingSystem, NodeBackend> backends = NodeBackend::of;
        private WaitTime.Source time = WaitTime.OF_PROCESS;

        private Builder(ComputeManager compute, NetworkManager network, ResourceManager resources) {
            this.compute = Objects.requireNonNull(compute, "compute");
            this.network = Objects.requireNonNull(network, "network");
            this.resources = Objects.requireNonNull(resources, "resources");
        }

        /** The resource group in which captured images are kept; made when absent. Default {@code clusterwright-images}. */
        public Builder imageGroup(String imageGroup) {
            this.imageGroup = Objects.requireNonNull(imageGroup, "imageGroup");
            return this;
        }

        /**
         * The Compute Gallery that keeps captured images as its versions, with one replica for every 20 machines that boot at a time; made
         * in the image group when absent. Each replica is billed as storage of the disk. Default: {@code clusterwright}.
         *
         * @param name letters, digits, underscores and dots
         * @throws InvalidValueException when it is of another form
         */
        public Builder gallery(String name) {
            if (!name.matches("[A-Za-z0-9](?:[A-Za-z0-9._]{0,78}[A-Za-z0-9])?")) {
                throw new InvalidValueException(
                        "gallery name", name, "1 to 80 letters, digits, underscores or dots", "hpc_images");
            }
            this.gallery = name;
            return this;
        }

        /**
         * Whether new captured images become managed images and not versions of the {@linkplain #gallery gallery}. Creating more than about
         * 20 machines at a time from one may time out, and it cannot be made of a machine with Trusted Launch. Default: no.
         */
        public Builder managedImages(boolean managedImages) {
            this.managedImages = managedImages;
            return this;
        }

        /**
         * The pause between two polls of an operation, where Azure does not name one. Default 5 s.
         *
         * @throws InvalidValueException when it is not positive
         */
        public Builder pollInterval(Duration pollInterval) {
            if (pollInterval.isZero() || pollInterval.isNegative()) {
                throw new InvalidValueException("poll interval", pollInterval, "a positive duration", "PT5S");
            }
            this.pollInterval = pollInterval;
            return this;
        }

        /**
         * The number of operations at a time. Default 128.
         *
         * @throws InvalidValueException when it is not between 1 and 1000
         */
        public Builder parallel(int parallel) {
            if (parallel < 1 || parallel > MOST_PARALLEL) {
                throw new InvalidValueException(
                        "number of parallel operations", parallel, "1 to " + MOST_PARALLEL, "128");
            }
            this.parallel = parallel;
            return this;
        }

        /** Adds a range that may reach external SSH where the spec's {@code network.ssh.allowFrom} is empty. */
        public Builder addCallerRange(AddressRange range) {
            callers.add(Objects.requireNonNull(range, "range"));
            return this;
        }

        /** Whether to dial all nodes at their private addresses: from inside of the network, or over a VPN. Default: no. */
        public Builder privateAddresses(boolean privateAddresses) {
            this.privateAddresses = privateAddresses;
            return this;
        }

        /**
         * Whether nodes are reached by Run Command instead of SSH: no port is opened and no route into the network is needed, but every
         * step takes Azure seconds to half a minute, and MPI programs are started over the nodes' own network all the same. Default: no;
         * Windows nodes always use Run Command. Source of the limits: Microsoft, "Run scripts in your VM by using action Run
         * Commands" (the last 4,096 bytes of output, one script at a time, 90 minutes).
         */
        public Builder runCommand(boolean runCommand) {
            this.runCommand = runCommand;
            return this;
        }

        /**
         * Whether new machines keep their serial console and a screenshot in storage that Azure manages (boot diagnostics), which
         * {@code ClusterManager.describe} reads. These are billed by their size, at 0.05 USD for a GB and month.
         * Default: no. Source: Microsoft, "Azure boot diagnostics".
         */
        public Builder bootDiagnostics(boolean bootDiagnostics) {
            this.bootDiagnostics = bootDiagnostics;
            return this;
        }

        /**
         * Refuses each session to a node at once with this reason, for machines without a system, such as the machines of an emulator
         * that are records. Default: sessions are opened.
         */
        public Builder refuseSessions(String reason) {
            this.noSessions = Objects.requireNonNull(reason, "reason");
            return this;
        }

        /** The back ends of the nodes' systems; by default the back ends of the class path. */
        Builder backends(Function<OperatingSystem, NodeBackend> backends) {
            this.backends = backends;
            return this;
        }

        /** The time by which pauses and limits are measured; the time of this machine by default. */
        Builder time(WaitTime.Source time) {
            this.time = time;
            return this;
        }

        /** The machines. */
        public AzureMachines build() {
            boolean loopback =
                    Connections.isLoopback(URI.create(compute.serviceClient().getEndpoint()));
            Clients clients = new Clients(
                    compute.serviceClient(),
                    network.serviceClient(),
                    resources.serviceClient(),
                    new ArmClient(pollInterval, time));
            List<AddressRange> ranges = callers.isEmpty() && loopback ? List.of(THIS_MACHINE) : List.copyOf(callers);
            return new AzureMachines(new AzureProvider(clients, this, ranges));
        }
    }
}
