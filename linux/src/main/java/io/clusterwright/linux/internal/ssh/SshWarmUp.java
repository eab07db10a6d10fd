package io.clusterwright.linux.internal.ssh;

import java.nio.charset.StandardCharsets;
import java.security.KeyPair;
import org.apache.sshd.client.SshClient;
import org.apache.sshd.common.NamedFactory;
import org.apache.sshd.common.cipher.Cipher;
import org.apache.sshd.common.kex.AbstractDH;
import org.apache.sshd.common.kex.BuiltinDHFactories;
import org.apache.sshd.common.signature.BuiltinSignatures;
import org.apache.sshd.common.signature.Signature;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Does what the first connection of a process would wait for: loads the client, and uses its key exchange, its signatures and its cipher. */
public final class SshWarmUp {
    private static final Logger LOG = LoggerFactory.getLogger(SshWarmUp.class);

    private SshWarmUp() {}

    /** Does the work. Never fails: what it could not do, the first connection does or reports. */
    public static void quietly() {
        try {
            prepare();
        } catch (Exception e) {
            LOG.debug("the first connection will take longer", e);
        }
    }

    /** The work itself. */
    static void prepare() throws Exception {
        try (SshThreads threads = new SshThreads()) {
            SshClient client = SshTransport.of(threads);
            exchange();
            sign(Ed25519Keys.load(Ed25519Keys.generate("warm-up")));
            encrypt(client.getCipherFactories().get(0));
        }
    }

    private static void exchange() throws Exception {
        AbstractDH ours = BuiltinDHFactories.curve25519.create();
        AbstractDH theirs = BuiltinDHFactories.curve25519.create();
        byte[] shown = theirs.getE();
        ours.getE();
        ours.setF(shown);
        ours.getK();
    }

    private static void sign(KeyPair pair) throws Exception {
        byte[] text = "warm-up".getBytes(StandardCharsets.US_ASCII);
        Signature signature = BuiltinSignatures.ed25519.create();
        signature.initSigner(null, pair.getPrivate());
        signature.update(null, text);
        byte[] signed = signature.sign(null);
        signature.initVerifier(null, pair.getPublic());
        signature.update(null, text);
        signature.verify(null, signed);
    }

    private static void encrypt(NamedFactory<Cipher> factory) throws Exception {
        Cipher cipher = factory.create();
        byte[] key = new byte[cipher.getKdfSize()];
        byte[] start = new byte[cipher.getIVSize()];
        cipher.init(Cipher.Mode.Encrypt, key, start);
        cipher.updateAAD(new byte[4], 0, 4);
        byte[] text = new byte[64 + cipher.getAuthenticationTagSize()];
        cipher.update(text, 0, 64);
    }
}
