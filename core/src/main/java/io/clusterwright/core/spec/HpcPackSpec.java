package io.clusterwright.core.spec;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** What only a cluster of Microsoft HPC Pack has. */
public final class HpcPackSpec {
    private final Scenario scenario;
    private final Version version;
    private final boolean existingHead;
    private final String topology;
    private final @Nullable HpcPackSubscription subscription;
    private final @Nullable String headNodeService;
    private final @Nullable String computeNodeService;
    private final HpcPackDomain domain;
    private final HpcPackDatabase database;
    private final boolean restApi;
    private final @Nullable String nodeGroup;
    private final @Nullable String jobTemplate;
    private final List<FirewallRule> firewall;
    private final @Nullable HpcPackBurst burst;
    private final @Nullable HpcPackResourceManager resourceManager;

    private HpcPackSpec(
            Builder builder,
            @Nullable HpcPackSubscription subscription,
            HpcPackDomain domain,
            HpcPackDatabase database,
            @Nullable HpcPackBurst burst,
            @Nullable HpcPackResourceManager resourceManager) {
        this.scenario = builder.scenario;
        this.version = builder.version;
        this.existingHead = builder.existingHead;
        this.topology = builder.topology;
        this.subscription = subscription;
        this.headNodeService = builder.headNodeService;
        this.computeNodeService = builder.computeNodeService;
        this.domain = domain;
        this.database = database;
        this.restApi = builder.restApi;
        this.nodeGroup = builder.nodeGroup;
        this.jobTemplate = builder.jobTemplate;
        this.firewall = List.copyOf(builder.firewall);
        this.burst = burst;
        this.resourceManager = resourceManager;
    }

    /** Starts with the default of everything. */
    public static Builder builder() {
        return new Builder();
    }

    /** A builder that holds the same values. */
    public Builder toBuilder() {
        Builder builder = new Builder();
        builder.scenario = scenario;
        builder.version = version;
        builder.existingHead = existingHead;
        builder.topology = topology;
        builder.subscription = subscription == null ? null : subscription.toBuilder();
        builder.headNodeService = headNodeService;
        builder.computeNodeService = computeNodeService;
        builder.domain = domain.toBuilder();
        builder.database = database.toBuilder();
        builder.restApi = restApi;
        builder.nodeGroup = nodeGroup;
        builder.jobTemplate = jobTemplate;
        builder.firewall.addAll(firewall);
        builder.burst = burst == null ? null : burst.toBuilder();
        builder.resourceManager = resourceManager == null ? null : resourceManager.toBuilder();
        return builder;
    }

    /** How the cluster comes about. Default: {@link Scenario#IAAS}. */
    public Scenario scenario() {
        return scenario;
    }

    /** The version. Default: {@link Version#V2012_R2}. */
    public Version version() {
        return version;
    }

    /** Whether the head node of a burst is there already. Default: false. */
    public boolean existingHead() {
        return existingHead;
    }

    /** The network topology. Default: {@code enterprise}, topology 5; machines in a cloud can have no other. */
    public String topology() {
        return topology;
    }

    /** The subscription of the classic scenarios. Default: none. */
    public Optional<HpcPackSubscription> subscription() {
        return Optional.ofNullable(subscription);
    }

    /** The cloud service of the head node. Default: none. */
    public Optional<String> headNodeService() {
        return Optional.ofNullable(headNodeService);
    }

    /** The cloud service of the compute nodes; not the head node's. Default: none. */
    public Optional<String> computeNodeService() {
        return Optional.ofNullable(computeNodeService);
    }

    /** The domain of the nodes. Default: the head node is the controller of {@code hpc.local}. */
    public HpcPackDomain domain() {
        return domain;
    }

    /** The databases of the head node. Default: on the head node. */
    public HpcPackDatabase database() {
        return database;
    }

    /** Whether the head node serves the REST interface. Default: false. */
    public boolean restApi() {
        return restApi;
    }

    /** A node group to make of the nodes. Default: none. */
    public Optional<String> nodeGroup() {
        return Optional.ofNullable(nodeGroup);
    }

    /** A job template to make, restricted to the node group. Default: none. */
    public Optional<String> jobTemplate() {
        return Optional.ofNullable(jobTemplate);
    }

    /** Programs to open the firewall of the nodes for. Default: none. */
    public List<FirewallRule> firewall() {
        return firewall;
    }

    /** The worker roles of a burst. Default: none. */
    public Optional<HpcPackBurst> burst() {
        return Optional.ofNullable(burst);
    }

