package io.clusterwright.core.spec;

import io.clusterwright.core.type.AddressRange;
import io.clusterwright.core.type.InvalidValueException;
import io.clusterwright.core.type.Ipv4Address;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The network of a cluster. */
public final class NetworkSpec {
    /** The default of {@link #addressSpace()}. */
    public static final AddressRange DEFAULT_ADDRESS_SPACE = AddressRange.parse("10.32.0.0/16");

    private final @Nullable String name;
    private final boolean existing;
    private final List<Ipv4Address> dnsServers;
    private final AddressRange addressSpace;
    private final SubnetSpec subnet;
    private final @Nullable Ipv4Address firstAddress;
    private final SshAccess ssh;
    private final @Nullable String fallbackName;

    private NetworkSpec(Builder builder, SubnetSpec subnet, SshAccess ssh) {
        this.name = builder.name;
        this.existing = builder.existing;
        this.dnsServers = List.copyOf(builder.dnsServers);
        this.addressSpace = builder.addressSpace;
        this.subnet = subnet;
        this.firstAddress = builder.firstAddress;
        this.ssh = ssh;
        this.fallbackName = builder.fallbackName;
    }

    /** Starts with the default of everything. */
    public static Builder builder() {
        return new Builder();
    }

    /** A builder that holds the same values. */
    public Builder toBuilder() {
        Builder builder = new Builder();
        builder.name = name;
        builder.existing = existing;
        builder.dnsServers.addAll(dnsServers);
        builder.addressSpace = addressSpace;
        builder.subnet = subnet.toBuilder();
        builder.firstAddress = firstAddress;
        builder.ssh = ssh.toBuilder();
        builder.fallbackName = fallbackName;
        return builder;
    }

    /** The name of the network. Default: the name of the cluster and {@code -vnet}; {@code vnet} outside of one. */
    public String name() {
        return name != null ? name : Objects.requireNonNullElse(fallbackName, "vnet");
    }

    /** Whether the network is there already: it is used as it is and never deleted. Default: false. */
    public boolean existing() {
        return existing;
    }

    /** The name servers of the nodes. Default: none, and those of the provider are used. */
    public List<Ipv4Address> dnsServers() {
        return dnsServers;
    }

    /** All addresses of the network. Default: 10.32.0.0/16. */
    public AddressRange addressSpace() {
        return addressSpace;
    }

    /** The part of the network that the nodes are in. Default: {@code Subnet-1}, the first /24. */
    public SubnetSpec subnet() {
        return subnet;
    }

    /** The private address of the first node; the others follow. Default: not given, and addresses are dynamic. */
    public Optional<Ipv4Address> firstAddress() {
        return Optional.ofNullable(firstAddress);
    }

    /** How nodes are reached from outside. Default: the head node, from the address of the caller. */
    public SshAccess ssh() {
        return ssh;
    }

    /** How many addresses at the start of a subnet no node can have: the network, its gateway, and two for name servers. */
    public static final int RESERVED_ADDRESSES = 4;

    /** What was given for {@link #name()}, without its default. */
    Optional<String> givenName() {
        return Optional.ofNullable(name);
    }

    private List<Object> state() {
        return List.of(name(), existing(), dnsServers(), addressSpace(), subnet(), firstAddress(), ssh());
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof NetworkSpec that && state().equals(that.state());
    }

    @Override
    public int hashCode() {
        return state().hashCode();
    }

    @Override
    public String toString() {
        return "NetworkSpec" + state();
    }

    /** Collects the parts of a {@link NetworkSpec}. */
    public static final class Builder {
        private @Nullable String name;
        private boolean existing = false;
        private final List<Ipv4Address> dnsServers = new ArrayList<>();
        private AddressRange addressSpace = DEFAULT_ADDRESS_SPACE;
        private SubnetSpec.Builder subnet = SubnetSpec.builder();
        private @Nullable Ipv4Address firstAddress;
        private SshAccess.Builder ssh = SshAccess.builder();
        private @Nullable String fallbackName;

        Builder() {}

        /** Sets {@link NetworkSpec#name()}. */
        public Builder name(String name) {
            this.name = Checks.resourceName("network name", name, 64);
            return this;
        }

        /** Sets {@link NetworkSpec#existing()}. */
        public Builder existing(boolean existing) {
            this.existing = existing;
            return this;
        }

