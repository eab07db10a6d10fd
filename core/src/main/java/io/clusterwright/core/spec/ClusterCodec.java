package io.clusterwright.core.spec;

import io.clusterwright.core.internal.spec.Codecs;
import io.clusterwright.core.internal.spec.RecordCodec;
import io.clusterwright.core.type.ClusterName;
import io.clusterwright.core.type.SshPublicKey;
import java.util.List;
import java.util.Map;

/** The names of a cluster's description. */
final class ClusterCodec {
    private static final RecordCodec<Login, Login.Builder> LOGIN = RecordCodec.of(
                    "login", Login::builder, Login.Builder::build)
            .defaulted("user", ImageCodecs.USER_NAME, Login::user, Login.Builder::user, Login.DEFAULT_USER)
            .defaulted(
                    "publicKeys",
                    Codecs.listOf(Codecs.parsed("a public key", "ssh-ed25519 AAAA…", SshPublicKey::parse)),
                    Login::publicKeys,
                    Login.Builder::publicKeys,
                    List.of())
            .optional("password", ValueCodecs.SECRET, Login::password, Login.Builder::password);

    private static final RecordCodec<CostCap, CostCap.Builder> COST = RecordCodec.of(
                    "costCap", CostCap::builder, CostCap.Builder::build)
            .required(
                    "currency",
                    Codecs.parsed("a currency", "EUR", Checks::currency, Checks.CURRENCY.regex()),
                    CostCap::currency,
                    CostCap.Builder::currency)
            .required("perHour", Codecs.decimal("60"), CostCap::perHour, CostCap.Builder::perHour);

    private static final RecordCodec<ExtensionSpec, ExtensionSpec.Builder> EXTENSION = RecordCodec.of(
                    "extensions", ExtensionSpec::builder, ExtensionSpec.Builder::build)
            .optional(
                    "name",
                    Codecs.text("a name of the catalog", "InfiniBandDriverLinux"),
                    ExtensionSpec::name,
                    ExtensionSpec.Builder::name)
            .optional(
                    "publisher",
                    Codecs.text("a publisher", "Microsoft.HpcCompute"),
                    ExtensionSpec::publisher,
                    ExtensionSpec.Builder::publisher)
            .optional(
                    "type",
                    Codecs.text("a type", "InfiniBandDriverLinux"),
                    ExtensionSpec::type,
                    ExtensionSpec.Builder::type)
            .optional(
                    "version",
                    Codecs.text("a version", "\"2.1\""),
                    ExtensionSpec::version,
                    ExtensionSpec.Builder::version)
            .defaulted(
                    "settings",
                    Codecs.mapOf("settings", Codecs.plain()),
                    ExtensionSpec::settings,
                    ExtensionSpec.Builder::settings,
                    Map.of())
            .optional(
                    "protectedSettings",
                    ValueCodecs.SECRET,
                    ExtensionSpec::protectedSettings,
                    ExtensionSpec.Builder::protectedSettings);

    static final RecordCodec<ClusterSpec, ClusterSpec.Builder> CODEC = RecordCodec.of(
                    "the cluster spec", ClusterSpec.Builder::new, ClusterSpec.Builder::build)
            .required(
                    "name",
                    Codecs.parsed("a cluster name", "cluster", ClusterName::parse),
                    ClusterSpec::name,
                    ClusterSpec.Builder::name)
            .required(
                    "region",
                    Codecs.parsed("a region", "westeurope", Checks::region, Checks.REGION.regex()),
                    ClusterSpec::region,
                    ClusterSpec.Builder::region)
            .defaulted(
                    "operatingSystem",
                    Codecs.oneOf(OperatingSystem.class),
                    ClusterSpec::operatingSystem,
                    ClusterSpec.Builder::operatingSystem,
                    OperatingSystem.LINUX)
            .derived(
                    "resourceGroup",
                    Codecs.text("a name", "cluster-rg"),
                    ClusterSpec::resourceGroup,
                    ClusterSpec::givenResourceGroup,
                    ClusterSpec.Builder::resourceGroup)
            .part("login", LOGIN, ClusterSpec::login, ClusterSpec.Builder::login)
            .defaulted(
                    "tags",
                    Codecs.mapOf("tags", Codecs.text("a value", "wing-flow")),
                    ClusterSpec::tags,
                    ClusterSpec.Builder::tags,
                    Map.of())
            .optional("timeToLive", Codecs.duration("8h"), ClusterSpec::timeToLive, ClusterSpec.Builder::timeToLive)
            .optional("costCap", COST, ClusterSpec::costCap, ClusterSpec.Builder::costCap)
            .required("nodes", NodeCodecs.NODES, ClusterSpec::nodes, ClusterSpec.Builder::nodes)
            .optional("headNode", NodeCodecs.HEAD, ClusterSpec::headNode, ClusterSpec.Builder::headNode)
            .part("network", NetworkCodecs.NETWORK, ClusterSpec::network, ClusterSpec.Builder::network)
            .part("placement", NetworkCodecs.PLACEMENT, ClusterSpec::placement, ClusterSpec.Builder::placement)
            .part("image", ImageCodecs.IMAGE, ClusterSpec::image, ClusterSpec.Builder::image)
            .defaulted(
                    "extensions",
                    Codecs.listOf(EXTENSION),
                    ClusterSpec::extensions,
                    ClusterSpec.Builder::extensions,
                    List.of())
            .part("mpi", MpiCodecs.SETTINGS, ClusterSpec::mpi, ClusterSpec.Builder::mpi)
            .defaulted(
                    "scheduler",
                    Codecs.oneOf(Scheduler.class),
                    ClusterSpec::scheduler,
                    ClusterSpec.Builder::scheduler,
                    Scheduler.NONE)
            .part("verify", MpiCodecs.VERIFY, ClusterSpec::verify, ClusterSpec.Builder::verify)
            .optional("hpcPack", HpcPackCodecs.HPC_PACK, ClusterSpec::hpcPack, ClusterSpec.Builder::hpcPack)
            .defaulted(
                    "on",
                    Codecs.mapOf("providers", ValueCodecs.OVERLAY),
                    ClusterSpec::on,
                    ClusterSpec.Builder::on,
                    Map.of())
            .defaulted(
                    "suppress",
                    Codecs.listOf(
                            Codecs.parsed("a finding code", "CW-FABRIC-003", Checks::findingCode, Checks.CODE.regex())),
                    ClusterSpec::suppress,
                    ClusterSpec.Builder::suppress,
                    List.of());

    private ClusterCodec() {}
}
