package io.clusterwright.windows.deploy;

import io.clusterwright.windows.internal.xml.XmlElement;
import java.util.Optional;

/** The subscription that is deployed into, named by its id or by its name. Immutable. */
public final class IaasSubscription extends IaasPart {
    IaasSubscription(XmlElement element) {
        super(element);
    }

    /** Starts with nothing. */
    public static Builder builder() {
        return new Builder(XmlElement.of("Subscription"));
    }

    /** A builder that holds the same, with what is not known here. */
    public Builder toBuilder() {
        return new Builder(element());
    }

    /** The id of the subscription, 32 hexadecimal digits in five groups; a file has either this or the name. */
    public Optional<String> id() {
        return value("SubscriptionId");
    }

    /** The name of the subscription, which must be the only one of this name that the client knows. */
    public Optional<String> name() {
        return value("SubscriptionName");
    }

    /** The storage account of the disks, 3 to 24 of a-z and 0-9; made in the location when it is missing. */
    public Optional<String> storageAccount() {
        return value("StorageAccount");
    }

    /** Collects the parts of an {@link IaasSubscription}. */
    public static final class Builder extends IaasPart.Builder<Builder> {
        Builder(XmlElement element) {
            super(element);
        }

        /** Sets {@link IaasSubscription#id()}. */
        public Builder id(String id) {
            return set("SubscriptionId", id);
        }

        /** Sets {@link IaasSubscription#name()}. */
        public Builder name(String name) {
            return set("SubscriptionName", name);
        }

        /** Sets {@link IaasSubscription#storageAccount()}. */
        public Builder storageAccount(String storageAccount) {
            return set("StorageAccount", storageAccount);
        }

        /** The part. */
        public IaasSubscription build() {
            return new IaasSubscription(element());
        }
    }
}
