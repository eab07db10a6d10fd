package io.clusterwright.linux.internal.local;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * Changes of the packages of the system that is the lowest layer of nodes: the kernel does not define what an overlay shows after a
 * change below it, and a node then sees old files and new ones side by side.
 */
final class HostPackages {
    private static final String LIST = ".list";
    private static final String DEBIAN = "var/lib/dpkg/info";

    private static final List<String> DATABASES = List.of(
            "var/lib/rpm/rpmdb.sqlite", "usr/lib/sysimage/rpm/rpmdb.sqlite", "usr/lib/sysimage/rpm/Packages.db");

    private HostPackages() {}

    /** The databases of RPM, where distributions have them. */
    static List<Path> databases(Path root) {
        return DATABASES.stream().map(root::resolve).toList();
    }

    /** The packages that were installed, updated or removed after this time, in words; empty when none was. */
    static List<String> changedSince(Path root, FileTime time) {
        List<String> changes = new ArrayList<>();
        try {
            Path folder = root.resolve(DEBIAN);
            if (isNewer(folder, time)) {
                changes.addAll(named(folder, time));
            }
            for (Path database : databases(root)) {
                if (isNewer(database, time)) {
                    changes.add("packages in " + database);
                }
            }
        } catch (IOException e) {
            throw LocalMachinesException.of("look for changed packages in " + root, e);
        }
        return changes;
    }

    private static List<String> named(Path folder, FileTime time) throws IOException {
        List<String> names = new ArrayList<>();
        try (Stream<Path> files = Files.list(folder)) {
            for (Path file : files.filter(path -> path.toString().endsWith(LIST))
                    .sorted()
                    .toList()) {
                if (isNewer(file, time)) {
                    String name = file.getFileName().toString();
                    names.add(name.substring(0, name.length() - LIST.length()));
                }
            }
        }
        return names.isEmpty() ? List.of("packages that were removed") : names;
    }

    private static boolean isNewer(Path file, FileTime time) throws IOException {
        return Files.exists(file, LinkOption.NOFOLLOW_LINKS)
                && Files.getLastModifiedTime(file, LinkOption.NOFOLLOW_LINKS).compareTo(time) > 0;
    }
}
