package io.clusterwright.core.spec;

import static io.clusterwright.core.spec.SpecCodecs.label;

import io.clusterwright.core.internal.text.PrintableText;
import io.clusterwright.core.spec.Table.Field;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;

/**
 * The settings of a cluster of Microsoft HPC Pack. Use it with {@code operatingSystem: windows}.
 *
 * <pre>{@code
 * ClusterSpec spec = ClusterSpec.builder("hpc1")
 *         .region("westeurope")
 *         .operatingSystem(OperatingSystem.WINDOWS)
 *         .login(login -> login.user("hpcadmin").password("env:HPC_ADMIN_PASSWORD"))
 *         .nodes(nodes -> nodes.count(4).size("Standard_HB120rs_v3"))
 *         .scheduler(Scheduler.HPC_PACK)
 *         .hpcPack(pack -> pack.existingHead(true)
 *                 .head(head -> head.address("https://head.hpc.example")
 *                         .user("HPC\\hpcuser")
 *                         .password("env:HPC_PASSWORD"))
 *                 .burst(burst -> burst.cloudService("hpc1-burst")
 *                         .storageAccount("hpc1burststore")
 *                         .nodeGroup("AzureNodes")))
 *         .build();
 * }</pre>
 */
public final class HpcPackSpec extends SpecPart<HpcPackSpec.Builder> {
    static final Table<HpcPackSpec> FIELDS = new Table<>("hpcPack", HpcPackSpec::new, Builder::new);
    private static final Table<HpcPackDatabase> DATABASE_FIELDS = new Table<>(
                    "database", values -> values.<HpcPackDatabase>get("option"))
            .defaulted(
                    "option",
                    SpecCodecs.oneOf(HpcPackDatabase.class),
                    UnaryOperator.<HpcPackDatabase>identity(),
                    HpcPackDatabase.LOCAL_DB);
    private static final Field<Scenario> SCENARIO =
            FIELDS.defaulted("scenario", SpecCodecs.oneOf(Scenario.class), Scenario.RESOURCE_MANAGER);
    private static final Field<Version> VERSION =
            FIELDS.derived("version", SpecCodecs.oneOf(Version.class), HpcPackSpec::version);
    private static final Field<Boolean> EXISTING_HEAD = FIELDS.defaulted("existingHead", SpecCodecs.BOOL, false);
    private static final Field<HpcPackHead> HEAD = FIELDS.optional("head", HpcPackHead.FIELDS);
    private static final Field<String> TOPOLOGY =
            FIELDS.defaulted("topology", label("a topology", "enterprise", "topology"), "enterprise");
    private static final Field<HpcPackSubscription> SUBSCRIPTION =
            FIELDS.optional("subscription", HpcPackSubscription.FIELDS);
    private static final Field<String> HEAD_NODE_SERVICE =
            FIELDS.optional("headNodeService", label("a cloud service", "hpc1-head", "cloud service"));
    private static final Field<String> COMPUTE_NODE_SERVICE =
            FIELDS.optional("computeNodeService", label("a cloud service", "hpc1-compute", "cloud service"));
    private static final Field<HpcPackDomain> DOMAIN = FIELDS.part("domain", HpcPackDomain.FIELDS);
    private static final Field<HpcPackDatabase> DATABASE = FIELDS.part("database", DATABASE_FIELDS);
    private static final Field<Boolean> REST_API = FIELDS.defaulted("restApi", SpecCodecs.BOOL, false);
    private static final Field<String> NODE_GROUP =
            FIELDS.optional("nodeGroup", label("a node group", "vmcomputenodes", "node group"));
    private static final Field<String> JOB_TEMPLATE =
            FIELDS.optional("jobTemplate", label("a job template", "RdmaOnly", "job template"));
    private static final Field<List<FirewallRule>> FIREWALL =
            FIELDS.defaulted("firewall", SpecCodecs.listOf(FirewallRule.FIELDS), List.of());
    private static final Field<HpcPackBurst> BURST = FIELDS.optional("burst", HpcPackBurst.FIELDS);
    private static final Field<HpcPackLinuxNodes> LINUX_NODES = FIELDS.optional("linuxNodes", HpcPackLinuxNodes.FIELDS);
    private static final Field<HpcPackResourceManager> RESOURCE_MANAGER =
            FIELDS.optional("resourceManager", HpcPackResourceManager.FIELDS);

    private HpcPackSpec(Values values) {
        super(values);
    }

    /** A builder with the default of every field. */
    public static Builder builder() {
        return new Builder();
    }

    /**
     * The way to deploy the cluster: {@code resource-manager} for new clusters. Azure retired {@code iaas} and {@code burst}.
     * Default: {@link Scenario#RESOURCE_MANAGER}.
     */
    public Scenario scenario() {
        return get(SCENARIO);
    }

    /**
     * The version of HPC Pack. Default: {@code 2019} for {@code resource-manager}, {@code 2012-r2} for other scenarios.
     */
    public Version version() {
        return find(VERSION).orElse(scenario() == Scenario.RESOURCE_MANAGER ? Version.V2019 : Version.V2012_R2);
    }

