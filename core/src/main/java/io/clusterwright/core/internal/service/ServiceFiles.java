package io.clusterwright.core.internal.service;

import io.clusterwright.core.type.IncompleteJarException;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.URL;
import java.net.URLConnection;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Compares the files in {@code META-INF/services} with what the modules registered when they were built. A program that is one jar has one
 * file of each name: it names the implementations of one module only, unless the build merged the files.
 *
 * <p>The build copies the service files of each module to a folder of the module's name, so a copy of another module does not replace them.
 */
final class ServiceFiles {
    private static final String REGISTERED = "META-INF/services/";
    private static final String BUILT = "META-INF/clusterwright/";

    /** The modules that register implementations: folders cannot be listed through a class loader. */
    static final List<String> MODULES = List.of(
            "clusterwright-azure",
            "clusterwright-linux",
            "clusterwright-mpi",
            "clusterwright-windows",
            "clusterwright-windows-classic");

    /** The services that they implement, by name, because two are not of this module. */
    static final List<String> SERVICES = List.of(
            "io.clusterwright.core.spi.ClusterCheck",
            "io.clusterwright.core.spi.MachineProvider",
            "io.clusterwright.core.spi.NodeBackend",
            "io.clusterwright.core.spi.Renderer",
            "io.clusterwright.core.spi.RuleSet",
            "io.clusterwright.core.spi.StepSource",
            "io.clusterwright.mpi.spi.Launcher",
            "io.clusterwright.mpi.spi.SchedulerSource");

    /** A file of each module, such that two of them in one place show that jars were put into one. */
    private static final List<String> MARKS = Stream.concat(
                    Stream.of("META-INF/clusterwright/cluster-spec.schema.json"),
                    MODULES.stream().map(module -> BUILT + module + "/io.clusterwright.core.spi.RuleSet"))
            .toList();

    /** Of this program, once it is known. */
    private static volatile @Nullable Map<String, SortedSet<String>> lost;

    private ServiceFiles() {}

    static void requireComplete() {
        Map<String, SortedSet<String>> known = lost;
        if (known == null) {
            known = lost(ServiceFiles.class.getClassLoader());
            lost = known;
        }
        if (!known.isEmpty()) {
            throw new IncompleteJarException(known);
        }
    }

    /** The implementations that are not registered, by the module that has them. */
    static Map<String, SortedSet<String>> lost(ClassLoader loader) {
        Map<String, SortedSet<String>> lost = new TreeMap<>();
        if (eachInItsOwnPlace(loader)) {
            return lost;
        }
        try {
            for (String service : SERVICES) {
                Set<String> registered = new HashSet<>();
                for (URL file : Collections.list(loader.getResources(REGISTERED + service))) {
                    registered.addAll(names(file));
                }
                for (String module : MODULES) {
                    URL built = loader.getResource(BUILT + module + "/" + service);
                    if (built != null) {
                        SortedSet<String> missing = names(built);
                        missing.removeAll(registered);
                        if (!missing.isEmpty()) {
                            lost.computeIfAbsent(module, key -> new TreeSet<>()).addAll(missing);
                        }
                    }
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException("a file in META-INF/services cannot be read", e);
        }
        return lost;
    }

    /** Whether each module has its own jar or folder, as most programs have it: then nothing was lost, and few files are searched. */
    private static boolean eachInItsOwnPlace(ClassLoader loader) {
        Set<String> places = new HashSet<>();
        for (String mark : MARKS) {
            URL file = loader.getResource(mark);
            if (file != null && !places.add(file.toString().replace(mark, ""))) {
                return false;
            }
        }
        return true;
    }

    private static SortedSet<String> names(URL file) throws IOException {
        SortedSet<String> names = new TreeSet<>();
        URLConnection connection = file.openConnection();
        connection.setUseCaches(false);
        try (InputStream stream = connection.getInputStream();
                BufferedReader lines = new BufferedReader(new InputStreamReader(stream, StandardCharsets.UTF_8))) {
            lines.lines()
                    .map(line -> line.replaceFirst("#.*", "").strip())
                    .filter(name -> !name.isEmpty())
                    .forEach(names::add);
        }
        return names;
    }
}
