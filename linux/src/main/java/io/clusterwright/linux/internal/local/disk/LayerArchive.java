package io.clusterwright.linux.internal.local.disk;

import io.clusterwright.linux.internal.local.host.DurableFiles;
import io.clusterwright.linux.internal.local.host.HostCommand;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.DigestInputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;

/** A layer as a tar file: white-outs, owners and extended attributes are kept, what belongs to one node is not. */
public final class LayerArchive {
    private static final Duration TIMEOUT = Duration.ofMinutes(10);
    private static final int CHANGED_WHILE_READ = 1;

    /** A node's own identity and what is only cached. */
    private static final List<String> EXCLUDED = List.of(
            "./etc/machine-id",
            "./etc/ssh/ssh_host_*_key",
            "./etc/ssh/ssh_host_*_key.pub",
            "./var/cache/apt/archives/*.deb",
            "./var/lib/dbus/machine-id");

    /** What the kernel notes about one overlay and is wrong for any other. */
    private static final List<String> PRIVATE_ATTRIBUTES = List.of(
            "trusted.overlay.impure",
            "trusted.overlay.nlink",
            "trusted.overlay.origin",
            "trusted.overlay.upper",
            "trusted.overlay.uuid");

    private LayerArchive() {}

    /** Writes a folder's content to an archive and answers its checksum. */
    static String pack(Path content, Path archive, boolean running, String step) throws IOException {
        List<String> arguments = new ArrayList<>(List.of(
                "tar", "--create", "--file", archive.toString(), "--xattrs", "--xattrs-include=*", "--numeric-owner"));
        PRIVATE_ATTRIBUTES.forEach(name -> arguments.add("--xattrs-exclude=" + name));
        arguments.add("--anchored");
        EXCLUDED.forEach(name -> arguments.add("--exclude=" + name));
        arguments.addAll(List.of("--directory", content.toString(), "."));
        HostCommand.Result result = HostCommand.of(arguments).timeout(TIMEOUT).run(step);
        boolean changed = running && result.exitStatus() == CHANGED_WHILE_READ;
        if (result.exitStatus() != 0 && !changed) {
            throw result.failure(step);
        }
        return checksum(archive);
    }

    /** Writes an archive's content to a folder that is there only when it is complete. */
    public static void unpack(Path archive, Path folder) throws IOException {
        if (Files.isDirectory(folder)) {
            return;
        }
        Path partial = folder.resolveSibling(folder.getFileName() + ".part");
        DurableFiles.deleteTree(partial);
        Files.createDirectories(partial);
        HostCommand.of(
                        "tar",
                        "--extract",
                        "--file",
                        archive.toString(),
                        "--xattrs",
                        "--xattrs-include=*",
                        "--numeric-owner",
                        "--same-owner",
                        "--same-permissions",
                        "--directory",
                        partial.toString())
                .timeout(TIMEOUT)
                .orThrow("unpack the image layer " + archive.getFileName());
        Files.move(partial, folder);
    }

    private static String checksum(Path file) throws IOException {
        try {
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            try (InputStream stream = new DigestInputStream(Files.newInputStream(file), digest)) {
                stream.transferTo(OutputStream.nullOutputStream());
            }
            return HexFormat.of().formatHex(digest.digest());
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }
}
