package io.clusterwright.windows;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.clusterwright.core.type.InvalidValueException;
import io.clusterwright.core.type.Secret;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.zip.GZIPOutputStream;
import org.jspecify.annotations.Nullable;

/**
 * The settings of Azure's Custom Script extension for Windows ({@code Microsoft.Compute}, {@code
 * CustomScriptExtension}, 1.10), which runs a PowerShell script as LocalSystem. Use it to run a {@link
 * WindowsImageScript} on a machine of Azure. The command goes into the protected settings, which Azure encrypts and
 * never shows.
 *
 * <pre>{@code
 * CustomScriptExtension extension = CustomScriptExtension.inline(script, 1); // another timestamp runs it again
 * String settings = extension.settings();
 * Secret secret = extension.protectedSettings(); // Azure encrypts these and never shows them
 * }</pre>
 *
 * <p>The extension runs a second time only when its settings change: give another timestamp. Source: azure-compute-docs,
 * extensions/custom-script-windows.md.
 *
 * @param settings the public settings, as JSON
 * @param protectedSettings the protected settings, as JSON
 */
public record CustomScriptExtension(String settings, Secret protectedSettings) {
    /** The publisher. */
    public static final String PUBLISHER = "Microsoft.Compute";

    /** The type. */
    public static final String TYPE = "CustomScriptExtension";

    /** The version of its handler. */
    public static final String VERSION = "1.10";

    /** The longest command that cmd.exe, by which the extension starts it, can take. */
    static final int LONGEST_COMMAND = 8191;

    /**
     * Carries the script in the command itself, packed where it is long: nothing is downloaded.
     *
     * @param timestamp a number that changes when the script is to run again
     * @throws InvalidValueException when the script is too long for a command, packed about 5,500 bytes: use {@link #download}
     */
    public static CustomScriptExtension inline(String script, long timestamp) {
        // Letters, digits and these signs mean themselves in cmd.exe, inside of quotes.
        String encoded = Base64.getEncoder().encodeToString(script.getBytes(StandardCharsets.UTF_16LE));
        String plain = WindowsImageScript.powerShell() + "-EncodedCommand " + encoded;
        if (plain.length() <= LONGEST_COMMAND) {
            return of(plain, null, timestamp);
        }
        String packed = Base64.getEncoder().encodeToString(gzip(script));
        String command =
                WindowsImageScript.powerShell() + "-Command \"& ([ScriptBlock]::Create((New-Object IO.StreamReader("
                        + "(New-Object IO.Compression.GZipStream((New-Object IO.MemoryStream(,[Convert]::FromBase64String('"
                        + packed
                        + "'))),[IO.Compression.CompressionMode]::Decompress)),[Text.Encoding]::UTF8)).ReadToEnd()))\"";
        if (command.length() > LONGEST_COMMAND) {
            throw InvalidValueException.of(
                    "the script makes a command of " + command.length()
                            + " characters, and the Custom Script extension accepts " + LONGEST_COMMAND,
                    "upload the script and use CustomScriptExtension.download");
        }
        return of(command, null, timestamp);
    }

    /**
     * Has the extension download the script.
     *
     * @param script {@code https}; its last part is the file's name, of letters, digits, {@code _ . -}, ending with {@code .ps1}. A query,
     *     such as an access signature, stays secret
     * @param timestamp a number that changes when the script is to run again
     * @throws InvalidValueException when the address is not of this form
     */
    public static CustomScriptExtension download(URI script, long timestamp) {
        String path = String.valueOf(script.getPath());
        String name = path.substring(path.lastIndexOf('/') + 1);
        if (!"https".equals(script.getScheme()) || !name.matches("[A-Za-z0-9_][A-Za-z0-9_.-]*\\.ps1")) {
            throw new InvalidValueException(
                    "script address",
                    script.getScheme() + "://" + script.getHost() + path,
                    "https:// and a file name of letters, digits, '_', '.' or '-' that ends with .ps1",
                    "https://account.blob.core.windows.net/scripts/image.ps1");
        }
        return of(WindowsImageScript.powerShell() + "-File " + name, script, timestamp);
    }

    private static CustomScriptExtension of(String command, @Nullable URI file, long timestamp) {
        ObjectNode hidden = JsonNodeFactory.instance.objectNode().put("commandToExecute", command);
        if (file != null) {
            hidden.putArray("fileUris").add(file.toString());
        }
        ObjectNode open = JsonNodeFactory.instance.objectNode().put("timestamp", timestamp);
        return new CustomScriptExtension(open.toString(), Secret.of(hidden.toString()));
    }

    private static byte[] gzip(String text) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (GZIPOutputStream packed = new GZIPOutputStream(bytes)) {
            packed.write(text.getBytes(StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw new IllegalStateException("writing to memory failed", e);
        }
        return bytes.toByteArray();
    }
}
