package io.clusterwright.linux.internal.ssh;

import io.clusterwright.core.spi.SshKeyPair;
import io.clusterwright.core.type.ClusterwrightException;
import io.clusterwright.core.type.Secret;
import io.clusterwright.core.type.SshPublicKey;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.util.Collections;
import java.util.Iterator;
import org.apache.sshd.common.NamedResource;
import org.apache.sshd.common.config.keys.KeyUtils;
import org.apache.sshd.common.config.keys.PublicKeyEntry;
import org.apache.sshd.common.config.keys.writer.openssh.OpenSSHKeyPairResourceWriter;
import org.apache.sshd.common.keyprovider.KeyPairProvider;
import org.apache.sshd.common.util.security.SecurityUtils;
import org.jspecify.annotations.Nullable;

/** Makes and reads key pairs in OpenSSH's own text forms. */
public final class Ed25519Keys {
    private static final int BITS = 256;

    private Ed25519Keys() {}

    /** Makes a new pair; the comment is in both keys. */
    public static SshKeyPair generate(String comment) {
        try {
            KeyPair pair = KeyUtils.generateKeyPair(KeyPairProvider.SSH_ED25519, BITS);
            ByteArrayOutputStream text = new ByteArrayOutputStream();
            OpenSSHKeyPairResourceWriter.INSTANCE.writePrivateKey(pair, comment, null, text);
            return new SshKeyPair(
                    SshPublicKey.parse(PublicKeyEntry.toString(pair.getPublic()) + " " + comment),
                    Secret.of(text.toString(StandardCharsets.US_ASCII)));
        } catch (GeneralSecurityException | IOException e) {
            throw new IllegalStateException("this Java runtime cannot make an Ed25519 key", e);
        }
    }

    /**
     * Reads the private key.
     *
     * @throws ClusterwrightException when it cannot be read; the message does not show it
     */
    static KeyPair load(SshKeyPair text) {
        byte[] bytes = text.privateKey().reveal().getBytes(StandardCharsets.US_ASCII);
        try (InputStream in = new ByteArrayInputStream(bytes)) {
            Iterable<KeyPair> pairs =
                    SecurityUtils.loadKeyPairIdentities(null, NamedResource.ofName("private key"), in, null);
            Iterator<KeyPair> found = pairs == null ? Collections.emptyIterator() : pairs.iterator();
            if (found.hasNext()) {
                return found.next();
            }
        } catch (GeneralSecurityException | IOException e) {
            throw unreadable(text, e);
        }
        throw unreadable(text, null);
    }

    private static ClusterwrightException unreadable(SshKeyPair text, @Nullable Exception cause) {
        String message = "the private key of " + text.publicKey().fingerprint()
                + " cannot be read; give one without a passphrase, in the form ssh-keygen writes";
        return cause == null ? new ClusterwrightException(message) : new ClusterwrightException(message, cause);
    }
}
