package io.clusterwright.core.spec;

import io.clusterwright.core.internal.spec.Codec;
import io.clusterwright.core.internal.spec.Codecs;
import io.clusterwright.core.internal.spec.Messages;
import io.clusterwright.core.internal.spec.Reading;
import io.clusterwright.core.internal.spec.RecordCodec;
import io.clusterwright.core.internal.spec.Schemas;
import io.clusterwright.core.internal.spec.SourceNode;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The names of what a description says of MPI and of the proof that it works. */
final class MpiCodecs {
    static final RecordCodec<MpiInstall, MpiInstall.Builder> INSTALL = RecordCodec.of(
                    "mpi", MpiInstall::builder, MpiInstall.Builder::build)
            .required("flavour", Codecs.oneOf(MpiFlavour.class), MpiInstall::flavour, MpiInstall.Builder::flavour)
            .optional(
                    "version",
                    Codecs.parsed("a version", "\"4.1\"", Checks::version, Checks.VERSION.regex()),
                    MpiInstall::version,
                    MpiInstall.Builder::version)
            .defaulted(
                    "install",
                    new SourceCodec(),
                    MpiInstall::install,
                    MpiInstall.Builder::install,
                    MpiSource.distribution());

    static final RecordCodec<MpiSettings, MpiSettings.Builder> SETTINGS = RecordCodec.of(
                    "mpi", MpiSettings::builder, MpiSettings.Builder::build)
            .defaulted(
                    "preset",
                    Codecs.text("a preset", "open-mpi/ucx"),
                    MpiSettings::preset,
                    MpiSettings.Builder::preset,
                    MpiSettings.DEFAULT_PRESET)
            .optional(
                    "ranksPerNode",
                    Codecs.integer("120"),
                    settings -> ValueCodecs.boxed(settings.ranksPerNode()),
                    MpiSettings.Builder::ranksPerNode)
            .defaulted(
                    "env",
                    Codecs.mapOf("environment variables", Codecs.text("a value", "warn")),
                    MpiSettings::env,
                    MpiSettings.Builder::env,
                    Map.of())
            .optional(
                    "netmask",
                    Codecs.text("a netmask", "172.16.0.0/255.255.0.0"),
                    MpiSettings::netmask,
                    MpiSettings.Builder::netmask);

    static final RecordCodec<LatencyLimit, LatencyLimit.Builder> LATENCY = RecordCodec.of(
                    "maxLatency", LatencyLimit::builder, LatencyLimit.Builder::build)
            .required("micros", Codecs.real("3"), LatencyLimit::micros, LatencyLimit.Builder::micros)
            .defaulted(
                    "upToBytes", Codecs.whole("512"), LatencyLimit::upToBytes, LatencyLimit.Builder::upToBytes, 512L);

    static final RecordCodec<BandwidthLimit, BandwidthLimit.Builder> BANDWIDTH = RecordCodec.of(
                    "minBandwidth", BandwidthLimit::builder, BandwidthLimit.Builder::build)
            .required("gbps", Codecs.real("180"), BandwidthLimit::gbps, BandwidthLimit.Builder::gbps);

    static final RecordCodec<Verification, Verification.Builder> VERIFY = RecordCodec.of(
                    "verify", Verification::builder, Verification.Builder::build)
            .defaulted("hostname", Codecs.bool(), Verification::hostname, Verification.Builder::hostname, true)
            .defaulted(
                    "fabric",
                    Codecs.oneOf(Verification.Fabric.class),
                    Verification::fabric,
                    Verification.Builder::fabric,
                    Verification.Fabric.RING)
            .optional("maxLatency", LATENCY, Verification::maxLatency, Verification.Builder::maxLatency)
            .optional("minBandwidth", BANDWIDTH, Verification::minBandwidth, Verification.Builder::minBandwidth);

    private static final RecordCodec<MpiSource.Packages, Draft> PACKAGES = RecordCodec.of(
                    "install", Draft::new, Draft::packages)
            .required(
                    "packages",
                    Codecs.text("an absolute path", "/opt/intelMPI/*.rpm"),
                    MpiSource.Packages::pattern,
                    (draft, value) -> draft.pattern = value);

    private static final RecordCodec<MpiSource.Archive, Draft> ARCHIVE = RecordCodec.of(
                    "install", Draft::new, Draft::archive)
            .required(
                    "archive",
                    Codecs.parsed("a URL", "https://example.org/mpi.tgz", Checks::location),
                    MpiSource.Archive::archive,
                    (draft, value) -> draft.location = value.toString())
            .required(
                    "sha256",
                    Codecs.parsed("64 hexadecimal digits", "0123…cdef", Checks::sha256, Checks.SHA256.regex()),
                    MpiSource.Archive::sha256,
                    (draft, value) -> draft.sha256 = value)
            .defaulted(
                    "answers",
                    Codecs.mapOf("answers of the installer", Codecs.text("an answer", "accept")),
                    MpiSource.Archive::answers,
                    (draft, value) -> {
                        value.forEach((name, answer) -> Checks.variableValue(Checks.variable(name), answer));
                        draft.answers = value;
                    },
                    Map.of());

    private MpiCodecs() {}

    /** An MPI's source while it is read. */
    private static final class Draft {
        private String pattern = "";
        private String location = "";
        private String sha256 = "";
        private Map<String, String> answers = new LinkedHashMap<>();

        MpiSource.Packages packages() {
            return new MpiSource.Packages(pattern);
        }

        MpiSource.Archive archive() {
            return new MpiSource.Archive(Checks.location(location), sha256, answers);
        }
    }

    /** A word for what needs nothing more, or a group of names. */
    private static final class SourceCodec implements Codec<MpiSource> {
        private static final List<String> WORDS = List.of("distribution", "image");

        @Override
        public @Nullable MpiSource read(SourceNode node, String path, Reading reading) {
            if (node instanceof SourceNode.Scalar scalar && WORDS.contains(scalar.text())) {
                return scalar.text().equals("image") ? MpiSource.image() : MpiSource.distribution();
            }
            if (node instanceof SourceNode.Mapping mapping) {
                return mapping.get("packages") == null
                        ? ARCHIVE.read(node, path, reading)
                        : PACKAGES.read(node, path, reading);
            }
            String remedy = node instanceof SourceNode.Scalar scalar
                    ? Messages.nearest(scalar.text(), WORDS)
                            .map(near -> "did you mean " + near + "?")
                            .orElse("give " + expected())
                    : "give " + expected();
            reading.reportKind(node, path, "the source of an MPI", remedy);
            return null;
        }

        @Override
        public SourceNode write(MpiSource value, boolean full) {
            if (value instanceof MpiSource.Archive archive) {
                return ARCHIVE.write(archive, full);
            }
            if (value instanceof MpiSource.Packages packages) {
                return PACKAGES.write(packages, full);
            }
            return SourceNode.Scalar.text(value.toString());
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
