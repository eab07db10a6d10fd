package io.clusterwright.core.spec;

import io.clusterwright.core.internal.spec.PlainValues;
import io.clusterwright.core.type.InvalidValueException;
import io.clusterwright.core.type.SecretReference;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** An extension: software that the provider installs into a running machine. */
public final class ExtensionSpec {
    private final @Nullable String name;
    private final @Nullable String publisher;
    private final @Nullable String type;
    private final @Nullable String version;
    private final Map<String, Object> settings;
    private final @Nullable SecretReference protectedSettings;

    private ExtensionSpec(Builder builder) {
        this.name = builder.name;
        this.publisher = builder.publisher;
        this.type = builder.type;
        this.version = builder.version;
        this.settings = Collections.unmodifiableMap(new LinkedHashMap<>(builder.settings));
        this.protectedSettings = builder.protectedSettings;
    }

    /** Starts with the default of everything. */
    public static Builder builder() {
        return new Builder();
    }

    /** A builder that holds the same values. */
    public Builder toBuilder() {
        Builder builder = new Builder();
        builder.name = name;
        builder.publisher = publisher;
        builder.type = type;
        builder.version = version;
        builder.settings.putAll(settings);
        builder.protectedSettings = protectedSettings;
        return builder;
    }

    /**
     * The name in the catalog, such as {@code InfiniBandDriverLinux}. Default: none; then publisher and type say which.
     */
    public Optional<String> name() {
        return Optional.ofNullable(name);
    }

    /** The publisher. Default: the catalog's. */
    public Optional<String> publisher() {
        return Optional.ofNullable(publisher);
    }

    /** The type. Default: the catalog's. */
    public Optional<String> type() {
        return Optional.ofNullable(type);
    }

    /** The version, such as {@code 2.1}. Default: the catalog's. */
    public Optional<String> version() {
        return Optional.ofNullable(version);
    }

    /** Its settings: texts, numbers, truth values, lists and maps of these. Default: none. */
    public Map<String, Object> settings() {
        return settings;
    }

    /** Where its secret settings are kept, as a JSON document. Default: none. */
    public Optional<SecretReference> protectedSettings() {
        return Optional.ofNullable(protectedSettings);
    }

    /** An extension of the catalog, such as {@code InfiniBandDriverLinux}. */
    public static ExtensionSpec named(String name) {
        return builder().name(name).build();
    }

    private List<Object> state() {
        return List.of(name(), publisher(), type(), version(), settings(), protectedSettings());
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof ExtensionSpec that && state().equals(that.state());
    }

    @Override
    public int hashCode() {
        return state().hashCode();
    }

    @Override
    public String toString() {
        return "ExtensionSpec" + state();
    }

    /** Collects the parts of a {@link ExtensionSpec}. */
    public static final class Builder {
        private @Nullable String name;
        private @Nullable String publisher;
        private @Nullable String type;
        private @Nullable String version;
        private final Map<String, Object> settings = new LinkedHashMap<>();
        private @Nullable SecretReference protectedSettings;

        Builder() {}

        /** Sets {@link ExtensionSpec#name()}. */
        public Builder name(String name) {
            this.name = Checks.label("extension name", name);
            return this;
        }

        /** Sets {@link ExtensionSpec#publisher()}. */
        public Builder publisher(String publisher) {
            this.publisher = Checks.label("publisher", publisher);
            return this;
        }

        /** Sets {@link ExtensionSpec#type()}. */
        public Builder type(String type) {
            this.type = Checks.label("extension type", type);
            return this;
        }

        /** Sets {@link ExtensionSpec#version()}. */
        public Builder version(String version) {
            this.version = Checks.version(version);
            return this;
        }

        /** Replaces {@link ExtensionSpec#settings()}. */
        public Builder settings(Map<String, Object> settings) {
            Map<String, Object> copy = new LinkedHashMap<>(settings);
            this.settings.clear();
            copy.forEach(this::putSetting);
            return this;
        }

        /** Adds one to {@link ExtensionSpec#settings()}, in place of an earlier one of the same name. */
        public Builder putSetting(String name, Object value) {
            settings.put(Objects.requireNonNull(name, "name"), PlainValues.copy(value));
            return this;
        }

        /** Sets {@link ExtensionSpec#protectedSettings()}. */
        public Builder protectedSettings(SecretReference protectedSettings) {
            this.protectedSettings = Objects.requireNonNull(protectedSettings, "protectedSettings");
            return this;
        }

        /**
         * Sets {@link ExtensionSpec#protectedSettings()} from text.
         *
         * @throws InvalidValueException when the text is not of the form
         */
        public Builder protectedSettings(String protectedSettings) {
            return protectedSettings(SecretReference.parse(protectedSettings));
        }

        /**
         * The description.
         *
         * @throws InvalidSpecException with every reason why the parts do not make a whole
         */
        public ExtensionSpec build() {
            Problems problems = new Problems();

            if (name == null && (publisher == null || type == null)) {
                problems.add(
                        "name",
                        "an extension needs its name in the catalog, or a publisher and a type",
                        "write name: InfiniBandDriverLinux, or publisher and type");
            }

            problems.throwIfAny();
            return new ExtensionSpec(this);
        }
    }
}
