package io.clusterwright.linux.internal.local;

import io.clusterwright.core.Command;
import io.clusterwright.core.NodeSession;
import io.clusterwright.core.spi.NodeBackend.PackageFeed;
import io.clusterwright.core.type.ClusterName;
import io.clusterwright.core.type.NodeName;
import io.clusterwright.linux.internal.node.NodeFiles;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Fetches Debian packages with this machine's {@code apt-get}, as the node's own list of what it has asks for, and puts
 * them into the node's cache.
 */
final class AptFeed implements PackageFeed {
    private static final Duration TIMEOUT = Duration.ofMinutes(15);
    private static final Pattern FILE = Pattern.compile("'[^']+' (\\S+) ([0-9]+) \\S*");
    private static final String LISTS = "var/lib/apt/lists/";
    /** Files of the machine's root have the owner that stands for all who are not in a user namespace. */
    private static final String TAKE_OVER =
            "cd / && dpkg-query --listfiles -- \"$@\" 2> /dev/null | sed 's/^diverted by .* to: //' | sort -u | tr '\\n' '\\0'"
                    + " | xargs -0 -r sh -c 'exec find \"$@\" -maxdepth 0 -type f -uid 65534 -print0' sh 2> /dev/null"
                    + " | tar --create --null --no-recursion --owner=0 --group=0 --files-from=- --file=- 2> /dev/null"
                    + " | tar --extract --same-permissions --file=-";

    private static final List<String> PASSED_ON =
            List.of("http_proxy", "https_proxy", "no_proxy", "HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY");

    private final LocalNodes host;
    private final ClusterName cluster;
    private final NodeName machine;
    private final BaseSystem system;
    private final Path store;
    private final Path packages;
    private final Path cache;

    AptFeed(LocalNodes host, Folders folders, ClusterName cluster, NodeName machine) {
        this.host = host;
        this.cluster = cluster;
        this.machine = machine;
        this.system = host.system(cluster, machine);
        this.store = folders.store();
        this.packages = folders.packages();
        // Another system may have another package under the name of a file.
        this.cache = system.isThisMachine()
                ? packages
                : packages.resolve(NodeFiles.sha256(system.toString()).substring(0, 16));
    }

    @Override
    public Supply supply(NodeSession node, String manager, Demand demand, List<String> packages) {
        if (system.isThisMachine() && !manager.equals("apt")) {
            return Supply.ONLINE;
        }
        if (packages.isEmpty()) {
            return Supply.STAGED;
        }
        String step = "fetch packages for node " + node.node();
        if (!manager.equals("apt") || !HostFacts.isInstalled("apt-get")) {
            throw LocalMachinesException.of(
                    step,
                    system + " takes packages by " + manager
                            + ", and this machine can download packages by apt-get only; install them in " + system
                            + " before: " + String.join(" ", packages));
        }
        try {
            requireLists(step);
            long first = host.processOf(cluster, machine)
                    .orElseThrow(() -> LocalMachinesException.of(step, "the node is not running"));
            Path archives = DurableFiles.createFolders(cache.resolve("archives"));
            DurableFiles.createFolders(archives.resolve("partial"));
            FolderLock.holding(this.packages, () -> {
                List<String> files = fetch(first, demand, packages, archives, step);
                stage(first, files, archives, step);
                if (UserNamespace.isNeeded()) {
                    takeOver(node, files);
                }
            });
            return Supply.STAGED;
        } catch (IOException e) {
            throw LocalMachinesException.of(step, e);
        }
    }

    /**
     * Makes the installed files of packages that are about to be replaced files of the node. Until then they are files of the machine's root,
     * to which no root of a user namespace may make the links that dpkg makes before it replaces a file.
     */
    private static void takeOver(NodeSession node, List<String> files) {
        List<String> command = new ArrayList<>(List.of("/bin/sh", "-c", TAKE_OVER, "sh"));
        files.forEach(file -> command.add(file.substring(0, file.indexOf('_'))));
        node.run(Command.of(command).elevate().timeout(TIMEOUT)).orThrow();
    }

    /** Deletes what was downloaded. */
    static void deleteCache(Folders folders) {
        Path cache = folders.packages();
        if (Files.isDirectory(cache)) {
            FolderLock.holding(
                    cache, "delete the downloaded packages in " + cache, () -> DurableFiles.deleteTree(cache));
        }
    }

