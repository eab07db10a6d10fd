package io.clusterwright.examples.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The tiers of tests, as CONTRIBUTING.md describes them: the first needs a JDK alone. */
class TiersTest {
    private static final Pattern TAG = Pattern.compile("@Tag\\(\"(\\w+)\"\\)");

    /** What starts a program, a node or a mount. */
    private static final Pattern STARTS = Pattern.compile("ProcessBuilder\\(|@LocalCluster"
            + "|new (?:Lab|RealNodes|NodeProgram|FullDisk)\\(|RealSshd\\.start|LocalMachines\\.(?:create|builder)\\("
            + "|Machine\\.of\\w+\\(\\w|Wine\\.");

    /** They start only programs of the JDK or a shell, or make no node of the machines that they name. */
    private static final Set<String> JDK_ALONE = Set.of(
            "AzureSnippetsTest",
            "CoreSnippetsTest",
            "EnvironmentScriptTest",
            "ExecLineTest",
            "ForkIdentityTest",
            "HpcPackCertificateTest",
            "HpcPackCommandTest",
            "LeanClassPathTest",
            "LeftoverSweepTest",
            "ModulePathTest",
            "NodeAgentTest",
            "OperationTest",
            "TemporaryClusterTest",
            "UsageTest");

    @Test
    void everyTagIsOneOfATier() throws IOException {
        for (Path file : Sources.tests()) {
            assertThat(TAG.matcher(Sources.read(file)).results().map(found -> found.group(1)))
                    .as("%s", file)
                    .isSubsetOf("journey", "breadth");
        }
    }

    @Test
    void theFirstTierNeedsAJdkAlone() throws IOException {
        Set<String> untagged = new TreeSet<>();
        for (Path file : Sources.tests()) {
            String text = Sources.read(file);
            String type = Sources.typeName(file);
            if (type.endsWith("Test")
                    && !type.equals("TiersTest")
                    && STARTS.matcher(text).find()
                    && !TAG.matcher(text).find()) {
                untagged.add(type);
            }
        }
        assertThat(untagged)
                .as("tests that start a program or a node, and have neither @Tag(\"journey\") nor @Tag(\"breadth\")")
                .isEqualTo(new TreeSet<>(JDK_ALONE));
    }

    /** The classes of a module run beside each other in one JVM, and a service is found there once. */
    @Test
    void testsOfTheBackEndInMemoryTakeTurns() throws IOException {
        for (Path file : Sources.tests()) {
            String text = Sources.read(file);
            if (Sources.typeName(file).endsWith("Test") && text.contains("new MemoryProvider(")) {
                assertThat(text)
                        .as("%s", file)
                        .containsAnyOf("@ResourceLock(MemoryBackend.LOCK)", "extends LifecycleFixture");
            }
        }
    }

    @Test
    void noTestChangesWhatBelongsToTheWholeJvm() throws IOException {
        Pattern global = Pattern.compile(
                "System[.](?:set(?:Out|Err|In|Property)|clearProperty)\\(" + "|(?:Locale|TimeZone)[.]setDefault\\(");
        for (Path file : Sources.tests()) {
            if (!Sources.typeName(file).equals("InThisJvm")) {
                assertThat(Sources.read(file)).as("%s", file).doesNotContainPattern(global);
            }
        }
    }

    /** Of tests that are beside no other ones: those in these packages have a JVM for themselves. */
    @Test
    void whatIsCountedForTheWholeJvmIsCountedAlone() throws IOException {
        Pattern counts =
                Pattern.compile("getThreadCount\\(|count\\(\"/proc/self/|getHeapMemoryUsage\\(|totalMemory\\(");
        for (Path file : Sources.tests()) {
            String text = Sources.read(file);
            String name = file.toString().replace('\\', '/');
            if (name.endsWith("Test.java")
                    && !name.matches(".*/examples/(crash|e2e)/.*")
                    && counts.matcher(text).find()) {
                assertThat(text).as("%s", file).contains("@Isolated(");
            }
        }
    }
}
