package io.clusterwright.linux.internal.ssh;

import io.clusterwright.core.internal.file.PrivateFiles;
import io.clusterwright.linux.internal.ssh.SftpFiles.Progress;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileVisitOption;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.apache.sshd.sftp.client.SftpClient;
import org.apache.sshd.sftp.client.SftpClient.Attributes;
import org.apache.sshd.sftp.common.SftpConstants;
import org.apache.sshd.sftp.common.SftpException;
import org.jspecify.annotations.Nullable;

/** Copies files and folders of this machine, with all they hold, to a node. */
final class SftpTree {
    private final Path local;
    private final String path;
    private @Nullable String target;

    /** A copy to a path of a node: into it where it is a folder before the copy. */
    SftpTree(Path local, String path) {
        this.local = local;
        this.path = path;
    }

    void upload(SftpClient sftp, Progress progress) throws IOException {
        if (!Files.exists(local)) {
            throw new NoSuchFileException(local.toString());
        }
        String place = target;
        if (place == null) {
            Attributes there = stat(sftp, path);
            place = there != null && there.isDirectory() ? join(path, name(local)) : path;
            target = place;
        }
        if (!Files.isDirectory(local)) {
            SftpFiles.put(sftp, () -> Files.newInputStream(local), place, PrivateFiles.mode(local), progress);
            return;
        }
        List<Path> all;
        try (Stream<Path> walk = Files.walk(local, FileVisitOption.FOLLOW_LINKS)) {
            all = walk.toList();
        } catch (UncheckedIOException e) {
            throw e.getCause();
        }
        for (Path each : all) {
            Path below = local.relativize(each);
            String to = place;
            for (Path name : below) {
                to = name.toString().isEmpty() ? to : join(to, name.toString());
            }
            if (progress.isCopied(to)) {
                continue;
            }
            if (Files.isDirectory(each)) {
                makeFolder(sftp, to, PrivateFiles.mode(each), progress);
            } else {
                SftpFiles.put(sftp, () -> Files.newInputStream(each), to, PrivateFiles.mode(each), progress);
            }
            progress.copied(to);
        }
    }

    /** A connection may break before the folder has its mode, and before the answer says that there is a folder. */
    private static void makeFolder(SftpClient sftp, String path, int mode, Progress progress) throws IOException {
        if (stat(sftp, path) == null) {
            progress.made(path);
            sftp.mkdir(path);
        }
        if (progress.isMade(path)) {
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

    static String join(String folder, String name) {
        return folder.endsWith("/") ? folder + name : folder + "/" + name;
    }

    private static String name(Path local) {
        return local.toAbsolutePath().normalize().getFileName().toString();
    }
}
