package io.clusterwright.windows.deploy;

import io.clusterwright.windows.internal.xml.XmlElement;
import java.util.Optional;

/** The head node. Immutable. */
public final class IaasHeadNode extends IaasPart {
    IaasHeadNode(XmlElement element) {
        super(element);
    }

    /** Starts with nothing. */
    public static Builder builder() {
        return new Builder(XmlElement.of("HeadNode"));
    }

    /** A builder that holds the same, with what is not known here. */
    public Builder toBuilder() {
        return new Builder(element());
    }

    /** Its name, at most 15 characters; jobs of SOA and Excel need it to be the name of the service too. */
    public Optional<String> name() {
        return value("VMName");
    }

    /** The cloud service it is in; better not that of the compute nodes. */
    public Optional<String> service() {
        return value("ServiceName");
    }

    /** Its size by the classic name, at least {@code A4} ({@code ExtraLarge}). */
    public Optional<String> size() {
        return value("VMSize");
    }

    /** Whether it serves the REST interface; its certificate is then exported to the client. */
    public boolean restApi() {
        return has("EnableRESTAPI");
    }

    /** Whether it serves the web portal. */
    public boolean webPortal() {
        return has("EnableWebPortal");
    }

    /** A script on the client that runs on the head node when it is configured. */
    public Optional<String> postConfigScript() {
        return value("PostConfigScript");
    }

    /** Collects the parts of an {@link IaasHeadNode}. */
    public static final class Builder extends IaasPart.Builder<Builder> {
        Builder(XmlElement element) {
            super(element);
        }

        /** Sets {@link IaasHeadNode#name()}. */
        public Builder name(String name) {
            return set("VMName", name);
        }

        /** Sets {@link IaasHeadNode#service()}. */
        public Builder service(String service) {
            return set("ServiceName", service);
        }

        /** Sets {@link IaasHeadNode#size()}. */
        public Builder size(String size) {
            return set("VMSize", size);
        }

        /** Sets {@link IaasHeadNode#restApi()}. */
        public Builder restApi(boolean restApi) {
            return flag("EnableRESTAPI", restApi);
        }

        /** Sets {@link IaasHeadNode#webPortal()}. */
        public Builder webPortal(boolean webPortal) {
            return flag("EnableWebPortal", webPortal);
        }

        /** Sets {@link IaasHeadNode#postConfigScript()}. */
        public Builder postConfigScript(String postConfigScript) {
            return set("PostConfigScript", postConfigScript);
        }

        /** The part. */
        public IaasHeadNode build() {
            return new IaasHeadNode(element());
        }
    }
}
