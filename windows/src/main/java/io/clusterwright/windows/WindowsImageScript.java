package io.clusterwright.windows;

import io.clusterwright.core.internal.text.PrintableText;
import io.clusterwright.core.type.InvalidValueException;
import io.clusterwright.windows.internal.powershell.PowerShellCommand;
import io.clusterwright.windows.internal.powershell.PowerShellScript;
import io.clusterwright.windows.internal.quoting.PowerShellQuoting;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;

/**
 * A PowerShell script that makes a Windows machine the image of a compute node: MS-MPI, programs let through the firewall, the user's files
 * and scripts, proof that a driver brought NetworkDirect, and at the end {@code sysprep}. It writes text and runs nothing. Immutable.
 *
 * <p>The script ends at its first error with a status that is not 0. It may run again: finished steps are skipped. Its last line before
 * sysprep is {@link #MARKER}, which marks its completion.
 */
public final class WindowsImageScript {
    /** The last line of the output before sysprep. */
    public static final String MARKER = "clusterwright: the image is complete";

    private static final Pattern SHA_256 = Pattern.compile("[0-9a-fA-F]{64}");
    private static final Pattern PATH =
            Pattern.compile("[A-Za-z]:\\\\[^<>:\"/|?*" + PrintableText.CONTROL + "]{1,240}");
    /** PowerShell has no cmdlet for it; offsets as in {@code ProviderTable}. */
    private static final String ENUM_PROTOCOLS =
            "[DllImport(\"ws2_32.dll\")] public static extern int WSCEnumProtocols("
                    + "IntPtr protocols, IntPtr buffer, ref int length, out int error);";

    private static final int LARGEST_FILE = 200_000;

    private final List<Part> parts;

    private WindowsImageScript(List<Part> parts) {
        this.parts = parts;
    }

    /** A step of the script. */
    private interface Part {
        void write(PowerShellScript script);
    }

    /** A script that only writes {@link #MARKER}. */
    public static WindowsImageScript create() {
        return new WindowsImageScript(List.of());
    }

    /**
     * Installs MS-MPI from its installer, unless it is installed.
     *
     * @param installer where {@code msmpisetup.exe} is downloaded from; {@code https} only
     * @param sha256 the digest of the download, as 64 hexadecimal digits
     * @throws InvalidValueException when the address or the digest is malformed
     */
    public WindowsImageScript msMpi(URI installer, String sha256) {
        if (!"https".equals(installer.getScheme()) || installer.getHost() == null || installer.getUserInfo() != null) {
            throw new InvalidValueException(
                    "address of the MS-MPI installer",
                    installer.toString(),
                    "https:// without user or password",
                    "https://download.example/msmpisetup.exe");
        }
        if (!SHA_256.matcher(sha256).matches()) {
            throw new InvalidValueException(
                    "SHA-256 of the MS-MPI installer",
                    sha256,
                    "64 hexadecimal digits, as Get-FileHash prints them",
                    "0f343b0931126a20f133d67c2b018a3b0f343b0931126a20f133d67c2b018a3b");
        }
        return with(script -> script.comment("MS-MPI")
                .block(
                        "if (-not $env:MSMPI_BIN -and -not (Test-Path -LiteralPath 'C:\\Program Files\\Microsoft MPI\\Bin\\mpiexec.exe'))",
                        then -> {
                            then.line("$setup = Join-Path -Path $env:TEMP -ChildPath 'msmpisetup.exe'");
                            then.run(PowerShellCommand.of("Invoke-WebRequest")
                                    .text("Uri", installer.toString())
                                    .expression("OutFile", "$setup")
                                    .flag("UseBasicParsing"));
                            then.line("$hash = (Get-FileHash -LiteralPath $setup -Algorithm SHA256).Hash");
                            then.block(
                                    "if ($hash -ne " + PowerShellQuoting.literal(sha256.toUpperCase(Locale.ROOT)) + ")",
                                    wrong -> wrong.line(
                                            "throw \"msmpisetup.exe has the SHA-256 $hash, not the expected one\""));
                            then.line(
                                    "$run = Start-Process -FilePath $setup -ArgumentList '-unattend -full' -Wait -PassThru");
                            then.block(
                                    "if ($run.ExitCode -ne 0)",
                                    failed -> failed.line("throw \"msmpisetup.exe ended with $($run.ExitCode)\""));
                        }));
    }

    /**
     * Lets a program accept connections through the firewall.
     *
     * @param name of the rule
     * @param program its absolute path, such as {@code C:\app\solver.exe}
     * @throws InvalidValueException when the path is not absolute
     */
    public WindowsImageScript firewall(String name, String program) {
        String path = path("program for the firewall", program);
        return with(script -> script.comment("Firewall: " + name.replaceAll("[" + PrintableText.CONTROL + "]", " "))
                .block(
                        "if (-not (Get-NetFirewallRule -Name " + PowerShellQuoting.literal(name)
                                + " -ErrorAction SilentlyContinue))",
                        then -> then.run(PowerShellCommand.of("New-NetFirewallRule")
                                .text("Name", name)
                                .text("DisplayName", name)
                                .word("Direction", "Inbound")
                                .word("Action", "Allow")
                                .text("Program", path)
                                .then(PowerShellCommand.of("Out-Null")))));
    }

