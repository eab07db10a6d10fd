package io.clusterwright.core.spec;

import io.clusterwright.core.internal.text.PrintableText;
import io.clusterwright.core.spec.Table.Field;
import io.clusterwright.core.type.AddressRange;
import io.clusterwright.core.type.Ipv4Address;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Consumer;

/**
 * The network of a cluster. Use it to choose address ranges and SSH access from outside, or an existing network.
 *
 * @see ClusterSpec
 */
public final class NetworkSpec extends SpecPart<NetworkSpec.Builder> {
    /** The default of {@link #addressSpace()} of a network that the cluster makes. */
    public static final AddressRange DEFAULT_ADDRESS_SPACE = AddressRange.of("10.32.0.0/16");

    /** The number of addresses at the start of a subnet that no node can have: network, gateway, two name servers. */
    public static final int RESERVED_ADDRESSES = 4;

    static final Table<NetworkSpec> FIELDS = new Table<>("network", NetworkSpec::new, Builder::new);
    private static final Field<String> NAME = FIELDS.derived(
            "name", SpecCodecs.text("a name", "cluster-vnet", Checks.NETWORK_NAME::check), NetworkSpec::name);
    private static final Field<Boolean> EXISTING = FIELDS.defaulted("existing", SpecCodecs.BOOL, false);
    private static final Field<List<Ipv4Address>> DNS_SERVERS =
            FIELDS.defaulted("dnsServers", SpecCodecs.listOf(SpecCodecs.ADDRESS), List.of());
    private static final Field<AddressRange> ADDRESS_SPACE =
            FIELDS.derived("addressSpace", SpecCodecs.RANGE, NetworkSpec::addressSpace);
    private static final Field<SubnetSpec> SUBNET = FIELDS.part("subnet", SubnetSpec.FIELDS);
    private static final Field<Ipv4Address> FIRST_ADDRESS = FIELDS.optional("firstAddress", SpecCodecs.ADDRESS);
    private static final Field<SshAccess> SSH = FIELDS.part("ssh", SshAccess.FIELDS);
    private static final Field<String> CLUSTER = FIELDS.hidden("cluster", String.class);

    private NetworkSpec(Values values) {
        super(values);
    }

    /**
     * The name of the network: with {@code subnet.id}, the name in this id. Default: the name of the cluster
     * and {@code -vnet}; {@code vnet} outside of one.
     */
    public String name() {
        return find(SUBNET)
                .flatMap(SubnetSpec::id)
                .map(id -> id.split("/")[8])
                .or(() -> find(NAME))
                .or(() -> find(CLUSTER).map(name -> name + "-vnet"))
                .orElse("vnet");
    }

    /**
     * Whether the network exists already: then it is used as it is and never changed or deleted. Default: false; true
     * where {@link SubnetSpec#id()} is given.
     */
    public boolean existing() {
        return get(EXISTING) || find(SUBNET).flatMap(SubnetSpec::id).isPresent();
    }

    /** The name servers of the nodes. Default: the servers of the provider. */
    public List<Ipv4Address> dnsServers() {
        return get(DNS_SERVERS);
    }

    /** All addresses of the network. Default: 10.32.0.0/16; of a network that exists already, the range of its subnet. */
    public AddressRange addressSpace() {
        return find(ADDRESS_SPACE).orElseGet(() -> existing() ? subnet().range() : DEFAULT_ADDRESS_SPACE);
    }

    /** The part of the network that the nodes are in. Default: {@code Subnet-1}, the first /24. */
    public SubnetSpec subnet() {
        return get(SUBNET);
    }

    /** The private address of the first node; the others follow. Default: absent, and addresses are dynamic. */
    public Optional<Ipv4Address> firstAddress() {
        return find(FIRST_ADDRESS);
    }

    /** Access to the nodes from outside of the network. Default: to the head node. */
    public SshAccess ssh() {
        return get(SSH);
    }

