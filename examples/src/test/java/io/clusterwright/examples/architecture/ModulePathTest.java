package io.clusterwright.examples.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import io.clusterwright.core.internal.service.Services;
import io.clusterwright.core.spi.RuleSet;
import io.clusterwright.core.type.ClusterwrightException;
import io.clusterwright.mpi.spi.Launcher;
import java.io.File;
import java.lang.module.ModuleDescriptor;
import java.lang.module.ModuleFinder;
import java.lang.module.ModuleReference;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The modules as a consumer on the module path meets them; all other tests run on the class path. */
class ModulePathTest {

    private static final Set<String> LIBRARY = Set.of(
            "io.clusterwright.core",
            "io.clusterwright.emulator",
            "io.clusterwright.linux",
            "io.clusterwright.linux.junit",
            "io.clusterwright.mpi",
            "io.clusterwright.windows",
            "io.clusterwright.windows.classic",
            "io.clusterwright.windows.emulator",
            "io.clusterwright.azure",
            "io.clusterwright.azure.emulator",
            "io.clusterwright.azure.emulator.junit");

    private static final ModuleFinder MODULES =
            ModuleFinder.of(Stream.of(System.getProperty("java.class.path").split(File.pathSeparator))
                    .map(Path::of)
                    .filter(entry -> !entry.endsWith("test-classes"))
                    .toArray(Path[]::new));

    @Test
    void allModulesResolveTogether() throws ClassNotFoundException {
        ModuleLayer boot = ModuleLayer.boot();
        Set<String> roots = Stream.concat(LIBRARY.stream(), Stream.of("io.clusterwright.examples"))
                .collect(Collectors.toSet());
        ModuleLayer layer = boot.defineModulesWithOneLoader(
                boot.configuration().resolve(MODULES, ModuleFinder.of(), roots), ClassLoader.getPlatformClassLoader());

        Class<?> loaded = layer.findLoader("io.clusterwright.core").loadClass(ClusterwrightException.class.getName());

        assertThat(loaded.getModule().getName()).isEqualTo("io.clusterwright.core");
    }

    @Test
    void partsOfAllModulesAreFound() throws ReflectiveOperationException {
        ModuleLayer.Controller layer = ModuleLayer.defineModulesWithOneLoader(
                ModuleLayer.boot().configuration().resolveAndBind(MODULES, ModuleFinder.of(), LIBRARY),
                List.of(ModuleLayer.boot()),
                ClassLoader.getPlatformClassLoader());
        ClassLoader loader = layer.layer().findLoader("io.clusterwright.core");
        Class<?> services = loader.loadClass(Services.class.getName());
        layer.addExports(
                services.getModule(), services.getPackageName(), getClass().getModule());

        for (Class<?> service : List.of(RuleSet.class, Launcher.class)) {
            assertThat((List<?>)
                            services.getMethod("of", Class.class).invoke(null, loader.loadClass(service.getName())))
                    .extracting(part -> part.getClass().getName())
                    .containsExactlyInAnyOrderElementsOf(Services.of(service).stream()
                            .map(part -> part.getClass().getName())
                            .toList());
        }
    }

    @Test
    void exportsTheApiPackagesAndNoOther() {
        Set<String> exported = LIBRARY.stream()
                .flatMap(name -> MODULES.find(name).map(ModuleReference::descriptor).orElseThrow().exports().stream())
                .filter(Predicate.not(ModuleDescriptor.Exports::isQualified))
                .map(ModuleDescriptor.Exports::source)
                .collect(Collectors.toSet());
        Set<String> api = new ClassFileImporter()
                .withImportOption(new ImportOption.DoNotIncludeTests()).importPackages("io.clusterwright").stream()
                        .filter(SignatureTypes.AN_API_TYPE)
                        .map(JavaClass::getPackageName)
                        .filter(name -> !name.startsWith("io.clusterwright.examples"))
                        .collect(Collectors.toSet());

        assertThat(exported).isEqualTo(api);
    }
}
