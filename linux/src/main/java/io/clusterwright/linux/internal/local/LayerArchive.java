package io.clusterwright.linux.internal.local;

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
import java.util.Optional;
import java.util.stream.Stream;

/** A layer as a compressed tar file: white-outs, owners and extended attributes are kept, what belongs to one node is not. */
final class LayerArchive {
    private static final Duration TIMEOUT = Duration.ofMinutes(10);
    private static final int CHANGED_WHILE_READ = 1;
    private static final String[] TAR = {"tar", "--xattrs", "--xattrs-include=*", "--numeric-owner"};

    /** What {@link NodeSeed} gives each node of its own, and what is only cached. */
    private static final List<String> EXCLUDED = List.of(
            "./etc/hostname",
            "./etc/hosts",
            "./etc/machine-id",
            "./etc/resolv.conf",
            "./etc/ssh/sshd_config",
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
            "trusted.overlay.uuid",
            "user.overlay.impure",
            "user.overlay.nlink",
            "user.overlay.origin",
            "user.overlay.upper",
            "user.overlay.uuid");

    private LayerArchive() {}

    /** The compression of an archive, at the fastest level: higher ones take several times as long and save a tenth more. */
    enum Compression {
        /** Takes a sixth of gzip's time to write and to read. */
        ZSTD("zstd", ".tar.zst"),
        /** Which every machine has. */
        GZIP("gzip", ".tar.gz"),
        /** Of earlier versions. */
        NONE("", ".tar");

        private final String program;
        private final String suffix;

        Compression(String program, String suffix) {
            this.program = program;
            this.suffix = suffix;
        }

        /** The best that this machine can do. */
        static Compression best() {
            return HostFacts.isInstalled(ZSTD.program) ? ZSTD : GZIP;
        }

        /** That of an archive, by its name; none for another file. */
        static Optional<Compression> of(Path file) {
            return Stream.of(values())
                    .filter(each -> file.toString().endsWith(each.suffix))
                    .findFirst();
        }

        /** The end of the name of an archive. */
        String suffix() {
            return suffix;
        }

        private boolean isReadable() {
            return program.isEmpty() || HostFacts.isInstalled(program);
        }
    }

    /** Writes a folder's content to an archive and answers its checksum. */
    static String pack(Path content, Path archive, Compression compression, boolean running, String step)
            throws IOException {
        List<String> arguments = new ArrayList<>(List.of(TAR));
        arguments.addAll(List.of(
                "--create", "--use-compress-program", compression.program + " -1", "--file", archive.toString()));
        PRIVATE_ATTRIBUTES.forEach(name -> arguments.add("--xattrs-exclude=" + name));
        arguments.add("--anchored");
        EXCLUDED.forEach(name -> arguments.add("--exclude=" + name));
        arguments.addAll(List.of("--directory", content.toString(), "."));
        HostCommand.Result result = HostCommand.of(arguments).timeout(TIMEOUT).run(step);
        boolean changed = running && result.exitStatus() == CHANGED_WHILE_READ;
        if (result.exitStatus() != 0 && !changed) {
            throw failure(result, step, archive);
        }
        return checksum(archive);
    }

    /** Writes an archive's content to a folder that is there only when it is complete. */
    static void unpack(Path archive, Path folder) throws IOException {
        if (Files.isDirectory(folder)) {
            return;
        }
        DurableFiles.requireOwn(LayerFolder.above(archive));
        Path partial = folder.resolveSibling(folder.getFileName() + ".part");
        DurableFiles.deleteTree(partial);
        DurableFiles.createFolders(partial);
        try {
            extract(archive, partial, List.of());
            Files.move(partial, folder);
        } catch (IOException | RuntimeException e) {
            DurableFiles.deleteTree(partial);
            throw e;
        }
    }

    /** Unpacks an archive, as these further options of tar say. */
    static void extract(Path archive, Path folder, List<String> options) throws IOException {
        String step = "unpack the archive " + archive + " to " + folder;
        Optional<Compression> unreadable = Compression.of(archive).filter(compression -> !compression.isReadable());
        if (unreadable.isPresent()) {
            String program = unreadable.get().program;
            throw LocalMachinesException.of(
                    step, "this machine has no " + program + "; install the package " + program);
        }
        List<String> arguments = new ArrayList<>(List.of(TAR));
        arguments.addAll(options);
        arguments.addAll(List.of(
                "--extract", "--same-owner", "--same-permissions", "--file", archive.toString(), "--directory"));
        arguments.add(folder.toString());
        HostCommand.Result result = HostCommand.of(arguments).timeout(TIMEOUT).run(step);
        if (result.exitStatus() != 0) {
            throw failure(result, step, folder);
        }
    }

    /** The program may report a full file system only as a short write. */
    private static LocalMachinesException failure(HostCommand.Result result, String step, Path target)
            throws IOException {
        if (Files.getFileStore(target).getUsableSpace() > 0) {
            return result.failure(step);
        }
        return LocalMachinesException.of(
                step,
                LayerFolder.above(target) + " is full; delete files there and try again",
                HostCommand.lastLines(result.stderr()));
    }

    static String checksum(Path file) throws IOException {
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