    /** Downloads what is missing, and answers the names of all files that are needed. */
    private List<String> fetch(long first, Demand demand, List<String> packages, Path archives, String step)
            throws IOException {
        Path work = Files.createTempDirectory(cache, "apt-");
        try {
            Path status = work.resolve("status");
            try (ConfinedFolder folder = open(first, List.of("var", "lib", "dpkg"), step)) {
                folder.copyOut("status", status);
            }
            DurableFiles.createFolders(work.resolve("partial"));
            Map<String, Long> needed = needed(apt(status, work, demand, packages, true), step);
            if (!isThere(needed, archives)) {
                apt(status, archives, demand, packages, false).orThrow(step);
            }
            return List.copyOf(needed.keySet());
        } finally {
            DurableFiles.deleteTree(work);
        }
    }

    private Map<String, Long> needed(HostCommand command, String step) {
        HostCommand.Result result = command.run(step);
        if (result.exitStatus() != 0) {
            throw LocalMachinesException.of(
                    step,
                    "apt-get failed; if a package was not found, " + updateLine(),
                    HostCommand.lastLines(result.stderr().isBlank() ? result.stdout() : result.stderr()));
        }
        Map<String, Long> files = new LinkedHashMap<>();
        result.stdout().lines().forEach(line -> {
            Matcher matcher = FILE.matcher(line);
            if (matcher.matches()) {
                files.put(matcher.group(1), Long.parseLong(matcher.group(2)));
            }
        });
        return files;
    }

    private static boolean isThere(Map<String, Long> needed, Path archives) throws IOException {
        for (Map.Entry<String, Long> file : needed.entrySet()) {
            Path there = archives.resolve(file.getKey());
            if (!Files.isRegularFile(there) || Files.size(there) != file.getValue()) {
                return false;
            }
        }
        return true;
    }

    private HostCommand apt(Path status, Path archives, Demand demand, List<String> packages, boolean onlyNames) {
        List<String> arguments = new ArrayList<>(List.of("apt-get", "-y", "-q", "--download-only"));
        Stream.of(
                        "Dir::State::status=" + status,
                        "Dir::Cache::archives=" + archives + "/",
                        "Dir::Cache::pkgcache=" + cache.resolve("pkgcache.bin"),
                        "Dir::Cache::srcpkgcache=" + cache.resolve("srcpkgcache.bin"),
                        "APT::Sandbox::User=root",
                        "Debug::NoLocking=" + UserNamespace.isNeeded(),
                        "Acquire::Retries=3")
                .forEach(option -> arguments.addAll(List.of("-o", option)));
        if (!system.isThisMachine()) {
            arguments.addAll(List.of("-o", "Dir::Etc=" + system.at("etc/apt/")));
            arguments.addAll(List.of("-o", "Dir::State::lists=" + system.at(LISTS)));
        }
        if (onlyNames) {
            arguments.add("--print-uris");
        }
        arguments.add("install");
        if (demand == Demand.UPDATE) {
            arguments.add("--only-upgrade");
        }
        arguments.add("--");
        arguments.addAll(packages);
        Map<String, String> environment = new LinkedHashMap<>(Map.of("DEBIAN_FRONTEND", "noninteractive"));
        for (String name : PASSED_ON) {
            String value = System.getenv(name);
            if (value != null) {
                environment.put(name, value);
            }
        }
        return HostCommand.of(arguments).outside().environment(environment).timeout(TIMEOUT);
    }

    /** A folder of the node, once it is known that the process through which it was opened is still the process of the node. */
    private ConfinedFolder open(long first, List<String> names, String step) throws IOException {
        ConfinedFolder folder = ConfinedFolder.open(first, names);
        if (!host.processOf(cluster, machine).equals(Optional.of(first))) {
            folder.close();
            throw LocalMachinesException.of(step, "the node is not running");
        }
        return folder;
    }

    private void stage(long first, List<String> files, Path archives, String step) throws IOException {
        try (ConfinedFolder folder = open(first, List.of("var", "cache", "apt", "archives"), step)) {
            for (String file : files) {
                folder.copyIn(archives.resolve(file), file);
            }
        }
    }

    private String updateLine() {
        if (system.root().startsWith(store)) {
            return "run apt-get update in the folder of which the archive was made, and make the archive again";
        }
        return "run: " + (system.isThisMachine() ? "" : "chroot " + system + " ") + "apt-get update";
    }

    private void requireLists(String step) throws IOException {
        Path folder = system.at(LISTS);
        if (Files.isDirectory(folder)) {
            try (DirectoryStream<Path> lists = Files.newDirectoryStream(folder, "*_Packages*")) {
                if (lists.iterator().hasNext()) {
                    return;
                }
            }
        }
        throw LocalMachinesException.of(
                step, system + " has no package lists in " + folder + "; " + updateLine() + ", and try again");
    }
}
