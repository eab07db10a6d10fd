package io.clusterwright.core.spec;

import io.clusterwright.core.internal.spec.Codec;
import io.clusterwright.core.internal.spec.Codecs;
import io.clusterwright.core.internal.spec.PlainValues;
import io.clusterwright.core.internal.spec.Reading;
import io.clusterwright.core.internal.spec.Schemas;
import io.clusterwright.core.internal.spec.YamlTree;
import io.clusterwright.core.internal.text.NearestName;
import io.clusterwright.core.spec.MpiInstall.MpiSource;
import io.clusterwright.core.type.AddressRange;
import io.clusterwright.core.type.InvalidValueException;
import io.clusterwright.core.type.Ipv4Address;
import io.clusterwright.core.type.SecretReference;
import io.clusterwright.core.type.UserName;
import io.clusterwright.core.type.VmSize;
import java.math.BigDecimal;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.yaml.snakeyaml.nodes.MappingNode;
import org.yaml.snakeyaml.nodes.Node;
import org.yaml.snakeyaml.nodes.ScalarNode;

/** The kinds of values that the fields of a cluster spec have. */
final class SpecCodecs {
    static final Codec<VmSize> SIZE = parsed("a size", "Standard_HB120rs_v3", VmSize::of);
    static final Codec<AddressRange> RANGE = parsed("an address range", "10.32.0.0/16", AddressRange::of);
    static final Codec<Ipv4Address> ADDRESS = parsed("an IPv4 address", "10.32.0.11", Ipv4Address::of);
    static final Codec<UserName> USER_NAME = parsed("a user name", "hpcuser", UserName::of);
    static final Codec<SecretReference> SECRET = new SecretCodec();
    static final Codec<Map<String, @Nullable Object>> OVERLAY = new OverlayCodec();
    static final Codec<Map<String, Map<String, @Nullable Object>>> OVERLAYS =
            Codecs.mapOf("providers", OVERLAY, Checks::provider, (name, overlay) -> {});
    static final Codec<Boolean> BOOL = Codecs.bool();
    static final Codec<Map<String, Object>> SETTINGS = Codecs.plainValues("settings");
    private static final BigDecimal LEAST_REAL = new BigDecimal("0.001");
    private static final BigDecimal MOST_MONEY = BigDecimal.valueOf(1_000_000_000);

    private SpecCodecs() {}

    /** A value with a textual form. */
    static <V> Codec<V> parsed(String what, String example, Function<String, V> parse) {
        return Codecs.parsed(what, example, parse);
    }

    /** A text of a form. */
    static Codec<String> form(String what, String example, Checks.Form form) {
        return Codecs.form(what, example, form::check, form.regex());
    }

    /** A text of a form, brought to its canonical form. */
    static Codec<String> form(String what, String example, Checks.Form form, UnaryOperator<String> check) {
        return Codecs.form(what, example, check, form.regex());
    }

    /** A text with a check. */
    static Codec<String> text(String what, String example, UnaryOperator<String> check) {
        return Codecs.text(what, example, check);
    }

    /** A text that is the name of something, called {@code name} in a refusal. */
    static Codec<String> label(String what, String example, String name) {
        return Codecs.text(what, example, value -> Checks.label(name, value));
    }

    static Codec<Integer> integer(String what, int least, int most, int example) {
        return Codecs.integer(what, least, most, example);
    }

    static Codec<Long> bytes(String example) {
        return Codecs.notNegative(example, Checks::bytes);
    }

    static Codec<BigDecimal> money(String what, String example) {
        return Codecs.decimal(example, new BigDecimal("0.0001"), MOST_MONEY, value -> Checks.money(what, value));
    }

    static Codec<Double> real(String what, String example) {
        return Codecs.real(example, LEAST_REAL, MOST_MONEY, value -> Checks.range(what, value));
    }

    static Codec<Duration> duration(String what, String example) {
        return Codecs.duration(example, value -> Checks.positive(what, value));
    }

    static <E extends Enum<E>> Codec<E> oneOf(Class<E> type) {
        return Codecs.oneOf(type);
    }

