package io.clusterwright.core.spec;

import io.clusterwright.core.internal.spec.Codecs;
import io.clusterwright.core.internal.spec.RecordCodec;
import java.util.List;

/** The names of what a description says of the network. */
final class NetworkCodecs {
    static final RecordCodec<SubnetSpec, SubnetSpec.Builder> SUBNET = RecordCodec.of(
                    "subnet", SubnetSpec::builder, SubnetSpec.Builder::build)
            .defaulted(
                    "name",
                    Codecs.text("a name", "Subnet-1"),
                    SubnetSpec::name,
                    SubnetSpec.Builder::name,
                    SubnetSpec.DEFAULT_NAME)
            .derived("range", ValueCodecs.RANGE, SubnetSpec::range, SubnetSpec::givenRange, SubnetSpec.Builder::range);

    static final RecordCodec<SshAccess, SshAccess.Builder> ACCESS = RecordCodec.of(
                    "ssh", SshAccess::builder, SshAccess.Builder::build)
            .defaulted(
                    "allowFrom",
                    Codecs.listOf(ValueCodecs.RANGE),
                    SshAccess::allowFrom,
                    SshAccess.Builder::allowFrom,
                    List.of())
            .defaulted(
                    "external",
                    Codecs.oneOf(SshAccess.External.class),
                    SshAccess::external,
                    SshAccess.Builder::external,
                    SshAccess.External.HEAD)
            .optional(
                    "portPrefix",
                    Codecs.integer("101"),
                    access -> ValueCodecs.boxed(access.portPrefix()),
                    SshAccess.Builder::portPrefix);

    static final RecordCodec<NetworkSpec, NetworkSpec.Builder> NETWORK = RecordCodec.of(
                    "network", NetworkSpec::builder, NetworkSpec.Builder::build)
            .derived(
                    "name",
                    Codecs.text("a name", "cluster-vnet"),
                    NetworkSpec::name,
                    NetworkSpec::givenName,
                    NetworkSpec.Builder::name)
            .defaulted("existing", Codecs.bool(), NetworkSpec::existing, NetworkSpec.Builder::existing, false)
            .defaulted(
                    "dnsServers",
                    Codecs.listOf(ValueCodecs.ADDRESS),
                    NetworkSpec::dnsServers,
                    NetworkSpec.Builder::dnsServers,
                    List.of())
            .defaulted(
                    "addressSpace",
                    ValueCodecs.RANGE,
                    NetworkSpec::addressSpace,
                    NetworkSpec.Builder::addressSpace,
                    NetworkSpec.DEFAULT_ADDRESS_SPACE)
            .part("subnet", SUBNET, NetworkSpec::subnet, NetworkSpec.Builder::subnet)
            .optional("firstAddress", ValueCodecs.ADDRESS, NetworkSpec::firstAddress, NetworkSpec.Builder::firstAddress)
            .part("ssh", ACCESS, NetworkSpec::ssh, NetworkSpec.Builder::ssh);

    static final RecordCodec<Placement, Placement.Builder> PLACEMENT = RecordCodec.of(
                    "placement", Placement::builder, Placement.Builder::build)
            .defaulted(
                    "kind",
                    Codecs.oneOf(Placement.Kind.class),
                    Placement::kind,
                    Placement.Builder::kind,
                    Placement.Kind.AUTO)
            .defaulted(
                    "proximityGroup",
                    Codecs.bool(),
                    Placement::proximityGroup,
                    Placement.Builder::proximityGroup,
                    false);

    private NetworkCodecs() {}
}
