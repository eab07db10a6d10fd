package io.clusterwright.windows.deploy;

import io.clusterwright.windows.internal.xml.XmlElement;
import java.util.Optional;
import java.util.OptionalInt;

/** How many proxy nodes a burst gets. Immutable. */
public final class IaasProxy extends IaasPart {
    IaasProxy(XmlElement element) {
        super(element);
    }

    /** Starts with nothing. */
    public static Builder builder() {
        return new Builder(XmlElement.of("Proxy"));
    }

    /** A builder that holds the same, with what is not known here. */
    public Builder toBuilder() {
        return new Builder(element());
    }

    /** Whether their number is fixed: {@code true} or {@code false}. */
    public Optional<String> usesStaticProxyCount() {
        return value("UsesStaticProxyCount");
    }

    /** How many nodes share a proxy. */
    public OptionalInt ratio() {
        return number("ProxyRatio");
    }

    /** Up to how many nodes the least number of proxies suffices. */
    public OptionalInt ratioBase() {
        return number("ProxyRatioBase");
    }

    /** Collects the parts of an {@link IaasProxy}. */
    public static final class Builder extends IaasPart.Builder<Builder> {
        Builder(XmlElement element) {
            super(element);
        }

        /** Sets {@link IaasProxy#usesStaticProxyCount()}. */
        public Builder usesStaticProxyCount(String usesStaticProxyCount) {
            return set("UsesStaticProxyCount", usesStaticProxyCount);
        }

        /** Sets {@link IaasProxy#ratio()}. */
        public Builder ratio(int ratio) {
            return set("ProxyRatio", Integer.toString(ratio));
        }

        /** Sets {@link IaasProxy#ratioBase()}. */
        public Builder ratioBase(int ratioBase) {
            return set("ProxyRatioBase", Integer.toString(ratioBase));
        }

        /** The part. */
        public IaasProxy build() {
            return new IaasProxy(element());
        }
    }
}