    static <V> Codec<List<V>> listOf(Codec<V> item) {
        return Codecs.listOf(item);
    }

    /** Texts by names, with a check of a name, and of a text under its name. */
    static Codec<Map<String, String>> textsOf(
            String what, String item, String example, Consumer<String> name, BiConsumer<String, String> check) {
        return Codecs.mapOf(what, Codecs.text(item, example, UnaryOperator.identity()), name, check);
    }

    /** A value that is never read or written. */
    static <V> Codec<V> hidden(Class<V> type) {
        return Codecs.parsed(type.getSimpleName(), "", text -> {
            throw new UnsupportedOperationException("never read");
        });
    }

    /** The group's only value, where it has no other name than this and the value is a scalar. */
    private static @Nullable ScalarNode single(Node node, String name) {
        return node instanceof MappingNode mapping
                        && mapping.getValue().size() == 1
                        && YamlTree.get(mapping, name) instanceof ScalarNode scalar
                ? scalar
                : null;
    }

    /** A secret is written as {@code {secret: env:NAME}}; messages never repeat the text in its place. */
    private static final class SecretCodec implements Codec<SecretReference> {
        private static final String NAME = "secret";

        @Override
        public @Nullable SecretReference read(Node node, String path, Reading reading) {
            ScalarNode scalar = single(node, NAME);
            if (scalar == null) {
                reading.report(node, path, "a secret is given by reference, never as its value", "give " + expected());
                return null;
            }
            try {
                return SecretReference.of(scalar.getValue());
            } catch (InvalidValueException e) {
                reading.report(scalar, path, "the reference to the secret is not of its form", "give " + expected());
                return null;
            }
        }

        @Override
        public SecretReference parse(String text) {
            return SecretReference.of(text);
        }

        @Override
        public Object write(SecretReference value) {
            return Map.of(NAME, value.toString());
        }

        @Override
        public Map<String, Object> schema(boolean partial) {
            Map<String, Object> reference =
                    Schemas.of("description", "never the value itself", "type", "string", "pattern", "^(env|file):");
            Map<String, Object> schema = Schemas.group(Map.of(NAME, reference), List.of(NAME));
            schema.put("description", expected());
            return schema;
        }

        @Override
        public String expected() {
            return "where the secret is kept, for example {secret: env:CW_PASSWORD} or {secret: file:./password}";
        }
    }

    /** An overlay is checked field by field when it is read, and as a whole when the cluster spec is built. */
    private static final class OverlayCodec implements Codec<Map<String, @Nullable Object>> {
        @Override
        public @Nullable Map<String, @Nullable Object> read(Node node, String path, Reading reading) {
            int before = reading.count();
            ClusterSpec.FIELDS.check(node, path, reading);
            return reading.count() == before && node instanceof MappingNode tree ? PlainValues.lenient(tree) : null;
        }

        @Override
        public Map<String, @Nullable Object> accept(Map<String, @Nullable Object> value) {
            return PlainValues.copyOf(value);
        }

        @Override
        public Map<String, @Nullable Object> parse(String text) {
            return PlainValues.lenient(YamlTree.read(text, ""));
        }

        @Override
        public Map<String, Object> schema(boolean partial) {
            return partial
                    ? Schemas.of("description", "an overlay cannot hold overlays", "not", Map.of())
                    : Schemas.of("$ref", Schemas.OVERLAY);
        }

        @Override
        public String expected() {
            return "part of a cluster spec, for example {nodes: {count: 4}}";
        }
    }

    /** The word {@code default}, or a thumbprint. */
    static final class CertificateCodec implements Codec<String> {
        static final String DEFAULT = "default";
        private static final String NAME = "thumbprint";

        @Override
        public @Nullable String read(Node node, String path, Reading reading) {
            if (node instanceof ScalarNode scalar && scalar.getValue().equals(DEFAULT)) {
                return DEFAULT;
            }
            ScalarNode own = single(node, NAME);
            if (own != null) {
                return reading.attempt(own, path + "." + NAME, () -> Checks.thumbprint(own.getValue()));
            }
            reading.reportKind(node, path, "a management certificate", "give " + expected());
            return null;
        }

