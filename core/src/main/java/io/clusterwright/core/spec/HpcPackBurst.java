package io.clusterwright.core.spec;

import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Worker roles that a head node adds from the cloud. */
public final class HpcPackBurst {
    private final String nodeTemplate;
    private final Availability availability;
    private final ManagementCertificate managementCertificate;
    private final String cloudService;
    private final String storageAccount;
    private final int proxyNodes;
    private final String nodeGroup;

    private HpcPackBurst(Builder builder) {
        this.nodeTemplate = builder.nodeTemplate;
        this.availability = builder.availability;
        this.managementCertificate = builder.managementCertificate;
        this.cloudService = Objects.requireNonNull(builder.cloudService);
        this.storageAccount = Objects.requireNonNull(builder.storageAccount);
        this.proxyNodes = builder.proxyNodes;
        this.nodeGroup = builder.nodeGroup;
    }

    /** Starts with the default of everything. */
    public static Builder builder() {
        return new Builder();
    }

    /** A builder that holds the same values. */
    public Builder toBuilder() {
        Builder builder = new Builder();
        builder.nodeTemplate = nodeTemplate;
        builder.availability = availability;
        builder.managementCertificate = managementCertificate;
        builder.cloudService = cloudService;
        builder.storageAccount = storageAccount;
        builder.proxyNodes = proxyNodes;
        builder.nodeGroup = nodeGroup;
        return builder;
    }

    /** The name of the node template. Default: {@code AzureRdma}. */
    public String nodeTemplate() {
        return nodeTemplate;
    }

    /** When the nodes are there. Default: {@link Availability#MANUAL}. */
    public Availability availability() {
        return availability;
    }

    /**
     * What the head node proves itself with. Default: the certificate that HPC Pack brings, for test deployments only.
     */
    public ManagementCertificate managementCertificate() {
        return managementCertificate;
    }

    /** The cloud service of the nodes. Required. */
    public String cloudService() {
        return cloudService;
    }

    /** The storage account of the nodes, 3 to 24 of a-z and 0-9. Required. */
    public String storageAccount() {
        return storageAccount;
    }

    /** How many proxy nodes, of the size of the nodes and billed; at least 2, and at most 100. Default: 2. */
    public int proxyNodes() {
        return proxyNodes;
    }

    /** The node group of the nodes. Default: {@code AzureNodes}. */
    public String nodeGroup() {
        return nodeGroup;
    }

    private List<Object> state() {
        return List.of(
                nodeTemplate(),
                availability(),
                managementCertificate(),
                cloudService(),
                storageAccount(),
                proxyNodes(),
                nodeGroup());
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof HpcPackBurst that && state().equals(that.state());
    }

    @Override
    public int hashCode() {
        return state().hashCode();
    }

    @Override
    public String toString() {
        return "HpcPackBurst" + state();
    }

    /** When burst nodes are there. */
    public enum Availability {
        /** When somebody starts them. */
        MANUAL,
        /** By a schedule. */
        AUTOMATIC;

        /** The name as it stands in a description, such as {@code manual}. */
        @Override
        public String toString() {
            return Names.of(this);
        }
    }

    /** Collects the parts of a {@link HpcPackBurst}. */
    public static final class Builder {
        private String nodeTemplate = "AzureRdma";
        private Availability availability = Availability.MANUAL;
        private ManagementCertificate managementCertificate = ManagementCertificate.brought();
        private @Nullable String cloudService;
        private @Nullable String storageAccount;
        private int proxyNodes = 2;
        private String nodeGroup = "AzureNodes";

        Builder() {}

        /** Sets {@link HpcPackBurst#nodeTemplate()}. */
        public Builder nodeTemplate(String nodeTemplate) {
            this.nodeTemplate = Checks.label("node template", nodeTemplate);
            return this;
        }

        /** Sets {@link HpcPackBurst#availability()}. */
        public Builder availability(Availability availability) {
            this.availability = Objects.requireNonNull(availability, "availability");
            return this;
        }

        /** Sets {@link HpcPackBurst#managementCertificate()}. */
        public Builder managementCertificate(ManagementCertificate managementCertificate) {
            this.managementCertificate = Objects.requireNonNull(managementCertificate, "managementCertificate");
            return this;
        }

        /** Sets {@link HpcPackBurst#cloudService()}. */
        public Builder cloudService(String cloudService) {
            this.cloudService = Checks.label("cloud service", cloudService);
            return this;
        }

        /** Sets {@link HpcPackBurst#storageAccount()}. */
        public Builder storageAccount(String storageAccount) {
            this.storageAccount = Checks.storageAccount(storageAccount);
            return this;
        }

        /** Sets {@link HpcPackBurst#proxyNodes()}. */
        public Builder proxyNodes(int proxyNodes) {
            this.proxyNodes = Checks.range("number of proxy nodes", proxyNodes, 2, 100, 2);
            return this;
        }

        /** Sets {@link HpcPackBurst#nodeGroup()}. */
        public Builder nodeGroup(String nodeGroup) {
            this.nodeGroup = Checks.label("node group", nodeGroup);
            return this;
        }

        /**
         * The description.
         *
         * @throws InvalidSpecException with every reason why the parts do not make a whole
         */
        public HpcPackBurst build() {
            Problems problems = new Problems();
            problems.require("cloudService", cloudService, "give the name of a cloud service, such as hpc1-burst");
            problems.require(
                    "storageAccount", storageAccount, "give the name of a storage account, such as hpc1burststore");

            problems.throwIfAny();
            return new HpcPackBurst(this);
        }
    }
}
