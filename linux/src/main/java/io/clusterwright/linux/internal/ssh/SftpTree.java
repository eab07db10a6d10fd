package io.clusterwright.linux.internal.ssh;

import io.clusterwright.core.internal.file.PrivateFiles;
import io.clusterwright.linux.internal.ssh.SftpFiles.Progress;
import java.io.IOException;
import java.nio.file.FileVisitOption;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.apache.sshd.sftp.client.SftpClient;
import org.apache.sshd.sftp.client.SftpClient.Attributes;
import org.apache.sshd.sftp.client.SftpClient.DirEntry;
import org.apache.sshd.sftp.common.SftpConstants;
import org.apache.sshd.sftp.common.SftpException;
import org.apache.sshd.sftp.common.SftpHelper;
import org.jspecify.annotations.Nullable;

/** Copies files and folders with all they hold. */
final class SftpTree {
    private SftpTree() {}

    static void upload(SftpClient sftp, Path local, String path, Progress progress) throws IOException {
        if (!Files.exists(local)) {
            throw new NoSuchFileException(local.toString());
        }
        Attributes there = stat(sftp, path);
        String target = there != null && there.isDirectory() ? join(path, name(local)) : path;
        if (!Files.isDirectory(local)) {
            SftpFiles.put(sftp, () -> Files.newInputStream(local), target, PrivateFiles.mode(local), progress);
            return;
        }
        List<Path> all;
        try (Stream<Path> walk = Files.walk(local, FileVisitOption.FOLLOW_LINKS)) {
            all = walk.toList();
        }
        for (Path each : all) {
            Path below = local.relativize(each);
            String to = below.toString().isEmpty() ? target : join(target, below.toString());
            if (Files.isDirectory(each)) {
                makeFolder(sftp, to, PrivateFiles.mode(each));
            } else {
                SftpFiles.put(sftp, () -> Files.newInputStream(each), to, PrivateFiles.mode(each), progress);
            }
        }
    }

    static void download(SftpClient sftp, String path, Path local, Progress progress) throws IOException {
        Attributes source = sftp.stat(path);
        String stripped = path.replaceAll("/+$", "");
        String name = stripped.substring(stripped.lastIndexOf('/') + 1);
        Path target = Files.isDirectory(local) && !name.isEmpty() ? inside(local, name, path) : local;
        copy(sftp, path, source, target, progress);
    }

    private static void copy(SftpClient sftp, String path, Attributes source, Path target, Progress progress)
            throws IOException {
        if (!source.isDirectory()) {
            SftpFiles.get(sftp, path, target, progress);
            setMode(target, source);
            return;
        }
        Files.createDirectories(target);
        List<String> names = new ArrayList<>();
        for (DirEntry entry : sftp.readDir(path)) {
            if (!entry.getFilename().equals(".") && !entry.getFilename().equals("..")) {
                names.add(entry.getFilename());
            }
        }
        for (String name : names) {
            Path inside = inside(target, name, path);
            String child = join(path, name);
            copy(sftp, child, sftp.stat(child), inside, progress);
        }
        setMode(target, source);
    }

    /** The file of this name in a folder; refuses a name that would lead out of the folder on this system. */
    private static Path inside(Path folder, String name, String path) throws IOException {
        Path file = folder.resolve(name);
        if (name.equals(".") || name.equals("..") || !folder.resolve("x").equals(file.resolveSibling("x"))) {
            throw new IOException(
                    "\"" + name + "\" of " + path
                            + " cannot be the name of a copy on this machine; rename it on the node, or name the file or folder without ..");
        }
        return file;
    }

    private static void makeFolder(SftpClient sftp, String path, int mode) throws IOException {
        Attributes there = stat(sftp, path);
        if (there == null) {
            sftp.mkdir(path);
            sftp.setStat(path, new Attributes().perms(mode));
        }
    }

    private static @Nullable Attributes stat(SftpClient sftp, String path) throws IOException {
        try {
            return sftp.stat(path);
        } catch (SftpException e) {
            if (e.getStatus() == SftpConstants.SSH_FX_NO_SUCH_FILE) {
                return null;
            }
            throw e;
        }
    }

    private static String join(String folder, String name) {
        return folder.endsWith("/") ? folder + name : folder + "/" + name;
    }

    private static String name(Path local) {
        return local.toAbsolutePath().normalize().getFileName().toString();
    }

    private static void setMode(Path file, Attributes source) throws IOException {
        if (Files.getFileStore(file).supportsFileAttributeView("posix")) {
            Files.setPosixFilePermissions(file, SftpHelper.permissionsToAttributes(source.getPermissions()));
        }
    }
}
