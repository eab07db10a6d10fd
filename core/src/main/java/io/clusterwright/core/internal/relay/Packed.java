package io.clusterwright.core.internal.relay;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Arrays;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;

/** Bytes as scripts carry them. */
final class Packed {
    private Packed() {}

    static byte[] pack(byte[] bytes) {
        ByteArrayOutputStream packed = new ByteArrayOutputStream();
        try (GZIPOutputStream out = new GZIPOutputStream(packed)) {
            out.write(bytes);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return packed.toByteArray();
    }

    /** @throws IOException when it is not packed, or holds more than was announced */
    static byte[] unpack(byte[] packed, int length) throws IOException {
        try (GZIPInputStream in = new GZIPInputStream(new ByteArrayInputStream(packed))) {
            byte[] bytes = new byte[length];
            int read = in.readNBytes(bytes, 0, length);
            if (in.read() >= 0) {
                throw new IOException("it holds more than " + length + " bytes");
            }
            return read == length ? bytes : Arrays.copyOf(bytes, read);
        }
    }
}
