package io.clusterwright.examples.cli;

import io.clusterwright.core.ClusterManager;
import io.clusterwright.core.internal.json.Json;
import io.clusterwright.core.internal.text.NearestName;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/** The {@code clusterwright} program: it embeds the library and holds no cluster logic. */
@Command(
        name = "clusterwright",
        description = "Creates MPI clusters from a spec, proves them, and runs MPI jobs on them.",
        mixinStandardHelpOptions = true,
        versionProvider = ClusterwrightMain.Version.class,
        scope = CommandLine.ScopeType.INHERIT,
        synopsisSubcommandLabel = "COMMAND")
public final class ClusterwrightMain {
    /** The constants of an enum in a message of picocli. */
    private static final Pattern VALUES = Pattern.compile("(\\[[A-Z0-9_, ]+]) \\(case-insensitive\\)");

    private ClusterwrightMain() {}

    /** Runs the program and ends the JVM with its exit status. */
    public static void main(String[] arguments) {
        if (Commands.versionAlone(arguments)) {
            StandardOutput.install(StandardCharsets.UTF_8);
            System.out.println(Version.line());
            System.exit(StandardOutput.status(ExitCodes.OK));
        }
        if (Commands.onNodes(arguments)) {
            ClusterManager.warmUp();
        }
        TerminalOutput.install();
        Interrupts.run(() -> run(arguments));
    }

    static int run(String... arguments) {
        CommandLine program = program(arguments);
        program.setParameterExceptionHandler((error, given) -> refuse(error, given));
        program.setExecutionExceptionHandler((error, command, parsed) -> {
            int status = ExitCodes.of("clusterwright", error, command.getErr(), verbose(parsed));
            if (command.getCommand() instanceof ProgramCommand failed) {
                failed.printRefusal(error, status);
            }
            return status;
        });
        return program.execute(arguments);
    }

    /** The parser with the commands that these arguments need; with all of them for none. */
    static CommandLine program(String... arguments) {
        CommandLine program = new CommandLine(new ClusterwrightMain());
        Commands.addTo(program, arguments);
        program.setCaseInsensitiveEnumValuesAllowed(true);
        // An argument of a job may begin with @.
        program.setExpandAtFiles(false);
        program.registerConverter(Path.class, ClusterwrightMain::path);
        if (program.getSubcommands().size() > 1) {
            ProgramHelp.install(program);
        }
        return program;
    }

    /** A path; an empty one would be the current folder, as of a variable that is not set. */
    private static Path path(String text) {
        if (text.isEmpty()) {
            throw new CommandLine.TypeConversionException("the path is empty; write . for the current folder");
        }
        try {
            return Path.of(text);
        } catch (InvalidPathException e) {
            throw new CommandLine.TypeConversionException("'" + text + "' is not a valid path");
        }
    }

    private static boolean verbose(CommandLine.ParseResult parsed) {
        return parsed.hasMatchedOption("--verbose") || parsed.hasSubcommand() && verbose(parsed.subcommand());
    }

    /** Prints a usage error as one line, with the nearest option or command. */
    private static int refuse(CommandLine.ParameterException error, String... arguments) {
        CommandLine command = error.getCommandLine();
        String name = command.getCommandSpec().qualifiedName();
        String first = String.valueOf(error.getMessage()).lines().findFirst().orElse("");
        String message = VALUES.matcher(asGiven(error, first, arguments))
                .replaceAll(values -> values.group(1).toLowerCase(Locale.ROOT));
        String near = error instanceof CommandLine.UnmatchedArgumentException unmatched
                        && !unmatched.getUnmatched().isEmpty()
                ? nearest(command, unmatched.getUnmatched().get(0))
                : "";
        String line = message + near + (near.isEmpty() ? "; " : " ") + name + " --help lists the options";
        command.getErr().println(name + ": " + line);
        command.getErr().flush();
        if (Arrays.stream(arguments).takeWhile(word -> !word.equals("--")).anyMatch("--json"::equals)) {
            new PrintStream(System.out, true, StandardCharsets.UTF_8)
                    .println(Json.indented(ExitCodes.document(line, ExitCodes.REFUSED)));
        }
        return ExitCodes.REFUSED;
    }

    /** A message that has the name of the option which was given, and not the longest name of the option. */
    private static String asGiven(CommandLine.ParameterException error, String message, String... arguments) {
        if (!(error.getArgSpec() instanceof CommandLine.Model.OptionSpec option)
                || Arrays.stream(arguments).anyMatch(word -> word.startsWith(option.longestName()))) {
            return message;
        }
        return Arrays.stream(option.names())
                .filter(name -> Arrays.stream(arguments).anyMatch(word -> word.startsWith(name)))
                .findFirst()
                .map(name -> message.replace("'" + option.longestName() + "'", "'" + name + "'"))
                .orElse(message);
    }

    private static String nearest(CommandLine command, String given) {
        List<String> known = new ArrayList<>();
        if (given.startsWith("-")) {
            command.getCommandSpec().options().stream()
                    .filter(option -> !option.hidden())
                    .forEach(option -> known.addAll(Arrays.asList(option.names())));
        } else {
            known.addAll(command.getSubcommands().keySet());
        }
        return NearestName.of(given.split("=", 2)[0], known)
                .map(name -> "; did you mean " + name + "?")
                .orElse("");
    }

    /** The version that the build wrote into the jar. */
    static final class Version implements CommandLine.IVersionProvider {
        @Override
        public String[] getVersion() {
            return new String[] {line()};
        }

        static String line() {
            String version = ClusterwrightMain.class.getPackage().getImplementationVersion();
            return "clusterwright ".concat(version == null ? "(not packaged)" : version);
        }
    }
}
