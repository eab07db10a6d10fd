package io.clusterwright.windows.deploy;

import io.clusterwright.windows.internal.xml.XmlElement;
import java.util.Optional;

/** An extension that every node of a section gets. Immutable. */
public final class IaasExtension extends IaasPart {
    IaasExtension(XmlElement element) {
        super(element);
    }

    /** Starts with nothing. */
    public static Builder builder() {
        return new Builder(XmlElement.of("VMExtension"));
    }

    /** A builder that holds the same, with what is not known here. */
    public Builder toBuilder() {
        return new Builder(element());
    }

    /** Its name, such as {@code BGInfo}. */
    public Optional<String> name() {
        return value("ExtensionName");
    }

    /** Its publisher, such as {@code Microsoft.Compute}. */
    public Optional<String> publisher() {
        return value("Publisher");
    }

    /** Its version, such as {@code 1.*}. */
    public Optional<String> version() {
        return value("Version");
    }

    /** Collects the parts of an {@link IaasExtension}. */
    public static final class Builder extends IaasPart.Builder<Builder> {
        Builder(XmlElement element) {
            super(element);
        }

        /** Sets {@link IaasExtension#name()}. */
        public Builder name(String name) {
            return set("ExtensionName", name);
        }

        /** Sets {@link IaasExtension#publisher()}. */
        public Builder publisher(String publisher) {
            return set("Publisher", publisher);
        }

        /** Sets {@link IaasExtension#version()}. */
        public Builder version(String version) {
            return set("Version", version);
        }

        /** The part. */
        public IaasExtension build() {
            return new IaasExtension(element());
        }
    }
}
