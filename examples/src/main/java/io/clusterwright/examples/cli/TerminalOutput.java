package io.clusterwright.examples.cli;

import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * Output to a terminal of text that nodes may have written: of control characters and sequences, colours, the erasure from the end of the text
 * to the end of the line, tabs and ends of lines pass. The erasure of a line without text becomes the erasure to its end. Of format characters,
 * joiners and soft hyphens pass, which words and emoji need. A carriage return within a line, which would overwrite it, begins a new line with {@code ^M}; {@code ?} stands
 * for the others, which could retitle the terminal, write to its clipboard, type into it, show text in another order, or show nothing. A colour ends with
 * its line.
 */
public final class TerminalOutput extends FilterOutputStream {
    private static final int ESCAPE = 0x1b;
    private static final byte[] ERASE = {ESCAPE, '[', 'K'};
    private static final int LONGEST = 32;
    private static final int FIRST_OF_TWO = 0xc2;
    private static final int FIRST_OF_THREE = 0xe0;
    private static final int FIRST_OF_FOUR = 0xf0;
    private static final int LAST_OF_FOUR = 0xf4;
    /** The block of tags and of selectors, which have no picture, also where no character is assigned. */
    private static final int TAGS = 0xe0;

    /** The terminal, which both streams of the program share. */
    private static final Screen TERMINAL = new Screen();

    private static volatile @Nullable TerminalOutput errors;

    private final Screen screen;
    private final boolean utf8;
    private final boolean controlsAbove127;
    private final StringBuilder held = new StringBuilder();

    TerminalOutput(OutputStream out, Screen screen, Charset charset) {
        super(out);
        this.screen = screen;
        // Without a locale Java takes the terminal for one of ASCII; it is one of UTF-8 then, as good as always.
        this.utf8 = charset.equals(StandardCharsets.UTF_8) || charset.equals(StandardCharsets.US_ASCII);
        // In the code pages of Windows these bytes are letters.
        this.controlsAbove127 = charset.name().matches("UTF-8|US-ASCII|ISO-8859-.*");
    }

    /** Puts it between the program and each of its streams that is not known to be no terminal. */
    public static void install() {
        if (mayBeTerminal("error", 2)) {
            Charset ofErrors = charset("stderr");
            TerminalOutput filter = new TerminalOutput(System.err, TERMINAL, ofErrors);
            errors = filter;
            System.setErr(new PrintStream(filter, true, ofErrors));
        }
        Charset charset = charset("stdout");
        StandardOutput.install(charset);
        if (filters()) {
            System.setOut(new PrintStream(new TerminalOutput(System.out, TERMINAL, charset), true, charset));
        }
    }

    /** Whether standard output is filtered. */
    static boolean filters() {
        return mayBeTerminal("output", 1);
    }

    /** The start script knows, and the file system of processes, where there is one, knows pipes and files. */
    private static boolean mayBeTerminal(String stream, int descriptor) {
        String known = System.getProperty("clusterwright.terminal." + stream);
        return known == null ? !isPipeOrFile(descriptor) : !known.equals("false");
    }

    private static boolean isPipeOrFile(int descriptor) {
        String target = target(descriptor);
        return target.startsWith("pipe:")
                || target.startsWith("socket:")
                || !target.isEmpty() && Files.isRegularFile(entry(descriptor));
    }

    /** What a descriptor of this process leads to, such as {@code pipe:[42]}; empty where the system does not tell. */
    static String target(int descriptor) {
        try {
            return Files.readSymbolicLink(entry(descriptor)).toString();
        } catch (IOException | UnsupportedOperationException e) {
            return "";
        }
    }

    private static Path entry(int descriptor) {
        return Path.of("/proc/self/fd/" + descriptor);
    }

    private static Charset charset(String stream) {
        return Charset.forName(System.getProperty(
                stream + ".encoding",
                System.getProperty(
                        "sun." + stream + ".encoding", Charset.defaultCharset().name())));
    }

    /**
     * Lets the next text of the program on standard error begin a line of the terminal.
     *
     * @param erase whether that takes the place of the line that the program wrote last
     */
    static void beginLine(boolean erase) {
        TerminalOutput filter = errors;
        if (filter != null) {
            filter.begin(erase);
        }
    }

    void begin(boolean erase) {
        synchronized (screen) {
            try {
                if (!held.isEmpty()) {
                    held.setLength(0);
                    put('?');
                }
                if (erase) {
                    out.write('\r');
                    out.write(ERASE);
                    screen.lineBegun = false;
                    screen.textBegun = false;
                } else if (screen.lineBegun) {
                    endLine();
                }
                out.flush();
            } catch (IOException e) {
                // The next text fails alike, and PrintStream keeps that in mind.
                return;
            }
        }
    }

