package io.clusterwright.linux.internal.local;

import io.clusterwright.core.type.ClusterId;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What this machine looks like to a cluster: links, routes, control groups, mounts, processes, folders. Other clusters may come and go
 * meanwhile, so what is theirs is left out.
 */
record MachineSnapshot(
        List<String> links,
        List<String> routes,
        List<String> groups,
        List<String> mounts,
        Set<String> processes,
        List<String> folders) {

    static MachineSnapshot of(Folders folders, ClusterId... clusters) throws IOException {
        List<LinkNames> own = Stream.of(clusters).map(LinkNames::new).toList();
        List<String> links = KernelRoutes.links().stream()
                .map(link -> link.name() + " " + link.alias())
                .filter(line -> !line.startsWith("cw") || own.stream().anyMatch(names -> line.contains(names.id())))
                .toList();
        List<String> routes = KernelRoutes.all().stream()
                .filter(route -> !route.isGuard() || own.stream().anyMatch(route::isGuardOf))
                // A bridge of another cluster that goes meanwhile leaves its number in place of its name.
                .filter(route -> !route.device().matches("if[0-9]+"))
                .filter(route -> !route.device().startsWith("cw")
                        || own.stream().anyMatch(names -> route.device().equals(names.bridge())))
                .map(Object::toString)
                .toList();
        List<String> groups = groups(clusters);
        List<String> mounts =
                Mounts.under(folders.run()).stream().map(Path::toString).toList();
        return new MachineSnapshot(links, routes, groups, mounts, processes(folders), listing(folders));
    }

    /** The control groups below those of this process. */
    private static List<String> groups(ClusterId... clusters) throws IOException {
        List<String> found = new ArrayList<>();
        for (Path own : NodeCgroups.own()) {
            try (Stream<Path> inside = Files.list(own)) {
                inside.map(Path::toString)
                        .filter(path -> Stream.of(clusters).anyMatch(cluster -> path.contains(cluster.id())))
                        .forEach(found::add);
            }
        }
        return found;
    }

    /** The processes that were started with a path in our folders, and all that share a namespace with one of them. */
    private static Set<String> processes(Folders folders) throws IOException {
        Set<String> found = new TreeSet<>();
        try (Stream<Path> all = Files.list(Path.of("/proc"))) {
            for (Path process : all.filter(path -> path.getFileName().toString().matches("[0-9]+"))
                    .toList()) {
                try {
                    String command =
                            Files.readString(process.resolve("cmdline")).replace('\0', ' ');
                    if (command.contains(folders.run() + "/") && !command.contains("java")) {
                        found.add(process.getFileName() + " " + command);
                    }
                } catch (IOException ignored) {
                    // It has ended.
                }
            }
        }
        return found;
    }

    /** The processes in any of these namespaces. */
    static List<String> inNamespaces(Set<String> namespaces) throws IOException {
        List<String> found = new ArrayList<>();
        try (Stream<Path> all = Files.list(Path.of("/proc"))) {
            for (Path process : all.filter(path -> path.getFileName().toString().matches("[0-9]+"))
                    .toList()) {
                if (namespaces.contains(namespace(process))) {
                    found.add(process.getFileName().toString());
                }
            }
        }
        return found;
    }

    static String namespace(Path process) {
        try {
            return Files.readSymbolicLink(process.resolve("ns/net")).toString();
        } catch (IOException e) {
            return "";
        }
    }

    private static List<String> listing(Folders folders) throws IOException {
        if (!Files.exists(folders.run())) {
            return List.of();
        }
        try (Stream<Path> inside = Files.walk(folders.run(), 2)) {
            return inside.map(Path::toString).sorted().collect(Collectors.toList());
        }
    }
}
