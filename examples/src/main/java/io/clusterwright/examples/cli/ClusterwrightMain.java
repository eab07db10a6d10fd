package io.clusterwright.examples.cli;

import io.clusterwright.core.ClusterwrightException;
import io.clusterwright.core.InvalidValueException;
import io.clusterwright.core.manager.PlanRefusedException;
import io.clusterwright.core.spec.InvalidSpecException;
import io.clusterwright.examples.console.Interrupts;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/** The {@code clusterwright} program: it embeds the library and holds no logic of its own. */
@Command(
        name = "clusterwright",
        description = "Turns a description into a running, proven MPI cluster, and runs MPI jobs on it.",
        mixinStandardHelpOptions = true,
        versionProvider = Version.class,
        scope = CommandLine.ScopeType.INHERIT,
        synopsisSubcommandLabel = "COMMAND",
        subcommands = {
            CreateCommand.class,
            ListCommand.class,
            ShowCommand.class,
            RunCommand.class,
            MpiCommand.class,
            VerifyCommand.class,
            DestroyCommand.class,
            AnalyzeCommand.class,
            ImagesCommand.class
        })
public final class ClusterwrightMain {
    /** Done, and good. */
    static final int OK = 0;
    /** The work failed. */
    static final int FAILED = 1;
    /** The input was refused. */
    static final int REFUSED = 2;
    /** It worked, and the verdict is bad. */
    static final int BAD_VERDICT = 3;

    private ClusterwrightMain() {}

    /** Runs the program and ends the JVM with its exit status. */
    public static void main(String[] arguments) {
        Interrupts.run(() -> run(arguments));
    }

    static int run(String... arguments) {
        CommandLine program = new CommandLine(new ClusterwrightMain());
        program.setCaseInsensitiveEnumValuesAllowed(true);
        program.setExecutionExceptionHandler(ClusterwrightMain::explain);
        return program.execute(arguments);
    }

    private static int explain(Exception error, CommandLine command, CommandLine.ParseResult parsed) throws Exception {
        if (parsed.hasMatchedOption("--verbose")) {
            error.printStackTrace(command.getErr());
        } else if (error instanceof ClusterwrightException) {
            command.getErr().println("clusterwright: " + error.getMessage());
        } else {
            command.getErr().println("clusterwright: unexpected " + error + "; --verbose shows where");
        }
        boolean refused = error instanceof InvalidSpecException
                || error instanceof InvalidValueException
                || error instanceof PlanRefusedException
                || error instanceof RefusedException;
        return refused ? REFUSED : FAILED;
    }
}