    @Override
    void check(Problems problems) {
        Optional<AddressRange> known = find(SUBNET).map(SubnetSpec::range);
        if (known.isEmpty()) {
            return;
        }
        AddressRange range = known.get();
        Optional<Ipv4Address> first = firstAddress();
        if (!addressSpace().contains(range)) {
            problems.add(
                    "subnet.range",
                    range + " is not inside of the address space " + addressSpace(),
                    "write a range inside of " + addressSpace() + ", or another addressSpace");
        } else if (first.isPresent() && !range.contains(first.get())) {
            problems.add(
                    "firstAddress",
                    first.get() + " is not inside of the subnet " + range,
                    "write an address of " + range);
        } else if (first.isPresent() && first.get().toLong() - range.network().toLong() < RESERVED_ADDRESSES) {
            problems.add(
                    "firstAddress",
                    first.get() + " is one of the first four addresses of " + range + ", and the network reserves them",
                    "write firstAddress: " + range.network().plus(RESERVED_ADDRESSES) + ", or a later address");
        }
    }

    /** Checks that the subnet has an address for every node. */
    void check(Problems problems, NodeGroup nodes) {
        firstAddress().ifPresent(first -> {
            AddressRange range = subnet().range();
            Ipv4Address last = range.network().plus(range.size() - 2);
            if (first.toLong() + nodes.count() - 1 > last.toLong()) {
                problems.add(
                        "network.firstAddress",
                        nodes.count() + " nodes from " + first + " reach past " + last + ", the last address of "
                                + range + " that a node can have",
                        "write an earlier firstAddress, or a larger network.subnet.range");
            }
        });
    }

    /** Setters of the fields of {@link NetworkSpec}. */
    public static final class Builder extends SpecPart.Builder<NetworkSpec, Builder> {
        Builder() {
            super(FIELDS);
        }

        public Builder name(String name) {
            return set(NAME, name);
        }

        public Builder existing(boolean existing) {
            return set(EXISTING, existing);
        }

        public Builder dnsServers(List<Ipv4Address> dnsServers) {
            return set(DNS_SERVERS, dnsServers);
        }

        public Builder addDnsServer(Ipv4Address dnsServer) {
            return add(DNS_SERVERS, dnsServer);
        }

        public Builder addDnsServer(String dnsServer) {
            return addDnsServer(Ipv4Address.of(dnsServer));
        }

        public Builder addressSpace(AddressRange addressSpace) {
            return set(ADDRESS_SPACE, addressSpace);
        }

        public Builder addressSpace(String addressSpace) {
            return parse(ADDRESS_SPACE, addressSpace);
        }

        public Builder subnet(SubnetSpec subnet) {
            return set(SUBNET, subnet);
        }

        public Builder subnet(Consumer<SubnetSpec.Builder> subnet) {
            return edit(SUBNET, subnet);
        }

        /** Sets the name and the range of the subnet, such as {@code 10.32.0.0/24}. */
        public Builder subnet(String name, String range) {
            return subnet(subnet -> subnet.name(name).range(range));
        }

        public Builder firstAddress(Ipv4Address firstAddress) {
            return set(FIRST_ADDRESS, firstAddress);
        }

        public Builder firstAddress(String firstAddress) {
            return parse(FIRST_ADDRESS, firstAddress);
        }

        public Builder ssh(SshAccess ssh) {
            return set(SSH, ssh);
        }

        public Builder ssh(Consumer<SshAccess.Builder> ssh) {
            return edit(SSH, ssh);
        }

        @Override
        void within(Values cluster) {
            cluster.find(ClusterSpec.NAME).ifPresent(name -> set(CLUSTER, name.value()));
        }
    }

    /** The part of a network that the nodes are in. */
    public static final class SubnetSpec extends SpecPart<SubnetSpec.Builder> {
        /** The default of {@link #name()}. */
        public static final String DEFAULT_NAME = "Subnet-1";

        static final Table<SubnetSpec> FIELDS = new Table<>("subnet", SubnetSpec::new, Builder::new);
        private static final Field<String> NAME = FIELDS.defaulted(
                "name", SpecCodecs.text("a name", "Subnet-1", Checks.SUBNET_NAME::check), DEFAULT_NAME);
        private static final Field<String> ID = FIELDS.optional(
                "id",
                SpecCodecs.text(
                        "the resource id of a subnet",
                        "/subscriptions/.../virtualNetworks/hub/subnets/hpc",
                        Checks.SUBNET_ID::check));
        private static final Field<AddressRange> RANGE = FIELDS.derived("range", SpecCodecs.RANGE, SubnetSpec::range);
        private static final Field<AddressRange> ADDRESS_SPACE = FIELDS.hidden("addressSpace", AddressRange.class);

        private SubnetSpec(Values values) {
            super(values);
        }

