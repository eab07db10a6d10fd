package io.clusterwright.azure.emulator.junit;

import io.clusterwright.azure.emulator.SharedEmulator;
import io.clusterwright.core.spi.MachineHost;
import io.clusterwright.core.type.ClusterwrightException;
import io.clusterwright.linux.local.LocalMachines;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;

/**
 * The folder of one test's emulator, below the system's temporary files.
 *
 * @param path where it is
 */
record TestFolder(Path path) {
    private static final String PREFIX = "clusterwright-junit-azure-";
    private static final AtomicBoolean CLEANED = new AtomicBoolean();

    static TestFolder make() {
        Path all = Path.of(System.getProperty("java.io.tmpdir"));
        try {
            if (CLEANED.compareAndSet(false, true)) {
                abandoned(all).forEach(TestFolder::removeWithNodes);
            }
            return new TestFolder(Files.createTempDirectory(all, PREFIX));
        } catch (IOException e) {
            throw new ClusterwrightException("Cannot create a folder in " + all, e);
        }
    }

    /** Folders of emulators that were killed and left nodes. */
    static List<TestFolder> abandoned(Path all) throws IOException {
        try (Stream<Path> folders = Files.list(all)) {
            return folders.filter(folder -> folder.getFileName().toString().startsWith(PREFIX))
                    .map(TestFolder::new)
                    .filter(folder -> folder.emulator().hasOrphans())
                    .toList();
        }
    }

    private SharedEmulator emulator() {
        return SharedEmulator.of(path);
    }

    void removeWithNodes() {
        try (MachineHost host = LocalMachines.create().host()) {
            emulator().removeOrphans(host);
        }
        delete();
    }

    void delete() {
        if (!Files.exists(path)) {
            return;
        }
        try (Stream<Path> files = Files.walk(path)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(file);
            }
        } catch (IOException e) {
            throw new ClusterwrightException("Cannot delete " + path, e);
        }
    }
}