    @Override
    public void write(byte[] bytes, int offset, int length) throws IOException {
        synchronized (screen) {
            for (int i = offset; i < offset + length; i++) {
                write(bytes[i]);
            }
        }
    }

    @Override
    public void write(int value) throws IOException {
        synchronized (screen) {
            int one = value & 0xff;
            int first = held.isEmpty() ? 0 : held.charAt(0);
            if (first == ESCAPE) {
                control(one);
            } else if (first == '\r') {
                afterReturn(one);
            } else if (first != 0) {
                character(first, one);
            } else {
                begin(one);
            }
        }
    }

    private void begin(int one) throws IOException {
        if (one == ESCAPE || one == '\r' || utf8 && one >= FIRST_OF_TWO && one <= LAST_OF_FOUR) {
            held.append((char) one);
        } else if (one == '\n') {
            endLine();
        } else {
            boolean control = one < 0x20 && one != '\t' || one == 0x7f || one >= 0x80 && one < 0xa0 && controlsAbove127;
            put(control ? '?' : one);
        }
    }

    private void control(int one) throws IOException {
        boolean parameter = one == ';' || one >= '0' && one <= '9';
        if (held.length() == 1 ? one == '[' : held.length() < LONGEST && parameter) {
            held.append((char) one);
        } else if (held.length() > 1
                && (one == 'm' || one == 'K' && held.toString().matches(".\\[0*"))) {
            screen.coloured = one == 'm' ? !held.toString().matches(".\\[[0;]*") : screen.coloured;
            held.append((char) one);
            release();
        } else if (one == 'K' && !screen.textBegun && held.toString().matches(".\\[0*2")) {
            held.setLength(0);
            out.write(ERASE);
        } else {
            held.setCharAt(0, '?');
            release();
            begin(one);
        }
    }

    private void afterReturn(int one) throws IOException {
        if (one == '\r') {
            return;
        }
        held.setLength(0);
        if (one == '\n') {
            out.write('\r');
        } else {
            if (screen.lineBegun) {
                endLine();
            }
            put('^');
            put('M');
            screen.textBegun = false;
        }
        begin(one);
    }

    /** A further byte of a character in UTF-8. In other character sets each byte is looked at alone: a terminal takes it so. */
    private void character(int first, int one) throws IOException {
        if (one < 0x80 || one >= 0xc0) {
            StringBuilder broken = new StringBuilder(held);
            held.setLength(0);
            for (int i = 0; i < broken.length(); i++) {
                put(broken.charAt(i) < 0xa0 ? '?' : broken.charAt(i));
            }
            begin(one);
            return;
        }
        held.append((char) one);
        int length = first >= FIRST_OF_FOUR ? 4 : first >= FIRST_OF_THREE ? 3 : 2;
        if (held.length() == length) {
            int point = first & 0xff >> length + 1;
            for (int i = 1; i < length; i++) {
                point = point << 6 | held.charAt(i) & 0x3f;
            }
            if (isControl(point) || point < 0x800 && length > 2) {
                held.setLength(0);
                put('?');
            } else {
                release();
            }
        }
    }

    /** The controls from 0x80 on, ends of lines, and format characters except soft hyphens and joiners. */
    private static boolean isControl(int point) {
        int type = Character.getType(point);
        return point < 0xa0
                || type == Character.FORMAT && "\u00ad\u200c\u200d".indexOf(point) < 0
                || type == Character.LINE_SEPARATOR
                || type == Character.PARAGRAPH_SEPARATOR
                || point >> 12 == TAGS;
    }

    private void endLine() throws IOException {
        if (screen.coloured) {
            out.write(new byte[] {ESCAPE, '[', 'm'});
            screen.coloured = false;
        }
        out.write('\n');
        screen.lineBegun = false;
        screen.textBegun = false;
    }

    private void put(int one) throws IOException {
        out.write(one);
        screen.lineBegun = true;
        screen.textBegun = true;
    }

    private void release() throws IOException {
        for (int i = 0; i < held.length(); i++) {
            put(held.charAt(i));
        }
        held.setLength(0);
    }

    /** The state of a terminal after the text so far. */
    static final class Screen {
        private boolean lineBegun;
        /** Whether the line has more than the mark of a carriage return. */
        private boolean textBegun;

        private boolean coloured;
    }
}
