package io.clusterwright.windows.deploy;

import io.clusterwright.windows.internal.xml.XmlElement;
import java.util.Optional;

/** The domain that all Windows machines join. Immutable. */
public final class IaasDomain extends IaasPart {
    IaasDomain(XmlElement element) {
        super(element);
    }

    /** Starts with nothing. */
    public static Builder builder() {
        return new Builder(XmlElement.of("Domain"));
    }

    /** A builder that holds the same, with what is not known here. */
    public Builder toBuilder() {
        return new Builder(element());
    }

    /** Where it comes from: {@code ExistingDC}, {@code NewDC} or {@code HeadNodeAsDC}. */
    public Optional<String> option() {
        return value("DCOption");
    }

    /** Its name, such as {@code hpc.local}. */
    public Optional<String> fqdn() {
        return value("DomainFQDN");
    }

    /** The machine that becomes the controller, with {@code NewDC} only. */
    public Optional<IaasMachine> controller() {
        return element().element("DomainController").map(IaasMachine::new);
    }

    /** Whether Windows Update is off on all machines of the forest. */
    public boolean noWindowsAutoUpdate() {
        return has("NoWindowsAutoUpdate");
    }

    /** Collects the parts of an {@link IaasDomain}. */
    public static final class Builder extends IaasPart.Builder<Builder> {
        Builder(XmlElement element) {
            super(element);
        }

        /** Sets {@link IaasDomain#option()}. */
        public Builder option(String option) {
            return set("DCOption", option);
        }

        /** Sets {@link IaasDomain#fqdn()}. */
        public Builder fqdn(String fqdn) {
            return set("DomainFQDN", fqdn);
        }

        /** Sets {@link IaasDomain#controller()}. */
        public Builder controller(IaasMachine controller) {
            return part(controller.as("DomainController"));
        }

        /** Sets {@link IaasDomain#noWindowsAutoUpdate()}. */
        public Builder noWindowsAutoUpdate(boolean noWindowsAutoUpdate) {
            return flag("NoWindowsAutoUpdate", noWindowsAutoUpdate);
        }

        /** The part. */
        public IaasDomain build() {
            return new IaasDomain(element());
        }
    }
}
