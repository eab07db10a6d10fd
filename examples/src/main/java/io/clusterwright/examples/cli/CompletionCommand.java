package io.clusterwright.examples.cli;

import io.clusterwright.core.internal.json.Json;
import io.clusterwright.examples.console.ExitCodes;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import picocli.AutoComplete;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

@Command(
        name = "completion",
        description = "Prints a script that completes commands and options in a shell.",
        footer = "Load it with: source <(clusterwright completion bash)")
final class CompletionCommand extends ProgramCommand {
    private static final String PROGRAM = "clusterwright";

    @Parameters(index = "0", paramLabel = "bash|zsh", description = "The shell.")
    private @Nullable Shell shell;

    @Spec
    private @Nullable CommandSpec spec;

    @Override
    public Integer call() {
        String script =
                spec == null ? "" : AutoComplete.bash(PROGRAM, spec.root().commandLine());
        if (json) {
            print(Json.object()
                    .put("shell", String.valueOf(shell).toLowerCase(Locale.ROOT))
                    .put("text", script));
        } else {
            out.print(script);
        }
        return ExitCodes.OK;
    }

    /** The shells whose script there is; that of bash switches itself for zsh. */
    enum Shell {
        BASH,
        ZSH
    }
}
