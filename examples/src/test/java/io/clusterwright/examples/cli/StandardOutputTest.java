package io.clusterwright.examples.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class StandardOutputTest {
    private final ByteArrayOutputStream errors = new ByteArrayOutputStream();

    @ParameterizedTest
    @CsvSource({
        "No space left on device, '; make room for it, or write it to another file'",
        "Disk quota exceeded, '; make room for it, or write it to another file'",
        "Bad file descriptor, '; write it to another file'",
    })
    void onlyAFullDiskNeedsRoom(String reason, String remedy) {
        assertThat(status(failed(reason, false), ExitCodes.OK)).isEqualTo(ExitCodes.FAILED);
        assertThat(errors.toString(UTF_8).strip())
                .isEqualTo("standard output could not be written: " + reason + remedy);
    }

    @ParameterizedTest
    @CsvSource({"0, 1", "1, 1", "2, 2", "3, 1", "130, 1"})
    void lostOutputIsAFailureUnlessTheInputWasRefused(int ofWork, int status) {
        assertThat(status(failed("Broken pipe", true), ofWork)).isEqualTo(status);
        assertThat(errors.size()).isZero();
    }

    private int status(StandardOutput output, int ofWork) {
        return output.status(ofWork, new PrintStream(errors, true, UTF_8));
    }

    private static StandardOutput failed(String reason, boolean silent) {
        OutputStream broken = new OutputStream() {
            @Override
            public void write(int one) throws IOException {
                throw new IOException(reason);
            }
        };
        StandardOutput output = new StandardOutput(broken, silent, () -> {});
        assertThatThrownBy(() -> output.write(new byte[1], 0, 1)).hasMessage(reason);
        return output;
    }
}
