package io.clusterwright.examples.cli;

import io.clusterwright.core.internal.json.JsonFields;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import picocli.AutoComplete;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.UsageMessageSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/**
 * The commands of the program, in the order of its help. Only those that a command line needs are read: to read all of them takes longer than
 * most of them run.
 */
final class Commands {
    /** The name of each command, its class in this package and an example, below the title of its group. */
    private static final String[][] TYPES = {
        {"Check a spec"},
        {"validate", "ValidateCommand", "validate demo.yaml --on local"},
        {"plan", "PlanCommand", "plan demo.yaml --on local"},
        {"render", "RenderCommand", "render demo.yaml --to files"},
        {"Clusters"},
        {"create", "ClusterCommand$Create", "create demo.yaml --on local"},
        {"list", "ListCommand", "list"},
        {"show", "ClusterCommand$Show", "show demo"},
        {"describe", "DescribeCommand", "describe demo demo2 --lines 50"},
        {"resize", "ClusterCommand$Resize", "resize demo 6"},
        {"stop", "ClusterCommand$Stop", "stop demo"},
        {"start", "ClusterCommand$Start", "start demo"},
        {"destroy", "DestroyCommand", "destroy demo"},
        {"adopt", "AdoptCommand", "adopt demo demo.yaml --on azure"},
        {"Use"},
        {"run", "RunOnNodesCommand", "run demo --nodes 'demo[1-2]' -- uptime"},
        {"mpi", "MpiCommand", "mpi demo -n 4 -- ./solver"},
        {"ssh", "LoginCommand", "ssh demo demo2 -- 'df -h | head'"},
        {"cp", "CopyCommand", "cp demo --user hpcuser ./solver :/home/hpcuser/"},
        {"export", "ExportCommand", "export demo --ssh-config --output ssh.conf"},
        {"diagnose", "AnalyzeCommand$Diagnose", "diagnose job-output.txt"},
        {"Queue"},
        {"submit", "QueueCommands$Submit", "submit demo -n 4 -- ./solver"},
        {"jobs", "QueueCommands$Jobs", "jobs demo"},
        {"output", "QueueCommands$Output", "output demo 7 --follow"},
        {"cancel", "QueueCommands$Cancel", "cancel demo 7"},
        {"Fabric"},
        {"verify", "VerifyCommand", "verify demo --pairs all-pairs --heatmap pairs.svg"},
        {"analyze", "AnalyzeCommand", "analyze imb.txt --size Standard_HB120rs_v3"},
        {"presets", "PresetsCommand", "presets --size Standard_HB120rs_v3 --mpi open-mpi"},
        {"Images and sizes"},
        {"sizes", "SizesCommand", "sizes --rdma"},
        {"images", "ImagesCommand", "images --captured"},
        {"image", "ImagesCommand$OneImage", "image build demo.yaml --on local"},
        {"Elsewhere"},
        {"batch", "BatchCommand", "batch https://demo.westeurope.batch.azure.com pools"},
        {"hpcpack", "HpcPackCommand", "hpcpack head.hpc.example nodes"},
        {"emulator", "EmulatorCommand", "emulator --backed-by local"},
        {"hpcpack-emulator", "EmulatorCommand$HeadNode", "hpcpack-emulator --nodes 'CN[001-004]'"},
        {"This program"},
        {"doctor", "DoctorCommand", "doctor"},
        {"help", "HelpCommand", "help CW-NET-001"},
        {"completion", "Commands$Completion", "completion bash"},
    };

