package io.clusterwright.core.plan;

import io.clusterwright.core.type.InvalidValueException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.regex.Pattern;

/**
 * A file that a {@code core.spi.Renderer} made. Use it to read or change a file before it is written. Immutable.
 *
 * @see RenderedFiles
 */
public final class RenderedFile {
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,99}");

    private final String name;
    private final byte[] content;
    private final boolean executable;
    private final List<String> notes;

    private RenderedFile(String name, byte[] content, boolean executable, List<String> notes) {
        if (!NAME.matcher(name).matches()) {
            throw new InvalidValueException(
                    "file name",
                    name,
                    "1 to 100 letters, digits, '.', '_' or '-', starting with a letter or digit",
                    "hostfile.hydra");
        }
        this.name = name;
        this.content = content;
        this.executable = executable;
        this.notes = List.copyOf(notes);
    }

    /**
     * A file of these bytes.
     *
     * @param name its name, without a folder
     * @throws InvalidValueException when the name could lead elsewhere
     */
    public static RenderedFile of(String name, byte[] content) {
        return new RenderedFile(name, content.clone(), false, List.of());
    }

    /**
     * A file of this text, in UTF-8.
     *
     * @param name its name, without a folder
     * @throws InvalidValueException when the name could lead elsewhere
     */
    public static RenderedFile text(String name, String text) {
        return new RenderedFile(name, text.getBytes(StandardCharsets.UTF_8), false, List.of());
    }

    /** Makes the file executable. */
    public RenderedFile asProgram() {
        return new RenderedFile(name, content, true, notes);
    }

    /** Adds a note for the user of the file. */
    public RenderedFile withNote(String note) {
        List<String> more = new ArrayList<>(notes);
        more.add(Objects.requireNonNull(note, "note"));
        return new RenderedFile(name, content, executable, more);
    }

    /** Its name, without a folder. */
    public String name() {
        return name;
    }

    /** Its bytes, as a copy. */
    public byte[] content() {
        return content.clone();
    }

    /** Its bytes as UTF-8. */
    public String text() {
        return new String(content, StandardCharsets.UTF_8);
    }

    /** Whether it is a program. */
    public boolean executable() {
        return executable;
    }

    /** The notes for the user of the file; empty for none. */
    public List<String> notes() {
        return notes;
    }

    @Override
    public String toString() {
        return name + " (" + content.length + " bytes)";
    }
}
