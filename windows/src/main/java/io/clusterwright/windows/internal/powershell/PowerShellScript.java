package io.clusterwright.windows.internal.powershell;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;

/** A script, put together line by line. Lines end as on Windows. Not safe for use by several threads. */
public final class PowerShellScript {
    private static final String INDENT = "    ";
    private static final String LINE_END = "\r\n";
    private static final List<String> UNATTENDED =
            List.of("powershell.exe", "-NoProfile", "-NonInteractive", "-ExecutionPolicy", "Bypass");
    private static final char BYTE_ORDER_MARK = '\uFEFF';

    private final StringBuilder text = new StringBuilder();
    private String indent = "";

    private PowerShellScript() {}

    /** The command that starts Windows PowerShell unattended: no profile, no prompts, any script policy; and then these words. */
    public static List<String> command(String... more) {
        return Stream.concat(UNATTENDED.stream(), Stream.of(more)).toList();
    }

    /** An empty script. */
    public static PowerShellScript create() {
        return new PowerShellScript();
    }

    /** A script that ends at its first error and names mistyped variables. */
    public static PowerShellScript strict() {
        return create().line("Set-StrictMode -Version 2.0").line("$ErrorActionPreference = 'Stop'");
    }

    /** Adds what brings the cmdlets of HPC Pack, unless the session has them. */
    public PowerShellScript hpcPack() {
        return block(
                "if (-not (Get-PSSnapin -Name Microsoft.HPC -ErrorAction SilentlyContinue))",
                body -> body.line("Add-PSSnapin -Name Microsoft.HPC"));
    }

    /** Adds a comment; each line of the text becomes one. */
    public PowerShellScript comment(String comment) {
        comment.lines().forEach(line -> line(line.isEmpty() ? "#" : "# " + line));
        return this;
    }

    /** Adds an empty line. */
    public PowerShellScript blank() {
        text.append(LINE_END);
        return this;
    }

    /** Adds a call. */
    public PowerShellScript run(PowerShellCommand command) {
        return line(command.toString());
    }

    /** Adds a call whose result goes to a variable, named without its {@code $}. */
    public PowerShellScript assign(String variable, PowerShellCommand command) {
        return line("$" + variable + " = " + command);
    }

    /** Adds a line of code as it stands; what comes from a description must have been quoted. */
    public PowerShellScript line(String code) {
        text.append(indent).append(code).append(LINE_END);
        return this;
    }

    /** Adds a block, such as {@code if ($x) { … }}; the opening is everything before the brace. */
    public PowerShellScript block(String opening, Consumer<PowerShellScript> body) {
        line(opening + " {");
        String before = indent;
        indent += INDENT;
        body.accept(this);
        indent = before;
        return line("}");
    }

    /** The script. */
    public String text() {
        return text.toString();
    }

    /** The script as a file: UTF-8, with a byte order mark where it holds more than ASCII, without which it would be misread. */
    public byte[] bytes() {
        String script = text();
        boolean ascii = script.chars().allMatch(c -> c < 128);
        return (ascii ? script : BYTE_ORDER_MARK + script).getBytes(StandardCharsets.UTF_8);
    }
}
