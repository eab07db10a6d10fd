package io.clusterwright.linux.internal.local;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.clusterwright.core.internal.json.Json;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * A process that cannot be mistaken for a later one with the same number.
 *
 * @param pid its number
 * @param startTicks its start, in clock ticks after the boot of the machine
 */
record ProcessIdentity(long pid, long startTicks) {
    private static final int START_FIELD = 22;

    static ProcessIdentity current() {
        long pid = ProcessHandle.current().pid();
        return find(pid)
                .orElseThrow(
                        () -> LocalMachinesException.of("identify this process", "it is not in /proc; mount /proc"));
    }

    /** The process that has this number now; empty when none has, or it is only waiting to be collected. */
    static Optional<ProcessIdentity> find(long pid) {
        String line;
        try {
            // A process chooses its name, which need not be text.
            line = Files.readString(Path.of("/proc", Long.toString(pid), "stat"), StandardCharsets.ISO_8859_1);
        } catch (IOException e) {
            return Optional.empty();
        }
        // The second field is the program's name in parentheses and may hold blanks.
        String[] rest = line.substring(line.lastIndexOf(')') + 2).split(" ");
        if (rest[0].equals("Z") || rest[0].equals("X")) {
            return Optional.empty();
        }
        return Optional.of(new ProcessIdentity(pid, Long.parseLong(rest[START_FIELD - 3])));
    }

    /** The processes whose arguments contain these, one after the other, and all that descend from them. */
    static List<ProcessIdentity> startedWith(List<String> arguments) {
        String wanted = "\0" + String.join("\0", arguments) + "\0";
        return ProcessHandle.allProcesses()
                .filter(process -> commandLine(process.pid()).contains(wanted))
                .flatMap(process -> Stream.concat(Stream.of(process), process.descendants()))
                .map(ProcessHandle::pid)
                .distinct()
                .flatMap(pid -> find(pid).stream())
                .toList();
    }

    private static String commandLine(long pid) {
        try {
            return Files.readString(Path.of("/proc", Long.toString(pid), "cmdline"), StandardCharsets.ISO_8859_1);
        } catch (IOException e) {
            // It ended meanwhile.
            return "";
        }
    }

    /** A process as records have it. */
    static ProcessIdentity of(JsonNode json) {
        return new ProcessIdentity(
                json.path("pid").asLong(), json.path("startTicks").asLong());
    }

    ObjectNode json() {
        return Json.object().put("pid", pid).put("startTicks", startTicks);
    }

    boolean isAlive() {
        return find(pid).filter(this::equals).isPresent();
    }

    /** Ends the process at once if it is still this one. */
    void kill() {
        if (isAlive()) {
            ProcessHandle.of(pid).ifPresent(ProcessHandle::destroyForcibly);
        }
    }
}
