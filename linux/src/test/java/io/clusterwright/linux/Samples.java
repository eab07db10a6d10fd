package io.clusterwright.linux;

import io.clusterwright.core.type.ClusterName;
import io.clusterwright.core.type.NodeName;
import io.clusterwright.core.type.SshPublicKey;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Random;

/** Values that several tests use. */
public final class Samples {
    static final ClusterName CLUSTER = new ClusterName("wing-flow");
    public static final SshPublicKey KEY_11 = key(11, "root@cluster11");
    public static final SshPublicKey KEY_12 = key(12, "");

    private Samples() {}

    /** A key that is the same for the same seed; nobody has its private half. */
    static SshPublicKey key(long seed, String comment) {
        byte[] point = new byte[32];
        new Random(seed).nextBytes(point);
        ByteArrayOutputStream blob = new ByteArrayOutputStream();
        try (DataOutputStream out = new DataOutputStream(blob)) {
            byte[] type = "ssh-ed25519".getBytes(StandardCharsets.US_ASCII);
            out.writeInt(type.length);
            out.write(type);
            out.writeInt(point.length);
            out.write(point);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return new SshPublicKey("ssh-ed25519", Base64.getEncoder().encodeToString(blob.toByteArray()), comment);
    }

    public static NodeName node(int index) {
        return new NodeName("cluster" + index);
    }
}
