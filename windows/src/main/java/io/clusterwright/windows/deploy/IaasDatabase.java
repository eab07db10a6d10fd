package io.clusterwright.windows.deploy;

import io.clusterwright.windows.internal.xml.XmlElement;
import java.util.Optional;

/** The databases of the head node. Immutable. */
public final class IaasDatabase extends IaasPart {
    IaasDatabase(XmlElement element) {
        super(element);
    }

    /** Starts with nothing. */
    public static Builder builder() {
        return new Builder(XmlElement.of("Database"));
    }

    /** A builder that holds the same, with what is not known here. */
    public Builder toBuilder() {
        return new Builder(element());
    }

    /** Where they are: {@code LocalDB}, {@code NewRemoteDB} or {@code ExistingDB}. */
    public Optional<String> option() {
        return value("DBOption");
    }

    /** The edition, such as {@code SQLServer2014_Enterprise}, with {@code NewRemoteDB} only. */
    public Optional<String> version() {
        return value("DBVersion");
    }

    /** The machine that becomes the server, with {@code NewRemoteDB} only. */
    public Optional<IaasMachine> server() {
        return element().element("DBServer").map(IaasMachine::new);
    }

    /** Collects the parts of an {@link IaasDatabase}. */
    public static final class Builder extends IaasPart.Builder<Builder> {
        Builder(XmlElement element) {
            super(element);
        }

        /** Sets {@link IaasDatabase#option()}. */
        public Builder option(String option) {
            return set("DBOption", option);
        }

        /** Sets {@link IaasDatabase#version()}. */
        public Builder version(String version) {
            return set("DBVersion", version);
        }

        /** Sets {@link IaasDatabase#server()}. */
        public Builder server(IaasMachine server) {
            return part(server.as("DBServer"));
        }

        /** The part. */
        public IaasDatabase build() {
            return new IaasDatabase(element());
        }
    }
}
