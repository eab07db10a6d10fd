package io.clusterwright.core.spec;

import io.clusterwright.core.spec.Table.Field;
import java.net.URI;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * The MPI of an image. Use it to choose the MPI and where it comes from: the distribution, an archive, or the image.
 *
 * @see Customization
 */
public final class MpiInstall extends SpecPart<MpiInstall.Builder> {
    static final Table<MpiInstall> FIELDS = new Table<>("mpi", MpiInstall::new, Builder::new);
    private static final Field<MpiFlavour> FLAVOUR = FIELDS.required(
            "flavour",
            SpecCodecs.oneOf(MpiFlavour.class),
            "give one of intel-mpi, open-mpi, hpc-x, mpich, mvapich2, ms-mpi");
    private static final Field<String> VERSION =
            FIELDS.optional("version", SpecCodecs.form("a version", "\"4.1\"", Checks.VERSION));
    private static final Field<MpiSource> INSTALL =
            FIELDS.defaulted("install", new SpecCodecs.SourceCodec(), MpiSource.distribution());

    private MpiInstall(Values values) {
        super(values);
    }

    /** A builder with the default of every field. */
    public static Builder builder() {
        return new Builder();
    }

    /** The implementation. Required. */
    public MpiFlavour flavour() {
        return get(FLAVOUR);
    }

    /** The version, as the package or the image names it. Default: the one that is available. */
    public Optional<String> version() {
        return find(VERSION);
    }

    /** The source of the MPI. Default: the packages of the distribution. */
    public MpiSource install() {
        return get(INSTALL);
    }

    /** An implementation from the packages of the distribution. */
    public static MpiInstall fromDistribution(MpiFlavour flavour) {
        return builder().flavour(flavour).build();
    }

    /** Setters of the fields of {@link MpiInstall}. */
    public static final class Builder extends SpecPart.Builder<MpiInstall, Builder> {
        Builder() {
            super(FIELDS);
        }

        public Builder flavour(MpiFlavour flavour) {
            return set(FLAVOUR, flavour);
        }

        public Builder version(String version) {
            return set(VERSION, version);
        }

        public Builder install(MpiSource install) {
            return set(INSTALL, install);
        }
    }

    /** The source of an MPI. */
    public sealed interface MpiSource {
        /** The packages of the distribution. */
        static MpiSource distribution() {
            return new Distribution();
        }

        /** The MPI of the image. */
        static MpiSource image() {
            return new Image();
        }

        /**
         * An archive with an installer.
         *
         * @param archive its URL, or a path that starts at the folder of the cluster spec
         * @param sha256 its SHA-256, as 64 hexadecimal digits
         * @throws io.clusterwright.core.type.InvalidValueException when either is not of its form
         */
        static MpiSource archive(String archive, String sha256) {
            return new Archive(Checks.location(archive), sha256, Map.of());
        }

        /**
         * Packages that lie on the machine, such as {@code /opt/intelMPI/*.rpm}.
         *
         * @throws io.clusterwright.core.type.InvalidValueException when the pattern is not an absolute path
         */
        static MpiSource packages(String pattern) {
            return new Packages(pattern);
        }

        /** The packages of the distribution. */
        record Distribution() implements MpiSource {
            @Override
            public String toString() {
                return "distribution";
            }
        }

        /** The MPI of the image. */
        record Image() implements MpiSource {
            @Override
            public String toString() {
                return "image";
            }
        }

        /**
         * An archive with an unattended installer.
         *
         * @param archive its URL (http, https or file), or a path that starts at the folder of the cluster spec
         * @param sha256 its SHA-256, as 64 hexadecimal digits in lower case
         * @param answers the answers to the questions of the installer, such as {@code ACCEPT_EULA: accept}; may be empty
         */
        record Archive(URI archive, String sha256, Map<String, String> answers) implements MpiSource {
            /**
             * Checks the values.
             *
             * @throws io.clusterwright.core.type.InvalidValueException when one is not of its form
             */
            public Archive {
                archive = Checks.location(archive.toString());
                sha256 = Checks.sha256(sha256);
                answers = Collections.unmodifiableMap(new LinkedHashMap<>(answers));
                answers.keySet().forEach(Checks::variable);
                answers.forEach(Checks::variableValue);
            }

            /** The path of an archive on this machine, which starts at the folder of the spec unless it is absolute; empty for one to download. */
            public Optional<String> file() {
                if (archive.getScheme() == null) {
                    return Optional.of(archive.getPath());
                }
                boolean local = archive.getScheme().equals("file");
                return local
                        ? Optional.of(archive.isOpaque() ? archive.getSchemeSpecificPart() : archive.getPath())
                        : Optional.empty();
            }
        }

        /**
         * Packages that lie on the machine.
         *
         * @param pattern an absolute path that may hold {@code *}
         */
        record Packages(String pattern) implements MpiSource {
            /**
             * Checks the pattern.
             *
             * @throws io.clusterwright.core.type.InvalidValueException when it is not an absolute path
             */
            public Packages {
                Checks.ABSOLUTE_PATH.check(pattern);
            }
        }
    }
}
