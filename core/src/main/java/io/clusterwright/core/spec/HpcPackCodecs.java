package io.clusterwright.core.spec;

import io.clusterwright.core.internal.spec.Codec;
import io.clusterwright.core.internal.spec.Codecs;
import io.clusterwright.core.internal.spec.Location;
import io.clusterwright.core.internal.spec.Reading;
import io.clusterwright.core.internal.spec.RecordCodec;
import io.clusterwright.core.internal.spec.Schemas;
import io.clusterwright.core.internal.spec.SourceNode;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The names of what a description says of HPC Pack. */
final class HpcPackCodecs {
    private static final RecordCodec<HpcPackSubscription, HpcPackSubscription.Builder> SUBSCRIPTION = RecordCodec.of(
                    "subscription", HpcPackSubscription::builder, HpcPackSubscription.Builder::build)
            .required(
                    "id",
                    Codecs.text("an id", "00000000-0000-0000-0000-000000000000"),
                    HpcPackSubscription::id,
                    HpcPackSubscription.Builder::id)
            .required(
                    "storageAccount",
                    Codecs.text("a storage account", "hpc1store"),
                    HpcPackSubscription::storageAccount,
                    HpcPackSubscription.Builder::storageAccount);

    private static final RecordCodec<HpcPackDomain, HpcPackDomain.Builder> DOMAIN = RecordCodec.of(
                    "domain", HpcPackDomain::builder, HpcPackDomain.Builder::build)
            .defaulted(
                    "option",
                    Codecs.oneOf(HpcPackDomain.Option.class),
                    HpcPackDomain::option,
                    HpcPackDomain.Builder::option,
                    HpcPackDomain.Option.HEAD_NODE_AS_DC)
            .defaulted(
                    "fqdn",
                    Codecs.text("a domain", "hpc.local"),
                    HpcPackDomain::fqdn,
                    HpcPackDomain.Builder::fqdn,
                    "hpc.local");

    private static final RecordCodec<HpcPackDatabase, HpcPackDatabase.Builder> DATABASE = RecordCodec.of(
                    "database", HpcPackDatabase::builder, HpcPackDatabase.Builder::build)
            .defaulted(
                    "option",
                    Codecs.oneOf(HpcPackDatabase.Option.class),
                    HpcPackDatabase::option,
                    HpcPackDatabase.Builder::option,
                    HpcPackDatabase.Option.LOCAL_DB);

    private static final RecordCodec<FirewallRule, FirewallRule.Builder> FIREWALL = RecordCodec.of(
                    "firewall", FirewallRule::builder, FirewallRule.Builder::build)
            .required("name", Codecs.text("a name", "mpipingpong"), FirewallRule::name, FirewallRule.Builder::name)
            .required(
                    "program",
                    Codecs.text("a path", "C:\\mpi\\app.exe"),
                    FirewallRule::program,
                    FirewallRule.Builder::program);

    private static final RecordCodec<HpcPackBurst, HpcPackBurst.Builder> BURST = RecordCodec.of(
                    "burst", HpcPackBurst::builder, HpcPackBurst.Builder::build)
            .defaulted(
                    "nodeTemplate",
                    Codecs.text("a name", "AzureRdma"),
                    HpcPackBurst::nodeTemplate,
                    HpcPackBurst.Builder::nodeTemplate,
                    "AzureRdma")
            .defaulted(
                    "availability",
                    Codecs.oneOf(HpcPackBurst.Availability.class),
                    HpcPackBurst::availability,
                    HpcPackBurst.Builder::availability,
                    HpcPackBurst.Availability.MANUAL)
            .defaulted(
                    "managementCertificate",
                    new CertificateCodec(),
                    HpcPackBurst::managementCertificate,
                    HpcPackBurst.Builder::managementCertificate,
                    ManagementCertificate.brought())
            .required(
                    "cloudService",
                    Codecs.text("a cloud service", "hpc1-burst"),
                    HpcPackBurst::cloudService,
                    HpcPackBurst.Builder::cloudService)
            .required(
                    "storageAccount",
                    Codecs.text("a storage account", "hpc1burststore"),
                    HpcPackBurst::storageAccount,
                    HpcPackBurst.Builder::storageAccount)
            .defaulted("proxyNodes", Codecs.integer("2"), HpcPackBurst::proxyNodes, HpcPackBurst.Builder::proxyNodes, 2)
            .defaulted(
                    "nodeGroup",
                    Codecs.text("a node group", "AzureNodes"),
                    HpcPackBurst::nodeGroup,
                    HpcPackBurst.Builder::nodeGroup,
                    "AzureNodes");

    private static final RecordCodec<HpcPackCertificate, HpcPackCertificate.Builder> CERTIFICATE = RecordCodec.of(
                    "certificate", HpcPackCertificate::builder, HpcPackCertificate.Builder::build)
            .required(
                    "keyVault",
                    Codecs.text("a key vault", "hpc1-kv"),
                    HpcPackCertificate::keyVault,
                    HpcPackCertificate.Builder::keyVault)
            .required(
                    "secretName",
                    Codecs.text("a certificate", "hpcpack-communication"),
                    HpcPackCertificate::secretName,
                    HpcPackCertificate.Builder::secretName);