        /** Replaces {@link NetworkSpec#dnsServers()}. */
        public Builder dnsServers(List<Ipv4Address> dnsServers) {
            List<Ipv4Address> copy = List.copyOf(dnsServers);
            this.dnsServers.clear();
            copy.forEach(this::addDnsServer);
            return this;
        }

        /** Appends one to {@link NetworkSpec#dnsServers()}. */
        public Builder addDnsServer(Ipv4Address dnsServer) {
            dnsServers.add(Objects.requireNonNull(dnsServer, "dnsServer"));
            return this;
        }

        /**
         * Appends one, from text, to {@link NetworkSpec#dnsServers()}.
         *
         * @throws InvalidValueException when the text is not of the form
         */
        public Builder addDnsServer(String dnsServer) {
            return addDnsServer(Ipv4Address.parse(dnsServer));
        }

        /** Sets {@link NetworkSpec#addressSpace()}. */
        public Builder addressSpace(AddressRange addressSpace) {
            this.addressSpace = Objects.requireNonNull(addressSpace, "addressSpace");
            return this;
        }

        /**
         * Sets {@link NetworkSpec#addressSpace()} from text.
         *
         * @throws InvalidValueException when the text is not of the form
         */
        public Builder addressSpace(String addressSpace) {
            return addressSpace(AddressRange.parse(addressSpace));
        }

        /** Sets {@link NetworkSpec#subnet()}. */
        public Builder subnet(SubnetSpec subnet) {
            this.subnet = subnet.toBuilder();
            return this;
        }

        /** Describes {@link NetworkSpec#subnet()}, starting from what was described so far. */
        public Builder subnet(Consumer<SubnetSpec.Builder> subnet) {
            subnet.accept(this.subnet);
            return this;
        }

        /** Sets {@link NetworkSpec#firstAddress()}. */
        public Builder firstAddress(Ipv4Address firstAddress) {
            this.firstAddress = Objects.requireNonNull(firstAddress, "firstAddress");
            return this;
        }

        /**
         * Sets {@link NetworkSpec#firstAddress()} from text.
         *
         * @throws InvalidValueException when the text is not of the form
         */
        public Builder firstAddress(String firstAddress) {
            return firstAddress(Ipv4Address.parse(firstAddress));
        }

        /** Sets {@link NetworkSpec#ssh()}. */
        public Builder ssh(SshAccess ssh) {
            this.ssh = ssh.toBuilder();
            return this;
        }

        /** Describes {@link NetworkSpec#ssh()}, starting from what was described so far. */
        public Builder ssh(Consumer<SshAccess.Builder> ssh) {
            ssh.accept(this.ssh);
            return this;
        }

        /** The name where none was given. */
        Builder fallbackName(@Nullable String fallbackName) {
            this.fallbackName = fallbackName;
            return this;
        }

        /** Sets {@link NetworkSpec#subnet()} from a name and a range such as {@code 10.32.0.0/24}. */
        public Builder subnet(String name, String range) {
            return subnet(s -> s.name(name).range(range));
        }

        private void checkAddresses(Problems problems, AddressRange range) {
            if (!addressSpace.contains(range)) {
                problems.add(
                        "subnet.range",
                        range + " is not inside of the address space " + addressSpace,
                        "give a part of " + addressSpace + ", or another addressSpace");
            } else if (firstAddress != null && !range.contains(firstAddress)) {
                problems.add(
                        "firstAddress",
                        firstAddress + " is not inside of the subnet " + range,
                        "give an address of " + range);
            } else if (firstAddress != null
                    && firstAddress.toLong() - range.network().toLong() < RESERVED_ADDRESSES) {
                problems.add(
                        "firstAddress",
                        firstAddress + " is one of the first four addresses of " + range
                                + ", which the network keeps for itself",
                        "start at " + range.network().plus(RESERVED_ADDRESSES) + " or later");
            }
        }

        /**
         * The description.
         *
         * @throws InvalidSpecException with every reason why the parts do not make a whole
         */
        public NetworkSpec build() {
            Problems problems = new Problems();
            subnet.addressSpace(addressSpace);

            @Nullable SubnetSpec subnetPart = problems.part("subnet", this.subnet::build);

            @Nullable SshAccess sshPart = problems.part("ssh", this.ssh::build);

            if (subnetPart != null) {
                checkAddresses(problems, subnetPart.range());
            }

            problems.throwIfAny();
            return new NetworkSpec(this, Objects.requireNonNull(subnetPart), Objects.requireNonNull(sshPart));
        }
    }
}
