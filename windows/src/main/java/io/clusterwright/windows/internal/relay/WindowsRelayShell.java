package io.clusterwright.windows.internal.relay;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.clusterwright.core.Command;
import io.clusterwright.core.internal.json.Json;
import io.clusterwright.core.internal.relay.RelayShell;
import io.clusterwright.core.internal.relay.RelayShell.End;
import io.clusterwright.core.internal.relay.RelayShell.Input;
import io.clusterwright.core.internal.relay.RelayShell.Launch;
import io.clusterwright.core.internal.relay.RelayShell.Look;
import io.clusterwright.core.internal.relay.RelayShell.Request;
import io.clusterwright.core.internal.relay.RelayShell.Stage;
import io.clusterwright.core.internal.relay.RelayShell.Window;
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

    /** For {@link io.clusterwright.core.internal.relay.RunCommandSession}. */
    public WindowsRelayShell() {}

    @Override
    public ScriptChannel.Language language() {
        return ScriptChannel.Language.POWERSHELL;
    }

    @Override
    public String script(Request request) {
        StringBuilder script = new StringBuilder();
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
        return script.append(BODY).toString();
    }

    private static void input(StringBuilder script, Input input) {
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

    private static void window(StringBuilder script, Window window) {
        set(script, "Seconds", Long.toString(window.patience().toSeconds()));
        set(script, "Out", "[long]" + window.out());
        set(script, "Err", "[long]" + window.err());
        set(script, "Characters", Integer.toString(window.characters()));
    }

    private static void set(StringBuilder script, String name, String expression) {
        script.append("$cw" + name + " = " + expression + "\r\n");
    }

    private static String literal(byte[] bytes) {
        return PowerShellQuoting.literal(Base64.getEncoder().encodeToString(bytes));
    }

    @Override
    public Command reading(String path, int most) {
        return powerShell(file("read-file.ps1", path).set("MostBytes", most).set("TooLarge", TOO_LARGE));
    }

    /** {@inheritDoc} Windows has no such permissions: the file has the permissions of its folder. */
    @Override
    public Command writing(String path, int mode) {
        return powerShell(file("write-file.ps1", path));
    }

    private static PowerShellScript file(String script, String path) {
        byte[] bytes = path.getBytes(StandardCharsets.UTF_8);
        return PowerShellScript.of(script)
                .set("EncodedPath", Base64.getEncoder().encodeToString(bytes));
    }

    /** A command that runs this script in a separate process. */
    private static Command powerShell(PowerShellScript script) {
        String encoded = Base64.getEncoder().encodeToString(script.text().getBytes(StandardCharsets.UTF_16LE));
        return Command.of(PowerShellScript.command("-EncodedCommand", encoded));
    }

    private static String resource(String name) {
        return TextResource.read(WindowsRelayShell.class.getResourceAsStream(name), name);
    }
}
