package io.clusterwright.linux;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.spi.ToolProvider;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Compiles and runs a program on the module path, where only the modules that a descriptor asks for exist. All other tests
 * run on the class path and would not see one missing.
 */
class ModulePathTest {

    private static final String MODULE_PATH = Stream.of(
                    System.getProperty("java.class.path").split(File.pathSeparator))
            .filter(entry -> !entry.endsWith("test-classes"))
            .collect(Collectors.joining(File.pathSeparator));

    @Test
    void runsSshAndNativeCallsOnTheModulePath(@TempDir Path folder) throws Exception {
        Path classes = folder.resolve("classes");
        compile(source("module-info.java"), source("consumer/Main.java"), classes);
        Path file = Files.writeString(folder.resolve("file"), "the file");

        assertThat(run(classes, file)).contains("read the file", "pid true", "module consumer");
    }

    private static void compile(Path descriptor, Path main, Path classes) {
        StringWriter log = new StringWriter();
        PrintWriter out = new PrintWriter(log);
        int exit = ToolProvider.findFirst("javac")
                .orElseThrow()
                .run(out, out, "-p", MODULE_PATH, "-d", classes.toString(), descriptor.toString(), main.toString());
        assertThat(exit).as(log.toString()).isZero();
    }

    private static String run(Path classes, Path file) throws IOException, InterruptedException {
        Path java = Path.of(System.getProperty("java.home"), "bin", "java");
        Process process = new ProcessBuilder(
                        java.toString(),
                        "-XX:TieredStopAtLevel=1",
                        "-XX:+UseSerialGC",
                        "-p",
                        MODULE_PATH + File.pathSeparator + classes,
                        "-m",
                        "consumer/consumer.Main",
                        file.toString())
                .redirectErrorStream(true)
                .start();
        String output = new String(process.getInputStream().readAllBytes(), UTF_8);
        assertThat(process.waitFor()).as(output).isZero();
        return output;
    }

    private static Path source(String name) throws URISyntaxException {
        return Path.of(ModulePathTest.class.getResource("/consumer/" + name).toURI());
    }
}
