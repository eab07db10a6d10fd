package io.clusterwright.core.spec;

import io.clusterwright.core.type.ImageReference;
import io.clusterwright.core.type.InvalidValueException;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * What the nodes start from.
 *
 * @param base the image to begin with; default {@code auto}: the one that suits the size
 * @param capture whether it is customised once and captured, and the nodes start from that; default true
 * @param customize what is done to it; default nothing
 * @param deprovision what is taken off before the capture; default {@link Deprovision#KEEP_USER}
 */
public record ImageSpec(ImageReference base, boolean capture, Customization customize, Deprovision deprovision) {
    /** Refuses null. */
    public ImageSpec {
        Objects.requireNonNull(base, "base");
        Objects.requireNonNull(customize, "customize");
        Objects.requireNonNull(deprovision, "deprovision");
    }

    /** Starts with the default of everything. */
    public static Builder builder() {
        return new Builder();
    }

    /** A builder that holds the same values. */
    public Builder toBuilder() {
        Builder builder = new Builder();
        builder.base = base;
        builder.capture = capture;
        builder.customize = customize.toBuilder();
        builder.deprovision = deprovision;
        return builder;
    }

    /** Collects the parts of a {@link ImageSpec}. */
    public static final class Builder {
        private ImageReference base = ImageReference.parse("auto");
        private boolean capture = true;
        private Customization.Builder customize = Customization.builder();
        private Deprovision deprovision = Deprovision.KEEP_USER;

        Builder() {}

        /** Sets {@link ImageSpec#base()}. */
        public Builder base(ImageReference base) {
            this.base = Objects.requireNonNull(base, "base");
            return this;
        }

        /**
         * Sets {@link ImageSpec#base()} from text.
         *
         * @throws InvalidValueException when the text is not of the form
         */
        public Builder base(String base) {
            return base(ImageReference.parse(base));
        }

        /** Sets {@link ImageSpec#capture()}. */
        public Builder capture(boolean capture) {
            this.capture = capture;
            return this;
        }

        /** Sets {@link ImageSpec#customize()}. */
        public Builder customize(Customization customize) {
            this.customize = customize.toBuilder();
            return this;
        }

        /** Describes {@link ImageSpec#customize()}, starting from what was described so far. */
        public Builder customize(Consumer<Customization.Builder> customize) {
            customize.accept(this.customize);
            return this;
        }

        /** Sets {@link ImageSpec#deprovision()}. */
        public Builder deprovision(Deprovision deprovision) {
            this.deprovision = Objects.requireNonNull(deprovision, "deprovision");
            return this;
        }

        /**
         * The description.
         *
         * @throws InvalidSpecException with every reason why the parts do not make a whole
         */
        public ImageSpec build() {
            Problems problems = new Problems();

            @Nullable Customization customizePart = problems.part("customize", this.customize::build);

            problems.throwIfAny();
            return new ImageSpec(base, capture, Objects.requireNonNull(customizePart), deprovision);
        }
    }
}
