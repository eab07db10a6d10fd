package io.clusterwright.windows.deploy;

import io.clusterwright.windows.internal.xml.XmlElement;
import java.util.Optional;
import java.util.OptionalInt;

/** A node template of worker roles that the head node can add by bursting. Immutable. */
public final class IaasAzureTemplate extends IaasPart {
    IaasAzureTemplate(XmlElement element) {
        super(element);
    }

    /** Starts with nothing. */
    public static Builder builder() {
        return new Builder(XmlElement.of("AzureNodeTemplate"));
    }

    /** A builder that holds the same, with what is not known here. */
    public Builder toBuilder() {
        return new Builder(element());
    }

    /** The name of the template. */
    public Optional<String> name() {
        return value("TemplateName");
    }

    /** The id of the subscription of the worker roles. */
    public Optional<String> subscriptionId() {
        return value("SubscriptionId");
    }

    /** The number of the management certificate among the certificates. */
    public OptionalInt certificateId() {
        return number("CertificateId");
    }

    /** The cloud service of the worker roles. */
    public Optional<String> service() {
        return value("ServiceName");
    }

    /** The storage account of the worker roles. */
    public Optional<String> storageAccount() {
        return value("StorageAccount");
    }

    /** How many nodes are added; where it is missing, only the template is made. */
    public OptionalInt nodeCount() {
        return number("NodeCount");
    }

    /** The size of the nodes by the classic name. */
    public Optional<String> roleSize() {
        return value("RoleSize");
    }

    /** The proxy nodes. */
    public Optional<IaasProxy> proxy() {
        return element().element("Proxy").map(IaasProxy::new);
    }

    /** The operating system of the nodes. */
    public Optional<String> osVersion() {
        return value("OSVersion");
    }

    /** Collects the parts of an {@link IaasAzureTemplate}. */
    public static final class Builder extends IaasPart.Builder<Builder> {
        Builder(XmlElement element) {
            super(element);
        }

        /** Sets {@link IaasAzureTemplate#name()}. */
        public Builder name(String name) {
            return set("TemplateName", name);
        }

        /** Sets {@link IaasAzureTemplate#subscriptionId()}. */
        public Builder subscriptionId(String subscriptionId) {
            return set("SubscriptionId", subscriptionId);
        }

        /** Sets {@link IaasAzureTemplate#certificateId()}. */
        public Builder certificateId(int certificateId) {
            return set("CertificateId", Integer.toString(certificateId));
        }

        /** Sets {@link IaasAzureTemplate#service()}. */
        public Builder service(String service) {
            return set("ServiceName", service);
        }

        /** Sets {@link IaasAzureTemplate#storageAccount()}. */
        public Builder storageAccount(String storageAccount) {
            return set("StorageAccount", storageAccount);
        }

        /** Sets {@link IaasAzureTemplate#nodeCount()}. */
        public Builder nodeCount(int nodeCount) {
            return set("NodeCount", Integer.toString(nodeCount));
        }

        /** Sets {@link IaasAzureTemplate#roleSize()}. */
        public Builder roleSize(String roleSize) {
            return set("RoleSize", roleSize);
        }

        /** Sets {@link IaasAzureTemplate#proxy()}. */
        public Builder proxy(IaasProxy proxy) {
            return part(proxy);
        }

        /** Sets {@link IaasAzureTemplate#osVersion()}. */
        public Builder osVersion(String osVersion) {
            return set("OSVersion", osVersion);
        }

        /** The part. */
        public IaasAzureTemplate build() {
            return new IaasAzureTemplate(element());
        }
    }
}
