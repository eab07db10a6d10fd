package io.clusterwright.windows.deploy;

import io.clusterwright.windows.internal.xml.XmlElement;
import java.util.Optional;
import java.util.OptionalInt;

/** A machine with a role of its own, such as a domain controller or a database server. Immutable. */
public final class IaasMachine extends IaasPart {
    IaasMachine(XmlElement element) {
        super(element);
    }

    /** Starts with nothing. */
    public static Builder builder() {
        return new Builder(XmlElement.of(""));
    }

    IaasMachine as(String name) {
        return new IaasMachine(XmlElement.of(name).children(element().children()));
    }

    /** A builder that holds the same, with what is not known here. */
    public Builder toBuilder() {
        return new Builder(element());
    }

    /** The name of the machine, at most 15 characters. */
    public Optional<String> name() {
        return value("VMName");
    }

    /** The cloud service it is in. */
    public Optional<String> service() {
        return value("ServiceName");
    }

    /** Its size by the classic name, such as {@code Large}. */
    public Optional<String> size() {
        return value("VMSize");
    }

    /** The size of its data disk in GB; of a database server only. */
    public OptionalInt dataDiskGigabytes() {
        return number("DataDiskSizeInGB");
    }

    /** Collects the parts of an {@link IaasMachine}. */
    public static final class Builder extends IaasPart.Builder<Builder> {
        Builder(XmlElement element) {
            super(element);
        }

        /** Sets {@link IaasMachine#name()}. */
        public Builder name(String name) {
            return set("VMName", name);
        }

        /** Sets {@link IaasMachine#service()}. */
        public Builder service(String service) {
            return set("ServiceName", service);
        }

        /** Sets {@link IaasMachine#size()}. */
        public Builder size(String size) {
            return set("VMSize", size);
        }

        /** Sets {@link IaasMachine#dataDiskGigabytes()}. */
        public Builder dataDiskGigabytes(int dataDiskGigabytes) {
            return set("DataDiskSizeInGB", Integer.toString(dataDiskGigabytes));
        }

        /** The part. */
        public IaasMachine build() {
            return new IaasMachine(element());
        }
    }
}
