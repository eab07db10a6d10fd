package io.clusterwright.core.internal.text;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import java.io.IOException;
import java.nio.channels.ClosedByInterruptException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ReasonTest {
    @TempDir
    private Path folder;

    @Test
    void saysWhatIsWrongWithAFile() throws IOException {
        Path file = Files.createFile(folder.resolve("file"));

        assertThat(reason(() -> Files.readString(folder.resolve("none"))))
                .isEqualTo(folder.resolve("none") + ": no such file or folder");
        assertThat(reason(() -> Files.createFile(file))).isEqualTo(file + ": it exists already");
        assertThat(reason(() -> Files.delete(folder))).isEqualTo(folder + ": the folder is not empty");
        assertThat(reason(() -> Files.newDirectoryStream(file))).isEqualTo(file + ": not a folder");
        assertThat(reason(() -> Files.readString(folder))).isEqualTo("Is a directory");
    }

    @Test
    void refusesBinaryTextInWords() throws IOException {
        Path file = Files.write(folder.resolve("binary"), new byte[] {(byte) 0xc3, 0x28});
        assertThat(reason(() -> Files.readString(file))).isEqualTo("it is not text in UTF-8");
    }

    @Test
    void callsEveryInterruptInterrupted() {
        assertThat(Reason.of(new InterruptedException())).isEqualTo("interrupted");
        assertThat(Reason.of(new ClosedByInterruptException())).isEqualTo("interrupted");
    }

    @Test
    void takesTheMessageOfOthersAndTheirNameWithoutOne() {
        assertThat(Reason.of(new IllegalStateException("the disk is full"))).isEqualTo("the disk is full");
        assertThat(Reason.of(new IllegalStateException())).isEqualTo("IllegalStateException");
    }

    private static String reason(org.assertj.core.api.ThrowableAssert.ThrowingCallable failing) {
        return Reason.of(catchThrowable(failing));
    }
}
