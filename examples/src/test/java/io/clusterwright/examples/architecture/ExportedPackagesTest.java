package io.clusterwright.examples.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The packages that users may import; all others are internal. */
class ExportedPackagesTest {
    private static final Pattern EXPORT = Pattern.compile("(?m)^\\s*exports\\s+([\\w.]+)\\s*;");

    @Test
    void areThoseOfTheDesign() throws IOException {
        assertThat(exported())
                .containsExactly(
                        "io.clusterwright.azure",
                        "io.clusterwright.azure.emulator",
                        "io.clusterwright.azure.emulator.junit",
                        "io.clusterwright.core",
                        "io.clusterwright.core.catalog",
                        "io.clusterwright.core.plan",
                        "io.clusterwright.core.spec",
                        "io.clusterwright.core.spi",
                        "io.clusterwright.core.type",
                        "io.clusterwright.linux",
                        "io.clusterwright.linux.junit",
                        "io.clusterwright.linux.local",
                        "io.clusterwright.linux.probe",
                        "io.clusterwright.mpi",
                        "io.clusterwright.mpi.bench",
                        "io.clusterwright.mpi.check",
                        "io.clusterwright.mpi.fabric",
                        "io.clusterwright.mpi.job",
                        "io.clusterwright.mpi.preset",
                        "io.clusterwright.mpi.spi",
                        "io.clusterwright.windows",
                        "io.clusterwright.windows.classic",
                        "io.clusterwright.windows.deploy",
                        "io.clusterwright.windows.emulator",
                        "io.clusterwright.windows.hpcpack");
    }

    static SortedSet<String> exported() throws IOException {
        SortedSet<String> exported = new TreeSet<>();
        for (Path file : Sources.main()) {
            if (file.endsWith("module-info.java")) {
                EXPORT.matcher(Sources.read(file)).results().forEach(match -> exported.add(match.group(1)));
            }
        }
        return exported;
    }
}
