package io.clusterwright.core.spec;

import io.clusterwright.core.spec.Table.Field;
import io.clusterwright.core.type.SecretReference;
import java.util.Map;
import java.util.Optional;

/**
 * An extension: software that the provider installs into a running machine. Use it for drivers on Azure that the image lacks.
 *
 * @see ClusterSpec
 */
public final class ExtensionSpec extends SpecPart<ExtensionSpec.Builder> {
    static final Table<ExtensionSpec> FIELDS = new Table<>("extensions", ExtensionSpec::new, Builder::new);
    private static final Field<String> NAME = FIELDS.optional(
            "name", SpecCodecs.label("a name of the catalog", "InfiniBandDriverLinux", "extension name"));
    private static final Field<String> PUBLISHER =
            FIELDS.optional("publisher", SpecCodecs.label("a publisher", "Microsoft.HpcCompute", "publisher"));
    private static final Field<String> TYPE =
            FIELDS.optional("type", SpecCodecs.label("a type", "InfiniBandDriverLinux", "extension type"));
    private static final Field<String> VERSION =
            FIELDS.optional("version", SpecCodecs.text("a version", "\"2.1\"", Checks.VERSION::check));
    private static final Field<Map<String, Object>> SETTINGS =
            FIELDS.defaulted("settings", SpecCodecs.SETTINGS, Map.of());
    private static final Field<SecretReference> PROTECTED_SETTINGS =
            FIELDS.optional("protectedSettings", SpecCodecs.SECRET);

    private ExtensionSpec(Values values) {
        super(values);
    }

    /** A builder with the default of every field. */
    public static Builder builder() {
        return new Builder();
    }

    /** The name in the catalog, such as {@code InfiniBandDriverLinux}. Default: none, with a publisher and a type. */
    public Optional<String> name() {
        return find(NAME);
    }

    /** The publisher of the extension. Default: the publisher in the catalog. */
    public Optional<String> publisher() {
        return find(PUBLISHER);
    }

    /** The type of the extension. Default: the type in the catalog. */
    public Optional<String> type() {
        return find(TYPE);
    }

    /** The version, such as {@code 2.1}. Default: the version in the catalog. */
    public Optional<String> version() {
        return find(VERSION);
    }

    /** The settings of the extension: texts, numbers, booleans, lists and maps of these. Default: none. */
    public Map<String, Object> settings() {
        return get(SETTINGS);
    }

    /** The place of its secret settings, a JSON document. Default: none. */
    public Optional<SecretReference> protectedSettings() {
        return find(PROTECTED_SETTINGS);
    }

    /** An extension of the catalog, such as {@code InfiniBandDriverLinux}. */
    public static ExtensionSpec named(String name) {
        return builder().name(name).build();
    }

    @Override
    void check(Problems problems) {
        if (name().isEmpty() && (publisher().isEmpty() || type().isEmpty())) {
            problems.add(
                    "name",
                    "an extension needs its name in the catalog, or a publisher and a type",
                    "write name: InfiniBandDriverLinux, or publisher and type");
        }
    }

    /** Setters of the fields of {@link ExtensionSpec}. */
    public static final class Builder extends SpecPart.Builder<ExtensionSpec, Builder> {
        Builder() {
            super(FIELDS);
        }

        public Builder name(String name) {
            return set(NAME, name);
        }

        public Builder publisher(String publisher) {
            return set(PUBLISHER, publisher);
        }

        public Builder type(String type) {
            return set(TYPE, type);
        }

        public Builder version(String version) {
            return set(VERSION, version);
        }

        public Builder settings(Map<String, Object> settings) {
            return set(SETTINGS, settings);
        }

        public Builder putSetting(String name, Object value) {
            return add(SETTINGS, name, value);
        }

        public Builder protectedSettings(SecretReference protectedSettings) {
            return set(PROTECTED_SETTINGS, protectedSettings);
        }

        public Builder protectedSettings(String protectedSettings) {
            return parse(PROTECTED_SETTINGS, protectedSettings);
        }
    }
}
