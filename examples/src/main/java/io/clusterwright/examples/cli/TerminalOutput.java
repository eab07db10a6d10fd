package io.clusterwright.examples.cli;

import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.Charset;

/**
 * Output to a terminal of text that nodes may have written: of control characters and sequences, those for colours, the erased line, tabs
 * and ends of lines pass, and {@code ?} stands for the others, which could retitle the terminal, write to its clipboard or type into it.
 */
public final class TerminalOutput extends FilterOutputStream {
    private static final int ESCAPE = 0x1b;
    private static final int LONGEST = 32;
    private static final int FIRST_OF_C1 = 0xc2;

    private final StringBuilder held = new StringBuilder();

    TerminalOutput(OutputStream out) {
        super(out);
    }

    /** Puts it between the program and its terminal, where there is one. */
    public static void install() {
        if (Style.terminal()) {
            System.setErr(printing(System.err, "stderr"));
        }
        if (Boolean.getBoolean("clusterwright.terminal.output")) {
            System.setOut(printing(System.out, "stdout"));
        }
    }

    private static PrintStream printing(PrintStream terminal, String name) {
        String encoding = System.getProperty(
                name + ".encoding",
                System.getProperty(
                        "sun." + name + ".encoding", Charset.defaultCharset().name()));
        return new PrintStream(new TerminalOutput(terminal), true, Charset.forName(encoding));
    }

    @Override
    public synchronized void write(byte[] bytes, int offset, int length) throws IOException {
        for (int i = offset; i < offset + length; i++) {
            write(bytes[i]);
        }
    }

    @Override
    public synchronized void write(int value) throws IOException {
        int one = value & 0xff;
        if (held.isEmpty()) {
            begin(one);
        } else if (held.charAt(0) == FIRST_OF_C1) {
            held.setLength(0);
            if (one >= 0x80 && one <= 0x9f) {
                out.write('?');
            } else {
                out.write(FIRST_OF_C1);
                begin(one);
            }
        } else if (held.length() == 1
                ? one == '['
                : held.length() < LONGEST && (one == ';' || one >= '0' && one <= '9')) {
            held.append((char) one);
        } else if (held.length() > 1 && (one == 'm' || one == 'K')) {
            held.append((char) one);
            release();
        } else {
            held.setCharAt(0, '?');
            release();
            begin(one);
        }
    }

    private void begin(int one) throws IOException {
        if (one == ESCAPE || one == FIRST_OF_C1) {
            held.append((char) one);
        } else if (one == '\n' || one == '\r' || one == '\t' || one >= 0x20 && one != 0x7f) {
            out.write(one);
        } else {
            out.write('?');
        }
    }

    private void release() throws IOException {
        for (int i = 0; i < held.length(); i++) {
            out.write(held.charAt(i));
        }
        held.setLength(0);
    }
}
