package io.clusterwright.windows.internal.backend;

import io.clusterwright.core.spi.SshKeyPair;
import io.clusterwright.core.type.Secret;
import io.clusterwright.core.type.SshPublicKey;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.Base64;

/** Ed25519 key pairs, which the records of a cluster have a place for; no Windows machine is given one. */
final class UnusedKeys {
    private static final byte[] TYPE = "ssh-ed25519".getBytes(StandardCharsets.US_ASCII);
    private static final int KEY_BYTES = 32;

    private UnusedKeys() {}

    static SshKeyPair generate(String comment) {
        KeyPair pair = pair();
        byte[] encoded = pair.getPublic().getEncoded();
        byte[] point = Arrays.copyOfRange(encoded, encoded.length - KEY_BYTES, encoded.length);
        byte[] blob = ByteBuffer.allocate(8 + TYPE.length + KEY_BYTES)
                .putInt(TYPE.length)
                .put(TYPE)
                .putInt(KEY_BYTES)
                .put(point)
                .array();
        String base64 = Base64.getEncoder().encodeToString(blob);
        String pem = "-----BEGIN PRIVATE KEY-----\n"
                + Base64.getMimeEncoder(64, new byte[] {'\n'})
                        .encodeToString(pair.getPrivate().getEncoded())
                + "\n-----END PRIVATE KEY-----\n";
        return new SshKeyPair(SshPublicKey.of("ssh-ed25519 " + base64 + " " + comment), Secret.of(pem));
    }

    private static KeyPair pair() {
        try {
            return KeyPairGenerator.getInstance("Ed25519").generateKeyPair();
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java from 15 on has Ed25519", e);
        }
    }
}
