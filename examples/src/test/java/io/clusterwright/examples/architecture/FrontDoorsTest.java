package io.clusterwright.examples.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The front doors: public types of exported packages whose files import internal packages. Everything behind them is private. */
class FrontDoorsTest {
    private static final Pattern EXPORT = Pattern.compile("(?m)^\\s*exports\\s+([\\w.]+)\\s*;");
    private static final Pattern PACKAGE = Pattern.compile("(?m)^package\\s+([\\w.]+);");
    private static final Pattern PUBLIC = Pattern.compile("(?m)^public\\s");
    private static final Pattern IMPORT =
            Pattern.compile("(?m)^import\\s+(?:static\\s+)?io\\.clusterwright\\.[\\w.]*internal\\.");

    /** A new front door belongs on this list only with a reason; better, put the code behind one that exists. */
    private static final List<String> DOORS = List.of(
            "azure.AzureBatch",
            "azure.AzureMachines",
            "azure.emulator.ArmEmulator",
            "azure.emulator.BatchEmulator",
            "azure.emulator.SharedEmulator",
            "core.Cluster",
            "core.ClusterManager",
            "core.Planner",
            "core.StateStore",
            "core.catalog.CatalogFile",
            "core.spec.SpecCodecs",
            "core.spec.SpecReader",
            "core.spec.Table",
            "linux.Hosts",
            "linux.local.LocalMachines",
            "mpi.Factories",
            "mpi.MpiJob",
            "mpi.bench.BenchmarkStream",
            "mpi.bench.Diagnosis",
            "mpi.check.Checks",
            "mpi.preset.MpiPresets",
            "mpi.spi.LaunchRequest",
            "windows.WindowsImageScript",
            "windows.deploy.HpcPackTemplate",
            "windows.deploy.IaasConfiguration",
            "windows.emulator.HpcPackEmulator",
            "windows.hpcpack.HpcPackClient",
            "windows.hpcpack.JobClient");

    @Test
    void onlyTheListedFilesImportInternalPackages() throws IOException {
        assertThat(frontDoors()).containsExactlyElementsOf(DOORS);
    }

    @Test
    void theExportedPackagesAreThoseOfTheDesign() throws IOException {
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
                        "io.clusterwright.mpi.preset",
                        "io.clusterwright.mpi.spi",
                        "io.clusterwright.windows",
                        "io.clusterwright.windows.deploy",
                        "io.clusterwright.windows.emulator",
                        "io.clusterwright.windows.hpcpack");
    }

    private static SortedSet<String> frontDoors() throws IOException {
        SortedSet<String> exported = exported();
        SortedSet<String> doors = new TreeSet<>();
        for (Path file : Sources.main()) {
            String text = Sources.read(file);
            var name = PACKAGE.matcher(text);
            if (name.find()
                    && exported.contains(name.group(1))
                    && PUBLIC.matcher(text).find()
                    && IMPORT.matcher(text).find()) {
                doors.add(name.group(1).substring("io.clusterwright.".length()) + "." + Sources.typeName(file));
            }
        }
        return doors;
    }

    private static SortedSet<String> exported() throws IOException {
        SortedSet<String> exported = new TreeSet<>();
        for (Path file : Sources.main()) {
            if (file.endsWith("module-info.java")) {
                EXPORT.matcher(Sources.read(file)).results().forEach(match -> exported.add(match.group(1)));
            }
        }
        return exported;
    }
}
