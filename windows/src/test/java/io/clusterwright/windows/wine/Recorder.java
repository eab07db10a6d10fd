package io.clusterwright.windows.wine;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Sends command lines to parsers of Windows and tells which arguments arrived. */
public final class Recorder {
    private static final String RECORDED = "recorded.out";

    private final Wine wine;
    private final Path program;

    public Recorder(Wine wine) throws IOException {
        this.wine = wine;
        this.program = wine.build("recorder.c");
    }

    /** What stands for the program in a command line. */
    public String name() {
        return "recorder.exe";
    }

    /** What {@code CommandLineToArgvW} makes of each line, without its first word. */
    public List<List<String>> split(List<String> lines) throws IOException {
        Path from = write("split.in", String.join("\0", lines) + "\0", StandardCharsets.UTF_16LE);
        Path to = wine.folder().resolve("split.out");
        int status = wine.run(
                program, Map.of("RECORDER_MODE", "split"), from.getFileName().toString(), "split.out");
        assertThat(status).as("exit status, behind: %s", wine.said()).isZero();
        return read(to);
    }

    /** The arguments that the C run-time of each recorder got that these lines, each a new process, started. */
    public List<List<String>> start(List<String> lines) throws IOException {
        Path from = write("start.in", String.join("\0", lines) + "\0", StandardCharsets.UTF_16LE);
        return recorded(
                Map.of("RECORDER_MODE", "start"), program, from.getFileName().toString());
    }

    /** The arguments that the recorders got that the lines of this batch file started. */
    public List<List<String>> batch(List<String> lines) throws IOException {
        Path file = write("lines.cmd", "@echo off\r\n" + String.join("\r\n", lines) + "\r\n", StandardCharsets.UTF_8);
        List<List<String>> arrived = List.of();
        // On a busy machine wine now and then does not start a program, and cmd.exe goes on with the next line.
        for (int tries = 0; tries < 3 && arrived.size() < lines.size(); tries++) {
            arrived = recorded(
                    Map.of(), Path.of("cmd.exe"), "/d", "/c", file.getFileName().toString());
        }
        return arrived;
    }

    /** The same of lines that a stand-in for job starts, from words that it joins again or takes as they stood. */
    public List<List<String>> tails(String how, List<String> lines) throws IOException {
        Path from = write("start.in", String.join("\0", lines) + "\0", StandardCharsets.UTF_16LE);
        Map<String, String> modes = Map.of("RECORDER_MODE", "start", "RECORDER_TAIL", how);
        return recorded(modes, program, from.getFileName().toString());
    }

    /** The exit status of a batch file; {@code job} and other programs in it are this one. */
    public int script(String name, String text, Map<String, String> environment, String... arguments)
            throws IOException {
        write(name, text, StandardCharsets.US_ASCII);
        Files.deleteIfExists(wine.folder().resolve(RECORDED));
        Map<String, String> all = new HashMap<>(environment);
        all.put("RECORD_TO", RECORDED);
        List<String> words = new ArrayList<>(List.of("/d", "/c", name));
        words.addAll(List.of(arguments));
        return wine.run(Path.of("cmd.exe"), all, words.toArray(String[]::new));
    }

    /** What was recorded since the last start. */
    public List<List<String>> recorded() throws IOException {
        return read(wine.folder().resolve(RECORDED));
    }

    /** Another name for this program. */
    public Recorder alias(String name) throws IOException {
        Files.copy(program, wine.folder().resolve(name + ".exe"), StandardCopyOption.REPLACE_EXISTING);
        return this;
    }

    private List<List<String>> recorded(Map<String, String> more, Path run, String... arguments) throws IOException {
        Path to = wine.folder().resolve(RECORDED);
        Files.deleteIfExists(to);
        Map<String, String> environment = new HashMap<>(more);
        environment.put("RECORD_TO", to.getFileName().toString());
        int status = wine.run(run, environment, arguments);
        assertThat(status).as("exit status, behind: %s", wine.said()).isZero();
        return read(to);
    }

    private Path write(String name, String text, Charset charset) throws IOException {
        return Files.write(wine.folder().resolve(name), text.getBytes(charset));
    }

    private static List<List<String>> read(Path file) throws IOException {
        String[] fields = new String(Files.readAllBytes(file), StandardCharsets.UTF_16LE).split("\0", -1);
        List<List<String>> all = new ArrayList<>();
        for (int at = 0; at < fields.length - 1; ) {
            int count = Integer.parseInt(fields[at]);
            all.add(List.of(fields).subList(at + 1, at + 1 + count));
            at += 1 + count;
        }
        return all;
    }
}
