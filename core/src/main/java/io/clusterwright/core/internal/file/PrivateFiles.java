package io.clusterwright.core.internal.file;

import io.clusterwright.core.internal.text.Nonce;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Files that only their owner may read, written so that a crash leaves the old content or the new. */
public final class PrivateFiles {
    private static final String UNFINISHED = ".new";

    private static final int PLAIN = 0644;
    private static final int PLAIN_FOLDER = 0755;
    private static final int OWNER_READ = 0400;
    private static final int OTHERS = 077;
    private static final int MOST_TRIES = 50;

    private PrivateFiles() {}

    /**
     * The permissions of a file or folder, as the number that a node gives its copy, such as {@code 0755}; {@code 0644}, and {@code 0755} for
     * folders, where its file system has none.
     */
    public static int mode(Path file) throws IOException {
        if (!Files.getFileStore(file).supportsFileAttributeView("posix")) {
            return Files.isDirectory(file) ? PLAIN_FOLDER : PLAIN;
        }
        int mode = 0;
        for (PosixFilePermission permission : Files.getPosixFilePermissions(file)) {
            mode |= OWNER_READ >> permission.ordinal();
        }
        return mode;
    }

    /** Makes a folder with mode 0700, and its parents; the new names survive a crash. */
    public static void createFolders(Path folder) throws IOException {
        List<Path> changed = new ArrayList<>();
        Path last = folder.toAbsolutePath();
        while (last.getParent() != null && !Files.exists(last)) {
            last = last.getParent();
            changed.add(last);
        }
        Files.createDirectories(folder, posix(folder, "rwx------"));
        for (Path parent : changed) {
            if (Files.isReadable(parent)) {
                syncFolder(parent);
            }
        }
    }

