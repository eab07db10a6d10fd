package io.clusterwright.windows.internal.relay;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.clusterwright.core.Command;
import io.clusterwright.core.internal.json.Json;
import io.clusterwright.core.internal.relay.RelayShell;
import io.clusterwright.core.internal.text.TextResource;
import io.clusterwright.core.spi.ScriptChannel;
import io.clusterwright.windows.internal.powershell.PowerShellScript;
import io.clusterwright.windows.internal.quoting.PowerShellQuoting;
import io.clusterwright.windows.internal.quoting.WindowsArguments;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;

/**
 * Commands on Windows: variables that name the operation, data as Base64, and then always the same script. They run as LocalSystem, whatever
 * the account of the session: another account would need its password.
 */
public final class WindowsRelayShell implements RelayShell {
    private static final String BODY = resource("relay.ps1");
    private static final String RUNNER = resource("run.ps1");

    private static final String PATH =
            "$path = [System.Text.Encoding]::UTF8.GetString([System.Convert]::FromBase64String(";

    /** For {@link io.clusterwright.core.internal.relay.RunCommandSession}. */
    public WindowsRelayShell() {}

    @Override
    public ScriptChannel.Language language() {
        return ScriptChannel.Language.POWERSHELL;
    }

    @Override
    public String script(Request request) {
        PowerShellScript script = PowerShellScript.create();
        set(script, "Job", PowerShellQuoting.literal(request.job()));
        if (request instanceof Stage stage) {
            set(script, "Verb", "'stage'");
            input(script, stage.input());
        } else if (request instanceof Launch launch) {
            set(script, "Verb", "'launch'");
            set(script, "Order", literal(order(launch.command())));
            set(script, "Runner", literal(RUNNER.getBytes(StandardCharsets.US_ASCII)));
            input(script, launch.input());
            window(script, launch.window());
        } else if (request instanceof Look look) {
            set(script, "Verb", "'look'");
            window(script, look.window());
        } else if (request instanceof End end) {
            set(script, "Verb", "'end'");
            window(script, end.window());
        }
        return script.text() + BODY;
    }

    private static void input(PowerShellScript script, Input input) {
        set(script, "From", "[long]" + input.from());
        set(script, "Input", literal(input.packed()));
    }

    /** The input of run.ps1. */
    private static byte[] order(Command command) {
        ObjectNode order = Json.object();
        List<String> words = command.arguments();
        order.put("program", words.get(0));
        order.put("arguments", WindowsArguments.join(words.subList(1, words.size())));
        ArrayNode environment = order.putArray("environment");
        command.environment()
                .forEach((name, value) ->
                        environment.addObject().put("name", name).put("value", value));
        return Json.write(order).getBytes(StandardCharsets.UTF_8);
    }

    private static void window(PowerShellScript script, Window window) {
        set(script, "Seconds", Long.toString(window.patience().toSeconds()));
        set(script, "Out", "[long]" + window.out());
        set(script, "Err", "[long]" + window.err());
        set(script, "Characters", Integer.toString(window.characters()));
    }

    private static void set(PowerShellScript script, String name, String expression) {
        script.line("$cw" + name + " = " + expression);
    }

    private static String literal(byte[] bytes) {
        return PowerShellQuoting.literal(Base64.getEncoder().encodeToString(bytes));
    }

    @Override
    public Command reading(String path, int most) {
        PowerShellScript script = PowerShellScript.strict()
                .line(PATH + literal(path.getBytes(StandardCharsets.UTF_8)) + "))")
                .line("$file = [System.IO.File]::OpenRead($path)")
                .block("if ($file.Length -gt " + most + ")", large -> {
                    large.line("[System.Console]::Error.WriteLine($file.Length)");
                    large.line("exit " + TOO_LARGE);
                })
                .line("$file.CopyTo([System.Console]::OpenStandardOutput())");
        return powerShell(script.text());
    }

    /** {@inheritDoc} Windows has no such permissions: the file has those of its folder. */
    @Override
    public Command writing(String path, int mode) {
        PowerShellScript script = PowerShellScript.strict()
                .line(PATH + literal(path.getBytes(StandardCharsets.UTF_8)) + "))")
                .line("$part = $path + '.' + $PID + '.part'")
                .line("[System.IO.Directory]::CreateDirectory([System.IO.Path]::GetDirectoryName($path)).FullName |"
                        + " Out-Null")
                .block("try", body -> {
                    body.line("$file = [System.IO.File]::Create($part)");
                    body.block("try", copy -> copy.line("[System.Console]::OpenStandardInput().CopyTo($file)"));
                    body.block("finally", done -> done.line("$file.Dispose()"));
                    body.line("Move-Item -LiteralPath $part -Destination $path -Force");
                })
                .block(
                        "finally",
                        done -> done.block(
                                "if (Test-Path -LiteralPath $part)",
                                left -> left.line("Remove-Item -LiteralPath $part -Force")));
        return powerShell(script.text());
    }

    /** A command that runs this script in a separate process. */
    private static Command powerShell(String script) {
        String encoded = Base64.getEncoder().encodeToString(script.getBytes(StandardCharsets.UTF_16LE));
        return Command.of(PowerShellScript.command("-EncodedCommand", encoded));
    }

    private static String resource(String name) {
        return TextResource.read(WindowsRelayShell.class.getResourceAsStream(name), name);
    }
}
