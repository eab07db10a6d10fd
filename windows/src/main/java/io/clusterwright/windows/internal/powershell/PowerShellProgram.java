package io.clusterwright.windows.internal.powershell;

import java.util.List;
import java.util.stream.Stream;

/** The command that starts Windows PowerShell unattended: no profile, no prompts, any script policy. */
public final class PowerShellProgram {
    /** The program. */
    public static final String NAME = "powershell.exe";

    private static final List<String> OPTIONS = List.of("-NoProfile", "-NonInteractive", "-ExecutionPolicy", "Bypass");

    private PowerShellProgram() {}

    /** The options, and then these words. */
    public static List<String> arguments(String... more) {
        return Stream.concat(OPTIONS.stream(), Stream.of(more)).toList();
    }

    /** The program, the options, and then these words. */
    public static List<String> command(String... more) {
        return Stream.concat(Stream.of(NAME), arguments(more).stream()).toList();
    }
}