    /** Whether the head node exists already: no head node is deployed, and nodes only by a burst. Default: false. */
    public boolean existingHead() {
        return get(EXISTING_HEAD);
    }

    /** The head node that runs jobs of {@link Scheduler#HPC_PACK}. Default: none. */
    public Optional<HpcPackHead> head() {
        return find(HEAD);
    }

    /** The network topology. Machines in a cloud can have {@code enterprise} (topology 5) only. Default: {@code enterprise}. */
    public String topology() {
        return get(TOPOLOGY);
    }

    /** The subscription of the classic scenarios. Default: none. */
    public Optional<HpcPackSubscription> subscription() {
        return find(SUBSCRIPTION);
    }

    /** The cloud service of the head node. Default: none. */
    public Optional<String> headNodeService() {
        return find(HEAD_NODE_SERVICE);
    }

    /** The cloud service of the compute nodes, which differs from the cloud service of the head node. Default: none. */
    public Optional<String> computeNodeService() {
        return find(COMPUTE_NODE_SERVICE);
    }

    /** The domain of the nodes. Default: the head node is the controller of {@code hpc.local}. */
    public HpcPackDomain domain() {
        return get(DOMAIN);
    }

    /** The place of the databases of the head node. Default: {@link HpcPackDatabase#LOCAL_DB}. */
    public HpcPackDatabase database() {
        return get(DATABASE);
    }

    /** Whether the head node serves the REST interface. Default: false. */
    public boolean restApi() {
        return get(REST_API);
    }

    /** A node group to create from the nodes. Default: none. */
    public Optional<String> nodeGroup() {
        return find(NODE_GROUP);
    }

    /** A job template to create, restricted to the node group. Default: none. */
    public Optional<String> jobTemplate() {
        return find(JOB_TEMPLATE);
    }

    /** Programs to open the firewall of the nodes for. Default: none. */
    public List<FirewallRule> firewall() {
        return get(FIREWALL);
    }

    /** The nodes with Linux, in virtual machines. Default: none. */
    public Optional<HpcPackLinuxNodes> linuxNodes() {
        return find(LINUX_NODES);
    }

    /** The worker roles of a burst. Default: none. */
    public Optional<HpcPackBurst> burst() {
        return find(BURST);
    }

    /** The settings of a deployment by Resource Manager. Default: none. */
    public Optional<HpcPackResourceManager> resourceManager() {
        return find(RESOURCE_MANAGER);
    }

    /** The ways to deploy a cluster. */
    public enum Scenario {
        /** Classic virtual machines, by Microsoft's deployment script. Azure retired them. */
        IAAS,
        /** Worker roles that a head node adds. Azure retired them. */
        BURST,
        /** HPC Pack 2019, by a template of Resource Manager. */
        RESOURCE_MANAGER;

        /** The name in a cluster spec, such as {@code iaas}. */
        @Override
        public String toString() {
            return PrintableText.word(this);
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

        /** The name in a cluster spec, such as {@code 2012-r2}. */
        @Override
        public String toString() {
            return text;
        }
    }

    /** The places of the databases of a head node. */
    public enum HpcPackDatabase {
        /** On the head node. */
        LOCAL_DB("LocalDB"),
        /** On a separate machine. */
        NEW_REMOTE_DB("NewRemoteDB"),
        /** On a server that exists already. */
        EXISTING_DB("ExistingDB");
        private final String text;

        HpcPackDatabase(String text) {
            this.text = text;
        }

        /** The name in a cluster spec, such as {@code LocalDB}. */
        @Override
        public String toString() {
            return text;
        }
    }

    /** Setters of the fields of {@link HpcPackSpec}. */
    public static final class Builder extends SpecPart.Builder<HpcPackSpec, Builder> {
        Builder() {
            super(FIELDS);
        }

        public Builder scenario(Scenario scenario) {
            return set(SCENARIO, scenario);
        }

        public Builder version(Version version) {
            return set(VERSION, version);
        }

        public Builder existingHead(boolean existingHead) {
            return set(EXISTING_HEAD, existingHead);
        }

        public Builder head(HpcPackHead head) {
            return set(HEAD, head);
        }

        public Builder head(Consumer<HpcPackHead.Builder> head) {
            return edit(HEAD, head);
        }

        public Builder topology(String topology) {
            return set(TOPOLOGY, topology);
        }

        public Builder subscription(HpcPackSubscription subscription) {
            return set(SUBSCRIPTION, subscription);
        }

        public Builder headNodeService(String headNodeService) {
            return set(HEAD_NODE_SERVICE, headNodeService);
        }

        public Builder computeNodeService(String computeNodeService) {
            return set(COMPUTE_NODE_SERVICE, computeNodeService);
        }

        public Builder domain(HpcPackDomain domain) {
            return set(DOMAIN, domain);
        }

        public Builder database(HpcPackDatabase database) {
            return set(DATABASE, database);
        }

        public Builder restApi(boolean restApi) {
            return set(REST_API, restApi);
        }

