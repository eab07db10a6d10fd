package io.clusterwright.linux.internal.ssh;

import io.clusterwright.core.internal.text.Nonce;
import io.clusterwright.core.internal.text.PrintableText;
import io.clusterwright.core.type.ClusterwrightException;
import io.clusterwright.linux.internal.ssh.SftpFiles.Progress;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.apache.sshd.sftp.client.SftpClient;
import org.apache.sshd.sftp.client.SftpClient.Attribute;
import org.apache.sshd.sftp.client.SftpClient.Attributes;
import org.apache.sshd.sftp.client.SftpClient.DirEntry;
import org.apache.sshd.sftp.common.SftpConstants;
import org.apache.sshd.sftp.common.SftpException;
import org.apache.sshd.sftp.common.SftpHelper;
import org.jspecify.annotations.Nullable;

/**
 * One copy of a file or folder from a node. No name, link, mode or number that the node gives is trusted: the copy stays inside of its target
 * and ends. What cannot be copied so is left out, and named in the end.
 */
final class SftpDownload {
    private static final int SHOWN = 5;
    private static final int LONGEST_NAME = 200;
    /** Stands for bytes that are not UTF-8. */
    private static final char REPLACEMENT = 0xfffd;

    private static final long MEBIBYTE = 1024 * 1024;

    private final SftpClient sftp;
    private final String what;
    private final Progress progress;
    private final Limits limits;
    private final boolean windows;
    private final List<String> leftOut = new ArrayList<>();
    private int leftOutCount;
    private int entries;
    private @Nullable Set<PosixFilePermission> umask;

    private SftpDownload(SftpClient sftp, String what, Path local, Progress progress, Limits limits) {
        this.sftp = sftp;
        this.what = what;
        this.progress = progress;
        this.limits = limits;
        this.windows = LocalNames.isWindows(local.getFileSystem());
    }

    /**
     * Copies a file or folder: into the local path where that is a folder, and to that path otherwise.
     *
     * @param what a clause for messages: {@code on demo1, copying results to here}
     * @param into whether the local path was a folder before the copy
     * @throws ClusterwrightException when something was left out, or is more than the limits
     */
    static void run(
            SftpClient sftp, String what, String path, Path local, boolean into, Progress progress, Limits limits)
            throws IOException {
        SftpDownload copy = new SftpDownload(sftp, what, local, progress, limits);
        progress.limit(
                limits.bytes,
                () -> copy.tooMuch("more than " + limits.bytes / MEBIBYTE + " MiB, and 5 % of the disk stay free"));
        Attributes source = sftp.stat(path);
        String stripped = path.replaceAll("/+$", "");
        String name = stripped.substring(stripped.lastIndexOf('/') + 1);
        Path target = into && !name.isEmpty() ? copy.inside(local, name, path) : local;
        if (source.isDirectory()) {
            copy.folder(path, source, target, 0);
        } else {
            copy.file(path, source, target);
        }
        copy.requireAll();
    }

    private Path inside(Path folder, String name, String path) throws IOException {
        if (!LocalNames.isUsable(name, windows)) {
            throw new IOException(
                    "\"" + name + "\" of " + path
                            + " cannot be the name of a copy on this machine; rename it on the node, or name the file or folder without ..");
        }
        return folder.resolve(name);
    }

    private void folder(String path, Attributes source, Path target, int depth) throws IOException {
        List<DirEntry> all = list(path);
        if (depth > 0 && Files.isSymbolicLink(target)) {
            throw new FileSystemException(
                    target.toString(),
                    null,
                    "it is a link on this machine, which a copy does not follow; remove it, or name another target");
        }
        if (!Files.isDirectory(target)) {
            progress.made(target);
        }
        progress.copied(target);
        Files.createDirectories(target);
        for (DirEntry entry : all) {
            progress.step(0);
            String child = SftpTree.join(path, entry.getFilename());
            try {
                Attributes known = entry.getAttributes();
                Attributes own = known.getType() == SftpConstants.SSH_FILEXFER_TYPE_UNKNOWN ? sftp.lstat(child) : known;
                entry(child, entry.getFilename(), own, target, depth);
            } catch (SftpException e) {
                leaveOut(child, whyUnread(e, entry.getFilename()));
            }
        }
        if (progress.isMade(target)) {
            setMode(target, source);
        }
    }

    private List<DirEntry> list(String path) throws IOException {
        List<DirEntry> all = new ArrayList<>();
        Set<String> names = new HashSet<>();
        try {
            for (DirEntry entry : sftp.readDir(path)) {
                if (!entry.getFilename().equals(".") && !entry.getFilename().equals("..")) {
                    entries++;
                    if (entries > limits.entries) {
                        throw tooMuch("more than " + limits.entries + " files and folders");
                    }
                    if (names.add(entry.getFilename())) {
                        all.add(entry);
                    } else {
                        leaveOut(SftpTree.join(path, entry.getFilename()), "a name that the node lists again");
                    }
                }
            }
        } catch (UncheckedIOException e) {
            throw e.getCause();
        }
        return all;
    }

