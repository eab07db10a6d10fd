package io.clusterwright.azure.emulator.internal.batch;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** The containers of the storage account that belongs to an emulated Batch account, and the shared access signatures for them. */
final class BlobStore {
    private static final String ALGORITHM = "HmacSHA256";
    private static final int KEY_BYTES = 32;

    private final byte[] key = new byte[KEY_BYTES];
    private final Map<String, SortedMap<String, byte[]>> containers = new ConcurrentHashMap<>();
    private final Map<String, Map<String, byte[]>> blocks = new ConcurrentHashMap<>();

    BlobStore() {
        new SecureRandom().nextBytes(key);
    }

    /** Makes a container, unless the name is taken. */
    void make(String container) {
        containers.computeIfAbsent(container, name -> new TreeMap<>());
    }

    boolean has(String container) {
        return containers.containsKey(container);
    }

    /** The signature of these permissions, such as {@code rcwl}, for a container. */
    String signature(String container, String permissions) {
        try {
            Mac mac = Mac.getInstance(ALGORITHM);
            mac.init(new SecretKeySpec(key, ALGORITHM));
            return Base64.getUrlEncoder()
                    .withoutPadding()
                    .encodeToString(mac.doFinal((container + "\n" + permissions).getBytes(StandardCharsets.UTF_8)));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    boolean isSignature(String container, String permissions, String signature) {
        return MessageDigest.isEqual(
                signature(container, permissions).getBytes(StandardCharsets.UTF_8),
                signature.getBytes(StandardCharsets.UTF_8));
    }

    Optional<byte[]> blob(String container, String name) {
        SortedMap<String, byte[]> blobs = containers.getOrDefault(container, new TreeMap<>());
        synchronized (blobs) {
            return Optional.ofNullable(blobs.get(name));
        }
    }

    /** The blobs of a container whose names begin so, by their names. */
    SortedMap<String, byte[]> blobs(String container, String prefix) {
        SortedMap<String, byte[]> all = new TreeMap<>();
        SortedMap<String, byte[]> blobs = containers.getOrDefault(container, new TreeMap<>());
        synchronized (blobs) {
            blobs.tailMap(prefix).forEach((name, content) -> {
                if (name.startsWith(prefix)) {
                    all.put(name, content);
                }
            });
        }
        return all;
    }

    void put(String container, String name, byte[] content) {
        SortedMap<String, byte[]> blobs = containers.getOrDefault(container, new TreeMap<>());
        synchronized (blobs) {
            blobs.put(name, content);
        }
        blocks.remove(container + "/" + name);
    }

    /** Keeps a block of a blob until the list of its blocks comes. */
    void putBlock(String container, String name, String block, byte[] content) {
        blocks.computeIfAbsent(container + "/" + name, path -> new ConcurrentHashMap<>())
                .put(block, content);
    }

    /**
     * Makes a blob of blocks.
     *
     * @return whether all of them are there
     */
    boolean putBlocks(String container, String name, Collection<String> ids) {
        Map<String, byte[]> there = blocks.getOrDefault(container + "/" + name, Map.of());
        if (!there.keySet().containsAll(ids)) {
            return false;
        }
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        ids.forEach(id -> all.writeBytes(there.getOrDefault(id, new byte[0])));
        put(container, name, all.toByteArray());
        return true;
    }
}
