package io.clusterwright.examples.cli;

import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import picocli.AutoComplete;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/**
 * The commands of the program, in the order of its help. Only those that a command line needs are read: to read all of them takes longer than
 * most of them run.
 */
final class Commands {
    /** The name of each command, and its class in this package. */
    private static final String[][] TYPES = {
        {"validate", "ValidateCommand"},
        {"plan", "PlanCommand"},
        {"render", "RenderCommand"},
        {"create", "ClusterCommand$Create"},
        {"list", "ListCommand"},
        {"show", "ClusterCommand$Show"},
        {"describe", "DescribeCommand"},
        {"run", "RunOnNodesCommand"},
        {"mpi", "MpiCommand"},
        {"verify", "VerifyCommand"},
        {"ssh", "LoginCommand"},
        {"cp", "CopyCommand"},
        {"export", "ExportCommand"},
        {"submit", "QueueCommands$Submit"},
        {"jobs", "QueueCommands$Jobs"},
        {"output", "QueueCommands$Output"},
        {"cancel", "QueueCommands$Cancel"},
        {"resize", "ClusterCommand$Resize"},
        {"start", "ClusterCommand$Start"},
        {"stop", "ClusterCommand$Stop"},
        {"destroy", "DestroyCommand"},
        {"adopt", "AdoptCommand"},
        {"analyze", "AnalyzeCommand"},
        {"diagnose", "AnalyzeCommand$Diagnose"},
        {"sizes", "SizesCommand"},
        {"presets", "PresetsCommand"},
        {"images", "ImagesCommand"},
        {"image", "ImagesCommand$OneImage"},
        {"doctor", "DoctorCommand"},
        {"emulator", "EmulatorCommand"},
        {"hpcpack", "HpcPackCommand"},
        {"hpcpack-emulator", "EmulatorCommand$HeadNode"},
        {"batch", "BatchCommand"},
        {"completion", "Commands$Completion"},
    };

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
        for (String[] type : TYPES) {
            if (type[0].equals(first) && !first.equals("completion")) {
                program.addSubcommand(first, type(type[1]));
                return;
            }
        }
        if (!VERSION.contains(first)) {
            for (String[] type : TYPES) {
                program.addSubcommand(type[0], type(type[1]));
            }
        }
    }

    private static Class<?> type(String name) {
        try {
            return Class.forName(Commands.class.getPackageName() + "." + name);
        } catch (ClassNotFoundException e) {
            throw new IllegalStateException(e);
        }
    }

    @Command(
            name = "completion",
            description = "Prints a script that completes commands and options in a shell.",
            footer = "Load it with: source <(clusterwright completion bash)")
    static final class Completion extends ProgramCommand {
        @Parameters(index = "0", paramLabel = "bash|zsh", description = "The shell.")
        private @Nullable Shell shell;

        @Spec
        private @Nullable CommandSpec spec;

        @Override
        public Integer call() {
            String script = spec == null
                    ? ""
                    : AutoComplete.bash("clusterwright", spec.root().commandLine());
            return print(
                    () -> ResultJson.of("shell", String.valueOf(shell).toLowerCase(Locale.ROOT))
                            .and("text", script),
                    () -> out.print(script));
        }

        /** The shells whose script there is; that of bash switches itself for zsh. */
        enum Shell {
            BASH,
            ZSH
        }
    }
}