    private static final RecordCodec<HpcPackResourceManager, HpcPackResourceManager.Builder> RESOURCE_MANAGER =
            RecordCodec.of("resourceManager", HpcPackResourceManager::builder, HpcPackResourceManager.Builder::build)
                    .required(
                            "clusterName",
                            Codecs.text("a name", "hpc1"),
                            HpcPackResourceManager::clusterName,
                            HpcPackResourceManager.Builder::clusterName)
                    .required(
                            "certificate",
                            CERTIFICATE,
                            HpcPackResourceManager::certificate,
                            HpcPackResourceManager.Builder::certificate);

    static final RecordCodec<HpcPackSpec, HpcPackSpec.Builder> HPC_PACK = RecordCodec.of(
                    "hpcPack", HpcPackSpec::builder, HpcPackSpec.Builder::build)
            .defaulted(
                    "scenario",
                    Codecs.oneOf(HpcPackSpec.Scenario.class),
                    HpcPackSpec::scenario,
                    HpcPackSpec.Builder::scenario,
                    HpcPackSpec.Scenario.IAAS)
            .defaulted(
                    "version",
                    Codecs.oneOf(HpcPackSpec.Version.class),
                    HpcPackSpec::version,
                    HpcPackSpec.Builder::version,
                    HpcPackSpec.Version.V2012_R2)
            .defaulted(
                    "existingHead", Codecs.bool(), HpcPackSpec::existingHead, HpcPackSpec.Builder::existingHead, false)
            .defaulted(
                    "topology",
                    Codecs.text("a topology", "enterprise"),
                    HpcPackSpec::topology,
                    HpcPackSpec.Builder::topology,
                    "enterprise")
            .optional("subscription", SUBSCRIPTION, HpcPackSpec::subscription, HpcPackSpec.Builder::subscription)
            .optional(
                    "headNodeService",
                    Codecs.text("a cloud service", "hpc1-head"),
                    HpcPackSpec::headNodeService,
                    HpcPackSpec.Builder::headNodeService)
            .optional(
                    "computeNodeService",
                    Codecs.text("a cloud service", "hpc1-compute"),
                    HpcPackSpec::computeNodeService,
                    HpcPackSpec.Builder::computeNodeService)
            .part("domain", DOMAIN, HpcPackSpec::domain, HpcPackSpec.Builder::domain)
            .part("database", DATABASE, HpcPackSpec::database, HpcPackSpec.Builder::database)
            .defaulted("restApi", Codecs.bool(), HpcPackSpec::restApi, HpcPackSpec.Builder::restApi, false)
            .optional(
                    "nodeGroup",
                    Codecs.text("a node group", "vmcomputenodes"),
                    HpcPackSpec::nodeGroup,
                    HpcPackSpec.Builder::nodeGroup)
            .optional(
                    "jobTemplate",
                    Codecs.text("a job template", "RdmaOnly"),
                    HpcPackSpec::jobTemplate,
                    HpcPackSpec.Builder::jobTemplate)
            .defaulted(
                    "firewall",
                    Codecs.listOf(FIREWALL),
                    HpcPackSpec::firewall,
                    HpcPackSpec.Builder::firewall,
                    List.of())
            .optional("burst", BURST, HpcPackSpec::burst, HpcPackSpec.Builder::burst)
            .optional(
                    "resourceManager",
                    RESOURCE_MANAGER,
                    HpcPackSpec::resourceManager,
                    HpcPackSpec.Builder::resourceManager);

    private HpcPackCodecs() {}

    /** The word {@code default}, or a thumbprint. */
    private static final class CertificateCodec implements Codec<ManagementCertificate> {
        private static final String NAME = "thumbprint";

        @Override
        public @Nullable ManagementCertificate read(SourceNode node, String path, Reading reading) {
            if (node instanceof SourceNode.Scalar scalar && scalar.text().equals("default")) {
                return ManagementCertificate.brought();
            }
            if (node instanceof SourceNode.Mapping mapping
                    && mapping.entries().size() == 1
                    && mapping.get(NAME) instanceof SourceNode.Scalar scalar) {
                return reading.attempt(scalar, path + "." + NAME, () -> ManagementCertificate.of(scalar.text()));
            }
            reading.reportKind(node, path, "a management certificate", "give " + expected());
            return null;
        }

        @Override
        public SourceNode write(ManagementCertificate value, boolean full) {
            return value instanceof ManagementCertificate.Thumbprint own
                    ? new SourceNode.Mapping(
                            Map.of(NAME, SourceNode.Entry.of(SourceNode.Scalar.text(own.thumbprint()))), Location.NONE)
                    : SourceNode.Scalar.text(value.toString());
        }

        @Override
        public Map<String, Object> schema(boolean partial) {
            Map<String, Object> own = Schemas.of(
                    "type", List.of("string", "number"), "pattern", Schemas.pattern(Checks.THUMBPRINT.regex()));
            return Schemas.of(
                    "description",
                    expected(),
                    "anyOf",
                    List.of(Schemas.of("const", "default"), Schemas.group(Map.of(NAME, own), List.of(NAME))));
        }

        @Override
        public String expected() {
            return "default, or {thumbprint: 40 hexadecimal digits}";
        }
    }
}