    /** What only the scenario by Resource Manager has. Default: none. */
    public Optional<HpcPackResourceManager> resourceManager() {
        return Optional.ofNullable(resourceManager);
    }

    private List<Object> state() {
        return Arrays.asList(
                scenario(),
                version(),
                existingHead(),
                topology(),
                subscription(),
                headNodeService(),
                computeNodeService(),
                domain(),
                database(),
                restApi(),
                nodeGroup(),
                jobTemplate(),
                firewall(),
                burst(),
                resourceManager());
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof HpcPackSpec that && state().equals(that.state());
    }

    @Override
    public int hashCode() {
        return state().hashCode();
    }

    @Override
    public String toString() {
        return "HpcPackSpec" + state();
    }

    /** How the cluster comes about. */
    public enum Scenario {
        /** By the IaaS configuration file and its script. */
        IAAS,
        /** By worker roles that a head node adds. */
        BURST,
        /** By a template of Resource Manager, HPC Pack 2019. */
        RESOURCE_MANAGER;

        /** The name as it stands in a description, such as {@code iaas}. */
        @Override
        public String toString() {
            return Names.of(this);
        }
    }

    /** The versions of HPC Pack. */
    public enum Version {
        /** HPC Pack 2012 R2. */
        V2012_R2("2012-r2"),
        /** HPC Pack 2016. */
        V2016("2016"),
        /** HPC Pack 2019. */
        V2019("2019");
        private final String text;

        Version(String text) {
            this.text = text;
        }

        /** The name as it stands in a description, such as {@code 2012-r2}. */
        @Override
        public String toString() {
            return text;
        }
    }

    /** Collects the parts of a {@link HpcPackSpec}. */
    public static final class Builder {
        private Scenario scenario = Scenario.IAAS;
        private Version version = Version.V2012_R2;
        private boolean existingHead = false;
        private String topology = "enterprise";
        private HpcPackSubscription.@Nullable Builder subscription;
        private @Nullable String headNodeService;
        private @Nullable String computeNodeService;
        private HpcPackDomain.Builder domain = HpcPackDomain.builder();
        private HpcPackDatabase.Builder database = HpcPackDatabase.builder();
        private boolean restApi = false;
        private @Nullable String nodeGroup;
        private @Nullable String jobTemplate;
        private final List<FirewallRule> firewall = new ArrayList<>();
        private HpcPackBurst.@Nullable Builder burst;
        private HpcPackResourceManager.@Nullable Builder resourceManager;

        Builder() {}

        /** Sets {@link HpcPackSpec#scenario()}. */
        public Builder scenario(Scenario scenario) {
            this.scenario = Objects.requireNonNull(scenario, "scenario");
            return this;
        }

        /** Sets {@link HpcPackSpec#version()}. */
        public Builder version(Version version) {
            this.version = Objects.requireNonNull(version, "version");
            return this;
        }

        /** Sets {@link HpcPackSpec#existingHead()}. */
        public Builder existingHead(boolean existingHead) {
            this.existingHead = existingHead;
            return this;
        }

        /** Sets {@link HpcPackSpec#topology()}. */
        public Builder topology(String topology) {
            this.topology = Checks.label("topology", topology);
            return this;
        }

        /** Sets {@link HpcPackSpec#subscription()}. */
        public Builder subscription(HpcPackSubscription subscription) {
            this.subscription = subscription.toBuilder();
            return this;
        }

        /** Describes {@link HpcPackSpec#subscription()}, starting from what was described so far. */
        public Builder subscription(Consumer<HpcPackSubscription.Builder> subscription) {
            HpcPackSubscription.Builder builder =
                    this.subscription == null ? HpcPackSubscription.builder() : this.subscription;
            subscription.accept(builder);
            this.subscription = builder;
            return this;
        }

        /** Sets {@link HpcPackSpec#headNodeService()}. */
        public Builder headNodeService(String headNodeService) {
            this.headNodeService = Checks.label("cloud service", headNodeService);
            return this;
        }

        /** Sets {@link HpcPackSpec#computeNodeService()}. */
        public Builder computeNodeService(String computeNodeService) {
            this.computeNodeService = Checks.label("cloud service", computeNodeService);
            return this;
        }

        /** Sets {@link HpcPackSpec#domain()}. */
        public Builder domain(HpcPackDomain domain) {
            this.domain = domain.toBuilder();
            return this;
        }

