package io.clusterwright.core.spec;

import static io.clusterwright.core.spec.SpecCodecs.label;

import io.clusterwright.core.internal.text.PrintableText;
import io.clusterwright.core.spec.SpecCodecs.CertificateCodec;
import io.clusterwright.core.spec.Table.Field;
import java.util.Optional;

/**
 * Worker roles that a head node adds from the cloud. Use it to describe the nodes that an existing head node takes
 * from Azure.
 *
 * @see HpcPackSpec
 */
public final class HpcPackBurst extends SpecPart<HpcPackBurst.Builder> {
    static final Table<HpcPackBurst> FIELDS = new Table<>("burst", HpcPackBurst::new, Builder::new);
    private static final Field<String> NODE_TEMPLATE =
            FIELDS.defaulted("nodeTemplate", label("a name", "AzureRdma", "node template"), "AzureRdma");
    private static final Field<Availability> AVAILABILITY =
            FIELDS.defaulted("availability", SpecCodecs.oneOf(Availability.class), Availability.MANUAL);
    private static final Field<String> HOURS =
            FIELDS.optional("hours", SpecCodecs.text("days and times", "mon-fri 08:00-18:00", Checks.HOURS::check));
    private static final Field<String> MANAGEMENT_CERTIFICATE =
            FIELDS.defaulted("managementCertificate", new CertificateCodec(), CertificateCodec.DEFAULT);
    private static final Field<String> CLOUD_SERVICE = FIELDS.required(
            "cloudService",
            label("a cloud service", "hpc1-burst", "cloud service"),
            "give the name of a cloud service, such as hpc1-burst");
    private static final Field<String> STORAGE_ACCOUNT = FIELDS.required(
            "storageAccount",
            SpecCodecs.text("a storage account", "hpc1burststore", Checks.STORAGE_ACCOUNT::check),
            "give the name of a storage account, such as hpc1burststore");
    private static final Field<Integer> PROXY_NODES =
            FIELDS.defaulted("proxyNodes", SpecCodecs.integer("number of proxy nodes", 2, 100, 2), 2);
    private static final Field<String> NODE_GROUP =
            FIELDS.defaulted("nodeGroup", label("a node group", "AzureNodes", "node group"), "AzureNodes");

    private HpcPackBurst(Values values) {
        super(values);
    }

    /** A builder with the default of every field. */
    public static Builder builder() {
        return new Builder();
    }

    /** The name of the node template. Default: {@code AzureRdma}. */
    public String nodeTemplate() {
        return get(NODE_TEMPLATE);
    }

    /** The schedule of the nodes. Default: {@link Availability#MANUAL}. */
    public Availability availability() {
        return get(AVAILABILITY);
    }

    /**
     * The hours in which the nodes run if the schedule is {@link Availability#AUTOMATIC}: days, a blank, and the times of start and
     * stop on the head node's clock, such as {@code mon-fri 08:00-18:00} or {@code mon,thu-sat 20:00-23:30}. Default: none.
     */
    public Optional<String> hours() {
        return find(HOURS);
    }

    /**
     * The thumbprint in upper case of the certificate with which the head node manages the subscription. Default: empty, for
     * the certificate that HPC Pack brings; fit for test deployments only.
     */
    public Optional<String> managementCertificate() {
        return find(MANAGEMENT_CERTIFICATE).filter(thumbprint -> !thumbprint.equals(CertificateCodec.DEFAULT));
    }

    /** The cloud service of the nodes. Required. */
    public String cloudService() {
        return get(CLOUD_SERVICE);
    }

    /** The storage account of the nodes, 3 to 24 lower-case letters or digits. Required. */
    public String storageAccount() {
        return get(STORAGE_ACCOUNT);
    }

    /** The number of proxy nodes, of the size of the nodes and billed, 2 to 100. Default: 2. */
    public int proxyNodes() {
        return get(PROXY_NODES);
    }

    /** The node group of the nodes. Default: {@code AzureNodes}. */
    public String nodeGroup() {
        return get(NODE_GROUP);
    }

    @Override
    void check(Problems problems) {
        boolean automatic = availability() == Availability.AUTOMATIC;
        if (automatic && hours().isEmpty()) {
            problems.add(
                    "hours", "availability is automatic, and hours is missing", "write hours: mon-fri 08:00-18:00");
        }
        if (!automatic && hours().isPresent()) {
            problems.add(
                    "hours",
                    "hours has no effect without availability: automatic",
                    "write availability: automatic, or remove hours");
        }
        hours().map(hours -> hours.substring(hours.indexOf(' ') + 1).split("-"))
                .filter(times -> times[0].compareTo(times[1]) >= 0)
                .ifPresent(times -> problems.add(
                        "hours",
                        "the end " + times[1] + " is not after the start " + times[0],
                        "write hours that end on the same day"));
    }

    /** The schedule of burst nodes. */
    public enum Availability {
        /** An administrator starts and stops the nodes. */
        MANUAL,
        /** The head node starts and stops the nodes at {@link #hours()}. */
        AUTOMATIC;

        /** The name in a cluster spec, such as {@code manual}. */
        @Override
        public String toString() {
            return PrintableText.word(this);
        }
    }

    /** Setters of the fields of {@link HpcPackBurst}. */
    public static final class Builder extends SpecPart.Builder<HpcPackBurst, Builder> {
        Builder() {
            super(FIELDS);
        }

        public Builder nodeTemplate(String nodeTemplate) {
            return set(NODE_TEMPLATE, nodeTemplate);
        }

        public Builder availability(Availability availability) {
            return set(AVAILABILITY, availability);
        }

        public Builder hours(String hours) {
            return set(HOURS, hours);
        }

        /** Sets the certificate by its thumbprint of 40 hexadecimal digits. */
        public Builder managementCertificate(String thumbprint) {
            return set(MANAGEMENT_CERTIFICATE, thumbprint);
        }

        public Builder cloudService(String cloudService) {
            return set(CLOUD_SERVICE, cloudService);
        }

        public Builder storageAccount(String storageAccount) {
            return set(STORAGE_ACCOUNT, storageAccount);
        }

        public Builder proxyNodes(int proxyNodes) {
            return set(PROXY_NODES, proxyNodes);
        }

        public Builder nodeGroup(String nodeGroup) {
            return set(NODE_GROUP, nodeGroup);
        }
    }
}