    private void entry(String path, String name, Attributes source, Path folder, int depth) throws IOException {
        Path target;
        try {
            if (!LocalNames.isUsable(name, windows)) {
                leaveOut(path, "a name that this machine does not allow");
                return;
            }
            target = folder.resolve(name);
        } catch (InvalidPathException e) {
            leaveOut(path, "a name that the character set of this machine does not have");
            return;
        }
        if (source.isSymbolicLink()) {
            link(path, target, depth);
        } else if (source.isRegularFile()) {
            file(path, source, target);
        } else if (!source.isDirectory()) {
            leaveOut(path, "a pipe, socket or device");
        } else if (depth == limits.depth) {
            throw tooMuch("folders that are more than " + limits.depth + " deep");
        } else {
            folder(path, source, target, depth + 1);
        }
    }

    /** The reason why the node did not give something; a connection that is lost is no such reason. */
    private static String whyUnread(SftpException e, String name) throws SftpException {
        return switch (e.getStatus()) {
            case SftpConstants.SSH_FX_NO_CONNECTION, SftpConstants.SSH_FX_CONNECTION_LOST -> throw e;
            case SftpConstants.SSH_FX_PERMISSION_DENIED -> "which this account may not read";
            case SftpConstants.SSH_FX_NO_SUCH_FILE ->
                name.indexOf(REPLACEMENT) < 0 ? "which is gone" : "a name that is not UTF-8";
            default -> "which cannot be read: " + PrintableText.of(String.valueOf(e.getMessage()), LONGEST_NAME);
        };
    }

    private void file(String path, Attributes source, Path target) throws IOException {
        if (!progress.isCopied(target)) {
            SftpFiles.get(sftp, path, target, true, progress);
            setMode(target, source);
            progress.copied(target);
        }
    }

    private void link(String path, Path target, int depth) throws IOException {
        String text = sftp.readLink(path);
        if (!LocalNames.staysInside(text, depth, windows)) {
            leaveOut(path, "a link out of the copied folder, to " + PrintableText.of(text, LONGEST_NAME));
        } else if (Files.isDirectory(target, LinkOption.NOFOLLOW_LINKS)) {
            leaveOut(path, "a link, where this machine has a folder");
        } else if (progress.isCopied(target)) {
            leaveOut(path, "a link, where this copy made a file");
        } else {
            Files.deleteIfExists(target);
            try {
                Files.createSymbolicLink(target, target.getFileSystem().getPath(text));
            } catch (UnsupportedOperationException | InvalidPathException | FileSystemException e) {
                leaveOut(path, "a link, which this machine cannot make");
            }
        }
    }

    private void leaveOut(String path, String why) {
        leftOutCount++;
        if (leftOut.size() < SHOWN) {
            leftOut.add(PrintableText.of(path, LONGEST_NAME) + " (" + why + ")");
        }
    }

    private void requireAll() {
        if (leftOutCount > 0) {
            throw new ClusterwrightException(what + " left out " + String.join(", ", leftOut)
                    + (leftOutCount > leftOut.size() ? " and " + (leftOutCount - leftOut.size()) + " more" : "")
                    + ", and copied the rest; to copy the target of a link, name its path");
        }
    }

    private ClusterwrightException tooMuch(String found) {
        return new ClusterwrightException(what + " was stopped: it has " + found
                + "; copy parts of it, or pack it on the node (tar -cf copy.tar FOLDER) and copy the archive");
    }

    /** As the umask of this process and the folder allow; setuid, setgid and sticky bits are not copied. Links and devices keep their modes. */
    private void setMode(Path target, Attributes source) throws IOException {
        boolean ours = Files.isRegularFile(target, LinkOption.NOFOLLOW_LINKS)
                || Files.isDirectory(target, LinkOption.NOFOLLOW_LINKS);
        if (ours
                && source.getFlags().contains(Attribute.Perms)
                && Files.getFileStore(target).supportsFileAttributeView("posix")) {
            Set<PosixFilePermission> mode = SftpHelper.permissionsToAttributes(source.getPermissions());
            mode.retainAll(allowed(target));
            Files.setPosixFilePermissions(target, mode);
        }
    }

    private Set<PosixFilePermission> allowed(Path made) throws IOException {
        Set<PosixFilePermission> known = umask;
        if (known == null) {
            Path folder = Objects.requireNonNull(made.toAbsolutePath().getParent());
            Path probe = Files.createDirectory(folder.resolve(".clusterwright-" + Nonce.next()));
            try {
                known = EnumSet.of(
                        PosixFilePermission.OWNER_READ,
                        PosixFilePermission.OWNER_WRITE,
                        PosixFilePermission.OWNER_EXECUTE);
                known.addAll(Files.getPosixFilePermissions(probe));
                umask = known;
            } finally {
                Files.delete(probe);
            }
        }
        return known;
    }

    /**
     * The most that a copy may hold.
     *
     * @param entries files, folders and links
     * @param depth folders in each other
     * @param bytes of all files
     */
    record Limits(int entries, int depth, long bytes) {
        private static final int MOST_ENTRIES = 1_000_000;
        private static final int DEEPEST = 100;

        /** The limits of a copy to a path: its files leave 5 % of the free space. */
        static Limits of(Path local) throws IOException {
            Path existing = local.toAbsolutePath();
            while (!Files.exists(existing)) {
                existing = Objects.requireNonNull(existing.getParent());
            }
            long free = Files.getFileStore(existing).getUsableSpace();
            return new Limits(MOST_ENTRIES, DEEPEST, free <= 0 ? Long.MAX_VALUE : free - free / 20);
        }
    }
}
