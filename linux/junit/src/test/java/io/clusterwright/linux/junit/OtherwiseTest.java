package io.clusterwright.linux.junit;

import static org.assertj.core.api.Assertions.assertThat;

import io.clusterwright.core.Cluster;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.discovery.DiscoverySelectors;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;

/** Test classes in a process that is an ordinary user. */
@Tag("breadth")
class OtherwiseTest {
    private static final String MISSING =
            "CW-LOCAL-002 local nodes need root or a range of ids, and /etc/subuid lacks the user nobody: run the command as root";

    @Test
    void skipsTheClassAndNamesTheMissingRequirement() throws Exception {
        assertThat(runAsOrdinaryUser(Skipped.class, SkippedTest.class))
                .contains(
                        "skipped OtherwiseTest$Skipped: this machine cannot host the nodes of @LocalCluster: "
                                + MISSING,
                        "skipped test(Cluster): this machine cannot host the nodes of @LocalCluster: " + MISSING)
                .doesNotContain("FAILED", "a test ran");
    }

    @Test
    void failsByDefault() throws Exception {
        assertThat(runAsOrdinaryUser(Failing.class))
                .contains("ended OtherwiseTest$Failing: FAILED", "CW-LOCAL-002", "local nodes need root")
                .doesNotContain("skipped ", "a test ran");
    }

    private static String runAsOrdinaryUser(Class<?>... tests) throws Exception {
        List<String> command = new ArrayList<>(List.of(
                "unshare",
                "--user",
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                Run.class.getName()));
        Stream.of(tests).map(Class::getName).forEach(command::add);
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        process.getOutputStream().close();
        try {
            String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            assertThat(process.waitFor(1, TimeUnit.MINUTES)).as(output).isTrue();
            return output;
        } finally {
            process.destroy();
        }
    }

    @LocalCluster(nodes = 1, otherwise = LocalCluster.Otherwise.SKIP)
    static class Skipped {
        @Test
        void test(Cluster cluster) {
            System.out.println("a test ran on " + cluster);
        }

        @Nested
        class Inner {
            @Test
            void test(Cluster cluster) {
                System.out.println("a test ran on " + cluster);
            }
        }
    }

    static class SkippedTest {
        @Test
        void test(@LocalCluster(otherwise = LocalCluster.Otherwise.SKIP) Cluster cluster) {
            System.out.println("a test ran on " + cluster);
        }
    }

    @LocalCluster(nodes = 1)
    static class Failing {
        @Test
        void test(Cluster cluster) {
            System.out.println("a test ran on " + cluster);
        }
    }

    /** Runs test classes and prints the results of all but the engine. */
    static final class Run {
        public static void main(String... arguments) {
            LauncherFactory.create()
                    .execute(
                            LauncherDiscoveryRequestBuilder.request()
                                    .selectors(Stream.of(arguments)
                                            .map(DiscoverySelectors::selectClass)
                                            .toList())
                                    .build(),
                            new Printer());
        }
    }

    private static final class Printer implements TestExecutionListener {
        @Override
        public void executionSkipped(TestIdentifier test, String reason) {
            System.out.println("skipped " + test.getDisplayName() + ": " + reason);
        }

        @Override
        public void executionFinished(TestIdentifier test, TestExecutionResult result) {
            if (test.getParentId().isPresent()) {
                System.out.println("ended " + test.getDisplayName() + ": " + result.getStatus() + " "
                        + result.getThrowable().map(Throwable::toString).orElse(""));
            }
        }
    }
}