    /** An example of each command below another. */
    private static final Map<String, String> ACTIONS = Map.ofEntries(
            Map.entry("image build", "image build demo.yaml --on local"),
            Map.entry("image delete", "image delete image-demo-0cfb998380614b3a --on local"),
            Map.entry("batch pools", "batch https://demo.westeurope.batch.azure.com pools"),
            Map.entry("batch plan", "batch https://demo.westeurope.batch.azure.com plan demo.yaml"),
            Map.entry("batch create", "batch https://demo.westeurope.batch.azure.com create demo.yaml"),
            Map.entry("batch delete", "batch https://demo.westeurope.batch.azure.com delete demo"),
            Map.entry("batch mpi", "batch https://demo.westeurope.batch.azure.com mpi demo.yaml -- ./solver"),
            Map.entry("batch verify", "batch https://demo.westeurope.batch.azure.com verify demo.yaml"),
            Map.entry("batch submit", "batch https://demo.westeurope.batch.azure.com submit demo.yaml -- ./solver"),
            Map.entry("batch jobs", "batch https://demo.westeurope.batch.azure.com jobs"),
            Map.entry("batch cancel", "batch https://demo.westeurope.batch.azure.com cancel demo-1a2b3c4d"),
            Map.entry("batch output", "batch https://demo.westeurope.batch.azure.com output demo-1a2b3c4d"),
            Map.entry("hpcpack nodes", "hpcpack head.hpc.example nodes --group AzureNodes"),
            Map.entry("hpcpack groups", "hpcpack head.hpc.example groups --add rdma 'CN[001-004]'"),
            Map.entry("hpcpack online", "hpcpack head.hpc.example online 'CN[001-004]'"),
            Map.entry("hpcpack offline", "hpcpack head.hpc.example offline CN001"),
            Map.entry("hpcpack start", "hpcpack head.hpc.example start 'CN[001-004]'"),
            Map.entry("hpcpack stop", "hpcpack head.hpc.example stop 'CN[001-004]'"),
            Map.entry("hpcpack templates", "hpcpack head.hpc.example templates"),
            Map.entry("hpcpack jobs", "hpcpack head.hpc.example jobs --state Running"),
            Map.entry("hpcpack submit", "hpcpack head.hpc.example submit --nodes 4 -- mpiexec solver.exe"),
            Map.entry("hpcpack view", "hpcpack head.hpc.example view 7"),
            Map.entry("hpcpack output", "hpcpack head.hpc.example output 7"),
            Map.entry("hpcpack cancel", "hpcpack head.hpc.example cancel 7"),
            Map.entry("hpcpack requeue", "hpcpack head.hpc.example requeue 7"),
            Map.entry("hpcpack mpi", "hpcpack head.hpc.example mpi -n 4 -- solver.exe"),
            Map.entry("hpcpack verify", "hpcpack head.hpc.example verify --size Standard_A9"));

    /** Those that open sessions to nodes. */
    private static final Set<String> ON_NODES =
            Set.of("run", "mpi", "verify", "cp", "submit", "jobs", "output", "cancel");

    /** Those whose work is about the other commands. */
    private static final Set<String> NEED_ALL = Set.of("completion", "help");

    /** The line above the example of a command, and the space before the example. */
    static final String EXAMPLE = "Example:";

    static final String INDENT = "  ";

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
            if (type.length > 1 && type[0].equals(first) && !NEED_ALL.contains(first)) {
                add(program, type);
                return;
            }
        }
        if (!VERSION.contains(first)) {
            for (String[] type : TYPES) {
                if (type.length > 1) {
                    add(program, type);
                }
            }
        }
    }

    private static void add(CommandLine program, String... type) {
        CommandLine added = new CommandLine(type(type[1]));
        program.addSubcommand(type[0], added);
        addExample(added, type[2]);
        added.getSubcommands()
                .forEach((name, action) -> addExample(
                        action, ACTIONS.getOrDefault(type[0] + " " + name, type[0] + " " + name + " --help")));
    }

    /** The example is the end of the help of its command. */
    private static void addExample(CommandLine command, String example) {
        UsageMessageSpec usage = command.getCommandSpec().usageMessage();
        List<String> footer = new ArrayList<>(List.of(usage.footer()));
        footer.addAll(List.of("", EXAMPLE, INDENT + "clusterwright " + example));
        usage.footer(footer.toArray(String[]::new));
    }

    /** The names of the commands of each group, in the order of the help. */
    static Map<String, List<String>> groups() {
        Map<String, List<String>> groups = new LinkedHashMap<>();
        List<String> names = List.of();
        for (String[] type : TYPES) {
            if (type.length == 1) {
                names = new ArrayList<>();
                groups.put(type[0], names);
            } else {
                names.add(type[0]);
            }
        }
        return groups;
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
                    () -> JsonFields.of("shell", String.valueOf(shell).toLowerCase(Locale.ROOT))
                            .and("text", script),
                    () -> out.print(script));
        }

        /** The shells that have a script; the script of bash switches itself for zsh. */
        enum Shell {
            BASH,
            ZSH
        }
    }
}
