package io.clusterwright.linux.internal.ssh;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.jimfs.Configuration;
import com.google.common.jimfs.Jimfs;
import java.io.IOException;
import java.nio.file.FileSystem;
import java.nio.file.Path;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class LocalNamesTest {
    @ParameterizedTest
    @ValueSource(strings = {"", ".", "..", "../x", "/x", "a/b", "x\u0000y"})
    void aPathIsNoName(String name) {
        assertThat(LocalNames.isUsable(name, false)).isFalse();
        assertThat(LocalNames.isUsable(name, true)).isFalse();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "..\\..\\x.bat",
                "\\\\server\\share",
                "C:x",
                "C:",
                "a:stream",
                "a::$DATA",
                "NUL",
                "nul.txt",
                "con",
                "Aux .log",
                "COM1",
                "lpt\u00b9.x",
                "CONOUT$",
                "x.",
                "x ",
                "...",
                "a*",
                "a?",
                "<a>",
                "a|b",
                "a\"b",
                "a\nb"
            })
    void onWindowsSomeNamesAreMore(String name) {
        assertThat(LocalNames.isUsable(name, true)).isFalse();
        assertThat(LocalNames.isUsable(name, false)).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"x", ".profile", "..x", "a b", "console.log", "nullable", "com10", "aux-1.txt", "-rf", "\u00e4"})
    void ordinaryNamesNameAFileOfTheirFolder(String name) throws IOException {
        assertThat(LocalNames.isUsable(name, false)).isTrue();
        assertThat(LocalNames.isUsable(name, true)).isTrue();
        try (FileSystem windows = Jimfs.newFileSystem(Configuration.windows())) {
            Path folder = windows.getPath("C:\\work");
            assertThat(folder.resolve(name).getParent()).isEqualTo(folder);
            assertThat(LocalNames.isWindows(windows)).isTrue();
        }
        assertThat(LocalNames.isWindows(Path.of(name).getFileSystem())).isFalse();
    }

    @ParameterizedTest
    @CsvSource({
        "x, 0",
        "./x, 0",
        "a/b//c, 0",
        ".., 1",
        "../../x, 2",
        "., 0",
        "a/, 0",
    })
    void linksInTheFolderStayInside(String target, int depth) {
        assertThat(LocalNames.staysInside(target, depth, false)).isTrue();
    }

    /** The last one leads out where {@code a} is a link to a folder above. */
    @ParameterizedTest
    @CsvSource({
        "'', 0",
        "/etc/passwd, 5",
        ".., 0",
        "../../x, 1",
        "./.././../x, 1",
        "a/../../x, 0",
        "a/../x, 3",
    })
    void otherLinksMayLeadOut(String target, int depth) {
        assertThat(LocalNames.staysInside(target, depth, false)).isFalse();
    }

    @ParameterizedTest
    @ValueSource(strings = {"..\\..\\x", "C:x", "a/C:", "NUL", "a/nul/b"})
    void onWindowsMoreLinksMayLeadOut(String target) {
        assertThat(LocalNames.staysInside(target, 3, true)).isFalse();
    }
}
