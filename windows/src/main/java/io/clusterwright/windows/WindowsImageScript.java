package io.clusterwright.windows;

import io.clusterwright.core.internal.text.PrintableText;
import io.clusterwright.core.type.InvalidValueException;
import io.clusterwright.windows.internal.powershell.PowerShellScript;
import io.clusterwright.windows.internal.quoting.PowerShellQuoting;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * A PowerShell script that makes a Windows machine the image of a compute node: MS-MPI, programs let through the
 * firewall, the user's files and scripts, proof that a driver brought NetworkDirect, and at the end {@code sysprep}.
 * Use it to prepare an image by hand or by {@link CustomScriptExtension}. It writes text and runs nothing. Immutable.
 *
 * <pre>{@code
 * String script = WindowsImageScript.create()
 *         .msMpi(installer, sha256)
 *         .firewall("solver", "C:\\solver\\solver.exe")
 *         .requireNetworkDirect()
 *         .textWithSysprep();
 * }</pre>
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
    private static final int LARGEST_FILE = 200_000;
    private static final String SYSPREP = "# Shuts the machine down when it is done; capture it then.\r\n"
            + "Start-Process -FilePath \"$env:windir\\System32\\Sysprep\\sysprep.exe\""
            + " -ArgumentList '/generalize /oobe /shutdown /quiet'\r\n";

    private final List<Step> steps;

    private WindowsImageScript(List<Step> steps) {
        this.steps = steps;
    }

    /** A call of the function that a resource has. */
    private record Step(String resource, String function, SortedMap<String, String> parameters) {
        String call() {
            return parameters.entrySet().stream()
                    .map(each -> " -" + each.getKey() + " " + PowerShellQuoting.literal(each.getValue()))
                    .collect(Collectors.joining("", function, ""));
        }
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
                    installer,
                    "an https:// address without user or password",
                    "https://download.example/msmpisetup.exe");
        }
        if (!SHA_256.matcher(sha256).matches()) {
            throw new InvalidValueException(
                    "SHA-256 of the MS-MPI installer",
                    sha256,
                    "64 hexadecimal digits, as Get-FileHash prints them",
                    "0f343b0931126a20f133d67c2b018a3b0f343b0931126a20f133d67c2b018a3b");
        }
        return with(
                "ms-mpi.ps1",
                "Install-MsMpi",
                Map.of("Uri", installer.toString(), "Digest", sha256.toUpperCase(Locale.ROOT)));
    }

    /**
     * Lets a program accept connections through the firewall.
     *
     * @param name of the rule
     * @param program its absolute path, such as {@code C:\app\solver.exe}
     * @throws InvalidValueException when the path is not absolute
     */
    public WindowsImageScript firewall(String name, String program) {
        return with(
                "firewall.ps1",
                "Open-Firewall",
                Map.of("Name", name, "Program", path("program for the firewall", program)));
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
            throw InvalidValueException.of(
                    path + " has " + content.length + " bytes, and a script can carry " + LARGEST_FILE,
                    "download the file in a script of your own");
        }
        return with(
                "carried-file.ps1",
                "Write-CarriedFile",
                Map.of("Path", checked, "Content", Base64.getEncoder().encodeToString(content)));
    }

    /**
     * Runs a script of the user in a separate process.
     *
     * @param name for messages
     * @param text PowerShell
     */
    public WindowsImageScript script(String name, String text) {
        byte[] content = text.getBytes(StandardCharsets.UTF_16LE);
        return with(
                "carried-script.ps1",
                "Invoke-CarriedScript",
                Map.of(
                        "Name",
                        name.replaceAll("[^A-Za-z0-9 ._-]", "?"),
                        "Content",
                        Base64.getEncoder().encodeToString(content)));
    }

    /** Ends with an error unless a driver brought a provider of NetworkDirect, which {@code WSCEnumProtocols} lists and others hide. */
    public WindowsImageScript requireNetworkDirect() {
        return with("network-direct.ps1", "Assert-NetworkDirect", Map.of());
    }

    /** The script, without sysprep. */
    public String text() {
        return script(false);
    }

    /** The script that ends by making the machine one that can be captured, which shuts it down. */
    public String textWithSysprep() {
        return script(true);
    }

    /** Each function once, then the calls in their order. */
    private String script(boolean generalize) {
        StringBuilder script =
                new StringBuilder("Set-StrictMode -Version 2.0\r\n$ErrorActionPreference = 'Stop'\r\n\r\n");
        steps.stream()
                .map(Step::resource)
                .distinct()
                .forEach(name -> script.append(PowerShellScript.of(name).text()).append("\r\n"));
        steps.forEach(step -> script.append(step.call()).append("\r\n"));
        script.append("Write-Output -InputObject ")
                .append(PowerShellQuoting.literal(MARKER))
                .append("\r\n");
        return script.append(generalize ? SYSPREP : "").toString();
    }

    private WindowsImageScript with(String resource, String function, Map<String, String> parameters) {
        List<Step> all = new ArrayList<>(steps);
        all.add(new Step(resource, function, new TreeMap<>(parameters)));
        return new WindowsImageScript(List.copyOf(all));
    }

    /** The words that start PowerShell, up to the first of the caller's. */
    static String powerShell() {
        return String.join(" ", PowerShellScript.command()) + " ";
    }

    private static String path(String what, String text) {
        if (!PATH.matcher(text).matches()) {
            throw new InvalidValueException(
                    what, text, "an absolute Windows path of up to 240 characters", "C:\\app\\solver.exe");
        }
        return text;
    }
}
