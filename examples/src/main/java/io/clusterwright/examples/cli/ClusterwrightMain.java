package io.clusterwright.examples.cli;

import io.clusterwright.examples.console.ExitCodes;
import io.clusterwright.examples.console.Interrupts;
import picocli.CommandLine.Command;
import picocli.CommandLine;

/** The {@code clusterwright} program: it embeds the library and holds no logic of its own. */
@Command(
        name = "clusterwright",
        description = "Turns a description into a running, proven MPI cluster, and runs MPI jobs on it.",
        mixinStandardHelpOptions = true,
        versionProvider = Version.class,
        scope = CommandLine.ScopeType.INHERIT,
        synopsisSubcommandLabel = "COMMAND",
        subcommands = {
            ValidateCommand.class,
            PlanCommand.class,
            RenderCommand.class,
            CreateCommand.class,
            ListCommand.class,
            ShowCommand.class,
            RunCommand.class,
            MpiCommand.class,
            VerifyCommand.class,
            ResizeCommand.class,
            StartCommand.class,
            StopCommand.class,
            DestroyCommand.class,
            AnalyzeCommand.class,
            DiagnoseCommand.class,
            SizesCommand.class,
            PresetsCommand.class,
            ImagesCommand.class,
            EmulatorCommand.class,
            DoctorCommand.class
        })
public final class ClusterwrightMain {
    private ClusterwrightMain() {}

    /** Runs the program and ends the JVM with its exit status. */
    public static void main(String[] arguments) {
        Interrupts.run(() -> run(arguments));
    }

    static int run(String... arguments) {
        CommandLine program = new CommandLine(new ClusterwrightMain());
        program.setCaseInsensitiveEnumValuesAllowed(true);
        program.setExecutionExceptionHandler((error, command, parsed) ->
                ExitCodes.of("clusterwright", error, command.getErr(), parsed.hasMatchedOption("--verbose")));
        return program.execute(arguments);
    }
}
