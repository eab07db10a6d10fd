package io.clusterwright.examples.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.common.jimfs.Configuration;
import com.google.common.jimfs.Jimfs;
import java.io.IOException;
import java.nio.file.FileSystem;
import java.nio.file.Files;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Options and arguments in which a path of this machine stands beside a colon. */
class LocalPathsTest {
    private final FileSystem windows = Jimfs.newFileSystem(Configuration.windows());
    private final FileSystem unix = Jimfs.newFileSystem(Configuration.unix());

    @BeforeEach
    void makeFiles() throws IOException {
        Files.createFile(windows.getPath("case.xml"));
        Files.createDirectories(windows.getPath("C:\\x"));
        Files.createFile(windows.getPath("C:\\x\\case.xml"));
        Files.createFile(unix.getPath("c"));
        Files.createFile(unix.getPath("a:b"));
    }

    @ParameterizedTest
    @CsvSource({
        "case.xml, case.xml",
        "case.xml:/data/case.xml, case.xml",
        "case.xml:in/case.xml, case.xml",
        "C:\\x\\case.xml, C:\\x\\case.xml",
        "C:/x/case.xml, C:/x/case.xml",
        "C:\\x\\case.xml:/data/x, C:\\x\\case.xml",
        "C:\\x\\case.xml:x, C:\\x\\case.xml",
        "C:/x/case.xml:/data/x, C:/x/case.xml",
    })
    void aFileOfWindowsIsStagedIn(String staged, String file) {
        assertThat(staged.substring(0, JobOptions.endOfFile(staged, windows))).isEqualTo(file);
    }

    @ParameterizedTest
    @CsvSource({"c:/data/x, c", "c:x, c", "a:b, a:b", "a:b:/data/x, a:b"})
    void aColonBehindALetterIsNoDriveElsewhere(String staged, String file) {
        assertThat(staged.substring(0, JobOptions.endOfFile(staged, unix))).isEqualTo(file);
    }

    @ParameterizedTest
    @ValueSource(strings = {"C:\\x.xml", "C:\\x.xml:/data/x.xml"})
    void aFileOfWindowsThatIsMissingIsNamed(String staged) {
        assertThatThrownBy(() -> JobOptions.endOfFile(staged, windows))
                .isInstanceOf(RefusedException.class)
                .hasMessage(
                        "--stage-in " + staged + ": there is no file C:\\x.xml; write FILE or FILE:/path/on/the/nodes");
    }

    @ParameterizedTest
    @CsvSource({
        "/data/x, /data/x, .",
        "/data/x:out, /data/x, out",
        "/data/x:C:\\out, /data/x, C:\\out",
        "a:out, a, out",
    })
    void aFileIsStagedOutIntoAFolderOfWindows(String text, String path, String folder) {
        assertThat(JobOptions.StagedOut.parse(text, windows))
                .isEqualTo(new JobOptions.StagedOut(path, windows.getPath(folder)));
    }

    @Test
    void aDriveIsNoNodeOfACopy() {
        assertThat(CopyCommand.Side.parse("C:\\x\\case.xml", windows).onNodes()).isFalse();
        assertThat(CopyCommand.Side.parse("demo1:/data", windows).onNodes()).isTrue();
        assertThat(CopyCommand.Side.parse("c:/data", unix).onNodes()).isTrue();
    }
}
