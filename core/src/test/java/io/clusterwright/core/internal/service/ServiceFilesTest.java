package io.clusterwright.core.internal.service;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The service files of all modules, unpacked into one folder. */
class ServiceFilesTest {
    private static final Path CHECKOUT = Path.of("..").toAbsolutePath().normalize();
    private static final Path SERVICES = Path.of("src/main/resources/META-INF/services");
    private static final Pattern ARTIFACT = Pattern.compile("<artifactId>(clusterwright-[a-z-]+)</artifactId>");

    @TempDir
    private Path folder;

    @Test
    void modulesAndServicesAreThoseOfTheSources() throws IOException {
        Map<String, Path> modules = modules();
        SortedSet<String> services = new TreeSet<>();
        for (Path module : modules.values()) {
            files(module).forEach(file -> services.add(file.getFileName().toString()));
        }

        assertThat(ServiceFiles.MODULES).containsExactlyElementsOf(modules.keySet());
        assertThat(ServiceFiles.SERVICES).containsExactlyElementsOf(services);
    }

    @Test
    void mergedFilesLoseNothing() throws IOException {
        unpackAll((earlier, later) -> earlier + "\n# of the next module\n" + later);

        assertThat(lost()).isEmpty();
    }

    @Test
    void theFirstFileOfEachNameLosesThePartsOfTheNextModules() throws IOException {
        unpackAll((earlier, later) -> earlier);

        assertThat(lost())
                .containsOnlyKeys(
                        "clusterwright-linux",
                        "clusterwright-mpi",
                        "clusterwright-windows",
                        "clusterwright-windows-classic");
        assertThat(lost().get("clusterwright-mpi"))
                .contains(
                        "io.clusterwright.mpi.internal.rules.MpiRules",
                        "io.clusterwright.mpi.internal.verify.ClusterChecks$OfMemlock")
                .doesNotContain("io.clusterwright.mpi.internal.launch.HydraLauncher");
    }

    @Test
    void anAbsentModuleLosesNothing() throws IOException {
        unpackCore();
        unpack("clusterwright-mpi", modules().get("clusterwright-mpi"), (earlier, later) -> later);

        assertThat(lost()).isEmpty();
    }

    @Test
    void aFileOfTheProgramItselfCanTakeThePlaceOfAModule() throws IOException {
        unpackCore();
        unpack("clusterwright-mpi", modules().get("clusterwright-mpi"), (earlier, later) -> later);
        Files.writeString(
                folder.resolve("META-INF/services/io.clusterwright.core.spi.RuleSet"), "org.example.OwnRules\n");

        assertThat(lost())
                .isEqualTo(Map.of(
                        "clusterwright-mpi", new TreeSet<>(List.of("io.clusterwright.mpi.internal.rules.MpiRules"))));
    }

    private void unpackCore() throws IOException {
        Path schema = Path.of("META-INF/clusterwright/cluster-spec.schema.json");
        Files.createDirectories(folder.resolve(schema).getParent());
        Files.copy(Path.of("src/main/resources").resolve(schema), folder.resolve(schema));
    }

    private Map<String, SortedSet<String>> lost() throws IOException {
        try (URLClassLoader loader =
                new URLClassLoader(new URL[] {folder.toUri().toURL()}, null)) {
            return ServiceFiles.lost(loader);
        }
    }

    private void unpackAll(Merge merge) throws IOException {
        for (Map.Entry<String, Path> module : modules().entrySet()) {
            unpack(module.getKey(), module.getValue(), merge);
        }
    }

    /** As the jar of a module has them. */
    private void unpack(String artifact, Path module, Merge merge) throws IOException {
        Path registered = Files.createDirectories(folder.resolve("META-INF/services"));
        Path built =
                Files.createDirectories(folder.resolve("META-INF/clusterwright").resolve(artifact));
        for (Path file : files(module)) {
            String text = Files.readString(file);
            Path target = registered.resolve(file.getFileName());
            Files.writeString(target, Files.exists(target) ? merge.of(Files.readString(target), text) : text);
            Files.writeString(built.resolve(file.getFileName()), text, StandardCharsets.UTF_8);
        }
    }

    /** The folders of the modules that register implementations, by artifact. */
    private static Map<String, Path> modules() throws IOException {
        Map<String, Path> modules = new TreeMap<>();
        for (String folder : Pattern.compile("<module>(.*)</module>")
                .matcher(Files.readString(CHECKOUT.resolve("pom.xml")))
                .results()
                .map((MatchResult found) -> found.group(1))
                .toList()) {
            Path module = CHECKOUT.resolve(folder);
            if (Files.isDirectory(module.resolve(SERVICES))) {
                modules.put(
                        ARTIFACT.matcher(Files.readString(module.resolve("pom.xml")))
                                .results()
                                .map((MatchResult found) -> found.group(1))
                                .filter(name -> !name.equals("clusterwright-parent"))
                                .findFirst()
                                .orElseThrow(),
                        module);
            }
        }
        return modules;
    }

    private static Iterable<Path> files(Path module) throws IOException {
        try (Stream<Path> files = Files.list(module.resolve(SERVICES))) {
            return files.sorted().toList();
        }
    }

    private interface Merge {
        String of(String earlier, String later);
    }
}
