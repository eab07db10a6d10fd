package io.clusterwright.windows.deploy;

import io.clusterwright.core.type.Secret;
import io.clusterwright.windows.internal.xml.XmlElement;
import java.util.Optional;
import java.util.OptionalInt;

/** A management certificate that other sections refer to by its number. Immutable. */
public final class IaasCertificate extends IaasPart {
    IaasCertificate(XmlElement element) {
        super(element);
    }

    /** Starts with nothing. */
    public static Builder builder() {
        return new Builder(XmlElement.of("Certificate"));
    }

    /** A builder that holds the same, with what is not known here. */
    public Builder toBuilder() {
        return new Builder(element());
    }

    /** Its number, which is how others refer to it. */
    public OptionalInt id() {
        return number("Id");
    }

    /** The file on the client that holds certificate and private key. */
    public Optional<String> pfxFile() {
        return value("PfxFile");
    }

    /** The password of that file; stands in the configuration as it is. */
    public Optional<Secret> password() {
        return value("Password").map(Secret::of);
    }

    /** Collects the parts of an {@link IaasCertificate}. */
    public static final class Builder extends IaasPart.Builder<Builder> {
        Builder(XmlElement element) {
            super(element);
        }

        /** Sets {@link IaasCertificate#id()}. */
        public Builder id(int id) {
            return set("Id", Integer.toString(id));
        }

        /** Sets {@link IaasCertificate#pfxFile()}. */
        public Builder pfxFile(String pfxFile) {
            return set("PfxFile", pfxFile);
        }

        /** Sets {@link IaasCertificate#password()}. */
        public Builder password(Secret password) {
            return set("Password", password.reveal());
        }

        /** The part. */
        public IaasCertificate build() {
            return new IaasCertificate(element());
        }
    }
}