        /** A builder with the default of every field. */
        public static Builder builder() {
            return new Builder();
        }

        /** The name of the subnet: with {@code id}, the name in this id. Default: {@code Subnet-1}. */
        public String name() {
            return id().map(id -> id.split("/")[10]).orElseGet(() -> get(NAME));
        }

        /**
         * The resource id of a subnet that exists already, in any resource group or subscription that the caller can
         * use; it is never changed.
         * {@link #range()} states its addresses. Default: absent.
         */
        public Optional<String> id() {
            return find(ID);
        }

        /**
         * The addresses of the subnet. Default: the first /24 of the address space, or all of a smaller one;
         * 10.32.0.0/24 outside of a network.
         */
        public AddressRange range() {
            return find(RANGE).orElseGet(() -> {
                AddressRange space = find(ADDRESS_SPACE).orElse(DEFAULT_ADDRESS_SPACE);
                return space.prefixLength() >= 24 ? space : new AddressRange(space.network(), 24);
            });
        }

        /** Setters of the fields of {@link SubnetSpec}. */
        public static final class Builder extends SpecPart.Builder<SubnetSpec, Builder> {
            Builder() {
                super(FIELDS);
            }

            public Builder name(String name) {
                return set(NAME, name);
            }

            public Builder id(String id) {
                return set(ID, id);
            }

            public Builder range(AddressRange range) {
                return set(RANGE, range);
            }

            public Builder range(String range) {
                return parse(RANGE, range);
            }

            @Override
            void within(Values network) {
                set(ADDRESS_SPACE, network.find(NetworkSpec.ADDRESS_SPACE).orElse(DEFAULT_ADDRESS_SPACE));
            }
        }
    }

    /** Access to the nodes over SSH from outside of their network. */
    public static final class SshAccess extends SpecPart<SshAccess.Builder> {
        static final Table<SshAccess> FIELDS = new Table<>("ssh", SshAccess::new, Builder::new);
        private static final Field<List<AddressRange>> ALLOW_FROM =
                FIELDS.defaulted("allowFrom", SpecCodecs.listOf(SpecCodecs.RANGE), List.of());
        private static final Field<External> EXTERNAL =
                FIELDS.defaulted("external", SpecCodecs.oneOf(External.class), External.HEAD);
        private static final Field<Integer> PORT_PREFIX =
                FIELDS.optional("portPrefix", SpecCodecs.integer("port prefix", 1, 6553, 101));

        private SshAccess(Values values) {
            super(values);
        }

        /** A builder with the default of every field. */
        public static Builder builder() {
            return new Builder();
        }

        /** The addresses that may connect. Azure refuses an empty list, unless {@link #external()} is {@link External#NONE}. Default: none. */
        public List<AddressRange> allowFrom() {
            return get(ALLOW_FROM);
        }

        /** The nodes that can be reached. Default: {@link External#HEAD}. */
        public External external() {
            return get(EXTERNAL);
        }

        /**
         * The digits before the index of a node that make its port, 1 to 6553: 101 and node 11 make 10111. Default:
         * absent, and each reachable node has a public address and port 22.
         */
        public OptionalInt portPrefix() {
            return findInt(PORT_PREFIX);
        }

        /** The nodes that answer SSH from outside of their network. */
        public enum External {
            /** No node. */
            NONE,
            /** The head node, which is the first node without a separate head node. */
            HEAD,
            /** Every node. */
            ALL;

            /** The name in a cluster spec, such as {@code none}. */
            @Override
            public String toString() {
                return PrintableText.word(this);
            }
        }

        /** Setters of the fields of {@link SshAccess}. */
        public static final class Builder extends SpecPart.Builder<SshAccess, Builder> {
            Builder() {
                super(FIELDS);
            }

            public Builder allowFrom(List<AddressRange> allowFrom) {
                return set(ALLOW_FROM, allowFrom);
            }

            public Builder addAllowFrom(AddressRange allowFrom) {
                return add(ALLOW_FROM, allowFrom);
            }

            public Builder addAllowFrom(String allowFrom) {
                return addAllowFrom(AddressRange.of(allowFrom));
            }

            public Builder external(External external) {
                return set(EXTERNAL, external);
            }

            public Builder portPrefix(int portPrefix) {
                return set(PORT_PREFIX, portPrefix);
            }
        }
    }
}
