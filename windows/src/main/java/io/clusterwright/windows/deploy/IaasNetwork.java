package io.clusterwright.windows.deploy;

import io.clusterwright.windows.internal.xml.XmlElement;
import java.util.Optional;

/** The virtual network; the script makes 192.168.0.0/20 with a subnet 192.168.0.0/23 when there is none of this name. Immutable. */
public final class IaasNetwork extends IaasPart {
    IaasNetwork(XmlElement element) {
        super(element);
    }

    /** Starts with nothing. */
    public static Builder builder() {
        return new Builder(XmlElement.of("VNet"));
    }

    /** A builder that holds the same, with what is not known here. */
    public Builder toBuilder() {
        return new Builder(element());
    }

    /** The name of the network. */
    public Optional<String> name() {
        return value("VNetName");
    }

    /** The name of the subnet in it. */
    public Optional<String> subnet() {
        return value("SubnetName");
    }

    /** Collects the parts of an {@link IaasNetwork}. */
    public static final class Builder extends IaasPart.Builder<Builder> {
        Builder(XmlElement element) {
            super(element);
        }

        /** Sets {@link IaasNetwork#name()}. */
        public Builder name(String name) {
            return set("VNetName", name);
        }

        /** Sets {@link IaasNetwork#subnet()}. */
        public Builder subnet(String subnet) {
            return set("SubnetName", subnet);
        }

        /** The part. */
        public IaasNetwork build() {
            return new IaasNetwork(element());
        }
    }
}