    /**
     * Writes a file.
     *
     * @param path its absolute path
     * @param content at most 200,000 bytes, which travel in the script
     * @throws InvalidValueException when the path is not absolute, or the file is larger
     */
    public WindowsImageScript file(String path, byte[] content) {
        String checked = path("file", path);
        if (content.length > LARGEST_FILE) {
            throw new InvalidValueException(
                    "size of " + path,
                    content.length + " bytes",
                    "at most " + LARGEST_FILE + " bytes in a script; download larger ones in your script",
                    "a setting");
        }
        String encoded = Base64.getEncoder().encodeToString(content);
        String folder = checked.substring(0, checked.lastIndexOf('\\') + 1);
        return with(script -> script.comment("File")
                .run(PowerShellCommand.of("New-Item")
                        .text("Path", folder)
                        .word("ItemType", "Directory")
                        .flag("Force")
                        .then(PowerShellCommand.of("Out-Null")))
                .line("[System.IO.File]::WriteAllBytes(" + PowerShellQuoting.literal(checked)
                        + ", [System.Convert]::FromBase64String(" + PowerShellQuoting.literal(encoded) + "))"));
    }

    /**
     * Runs a script of the user in a separate process.
     *
     * @param name for messages
     * @param text PowerShell
     */
    public WindowsImageScript script(String name, String text) {
        String encoded = Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_16LE));
        String shown = name.replaceAll("[^A-Za-z0-9 ._-]", "?");
        List<String> command = PowerShellScript.command("-File");
        return with(script -> script.comment("Script: " + shown)
                .line("$file = Join-Path -Path $env:TEMP -ChildPath 'clusterwright-script.ps1'")
                .line("$code = [System.Text.Encoding]::Unicode.GetString([System.Convert]::FromBase64String("
                        + PowerShellQuoting.literal(encoded) + "))")
                .line("[System.IO.File]::WriteAllText($file, $code, [System.Text.Encoding]::UTF8)")
                .line("$run = Start-Process -FilePath 'powershell.exe' -ArgumentList ("
                        + PowerShellQuoting.literal(String.join(" ", command.subList(1, command.size())) + " ")
                        + " + '\"' + $file + '\"') -NoNewWindow -Wait -PassThru")
                .line("Remove-Item -LiteralPath $file -Force")
                .block(
                        "if ($run.ExitCode -ne 0)",
                        failed -> failed.line("throw " + PowerShellQuoting.literal("script " + shown + " ended with ")
                                + " + $run.ExitCode")));
    }

    /** Ends with an error unless a driver brought a provider of NetworkDirect, which {@code WSCEnumProtocols} lists and others hide. */
    public WindowsImageScript requireNetworkDirect() {
        return with(
                script -> script.comment("NetworkDirect: hidden providers have the flag 0x10 at 16 of each 628 bytes")
                        .line("$ws = Add-Type -MemberDefinition '" + ENUM_PROTOCOLS
                                + "' -Name 'Ws' -Namespace 'Clusterwright' -PassThru")
                        .line("$length = 262144")
                        .line("$code = 0")
                        .line("$buffer = [System.Runtime.InteropServices.Marshal]::AllocHGlobal($length)")
                        .line(
                                "$count = $ws::WSCEnumProtocols([System.IntPtr]::Zero, $buffer, [ref]$length, [ref]$code)")
                        .block("if ($count -lt 0)", then -> then.line("throw \"WSCEnumProtocols failed with $code\""))
                        .line("$direct = 0")
                        .block("for ($i = 0; $i -lt $count; $i++)", each -> {
                            each.line(
                                    "$flags = [System.Runtime.InteropServices.Marshal]::ReadInt32($buffer, 628 * $i + 16)");
                            each.line("if ($flags -band 0x10) { $direct++ }");
                        })
                        .line("[System.Runtime.InteropServices.Marshal]::FreeHGlobal($buffer)")
                        .block(
                                "if ($direct -eq 0)",
                                then -> then.line(
                                        "throw 'no provider of NetworkDirect: install InfiniBandDriverWindows (HpcVmDrivers on A8, A9 and H16r), then restart'")));
    }

    /** The script, without sysprep. */
    public String text() {
        return script(false);
    }

    /** The script that ends by making the machine one that can be captured, which shuts it down. */
    public String textWithSysprep() {
        return script(true);
    }

    private String script(boolean generalize) {
        PowerShellScript script = PowerShellScript.strict();
        for (Part part : parts) {
            part.write(script.blank());
        }
        script.blank().run(PowerShellCommand.of("Write-Output").text("InputObject", MARKER));
        if (generalize) {
            script.comment("Shuts the machine down when it is done; capture it then.")
                    .line("$sysprep = Join-Path -Path $env:windir -ChildPath 'System32\\Sysprep\\sysprep.exe'")
                    .line("Start-Process -FilePath $sysprep -ArgumentList '/generalize /oobe /shutdown /quiet'");
        }
        return script.text();
    }

    private WindowsImageScript with(Part part) {
        List<Part> all = new ArrayList<>(parts);
        all.add(part);
        return new WindowsImageScript(List.copyOf(all));
    }

    /** The words that start PowerShell, up to the first of the caller's. */
    static String powerShell() {
        return String.join(" ", PowerShellScript.command()) + " ";
    }

    private static String path(String what, String text) {
        if (!PATH.matcher(text).matches()) {
            throw new InvalidValueException(
                    what, text, "an absolute path of Windows, up to 240 characters", "C:\\app\\solver.exe");
        }
        return text;
    }
}