        @Override
        public String accept(String value) {
            return value.equals(DEFAULT) ? value : Checks.thumbprint(value);
        }

        @Override
        public Object write(String value) {
            return value.equals(DEFAULT) ? value : Map.of(NAME, value);
        }

        @Override
        public Map<String, Object> schema(boolean partial) {
            Map<String, Object> own = Schemas.of(
                    "type", List.of("string", "number"), "pattern", Schemas.pattern(Checks.THUMBPRINT.regex()));
            return Schemas.of(
                    "description",
                    expected(),
                    "anyOf",
                    List.of(Schemas.of("const", DEFAULT), Schemas.group(Map.of(NAME, own), List.of(NAME))));
        }

        @Override
        public String expected() {
            return "default, or {thumbprint: 40 hexadecimal digits}";
        }
    }

    /** A word for a source that needs nothing more, or a group of names. */
    static final class SourceCodec implements Codec<MpiSource> {
        private static final List<String> WORDS = List.of("distribution", "image");

        private static final Table<MpiSource.Packages> PACKAGES = new Table<>(
                        "install", values -> new MpiSource.Packages(values.get("packages")))
                .required(
                        "packages",
                        text("an absolute path", "/opt/intelMPI/*.rpm", Checks.ABSOLUTE_PATH::check),
                        MpiSource.Packages::pattern,
                        "give the path of the packages, such as /opt/intelMPI/*.rpm");

        private static final Table<MpiSource.Archive> ARCHIVE = new Table<>(
                        "install",
                        values -> new MpiSource.Archive(
                                values.<URI>get("archive"), values.get("sha256"), values.get("answers")))
                .required(
                        "archive",
                        parsed("a URL", "https://example.org/mpi.tgz", Checks::location),
                        MpiSource.Archive::archive,
                        "give the URL of the archive")
                .required(
                        "sha256",
                        form("64 hexadecimal digits", "0123…cdef", Checks.SHA256, Checks::sha256),
                        MpiSource.Archive::sha256,
                        "give the SHA-256 of the archive")
                .defaulted(
                        "answers",
                        textsOf(
                                "answers of the installer",
                                "an answer",
                                "accept",
                                Checks::variable,
                                Checks::variableValue),
                        MpiSource.Archive::answers,
                        Map.of());

        @Override
        public @Nullable MpiSource read(Node node, String path, Reading reading) {
            if (node instanceof ScalarNode scalar && WORDS.contains(scalar.getValue())) {
                return scalar.getValue().equals("image") ? MpiSource.image() : MpiSource.distribution();
            }
            if (node instanceof MappingNode mapping) {
                if (YamlTree.get(mapping, "packages") != null && YamlTree.get(mapping, "archive") != null) {
                    reading.report(
                            node, path, "packages and archive both name the source of the MPI", "remove one of them");
                    return null;
                }
                return YamlTree.get(mapping, "packages") == null
                        ? ARCHIVE.read(node, path, reading)
                        : PACKAGES.read(node, path, reading);
            }
            String remedy = node instanceof ScalarNode scalar
                    ? NearestName.question(scalar.getValue(), WORDS).orElse("give " + expected())
                    : "give " + expected();
            reading.reportKind(node, path, "the source of an MPI", remedy);
            return null;
        }

        @Override
        public Object write(MpiSource value) {
            if (value instanceof MpiSource.Archive archive) {
                return ARCHIVE.write(archive);
            }
            return value instanceof MpiSource.Packages packages ? PACKAGES.write(packages) : value.toString();
        }

        @Override
        public Map<String, Object> schema(boolean partial) {
            return Schemas.of(
                    "description",
                    expected(),
                    "anyOf",
                    List.of(Schemas.of("enum", WORDS), PACKAGES.schema(false), ARCHIVE.schema(false)));
        }

        @Override
        public String expected() {
            return "distribution, image, {archive: URL, sha256: …} or {packages: /opt/intelMPI/*.rpm}";
        }
    }
}
