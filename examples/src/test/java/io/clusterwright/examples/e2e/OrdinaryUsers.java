package io.clusterwright.examples.e2e;

import io.clusterwright.examples.cli.ClusterwrightMain;
import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Users without root, who exist in a mount namespace of the test only: their accounts, ranges of ids and homes are gone with it, and no file of
 * this machine is changed. A user whose name begins with "no" has no range.
 */
final class OrdinaryUsers implements AutoCloseable {
    private static final int FIRST_ID = 61_000;
    private static final int FIRST_RANGE = 700_000_000;
    private static final int RANGE = 65_536;

    /** Arguments: folder, y where a file system in memory may have the disks of nodes, then names. */
    private static final String MAKE = """
            folder=$1 memory=$2 id=%d range=%d
            shift 2
            mkdir "$folder/homes"
            for file in passwd group subuid subgid; do cp "/etc/$file" "$folder/$file"; done
            if [ "$memory" = y ]; then mount -t tmpfs -o mode=755 tmpfs "$folder/homes"; fi
            for name; do
                id=$((id + 1)) range=$((range + %d))
                echo "$name:x:$id:$id::$folder/homes/$name:/bin/bash" >> "$folder/passwd"
                echo "$name:x:$id:" >> "$folder/group"
                case $name in
                    no*) ;;
                    *) for file in subuid subgid; do echo "$name:$range:65536" >> "$folder/$file"; done ;;
                esac
                install -d -m 700 -o "$id" -g "$id" "$folder/homes/$name"
            done
            for file in passwd group subuid subgid; do mount --bind "$folder/$file" "/etc/$file"; done
            echo ready
            exec cat > /dev/null
            """.formatted(FIRST_ID, FIRST_RANGE, RANGE);

    private final List<String> names;
    private final Path folder;
    private final Process namespace;
    private final String classPath;

