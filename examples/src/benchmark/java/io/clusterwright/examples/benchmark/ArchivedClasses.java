package io.clusterwright.examples.benchmark;

import io.clusterwright.examples.e2e.FolderJar;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** An application that keeps the classes of a first run in an archive of the JVM, as docs/evidence/benchmarks.md describes. */
final class ArchivedClasses {
    private final Peers peers;
    private final String classPath;
    private final Path archive;

    private ArchivedClasses(Peers peers, String classPath, Path archive) {
        this.peers = peers;
        this.classPath = classPath;
        this.archive = archive;
    }

    /** Packs the class path of this JVM into jars, of which alone an archive is made, and runs the program once. */
    static ArchivedClasses of(Peers peers, Path folder, Class<?> main, String... arguments)
            throws IOException, InterruptedException {
        List<String> jars = new ArrayList<>();
        for (String entry : System.getProperty("java.class.path").split(File.pathSeparator)) {
            Path path = Path.of(entry);
            if (Files.isDirectory(path)) {
                jars.add(FolderJar.pack(path, folder.resolve("classes-" + jars.size() + ".jar"))
                        .toString());
            } else if (Files.exists(path)) {
                jars.add(entry);
            }
        }
        ArchivedClasses made =
                new ArchivedClasses(peers, String.join(File.pathSeparator, jars), folder.resolve("application.jsa"));
        made.run("-XX:ArchiveClassesAtExit=" + made.archive, main, arguments);
        return made;
    }

    /** Runs a main class in a new JVM with the archive. */
    String java(Class<?> main, String... arguments) throws IOException, InterruptedException {
        return run("-XX:SharedArchiveFile=" + archive, main, arguments);
    }

    private String run(String option, Class<?> main, String... arguments) throws IOException, InterruptedException {
        List<String> command = Peers.javaCommand(List.of("-XX:TieredStopAtLevel=1", "-Xlog:cds=off", option), classPath, main);
        command.addAll(List.of(arguments));
        return peers.run(LaunchGroup.LIMIT, 1, command);
    }
}
