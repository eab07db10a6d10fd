package io.clusterwright.examples.architecture;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.clusterwright.core.Planner;
import io.clusterwright.core.spec.SpecReader;
import io.clusterwright.core.type.IncompleteJarException;
import java.io.File;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A program whose modules are unpacked into one folder, as into one jar. */
class OneJarTest {
    private static final String SPEC = """
            name: demo
            region: westeurope
            nodes: {count: 2, size: Standard_HB120rs_v3}
            mpi: {preset: intel-mpi/network-direct}
            """;
    private static final String FINDING_OF_MPI = "CW-PRESET-";
    private static final List<String> MODULES = List.of("core", "linux", "mpi", "azure");

    @TempDir
    private Path folder;

    @Test
    void withMergedServiceFilesTheRulesOfAllModulesApply() throws Exception {
        for (String module : MODULES) {
            unpack(module, true);
        }

        try (URLClassLoader program = program()) {
            assertThat(check(program)).contains(FINDING_OF_MPI);
        }
    }

    @Test
    void withoutMergedServiceFilesThePlannerRefuses() throws Exception {
        for (String module : MODULES) {
            unpack(module, false);
        }

        try (URLClassLoader program = program()) {
            assertThatThrownBy(() -> check(program))
                    .isInstanceOf(InvocationTargetException.class)
                    .cause()
                    .satisfies(refused ->
                            assertThat(refused.getClass().getName()).isEqualTo(IncompleteJarException.class.getName()))
                    .hasMessageStartingWith(
                            "the jar of this program is incomplete: META-INF/services does not register")
                    .hasMessageContaining("io.clusterwright.mpi.internal.rules.MpiRules")
                    .hasMessageContaining("of clusterwright-mpi; ")
                    .hasMessageContaining("mergeServiceFiles()")
                    .hasMessageNotContaining("internal.local.LocalRules");
        }
    }

    @Test
    void aContextClassLoaderThatSeesNoModuleLosesNoRule() throws Exception {
        Thread thread = Thread.currentThread();
        ClassLoader before = thread.getContextClassLoader();
        thread.setContextClassLoader(ClassLoader.getPlatformClassLoader());
        try {
            assertThat(Planner.check(SpecReader.read(SPEC, "demo.yaml")).toString())
                    .contains(FINDING_OF_MPI);
        } finally {
            thread.setContextClassLoader(before);
        }
    }

    private static String check(ClassLoader program) throws Exception {
        Class<?> planner = program.loadClass(Planner.class.getName());
        Object spec = program.loadClass(SpecReader.class.getName())
                .getMethod("read", String.class, String.class)
                .invoke(null, SPEC, "demo.yaml");
        return String.valueOf(planner.getMethod("check", spec.getClass()).invoke(null, spec));
    }

    /** The folder, and the libraries of others. */
    private URLClassLoader program() throws MalformedURLException {
        List<URL> entries = new ArrayList<>(List.of(folder.toUri().toURL()));
        for (String entry : System.getProperty("java.class.path").split(File.pathSeparator)) {
            if (entry.endsWith(".jar")
                    && !Path.of(entry).getFileName().toString().startsWith("clusterwright-")) {
                entries.add(Path.of(entry).toUri().toURL());
            }
        }
        return new URLClassLoader(entries.toArray(URL[]::new), ClassLoader.getPlatformClassLoader());
    }

    /** A file that is there stays as it is, or takes the lines of the other. */
    private void unpack(String module, boolean merge) throws IOException {
        Path classes = Path.of("..", module, "target/classes");
        try (Stream<Path> files = Files.walk(classes)) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                Path target = folder.resolve(classes.relativize(file).toString());
                Files.createDirectories(target.getParent());
                if (!Files.exists(target)) {
                    Files.copy(file, target, StandardCopyOption.COPY_ATTRIBUTES);
                } else if (merge && target.getParent().endsWith("services")) {
                    Files.write(target, Files.readAllBytes(file), StandardOpenOption.APPEND);
                }
            }
        }
    }
}
