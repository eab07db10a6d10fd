package io.clusterwright.linux;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Arrays;
import java.util.List;
import java.util.function.UnaryOperator;

/**
 * Changes a file of this machine in one step: readers see the old content or the new one, also after a power failure.
 * Use it to edit a configuration file of this machine.
 *
 * <p>Mode, owner and group stay; a symbolic link stays one, and the file it names is changed. Access lists, extended
 * attributes and hard links of the old file do not come along.
 *
 * @see LimitsConf
 */
public final class FileEditor {
    private FileEditor() {}

    /**
     * Applies a change to a file that exists.
     *
     * @param file the file, or a symbolic link to it
     * @param change from the old content to the new
     * @return whether the content changed; when it did not, the file was not touched
     * @throws IOException when the file cannot be read or written
     * @throws UneditableFileException when {@link NetworkConfigGuard} refuses, or the new content cannot be written in
     *     the file's encoding (ISO 8859-1 where it is not UTF-8)
     */
    public static boolean edit(Path file, UnaryOperator<String> change) throws IOException {
        Path target = file.toRealPath();
        byte[] before = Files.readAllBytes(target);
        Charset charset = charsetOf(before);
        String text = new String(before, charset);
        String changed = change.apply(text);
        byte[] after = changed.getBytes(charset);
        if (Arrays.equals(before, after)) {
            return false;
        }
        for (Path path : List.of(file.toAbsolutePath().normalize(), target)) {
            NetworkConfigGuard.check(path.toString(), text);
            NetworkConfigGuard.check(path.toString(), changed);
        }
        if (!new String(after, charset).equals(changed)) {
            throw new UneditableFileException(
                    target + " was not changed: its character set " + charset + " cannot hold the new text");
        }
        replace(target, after);
        return true;
    }

    private static Charset charsetOf(byte[] content) {
        try {
            StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(content));
            return StandardCharsets.UTF_8;
        } catch (CharacterCodingException e) {
            return StandardCharsets.ISO_8859_1;
        }
    }

    private static void replace(Path target, byte[] content) throws IOException {
        Path folder = target.getParent();
        Path temporary = Files.createTempFile(
                folder,
                "." + target.getFileName() + ".",
                ".tmp",
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
        try {
            try (FileChannel channel = FileChannel.open(temporary, StandardOpenOption.WRITE)) {
                ByteBuffer buffer = ByteBuffer.wrap(content);
                while (buffer.hasRemaining()) {
                    channel.write(buffer);
                }
                copyOwnerAndMode(target, temporary);
                channel.force(true);
            }
            Files.move(temporary, target, StandardCopyOption.ATOMIC_MOVE);
        } finally {
            Files.deleteIfExists(temporary);
        }
        try (FileChannel directory = FileChannel.open(folder, StandardOpenOption.READ)) {
            directory.force(true);
        }
    }

    /** The owner first: changing it clears the bits that a mode may set again. */
    private static void copyOwnerAndMode(Path from, Path to) throws IOException {
        for (String id : List.of("unix:uid", "unix:gid")) {
            Object wanted = Files.getAttribute(from, id);
            if (!wanted.equals(Files.getAttribute(to, id))) {
                Files.setAttribute(to, id, wanted);
            }
        }
        Files.setAttribute(to, "unix:mode", (Integer) Files.getAttribute(from, "unix:mode") & 07777);
    }
}
