package io.clusterwright.azure;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The provider on the class path that an application gets without asking for more: three managers and the client of the JDK. */
class LeanClassPathTest {
    private static final Pattern AZURE = Pattern.compile("azure-(core|core-management|core-http-jdk-httpclient|json|xml"
            + "|resourcemanager-(compute|network|resources|authorization|msi|storage))-[0-9].*\\.jar"
            + "|(reactor-core|reactive-streams|jackson-(core|databind|annotations|datatype-jsr310)|slf4j-api)-[0-9].*");

    private static final Pattern OPTIONAL =
            Pattern.compile("azure-.*|msal4j.*|jna.*|netty.*|reactor-netty.*|okhttp.*|junit.*|assertj.*");

    private static final List<Path> CLASS_PATH = Stream.of(
                    System.getProperty("java.class.path").split(File.pathSeparator))
            .map(Path::of)
            .toList();

    @Test
    void theWholeClassPathOfTheTestsHasNoNetty() {
        assertThat(CLASS_PATH).noneMatch(entry -> entry.toString().contains("netty"));
    }

    @Test
    void machinesAreMadeWithThreeManagersAndTheClientOfTheJdk() throws Exception {
        List<Path> lean = CLASS_PATH.stream()
                .filter(entry -> {
                    String name = entry.getFileName().toString();
                    return AZURE.matcher(name).matches()
                            || !OPTIONAL.matcher(name).matches();
                })
                .toList();
        String classPath = String.join(
                File.pathSeparator, lean.stream().map(Path::toString).toList());
        try (TestAzure server = new TestAzure()) {
            ProcessBuilder program = new ProcessBuilder(
                            Path.of(System.getProperty("java.home"), "bin", "java")
                                    .toString(),
                            "-XX:TieredStopAtLevel=1",
                            "-XX:+UseSerialGC",
                            "-cp",
                            classPath,
                            LeanProgram.class.getName(),
                            server.endpoint().toString(),
                            server.subscription(),
                            "com.azure.resourcemanager.AzureResourceManager,com.azure.identity.DefaultAzureCredential,"
                                    + "io.netty.channel.Channel")
                    .redirectErrorStream(true);
            // What the log of a program without a configuration has.
            program.environment().put("AZURE_LOG_LEVEL", "warning");
            Process process = program.start();
            String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);

            assertThat(process.waitFor(2, TimeUnit.MINUTES)).isTrue();
            assertThat(output)
                    .contains("outcomes [Made[")
                    .contains("com.azure.resourcemanager.AzureResourceManager absent")
                    .contains("com.azure.identity.DefaultAzureCredential absent")
                    .contains("io.netty.channel.Channel absent")
                    .doesNotContain("JdkHttpClient", "WARN");
            assertThat(process.exitValue()).isZero();
            assertThat(server.ids()).anyMatch(id -> id.endsWith("/virtualmachines/cluster11"));
        }
    }

    /** What the README states. */
    @Test
    void theSdkBringsEighteenJars() throws Exception {
        List<Path> jars = CLASS_PATH.stream()
                .filter(entry -> AZURE.matcher(entry.getFileName().toString()).matches())
                .toList();
        long bytes = 0;
        for (Path jar : jars) {
            bytes += Files.size(jar);
        }

        assertThat(jars).hasSize(18);
        assertThat(bytes).isBetween(17_000_000L, 19_000_000L);
    }
}
