package io.clusterwright.core.spec;

import java.net.URI;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/** Where an MPI comes from. */
public sealed interface MpiSource {
    /** The packages of the distribution. */
    static MpiSource distribution() {
        return new Distribution();
    }

    /** What the image already holds. */
    static MpiSource image() {
        return new Image();
    }

    /**
     * An archive with an installer.
     *
     * @param archive its URL, or a path that starts where the description lies
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

    /** What the image already holds. */
    record Image() implements MpiSource {
        @Override
        public String toString() {
            return "image";
        }
    }

    /**
     * An archive with an installer that asks nothing.
     *
     * @param archive its URL (http, https or file), or a path that starts where the description lies
     * @param sha256 its SHA-256, as 64 hexadecimal digits in lower case
     * @param answers what the installer would ask, such as {@code ACCEPT_EULA: accept}; empty when it asks nothing
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
            answers.forEach((name, value) -> Checks.variableValue(Checks.variable(name), value));
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
            Checks.absolutePath(pattern);
        }
    }
}