    /** Makes an empty file with mode 0600 where no file is; an existing file gets this mode too. */
    public static void create(Path file) throws IOException {
        try {
            Files.createFile(file, posix(file, "rw-------"));
        } catch (FileAlreadyExistsException e) {
            if (isPosix(file) && Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS) && (mode(file) & OTHERS) != 0) {
                Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
            }
        }
    }

    /**
     * Refuses a folder that another user owns or may change, on the way to it or where links lead: that user could replace what is in it.
     * In a sticky folder above it another user can replace nothing of ours; the folder itself must not be one, since what is in it is used.
     *
     * @param refusal makes the exception from the reason, and from what to do with that part of the path
     */
    public static void requireOwn(Path folder, BiFunction<String, String, ? extends RuntimeException> refusal)
            throws IOException {
        for (int tries = 1; Ownership.isKnown(); tries++) {
            try {
                requireOwnParts(folder, refusal);
                return;
            } catch (NoSuchFileException e) {
                // Another process removed an empty folder meanwhile.
                if (tries == MOST_TRIES) {
                    throw e;
                }
            }
        }
    }

    private static void requireOwnParts(Path folder, BiFunction<String, String, ? extends RuntimeException> refusal)
            throws IOException {
        Path existing = folder.toAbsolutePath();
        Path wanted = existing;
        while (!Files.exists(existing, LinkOption.NOFOLLOW_LINKS)) {
            existing = Objects.requireNonNull(existing.getParent());
        }
        Set<Path> parts = new LinkedHashSet<>();
        Path real = existing.toRealPath();
        for (Path way : List.of(existing, real)) {
            for (Path part = way; part != null; part = part.getParent()) {
                parts.add(part);
            }
        }
        for (Path part : parts) {
            boolean used = existing.equals(wanted) && (part.equals(existing) || part.equals(real));
            requireOwnPart(part, Ownership.of(part), used, refusal);
        }
    }

    private static void requireOwnPart(
            Path part,
            Ownership ownership,
            boolean used,
            BiFunction<String, String, ? extends RuntimeException> refusal)
            throws IOException {
        if (ownership.isForeign()) {
            throw refusal.apply(part + " belongs to user " + ownership.user() + ", who could replace it", "remove it");
        }
        if (used ? ownership.othersMayWrite() : ownership.isOpen()) {
            throw refusal.apply(
                    "other users may write to " + part + " and could replace it", "run: chmod go-w " + part);
        }
    }

    /**
     * Refuses a file that is a link, or that another user owns or may write to. A file of this user that others may read gets mode 0600. Does
     * nothing where no file is.
     *
     * @param refusal makes the exception from the reason, and from what to do with the file
     */
    public static void requireOwnFile(Path file, BiFunction<String, String, ? extends RuntimeException> refusal)
            throws IOException {
        if (!Ownership.isKnown()) {
            return;
        }
        try {
            Ownership ownership = Ownership.of(file);
            if (!ownership.isRegular()) {
                throw refusal.apply(file + " is no regular file", "remove it");
            }
            requireOwnPart(file, ownership, true, refusal);
            if ((ownership.mode() & OTHERS) != 0 && ownership.isOurs()) {
                Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
            }
        } catch (NoSuchFileException e) {
            // None is there, or another process removed it meanwhile.
            return;
        }
    }

    /** Removes a folder with all that is in it, which another process may be removing as well; links in it are not followed. */
    public static void removeTree(Path folder) throws IOException {
        for (int tries = 1; ; tries++) {
            try {
                removeOnce(folder);
                return;
            } catch (DirectoryNotEmptyException e) {
                // A process that looked the folder up by its name of before, as this one renamed it, made a file in it.
                if (tries == MOST_TRIES) {
                    throw e;
                }
            }
        }
    }

    private static void removeOnce(Path folder) throws IOException {
        Files.walkFileTree(folder, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
                Files.deleteIfExists(file);
                return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFileFailed(Path file, IOException failure) throws IOException {
                if (failure instanceof NoSuchFileException) {
                    return FileVisitResult.CONTINUE;
                }
                throw failure;
            }

            @Override
            public FileVisitResult postVisitDirectory(Path visited, @Nullable IOException failure) throws IOException {
                if (failure != null && !(failure instanceof NoSuchFileException)) {
                    throw failure;
                }
                Files.deleteIfExists(visited);
                return FileVisitResult.CONTINUE;
            }
        });
    }

    /** Replaces a file's content as a whole. */
    public static void write(Path file, byte[] content) throws IOException {
        Path parent = Objects.requireNonNull(file.toAbsolutePath().getParent());
        Path temporary = Files.createTempFile(parent, prefix(file), UNFINISHED, posix(parent, "rw-------"));
        try {
            // Not a channel: an interrupt would close it in the middle of a clean-up.
            try (FileOutputStream stream = new FileOutputStream(temporary.toFile())) {
                stream.write(content);
                stream.getFD().sync();
            }
            Files.move(temporary, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
            syncFolder(parent);
        } finally {
            Files.deleteIfExists(temporary);
        }
    }

    /**
     * Replaces a file, or a link of its name, by a file with this content: as a whole, without waiting for the disk. It keeps the mode of the
     * file. A new file gets the mode that the umask leaves. A device, a pipe, what is below {@code /dev} and {@code /proc}, and a file that
     * this user may write and not replace, get the content.
     *
     * @param closed whether the file gets mode 0600, because the caller then sets its mode, and no link is followed
     */
    public static void replace(Path file, boolean closed, Content content) throws IOException {
        if (Files.isDirectory(file, LinkOption.NOFOLLOW_LINKS)) {
            throw new FileSystemException(file.toString(), null, "it is a folder; name a file");
        }
        if (!isReplaced(file)) {
            // What is there may be the file of standard output, to which others append.
            try (OutputStream out = Files.newOutputStream(file, StandardOpenOption.WRITE, StandardOpenOption.APPEND)) {
                content.writeTo(out);
            }
            return;
        }
        boolean kept = !closed && isPosix(file) && Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS);
        String mode = kept ? PosixFilePermissions.toString(Files.getPosixFilePermissions(file)) : "rw-------";
        Path temporary = file.resolveSibling(".clusterwright-" + Nonce.next());
        OutputStream out;
        try {
            FileAttribute<?>[] attributes = kept || closed ? posix(file, mode) : new FileAttribute<?>[0];
            out = Channels.newOutputStream(Files.newByteChannel(
                    temporary, Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE), attributes));
        } catch (FileSystemException e) {
            writeInto(file, closed, e, content);
            return;
        }
        try {
            try (out) {
                content.writeTo(out);
            }
            if (kept) {
                Files.setPosixFilePermissions(temporary, PosixFilePermissions.fromString(mode));
            }
            try {
                Files.move(temporary, file, StandardCopyOption.REPLACE_EXISTING);
            } catch (FileSystemException e) {
                writeInto(file, closed, e, into -> Files.copy(temporary, into));
            }
        } finally {
            Files.deleteIfExists(temporary);
        }
    }

    /** Whether {@link #replace} puts content in place of what is there; a device or a pipe gets it added. */
    public static boolean isReplaced(Path file) {
        boolean special = Files.exists(file) && !Files.isRegularFile(file) && !Files.isDirectory(file);
        return !special && !isOfSystem(file);
    }

    private static boolean isOfSystem(Path file) {
        Path path = file.toAbsolutePath().normalize();
        return path.getFileSystem().getSeparator().equals("/")
                && (path.startsWith("/proc") || path.startsWith("/dev") && !path.startsWith("/dev/shm"));
    }

    /** Writes into a file in a folder in which this user may not replace it; throws this failure where it cannot be written either. */
    private static void writeInto(Path file, boolean closed, FileSystemException failure, Content content)
            throws IOException {
        LinkOption[] links = closed ? new LinkOption[] {LinkOption.NOFOLLOW_LINKS} : new LinkOption[0];
        if (!Files.isRegularFile(file, links) || !Files.isWritable(file)) {
            throw failure;
        }
        Set<OpenOption> options = new HashSet<>(List.of(links));
        options.addAll(List.of(StandardOpenOption.WRITE, StandardOpenOption.TRUNCATE_EXISTING));
        try (OutputStream out = Files.newOutputStream(file, options.toArray(OpenOption[]::new))) {
            content.writeTo(out);
        }
    }

    /** Removes what was being written for a file when its writer was killed; nothing may be writing it. */
    public static void removeUnfinished(Path file) throws IOException {
        Path parent = Objects.requireNonNull(file.toAbsolutePath().getParent());
        if (!Files.isDirectory(parent)) {
            return;
        }
        Pattern name = Pattern.compile(Pattern.quote(prefix(file)) + "\\d+" + Pattern.quote(UNFINISHED));
        try (DirectoryStream<Path> siblings = Files.newDirectoryStream(
                parent, path -> name.matcher(path.getFileName().toString()).matches())) {
            for (Path sibling : siblings) {
                Files.deleteIfExists(sibling);
            }
        }
    }

    private static String prefix(Path file) {
        return "." + file.getFileName() + "-";
    }

    /** Writes a file that is made anew, whatever stands at its name, without waiting for the disk. */
    public static void writeNew(Path file, String text) throws IOException {
        Files.deleteIfExists(file);
        Files.createFile(file, posix(file, "rw-------"));
        Files.writeString(file, text);
    }

    /** Makes a new name in a folder survive a crash, where the system can. */
    public static void syncFolder(Path folder) throws IOException {
        if (isPosix(folder)) {
            boolean interrupted = Thread.interrupted();
            try (FileChannel channel = FileChannel.open(folder, StandardOpenOption.READ)) {
                channel.force(true);
            } finally {
                if (interrupted) {
                    Thread.currentThread().interrupt();
                }
            }
        }
    }

    /** Removes a folder if nothing is in it. */
    public static void removeIfEmpty(Path folder) throws IOException {
        try {
            Files.deleteIfExists(folder);
        } catch (DirectoryNotEmptyException e) {
            return;
        }
    }

    private static FileAttribute<?>[] posix(Path path, String mode) {
        return isPosix(path)
                ? new FileAttribute<?>[] {PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString(mode))}
                : new FileAttribute<?>[0];
    }

    private static boolean isPosix(Path path) {
        Set<String> views = path.getFileSystem().supportedFileAttributeViews();
        return views.contains("posix");
    }

    /** The content of a file, as its writer makes it. */
    public interface Content {
        void writeTo(OutputStream out) throws IOException;
    }

    /**
     * The owner and the mode of a file, a folder, or a link itself.
     *
     * @param user the number of its user
     * @param group the number of its group
     * @param mode its type and permissions, as {@code stat} has them
     */
    public record Ownership(int user, int group, int mode) {
        private static final Path PROCESS = Path.of("/proc/self/stat");
        private static final int FORMAT = 0170000;
        private static final int LINK = 0120000;
        private static final int REGULAR = 0100000;
        private static final int STICKY = 01000;
        private static final int GROUP_WRITES = 020;
        private static final int OTHERS_WRITE = 02;

        /** The ownership of what stands at a path; a link there is not followed. */
        public static Ownership of(Path path) throws IOException {
            Map<String, Object> found = Files.readAttributes(path, "unix:uid,gid,mode", LinkOption.NOFOLLOW_LINKS);
            return new Ownership(number(found, "uid"), number(found, "gid"), number(found, "mode"));
        }

        private static int number(Map<String, Object> found, String attribute) {
            return (Integer) Objects.requireNonNull(found.get(attribute));
        }

        /** Whether this system tells the user of this process. */
        public static boolean isKnown() {
            return Files.exists(PROCESS);
        }

        /** Whether it belongs to the user of this process. */
        public boolean isOurs() throws IOException {
            return user == of(PROCESS).user();
        }

        /** Whether another user but root owns it, who could put something else in its place. */
        public boolean isForeign() throws IOException {
            return user != 0 && !isOurs();
        }

        /** Whether it is a link. */
        public boolean isLink() {
            return (mode & FORMAT) == LINK;
        }

        /** Whether it is a file with content. */
        public boolean isRegular() {
            return (mode & FORMAT) == REGULAR;
        }

        /** Whether anyone but its owner may write to it. */
        public boolean isWritableByOthers() {
            return (mode & (GROUP_WRITES | OTHERS_WRITE)) != 0;
        }

        /** Whether users other than root and its owner may replace what is in this folder. */
        public boolean isOpen() {
            return othersMayWrite() && (mode & STICKY) == 0;
        }

        /** Whether users other than root and its owner may write to it. */
        public boolean othersMayWrite() {
            // A group with the number of its user has that user alone, and may write where the umask is 002.
            boolean writable =
                    (mode & OTHERS_WRITE) != 0 || ((mode & GROUP_WRITES) != 0 && group != 0 && group != user);
            return writable && !isLink();
        }
    }
}
