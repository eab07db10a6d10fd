package io.clusterwright.core.type;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import java.util.regex.Pattern;

/**
 * A public key of SSH, as a line of {@code id_ed25519.pub} holds it. Use it to let a person log in to the nodes.
 *
 * <pre>{@code
 * SshPublicKey key = SshPublicKey.of(Files.readString(file).strip());
 * System.out.println(key.type() + " " + key.fingerprint() + " " + key.comment());
 * }</pre>
 *
 * <p>Equality includes the comment; {@link #sameKey} leaves it out.
 *
 * @param type the algorithm, such as {@code ssh-ed25519}
 * @param base64 the key itself
 * @param comment what people know it by; may be empty
 */
public record SshPublicKey(String type, String base64, String comment) {
    private static final Pattern TYPE = Pattern.compile("(sk-)?(ssh|ecdsa)-[a-z0-9@.-]{1,60}");
    private static final Pattern BLANKS = Pattern.compile("[ \\t]+");

    /**
     * Checks the key and brings its base64 into the usual form.
     *
     * @throws InvalidValueException when the key is not of the type it says, or the comment holds a line end
     */
    public SshPublicKey {
        byte[] blob = decode(base64);
        if (!TYPE.matcher(type).matches()
                || !startsWith(blob, type)
                || comment.chars().anyMatch(Character::isISOControl)) {
            throw invalid(type + " " + base64);
        }
        base64 = Base64.getEncoder().encodeToString(blob);
        comment = comment.strip();
    }

    /**
     * Reads a line of type, key and perhaps a comment, without options before them.
     *
     * @throws InvalidValueException when it is not such a line
     */
    public static SshPublicKey of(String line) {
        String[] parts = BLANKS.split(line.strip(), 3);
        if (parts.length < 2 || line.contains("PRIVATE")) {
            throw invalid(line);
        }
        return new SshPublicKey(parts[0], parts[1], parts.length == 3 ? parts[2] : "");
    }

    /** The fingerprint as OpenSSH shows it: {@code SHA256:} and base64 without padding. */
    public String fingerprint() {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(decode(base64));
            return "SHA256:" + Base64.getEncoder().withoutPadding().encodeToString(digest);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }

    /** Whether the two are one key, whatever their comments. */
    public boolean sameKey(SshPublicKey other) {
        return type.equals(other.type) && base64.equals(other.base64);
    }

    private static byte[] decode(String base64) {
        try {
            return Base64.getDecoder().decode(base64);
        } catch (IllegalArgumentException e) {
            throw invalid(base64);
        }
    }

    /** Whether the blob begins with its type as SSH writes a string (RFC 4253, 6.6) and has more after it. */
    private static boolean startsWith(byte[] blob, String type) {
        byte[] name = type.getBytes(StandardCharsets.US_ASCII);
        ByteBuffer buffer = ByteBuffer.wrap(blob);
        if (buffer.remaining() <= Integer.BYTES + name.length || buffer.getInt() != name.length) {
            return false;
        }
        byte[] found = new byte[name.length];
        buffer.get(found);
        return MessageDigest.isEqual(found, name);
    }

    private static InvalidValueException invalid(String given) {
        return new InvalidValueException(
                "SSH public key",
                given.contains("PRIVATE") ? "***" : given,
                "the type, the key in base64 and an optional comment, as in the .pub file",
                "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAI... user@host");
    }

    /** The key as {@link #of} reads it: type, base64 and, when there is one, the comment. */
    @Override
    public String toString() {
        return comment.isEmpty() ? type + " " + base64 : type + " " + base64 + " " + comment;
    }
}
