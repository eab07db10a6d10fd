package io.clusterwright.linux.internal.local;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;

/**
 * A folder that becomes a layer of a node's file system: what is put in keeps the rights it has in the system below.
 *
 * @param folder the layer
 * @param below the root of the system below
 */
record LayerFolder(Path folder, Path below) {
    /** An ordinary user cannot give files away: all are of root of the node. */
    private static final List<String> MIRRORED =
            UserNamespace.isNeeded() ? List.of("unix:mode") : List.of("unix:mode", "unix:uid", "unix:gid");

    static LayerFolder create(Path folder) throws IOException {
        return create(folder, BaseSystem.THIS_MACHINE);
    }

    static LayerFolder create(Path folder, BaseSystem below) throws IOException {
        Files.createDirectories(folder);
        mirror(below.root(), folder);
        if (!below.isThisMachine()) {
            mode(folder, 0755);
        }
        return new LayerFolder(folder, below.root());
    }

    Path at(Path path) {
        return folder.resolve(Path.of("/").relativize(path));
    }

    /** Makes a folder and those above it, each as it is in the system below where it exists there. */
    Path folder(Path path, int defaultMode) throws IOException {
        Path here = at(path);
        if (!Files.isDirectory(here, LinkOption.NOFOLLOW_LINKS)) {
            Path above = path.getParent();
            if (above != null && above.getNameCount() > 0) {
                folder(above, 0755);
            }
            Files.createDirectory(here);
            Path original = below.resolve(Path.of("/").relativize(path));
            if (Files.isDirectory(original)) {
                mirror(original, here);
            } else {
                mode(here, defaultMode);
            }
        }
        return here;
    }

    void file(String path, String content, int mode) throws IOException {
        Path target = Path.of(path);
        Path here = folder(above(target), 0755).resolve(target.getFileName());
        Files.writeString(here, content);
        mode(here, mode);
    }

    static Path above(Path path) {
        return Objects.requireNonNull(path.getParent(), () -> path + " has no folder above it");
    }

    static void mode(Path file, int mode) throws IOException {
        Files.setAttribute(file, "unix:mode", mode, LinkOption.NOFOLLOW_LINKS);
    }

    static void mirror(Path from, Path to) throws IOException {
        for (String name : MIRRORED) {
            Object value = Files.getAttribute(from, name);
            if (name.equals("unix:mode")) {
                value = (Integer) value & 07777;
            }
            Files.setAttribute(to, name, value, LinkOption.NOFOLLOW_LINKS);
        }
    }
}
