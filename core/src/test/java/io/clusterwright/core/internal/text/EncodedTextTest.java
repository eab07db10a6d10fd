package io.clusterwright.core.internal.text;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

class EncodedTextTest {
    /** Longer than the buffer, with a letter of two characters across its end. */
    private static final String TEXT = "a".repeat(8190) + "\uD83D\uDE00é\n" + "b".repeat(20_000);

    @Test
    void aByteOrderMarkNamesTheEncoding() throws IOException {
        for (Charset charset : List.of(StandardCharsets.UTF_8, StandardCharsets.UTF_16LE, StandardCharsets.UTF_16BE)) {
            byte[] bytes = ("\uFEFF" + TEXT).getBytes(charset);
            assertThat(EncodedText.decode(bytes)).isEqualTo(TEXT);
            assertThat(inUtf8(bytes)).isEqualTo(TEXT.getBytes(StandardCharsets.UTF_8));
        }
    }

    @Test
    void bytesWithoutAMarkStayAsTheyAre() throws IOException {
        for (byte[] bytes : List.of(new byte[0], new byte[] {'a'}, new byte[] {(byte) 0xff, 'b', (byte) 0xe9, 0})) {
            assertThat(inUtf8(bytes)).isEqualTo(bytes);
        }
        assertThat(EncodedText.decode(new byte[0])).isEmpty();
        assertThatThrownBy(() -> EncodedText.decode(new byte[] {(byte) 0xe9, 'b'}))
                .isInstanceOf(CharacterCodingException.class);
    }

    private static byte[] inUtf8(byte[] bytes) throws IOException {
        try (InputStream text = EncodedText.inUtf8(new ByteArrayInputStream(bytes))) {
            return text.readAllBytes();
        }
    }
}