        public Builder nodeGroup(String nodeGroup) {
            return set(NODE_GROUP, nodeGroup);
        }

        public Builder jobTemplate(String jobTemplate) {
            return set(JOB_TEMPLATE, jobTemplate);
        }

        public Builder firewall(List<FirewallRule> firewall) {
            return set(FIREWALL, firewall);
        }

        public Builder addFirewall(FirewallRule firewall) {
            return add(FIREWALL, firewall);
        }

        public Builder linuxNodes(HpcPackLinuxNodes linuxNodes) {
            return set(LINUX_NODES, linuxNodes);
        }

        public Builder linuxNodes(Consumer<HpcPackLinuxNodes.Builder> linuxNodes) {
            return edit(LINUX_NODES, linuxNodes);
        }

        public Builder burst(HpcPackBurst burst) {
            return set(BURST, burst);
        }

        public Builder burst(Consumer<HpcPackBurst.Builder> burst) {
            return edit(BURST, burst);
        }

        public Builder resourceManager(HpcPackResourceManager resourceManager) {
            return set(RESOURCE_MANAGER, resourceManager);
        }
    }

    /**
     * The subscription that the classic scenarios deploy into.
     *
     * @param id the id of the subscription, 32 hexadecimal digits in five groups
     * @param storageAccount the storage account for disks, 3 to 24 lower-case letters or digits; created if it does not exist
     */
    public record HpcPackSubscription(String id, String storageAccount) {
        static final Table<HpcPackSubscription> FIELDS = new Table<>(
                        "subscription",
                        values -> new HpcPackSubscription(values.get("id"), values.get("storageAccount")))
                .required(
                        "id",
                        SpecCodecs.text("an id", "00000000-0000-0000-0000-000000000000", Checks.UUID::check),
                        HpcPackSubscription::id,
                        "give the id of a subscription")
                .required(
                        "storageAccount",
                        SpecCodecs.text("a storage account", "hpc1store", Checks.STORAGE_ACCOUNT::check),
                        HpcPackSubscription::storageAccount,
                        "give the name of a storage account, such as hpc1store");

        /**
         * Checks the values.
         *
         * @throws io.clusterwright.core.type.InvalidValueException when a value is not of its form
         */
        public HpcPackSubscription {
            id = Checks.UUID.check(id);
            storageAccount = Checks.STORAGE_ACCOUNT.check(storageAccount);
        }
    }

    /**
     * The Active Directory domain of the nodes.
     *
     * @param option the source of the domain; default {@link Option#HEAD_NODE_AS_DC}
     * @param fqdn the full name of the domain; default {@code hpc.local}
     */
    public record HpcPackDomain(Option option, String fqdn) {
        /** The default of {@link #fqdn()}. */
        public static final String DEFAULT_FQDN = "hpc.local";

        static final Table<HpcPackDomain> FIELDS = new Table<>(
                        "domain", values -> new HpcPackDomain(values.get("option"), values.get("fqdn")))
                .defaulted("option", SpecCodecs.oneOf(Option.class), HpcPackDomain::option, Option.HEAD_NODE_AS_DC)
                .defaulted(
                        "fqdn",
                        SpecCodecs.text("a domain", "hpc.local", Checks.DOMAIN::check),
                        HpcPackDomain::fqdn,
                        DEFAULT_FQDN);

        /**
         * Checks the values.
         *
         * @throws io.clusterwright.core.type.InvalidValueException when the name is not of its form
         */
        public HpcPackDomain {
            Objects.requireNonNull(option, "option");
            fqdn = Checks.DOMAIN.check(fqdn);
        }

        /** The sources of a domain. */
        public enum Option {
            /** The head node is the domain controller. */
            HEAD_NODE_AS_DC("HeadNodeAsDC"),
            /** A separate machine becomes the domain controller. */
            NEW_DC("NewDC"),
            /** The domain exists already. */
            EXISTING_DC("ExistingDC");
            private final String text;

            Option(String text) {
                this.text = text;
            }

            /** The name in a cluster spec, such as {@code HeadNodeAsDC}. */
            @Override
            public String toString() {
                return text;
            }
        }
    }

    /**
     * A program that may be reached through the firewall of a node.
     *
     * @param name the name of the rule
     * @param program the absolute path of the program on the node
     */
    public record FirewallRule(String name, String program) {
        static final Table<FirewallRule> FIELDS = new Table<>(
                        "firewall", values -> new FirewallRule(values.get("name"), values.get("program")))
                .required(
                        "name",
                        label("a name", "mpipingpong", "name of a firewall rule"),
                        FirewallRule::name,
                        "give a name, such as mpipingpong")
                .required(
                        "program",
                        SpecCodecs.text("a path", "C:\\mpi\\app.exe", Checks.WINDOWS_PROGRAM::check),
                        FirewallRule::program,
                        "give the path of a program");

        /**
         * Checks the values.
         *
         * @throws io.clusterwright.core.type.InvalidValueException when a value is not of its form
         */
        public FirewallRule {
            Checks.label("name of a firewall rule", name);
            Checks.WINDOWS_PROGRAM.check(program);
        }
    }
}
