package io.clusterwright.core.type;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.util.EnumSet;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/**
 * The place of a secret: {@code env:NAME} for an environment variable, {@code file:PATH} for a file that only its
 * owner may read. Use it to name a password in a spec without writing it there.
 *
 * <pre>{@code
 * SecretReference reference = SecretReference.of("env:HPC_PASSWORD"); // as a spec names it
 * Secret password = reference.resolve(environment, Path.of(".")); // environment: System.getenv()
 * System.out.println(password); // shows no character of it
 * }</pre>
 *
 * @param kind the sort of place
 * @param location the name of the variable or the path of the file
 */
public record SecretReference(Kind kind, String location) {
    private static final long MAX_BYTES = 1 << 20;
    private static final Set<PosixFilePermission> OWNER = EnumSet.of(
            PosixFilePermission.OWNER_READ, PosixFilePermission.OWNER_WRITE, PosixFilePermission.OWNER_EXECUTE);

    /** The sorts of places. */
    public enum Kind {
        /** An environment variable of this process. */
        ENV,
        /** A file; a relative path starts in the folder of the spec. */
        FILE
    }

    /**
     * Checks the location.
     *
     * @throws InvalidValueException when it is not a variable's name or not a path
     */
    public SecretReference {
        Objects.requireNonNull(kind, "kind");
        String pattern = kind == Kind.ENV ? "[A-Za-z_][A-Za-z0-9_]*" : "[^\\p{Cntrl}\\u0080-\\u009f\\u2028\\u2029]+";
        if (!location.matches(pattern)) {
            throw invalid();
        }
    }

    /**
     * Reads a reference.
     *
     * @throws InvalidValueException when it is not as described; the message does not repeat the text, which may be the
     *     secret itself
     */
    public static SecretReference of(String text) {
        if (text.startsWith("env:")) {
            return new SecretReference(Kind.ENV, text.substring(4));
        }
        if (text.startsWith("file:")) {
            return new SecretReference(Kind.FILE, text.substring(5));
        }
        throw invalid();
    }

    /**
     * Fetches the secret.
     *
     * @param environment the variables to look in
     * @param base the folder that a relative path starts from
     * @return the value of the variable, or the content of the file without the line end at its end
     * @throws UnavailableException when it is absent, empty, too large or not text, or when others may read it
     */
    public Secret resolve(Map<String, String> environment, Path base) {
        if (kind == Kind.FILE) {
            return readFile(base.resolve(location));
        }
        String value = environment.getOrDefault(location, "");
        if (value.isEmpty()) {
            throw new UnavailableException(
                    this, "the environment variable is not set or empty; run: export " + location + "=...");
        }
        return Secret.of(value);
    }

    private Secret readFile(Path file) {
        try {
            if (Files.getFileStore(file).supportsFileAttributeView("posix")
                    && !OWNER.containsAll(Files.getPosixFilePermissions(file))) {
                throw new UnavailableException(
                        this, "other users may read " + file + "; run: chmod 600 '" + file + "'");
            }
            if (Files.size(file) > MAX_BYTES) {
                throw new UnavailableException(this, file + " is larger than " + MAX_BYTES + " bytes");
            }
            String text = StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(Files.readAllBytes(file)))
                    .toString()
                    .replaceFirst("\\r?\\n\\z", "");
            if (text.isEmpty()) {
                throw new UnavailableException(this, file + " is empty; write the secret into it");
            }
            return Secret.of(text);
        } catch (CharacterCodingException e) {
            throw new UnavailableException(this, file + " is not text in UTF-8");
        } catch (IOException e) {
            throw new UnavailableException(this, file + " cannot be read; create it with mode 0600", e);
        }
    }

    private static InvalidValueException invalid() {
        return new InvalidValueException(
                "reference to a secret", "***", "env:NAME or file:PATH, never the secret itself", "env:CW_PASSWORD");
    }

    /** The reference as {@link #of} reads it; it is not secret. */
    @Override
    public String toString() {
        return (kind == Kind.ENV ? "env:" : "file:") + location;
    }

    /** A secret could not be had from where its reference points, or was not safe there. */
    public static final class UnavailableException extends ClusterwrightException {
        private static final long serialVersionUID = 1L;

        private final transient SecretReference reference;

        UnavailableException(SecretReference reference, String message) {
            super("cannot read the secret " + reference + ": " + message);
            this.reference = reference;
        }

        UnavailableException(SecretReference reference, String message, Throwable cause) {
            super("cannot read the secret " + reference + ": " + message, cause);
            this.reference = reference;
        }

        /** The place of the missing secret. */
        public SecretReference reference() {
            return reference;
        }
    }
}