        /** Describes {@link HpcPackSpec#domain()}, starting from what was described so far. */
        public Builder domain(Consumer<HpcPackDomain.Builder> domain) {
            domain.accept(this.domain);
            return this;
        }

        /** Sets {@link HpcPackSpec#database()}. */
        public Builder database(HpcPackDatabase database) {
            this.database = database.toBuilder();
            return this;
        }

        /** Describes {@link HpcPackSpec#database()}, starting from what was described so far. */
        public Builder database(Consumer<HpcPackDatabase.Builder> database) {
            database.accept(this.database);
            return this;
        }

        /** Sets {@link HpcPackSpec#restApi()}. */
        public Builder restApi(boolean restApi) {
            this.restApi = restApi;
            return this;
        }

        /** Sets {@link HpcPackSpec#nodeGroup()}. */
        public Builder nodeGroup(String nodeGroup) {
            this.nodeGroup = Checks.label("node group", nodeGroup);
            return this;
        }

        /** Sets {@link HpcPackSpec#jobTemplate()}. */
        public Builder jobTemplate(String jobTemplate) {
            this.jobTemplate = Checks.label("job template", jobTemplate);
            return this;
        }

        /** Replaces {@link HpcPackSpec#firewall()}. */
        public Builder firewall(List<FirewallRule> firewall) {
            List<FirewallRule> copy = List.copyOf(firewall);
            this.firewall.clear();
            copy.forEach(this::addFirewall);
            return this;
        }

        /** Appends one to {@link HpcPackSpec#firewall()}. */
        public Builder addFirewall(FirewallRule firewall) {
            this.firewall.add(Objects.requireNonNull(firewall, "firewall"));
            return this;
        }

        /**
         * Describes one and appends it to {@link HpcPackSpec#firewall()}.
         *
         * @throws InvalidSpecException when it is not valid by itself
         */
        public Builder addFirewall(Consumer<FirewallRule.Builder> firewall) {
            FirewallRule.Builder builder = FirewallRule.builder();
            firewall.accept(builder);
            return addFirewall(builder.build());
        }

        /** Sets {@link HpcPackSpec#burst()}. */
        public Builder burst(HpcPackBurst burst) {
            this.burst = burst.toBuilder();
            return this;
        }

        /** Describes {@link HpcPackSpec#burst()}, starting from what was described so far. */
        public Builder burst(Consumer<HpcPackBurst.Builder> burst) {
            HpcPackBurst.Builder builder = this.burst == null ? HpcPackBurst.builder() : this.burst;
            burst.accept(builder);
            this.burst = builder;
            return this;
        }

        /** Sets {@link HpcPackSpec#resourceManager()}. */
        public Builder resourceManager(HpcPackResourceManager resourceManager) {
            this.resourceManager = resourceManager.toBuilder();
            return this;
        }

        /** Describes {@link HpcPackSpec#resourceManager()}, starting from what was described so far. */
        public Builder resourceManager(Consumer<HpcPackResourceManager.Builder> resourceManager) {
            HpcPackResourceManager.Builder builder =
                    this.resourceManager == null ? HpcPackResourceManager.builder() : this.resourceManager;
            resourceManager.accept(builder);
            this.resourceManager = builder;
            return this;
        }

        /**
         * The description.
         *
         * @throws InvalidSpecException with every reason why the parts do not make a whole
         */
        public HpcPackSpec build() {
            Problems problems = new Problems();

            @Nullable
            HpcPackSubscription subscriptionPart =
                    subscription == null ? null : problems.part("subscription", subscription::build);

            @Nullable HpcPackDomain domainPart = problems.part("domain", this.domain::build);

            @Nullable HpcPackDatabase databasePart = problems.part("database", this.database::build);

            @Nullable HpcPackBurst burstPart = burst == null ? null : problems.part("burst", burst::build);

            @Nullable
            HpcPackResourceManager resourceManagerPart =
                    resourceManager == null ? null : problems.part("resourceManager", resourceManager::build);

            if (headNodeService != null && headNodeService.equalsIgnoreCase(computeNodeService)) {
                problems.add(
                        "computeNodeService",
                        "the compute nodes would share the cloud service " + headNodeService + " with the head node",
                        "give each a cloud service of its own");
            }

            problems.throwIfAny();
            return new HpcPackSpec(
                    this,
                    subscriptionPart,
                    Objects.requireNonNull(domainPart),
                    Objects.requireNonNull(databasePart),
                    burstPart,
                    resourceManagerPart);
        }
    }
}
