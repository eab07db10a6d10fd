package io.clusterwright.core.spec;

import io.clusterwright.core.internal.text.PrintableText;
import io.clusterwright.core.spec.Table.Field;
import io.clusterwright.core.type.ImageReference;
import java.util.function.Consumer;

/**
 * The image that the nodes start from. Use it to choose a base image and to customise it.
 *
 * @see ClusterSpec
 */
public final class ImageSpec extends SpecPart<ImageSpec.Builder> {
    static final Table<ImageSpec> FIELDS = new Table<>("image", ImageSpec::new, Builder::new);
    private static final Field<ImageReference> BASE = FIELDS.defaulted(
            "base",
            SpecCodecs.parsed("an image", "microsoft-dsvm:ubuntu-hpc:2204:latest", ImageReference::of),
            ImageReference.of("auto"));
    private static final Field<Boolean> CAPTURE = FIELDS.defaulted("capture", SpecCodecs.BOOL, true);
    private static final Field<Customization> CUSTOMIZE = FIELDS.part("customize", Customization.FIELDS);
    private static final Field<Deprovision> DEPROVISION =
            FIELDS.defaulted("deprovision", SpecCodecs.oneOf(Deprovision.class), Deprovision.KEEP_USER);
    private static final Field<Security> SECURITY =
            FIELDS.defaulted("security", SpecCodecs.oneOf(Security.class), Security.STANDARD);

    private ImageSpec(Values values) {
        super(values);
    }

    /** A builder with the default of every field. */
    public static Builder builder() {
        return new Builder();
    }

    /** The image to begin with. Default: {@code auto}, the one that suits the size. */
    public ImageReference base() {
        return get(BASE);
    }

    /** Whether the image is customised once and captured, and the nodes start from the capture. Default: true. */
    public boolean capture() {
        return get(CAPTURE);
    }

    /** The changes to the image. Default: none. */
    public Customization customize() {
        return get(CUSTOMIZE);
    }

    /** The parts removed before the capture. Default: {@link Deprovision#KEEP_USER}. */
    public Deprovision deprovision() {
        return get(DEPROVISION);
    }

    /** The security type of the machines. Default: {@link Security#STANDARD}. */
    public Security security() {
        return get(SECURITY);
    }

    /** The ways in which machines of a cloud start. */
    public enum Security {
        /** No Secure Boot, so that unsigned drivers load. */
        STANDARD,
        /**
         * Azure's Trusted Launch: a virtual TPM, and Secure Boot for sizes without RDMA, because Secure Boot refuses unsigned RDMA
         * drivers. The image and the size must support it.
         */
        TRUSTED_LAUNCH;

        /** The name in a cluster spec, such as {@code trusted-launch}. */
        @Override
        public String toString() {
            return PrintableText.word(this);
        }
    }

    /** The parts of a machine that are removed before it is captured. */
    public enum Deprovision {
        /** Host keys, the name of the machine and the keys that log in; the login user stays. */
        KEEP_USER,
        /** Host keys, the name of the machine, the keys that log in and the login user. */
        REMOVE_USER;

        /** The name in a cluster spec, such as {@code keep-user}. */
        @Override
        public String toString() {
            return PrintableText.word(this);
        }
    }

    /** Setters of the fields of {@link ImageSpec}. */
    public static final class Builder extends SpecPart.Builder<ImageSpec, Builder> {
        Builder() {
            super(FIELDS);
        }

        public Builder base(ImageReference base) {
            return set(BASE, base);
        }

        public Builder base(String base) {
            return parse(BASE, base);
        }

        public Builder capture(boolean capture) {
            return set(CAPTURE, capture);
        }

        public Builder customize(Customization customize) {
            return set(CUSTOMIZE, customize);
        }

        public Builder customize(Consumer<Customization.Builder> customize) {
            return edit(CUSTOMIZE, customize);
        }

        public Builder deprovision(Deprovision deprovision) {
            return set(DEPROVISION, deprovision);
        }

        public Builder security(Security security) {
            return set(SECURITY, security);
        }
    }
}
