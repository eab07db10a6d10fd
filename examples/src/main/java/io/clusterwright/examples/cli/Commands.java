package io.clusterwright.examples.cli;

import io.clusterwright.examples.hpcpack.HeadNodeEmulatorCommand;
import io.clusterwright.examples.hpcpack.HpcPackCommand;
import java.util.List;
import java.util.Set;
import picocli.CommandLine;

/**
 * The commands of the program, in the order of its help. Only those that a command line needs are read: to read all of them takes longer than
 * most of them run.
 */
final class Commands {
    private static final List<String> NAMES = List.of(
            "validate",
            "plan",
            "render",
            "create",
            "list",
            "show",
            "describe",
            "run",
            "mpi",
            "verify",
            "ssh",
            "cp",
            "export",
            "submit",
            "jobs",
            "output",
            "cancel",
            "resize",
            "start",
            "stop",
            "destroy",
            "adopt",
            "analyze",
            "diagnose",
            "sizes",
            "presets",
            "images",
            "image",
            "doctor",
            "emulator",
            "hpcpack",
            "hpcpack-emulator",
            "batch",
            "completion");

    /** Those that open sessions to nodes. */
    private static final Set<String> ON_NODES =
            Set.of("run", "mpi", "verify", "cp", "submit", "jobs", "output", "cancel");

    private static final List<String> VERSION = List.of("-V", "--version");

    private Commands() {}

    /** Whether the command that these arguments name opens sessions to nodes. */
    static boolean onNodes(String... arguments) {
        return arguments.length > 1 && ON_NODES.contains(arguments[0]);
    }

    /** Whether the version is all that is asked for, which takes no parser of command lines. */
    static boolean versionAlone(String... arguments) {
        return arguments.length == 1 && VERSION.contains(arguments[0]);
    }

    /** Adds the command that these arguments name, none for the version alone, and all where help or a wrong name may need them. */
    static void addTo(CommandLine program, String... arguments) {
        String first = arguments.length == 0 ? "" : arguments[0];
        if (NAMES.contains(first) && !first.equals("completion")) {
            program.addSubcommand(first, type(first));
        } else if (!VERSION.contains(first)) {
            NAMES.forEach(name -> program.addSubcommand(name, type(name)));
        }
    }

    private static Class<?> type(String name) {
        return switch (name) {
            case "validate" -> ValidateCommand.class;
            case "plan" -> PlanCommand.class;
            case "render" -> RenderCommand.class;
            case "create" -> CreateCommand.class;
            case "list" -> ListCommand.class;
            case "show" -> ClusterCommands.Show.class;
            case "run" -> RunCommand.class;
            case "mpi" -> MpiCommand.class;
            case "verify" -> VerifyCommand.class;
            case "resize" -> ClusterCommands.Resize.class;
            case "start" -> ClusterCommands.Start.class;
            case "stop" -> ClusterCommands.Stop.class;
            case "destroy" -> DestroyCommand.class;
            case "adopt" -> AdoptCommand.class;
            case "analyze" -> AnalyzeCommand.class;
            case "diagnose" -> DiagnoseCommand.class;
            case "sizes" -> SizesCommand.class;
            case "presets" -> PresetsCommand.class;
            case "images" -> ImagesCommand.class;
            case "image" -> ImageCommand.class;
            case "batch" -> BatchCommand.class;
            case "emulator" -> EmulatorCommand.class;
            case "hpcpack" -> HpcPackCommand.class;
            case "hpcpack-emulator" -> HeadNodeEmulatorCommand.class;
            case "doctor" -> DoctorCommand.class;
            case "submit" -> QueueCommands.Submit.class;
            case "jobs" -> QueueCommands.Jobs.class;
            case "cancel" -> QueueCommands.Cancel.class;
            case "output" -> QueueCommands.Output.class;
            case "describe" -> DescribeCommand.class;
            case "ssh" -> SshCommand.class;
            case "cp" -> CopyCommand.class;
            case "export" -> ExportCommand.class;
            case "completion" -> CompletionCommand.class;
            default -> throw new IllegalArgumentException(name);
        };
    }
}