    OrdinaryUsers(String... names) {
        this.names = List.of(names);
        try {
            folder = Files.createTempDirectory("cwusers");
            Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
            classPath = readableClasses(folder);
            List<String> command = new ArrayList<>(List.of("unshare", "--mount", "--propagation", "private"));
            command.addAll(List.of("sh", "-euc", MAKE, "sh", folder.toString(), disksInMemory() ? "y" : "n"));
            command.addAll(this.names);
            namespace = new ProcessBuilder(command).redirectErrorStream(true).start();
            String line = new BufferedReader(new InputStreamReader(namespace.getInputStream(), StandardCharsets.UTF_8))
                    .readLine();
            if (!"ready".equals(line)) {
                throw new AssertionError("no users: " + line);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Since Linux 6.6 a file system in memory has the attributes that an overlay of a user needs. */
    private static boolean disksInMemory() {
        String[] version = System.getProperty("os.version").split("[^0-9]", 3);
        return Integer.parseInt(version[0]) * 100 + Integer.parseInt(version[1]) >= 606;
    }

    /** The classes of this test may be in folders that other users cannot read. */
    private static String readableClasses(Path folder) throws IOException {
        List<String> entries = new ArrayList<>();
        for (String entry : ProgramClasses.own().path().split(File.pathSeparator)) {
            Path copy = folder.resolve(entries.size() + "-" + Path.of(entry).getFileName());
            Files.copy(Path.of(entry).toRealPath(), copy);
            Files.setPosixFilePermissions(copy, PosixFilePermissions.fromString("rw-r--r--"));
            entries.add(copy.toString());
        }
        return String.join(File.pathSeparator, entries);
    }

    /** A file that all users can read. */
    Path write(String name, String text) {
        try {
            return Files.writeString(folder.resolve(name), text);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    Path home(String user) {
        return folder.resolve("homes").resolve(user);
    }

    /** The program as a user; `%s` stands for an argument. */
    Program.Ended clusterwright(String user, String arguments, Object... values) {
        try (Program program = start(user, arguments, values)) {
            return program.end();
        }
    }

    Program.Ended succeeds(String user, String arguments, Object... values) {
        Program.Ended ended = clusterwright(user, arguments, values);
        if (ended.status() != 0) {
            throw new AssertionError(user + ": " + arguments + ": " + ended);
        }
        return ended;
    }

    Program start(String user, String arguments, Object... values) {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-cp",
                classPath,
                ClusterwrightMain.class.getName()));
        int next = 0;
        for (String word : arguments.split(" ")) {
            command.add(word.equals("%s") ? String.valueOf(values[next++]) : word);
        }
        return new Program(new ProcessBuilder(as(user, command)), "");
    }

    /** Runs another program as a user. */
    Program.Ended run(String user, String... command) {
        return new Program(new ProcessBuilder(as(user, List.of(command))), "").end();
    }

    private List<String> as(String user, List<String> command) {
        String id = Integer.toString(id(user));
        List<String> all = new ArrayList<>(
                List.of("nsenter", "--target", Long.toString(namespace.pid()), "--mount", "--wd=/", "setpriv"));
        all.addAll(List.of("--reuid", id, "--regid", id, "--clear-groups", "env", "-i"));
        all.addAll(List.of("HOME=" + home(user), "USER=" + user, "PATH=/usr/sbin:/usr/bin:/sbin:/bin"));
        all.addAll(command);
        return all;
    }

    private int id(String user) {
        return FIRST_ID + 1 + names.indexOf(user);
    }

    /** The command lines of all processes of a user, also of those with an id of its range. */
    List<String> processes(String user) {
        int range = FIRST_RANGE + RANGE * (1 + names.indexOf(user));
        return ProcessHandle.allProcesses()
                .filter(process -> {
                    int id = owner(process.pid());
                    return id == id(user) || (id >= range && id < range + RANGE);
                })
                .map(process ->
                        process.pid() + " " + text(process.pid(), "cmdline").replace('\0', ' '))
                .toList();
    }

    /** The owner of a process; -1 once it has ended. */
    private static int owner(long pid) {
        String status = text(pid, "status");
        return status.lines().anyMatch(line -> line.startsWith("State:\tZ"))
                ? -1
                : status.lines()
                        .filter(line -> line.startsWith("Uid:"))
                        .map(line -> Integer.parseInt(line.split("\t")[1]))
                        .findFirst()
                        .orElse(-1);
    }

    /** The mount points that the users' namespaces have below their homes, as this namespace sees them. */
    List<String> mounts() {
        return text(namespace.pid(), "mounts")
                .lines()
                .filter(line -> line.contains(folder + "/homes/"))
                .toList();
    }

    /** What a user's folder for local nodes has, without what is kept for the next cluster. */
    List<String> left(String user) {
        Path data = Path.of("/proc", Long.toString(namespace.pid()), "root")
                .resolve(Path.of("/").relativize(home(user)))
                .resolve(".local/share/clusterwright");
        if (!Files.exists(data)) {
            return List.of();
        }
        try (Stream<Path> entries = Files.list(data)) {
            return entries.map(entry -> entry.getFileName().toString())
                    .filter(name -> !List.of(".lock", "system", "images", "packages", "namespace")
                            .contains(name))
                    .collect(Collectors.toList());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The process that holds a user's namespace. */
    long holder(String user) {
        return processes(user).stream()
                .filter(line -> line.contains("sleep infinity"))
                .map(line -> Long.parseLong(line.substring(0, line.indexOf(' '))))
                .findFirst()
                .orElseThrow();
    }

    private static String text(long pid, String file) {
        try {
            return Files.readString(Path.of("/proc", Long.toString(pid), file), StandardCharsets.ISO_8859_1);
        } catch (IOException e) {
            return "";
        }
    }

    @Override
    public void close() {
        names.forEach(user -> processes(user)
                .forEach(line -> ProcessHandle.of(Long.parseLong(line.substring(0, line.indexOf(' '))))
                        .ifPresent(ProcessHandle::destroyForcibly)));
        namespace.destroyForcibly().onExit().join();
        Machine.deleteTree(folder);
    }
}
