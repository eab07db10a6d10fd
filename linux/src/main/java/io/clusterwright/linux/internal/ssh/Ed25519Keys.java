package io.clusterwright.linux.internal.ssh;

import io.clusterwright.core.internal.text.Reason;
import io.clusterwright.core.spi.SshKeyPair;
import io.clusterwright.core.type.InvalidValueException;
import io.clusterwright.core.type.Secret;
import io.clusterwright.core.type.SshPublicKey;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import org.apache.sshd.common.NamedResource;
import org.apache.sshd.common.config.keys.KeyUtils;
import org.apache.sshd.common.config.keys.PublicKeyEntry;
import org.apache.sshd.common.config.keys.loader.openssh.OpenSSHKeyPairResourceParser;
import org.apache.sshd.common.config.keys.writer.openssh.OpenSSHKeyPairResourceWriter;
import org.apache.sshd.common.keyprovider.KeyPairProvider;
import org.apache.sshd.common.util.logging.SimplifiedLog;
import org.apache.sshd.common.util.security.SecurityUtils;

/** Makes and reads key pairs in OpenSSH's own text forms. */
public final class Ed25519Keys {
    private static final int BITS = 256;

    /** Parsers dump the bytes of a private key at level TRACE. */
    private static final OpenSSHKeyPairResourceParser UNDUMPED = new OpenSSHKeyPairResourceParser() {
        @Override
        protected SimplifiedLog getSimplifiedLogger() {
            return SimplifiedLog.EMPTY;
        }
    };

    private Ed25519Keys() {}

    /** Makes a new pair; the comment is in both keys. */
    public static SshKeyPair generate(String comment) {
        try {
            KeyPair pair = KeyUtils.generateKeyPair(KeyPairProvider.SSH_ED25519, BITS);
            ByteArrayOutputStream text = new ByteArrayOutputStream();
            OpenSSHKeyPairResourceWriter.INSTANCE.writePrivateKey(pair, comment, null, text);
            return new SshKeyPair(
                    SshPublicKey.of(PublicKeyEntry.toString(pair.getPublic()) + " " + comment),
                    Secret.of(text.toString(StandardCharsets.US_ASCII)));
        } catch (GeneralSecurityException | IOException e) {
            throw new IllegalStateException("this Java runtime cannot make an Ed25519 key", e);
        }
    }

    /**
     * Reads a private key from a file, in any form of ssh-keygen without a passphrase, and derives the public key.
     *
     * @throws InvalidValueException when it cannot be read; the message does not show it
     */
    public static SshKeyPair read(Path file) {
        String name = "the private key in " + file;
        try {
            String text = Files.readString(file);
            KeyPair pair = parse(name, text);
            return new SshKeyPair(SshPublicKey.of(PublicKeyEntry.toString(pair.getPublic())), Secret.of(text));
        } catch (IOException e) {
            throw InvalidValueException.of(
                    name + " cannot be read: " + Reason.of(e), "name the file of a private key of ssh-keygen");
        }
    }

    /** Reads a key from its text. */
    static KeyPair load(SshKeyPair text) {
        return parse(
                "the private key of " + text.publicKey().fingerprint(),
                text.privateKey().reveal());
    }

    private static KeyPair parse(String name, String text) {
        try (InputStream in = new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8))) {
            NamedResource resource = NamedResource.ofName("private key");
            Iterable<KeyPair> pairs = text.contains(OpenSSHKeyPairResourceParser.BEGIN_MARKER)
                    ? UNDUMPED.loadKeyPairs(null, resource, null, in)
                    : SecurityUtils.loadKeyPairIdentities(null, resource, in, null);
            if (pairs != null && pairs.iterator().hasNext()) {
                return pairs.iterator().next();
            }
        } catch (GeneralSecurityException | IOException e) {
            throw unreadable(name);
        }
        throw unreadable(name);
    }

    private static InvalidValueException unreadable(String name) {
        return InvalidValueException.of(
                name + " cannot be read",
                "use a key without a passphrase (run: ssh-keygen -t ed25519 -N '' -f id_ed25519)");
    }
}
