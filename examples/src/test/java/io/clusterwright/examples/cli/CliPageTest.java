package io.clusterwright.examples.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatNoException;

import io.clusterwright.examples.GeneratedPage;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import picocli.CommandLine;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;

/** Compares {@code docs/cli.md} with the commands of the program; {@code -Dclusterwright.update=true} writes it. */
class CliPageTest {
    private static final Path DOCS = Path.of("..", "docs");
    private static final Path PAGE = DOCS.resolve("cli.md");
    private static final Pattern HEADING = Pattern.compile("(?m)^###+ (.*)$");
    private static final Pattern BLOCK = Pattern.compile("(?ms)^ *```\\w*\n(.*?)^ *```$");

    /** A command line of a block; in a line with a prompt, variables and other programs may stand before it. */
    private static final Pattern CALL =
            Pattern.compile("(?m)^ *(?:\\$ .*?\\b)?(?:sudo )?(?:\\S*/)?clusterwright ((?:.*\\\\\n)*.*)$");

    /** A command in a sentence. */
    private static final Pattern INLINE =
            Pattern.compile("(`+)(?:sudo )?(?:examples/)?clusterwright\\s+((?:(?!\\1)[^\n]|\n(?!\n))+)\\1");

    /** A value for the reader to choose, such as NAME or N: 1 is a text, a file and a number. */
    private static final Pattern PLACEHOLDER = Pattern.compile("[A-Z]+(-[A-Z]+)*…?");

    private static final String COMMON = "Common options";

    /** Options of many commands, which are explained once, by the title of their part. */
    private static final Map<String, List<String>> SHARED = shared();

    private static final int MANY = 6;

    private static final String HEAD = """
            # Commands

            `clusterwright --help` lists the commands, `clusterwright help COMMAND` explains one. In a clone,
            `sudo ln -s $PWD/examples/clusterwright /usr/local/bin/` gives you the command `clusterwright`. Local nodes need
            root: write `sudo` before the command.

            The result goes to standard output, progress and errors go to standard error.

            | Exit status | Meaning |
            |---|---|
            | 0 | done, and good |
            | 1 | the work failed |
            | 2 | the input was refused: usage, an unreadable file, or an ERROR finding |
            | 3 | done, with a bad verdict: a check or a benchmark did not pass |
            | 130 | interrupted, and cleaned up |

            `mpi`, `run` and `output --follow` end with 1 when the job or a command failed. `ssh` ends with the status of `ssh`.
            A usage error prints one line, with the nearest option. Every command that does something has the
            [common options](#common-options).

            With `--json`, a refusal or a failure is a document, too: `{"valid":false,"findings":[…]}` where a spec is
            refused, and otherwise `{"error":"…","exit":2}` with the message and the exit status. A command that printed
            its document before the failure prints no second one.

            """;

    /** It is asked by one test at a time. */
    private static final CommandLine PROGRAM = ClusterwrightMain.program();

    private final Map<String, CommandLine> commands = commands();
    private final Map<String, Integer> uses = new HashMap<>();
    private final Map<String, String> explained = new LinkedHashMap<>();

    @Test
    void pageIsAsGenerated() throws IOException {
        GeneratedPage.check(PAGE, page());
    }

    @Test
    void everyCommandHasAHeadingAndEveryHeadingIsACommand() throws IOException {
        assertThat(HEADING.matcher(Files.readString(PAGE)).results().map(heading -> heading.group(1)))
                .containsExactlyInAnyOrderElementsOf(commands().keySet());
    }

    static Stream<String> examples() {
        return commands().values().stream().flatMap(command -> example(command).stream());
    }

    @Test
    void everyCommandHasAnExample() {
        commands()
                .forEach((name, command) -> assertThat(example(command))
                        .as(name)
                        .singleElement()
                        .asString()
                        .startsWith("clusterwright " + name.split(" ")[0])
                        .contains(" " + name.substring(name.lastIndexOf(' ') + 1))
                        .doesNotEndWith("--help"));
    }

    @ParameterizedTest
    @MethodSource("examples")
    void theParserAcceptsEveryExample(String example) {
        assertThatNoException().as(example).isThrownBy(() -> parse(example.replaceFirst("clusterwright ", "")));
    }

    static Stream<String> callsOfPages() throws IOException {
        Set<String> calls = new LinkedHashSet<>();
        try (Stream<Path> pages = Stream.concat(
                Files.walk(DOCS).filter(page -> !page.startsWith(DOCS.resolve("upstream"))),
                Stream.of(Path.of("..", "README.md"), Path.of("..", "CONTRIBUTING.md")))) {
            pages.filter(page -> page.toString().endsWith(".md")).sorted().forEach(page -> {
                try {
                    String text = Files.readString(page);
                    Stream<String> typed = BLOCK.matcher(text)
                            .results()
                            .flatMap(block -> CALL.matcher(block.group(1)).results())
                            .map(call -> call.group(1).replaceAll("\\\\\n\\s*", ""));
                    Stream<String> inline = INLINE.matcher(BLOCK.matcher(text).replaceAll(""))
                            .results()
                            .map(call -> call.group(2).replaceAll("\\s+", " "));
                    Stream.concat(typed, inline)
                            .map(call -> DOCS.relativize(page) + ": " + call)
                            .forEach(calls::add);
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            });
        }
        return calls.stream();
    }

    /** Only whole commands: neither lines of a synopsis, nor … in place of the command, nor the mere name of a command. */
    @ParameterizedTest
    @MethodSource("callsOfPages")
    void theParserAcceptsTheCommandsOfThePages(String call) {
        String line = call.substring(call.indexOf(": ") + 2);
        if (!line.matches(".*(\\[OPTIONS]|\\[-|\\.\\.\\.\\]| \\[[A-Z]).*|(\\w+ [A-Z]+ )?…( .*)?")
                && !commands().containsKey(line)) {
            assertThatNoException().as(call).isThrownBy(() -> parse(line));
        }
    }

    /** Parses a command line with values for its placeholders. */
    static void parse(String line) {
        String[] words = ShellWords.of(line).stream()
                .map(word -> word.matches("PROVIDER|WHERE") ? "azure" : word)
                .map(word -> word.equals("URL") ? "https://name.example" : word)
                .map(word -> PLACEHOLDER.matcher(word).matches() ? "1" : word)
                .toArray(String[]::new);
        synchronized (PROGRAM) {
            PROGRAM.parseArgs(words);
        }
    }

    /** Every command with its name, such as {@code batch create}, in the order of the help. */
    private static Map<String, CommandLine> commands() {
        Map<String, CommandLine> commands = new LinkedHashMap<>();
        Commands.groups().values().stream().flatMap(List::stream).forEach(name -> {
            CommandLine command = PROGRAM.getSubcommands().get(name);
            commands.put(name, command);
            command.getSubcommands().forEach((action, inner) -> commands.put(name + " " + action, inner));
        });
        return commands;
    }

    private static List<String> example(CommandLine command) {
        List<String> footer =
                Arrays.asList(command.getCommandSpec().usageMessage().footer());
        int at = footer.indexOf(Commands.EXAMPLE);
        return at < 0
                ? List.of()
                : footer.subList(at + 1, footer.size()).stream()
                        .map(String::strip)
                        .toList();
    }

    private String page() {
        StringBuilder page = new StringBuilder(HEAD);
        Commands.groups()
                .forEach((group, names) -> GeneratedPage.paragraph(
                        page,
                        "* ",
                        names.stream()
                                .map(name -> "[" + name + "](#" + name + ")")
                                .collect(Collectors.joining(", ", "**" + group + "**: ", ""))));
        page.append('\n');
        commands.values()
                .forEach(command -> options(command).forEach(option -> uses.merge(key(option), 1, Integer::sum)));
        Commands.groups().forEach((group, names) -> {
            page.append("## ").append(group).append("\n\n");
            commands.forEach((name, command) -> {
                if (names.contains(name.split(" ")[0])) {
                    add(page, name, command);
                }
            });
        });
        SHARED.forEach((title, names) -> {
            page.append("## ").append(title).append("\n\n");
            Map<String, OptionSpec> shared = new LinkedHashMap<>();
            commands.values()
                    .forEach(command -> options(command).stream()
                            .filter(option -> isShared(option) && names.contains(option.longestName()))
                            .forEach(option -> shared.putIfAbsent(option.longestName(), option)));
            shared.values().forEach(option -> explain(page, option));
            page.append('\n');
        });
        page.setLength(page.length() - 1);
        return page.toString();
    }

    private void add(StringBuilder page, String name, CommandLine command) {
        page.append(name.contains(" ") ? "#### " : "### ").append(name).append("\n\n");
        GeneratedPage.paragraph(
                page, "", text(command.getCommandSpec().usageMessage().description()));
        page.append("\n```\n");
        synopsis(name, command).forEach(line -> page.append(line).append('\n'));
        page.append("```\n\n");
        List<String> notes =
                Arrays.asList(command.getCommandSpec().usageMessage().footer());
        String note = text(
                notes.subList(0, Math.max(0, notes.indexOf(Commands.EXAMPLE))).toArray(String[]::new));
        if (!note.isBlank()) {
            GeneratedPage.paragraph(page, "", note);
            page.append('\n');
        }
        parameters(page, name, command);
        example(command).forEach(line -> page.append("```\n$ ").append(line).append("\n```\n\n"));
    }

    private static List<String> synopsis(String name, CommandLine command) {
        String[] own = command.getCommandSpec().usageMessage().customSynopsis();
        if (own.length > 0) {
            return List.of(own);
        }
        StringBuilder line = new StringBuilder("clusterwright");
        CommandLine parent = command.getParent();
        line.append(' ').append(name.split(" ")[0]);
        if (parent.getParent() != null) {
            parent.getCommandSpec()
                    .positionalParameters()
                    .forEach(given -> line.append(' ').append(label(given)));
            line.append(' ').append(name.split(" ")[1]);
        }
        List<OptionSpec> options = options(command).stream()
                .filter(option -> option.group() == null)
                .toList();
        line.append(options.stream().allMatch(OptionSpec::required) ? "" : " [OPTIONS]");
        command.getCommandSpec().argGroups().forEach(group -> line.append(' ').append(group.synopsis()));
        options.stream()
                .filter(OptionSpec::required)
                .forEach(option -> line.append(' ')
                        .append(option.longestName())
                        .append('=')
                        .append(label(option)));
        command.getCommandSpec()
                .positionalParameters()
                .forEach(given -> line.append(' ')
                        .append(given.required() ? label(given) : "[" + label(given) + "]")
                        .append(given.arity().max() > 1 ? "..." : ""));
        return List.of(line.append(command.getSubcommands().isEmpty() ? "" : " COMMAND")
                .toString());
    }

    private void parameters(StringBuilder page, String name, CommandLine command) {
        int before = page.length();
        for (PositionalParamSpec given : command.getCommandSpec().positionalParameters()) {
            GeneratedPage.paragraph(page, "* ", "`" + label(given) + "`: " + text(given.description()));
        }
        Map<String, List<String>> elsewhere = new LinkedHashMap<>();
        for (OptionSpec option : options(command)) {
            String owner = isShared(option) ? part(option) : explained.putIfAbsent(key(option), name);
            if (owner == null) {
                explain(page, option);
            } else if (!owner.equals(COMMON)) {
                elsewhere.computeIfAbsent(owner, key -> new ArrayList<>()).add("`" + usualName(option) + "`");
            }
        }
        elsewhere.forEach((owner, names) -> {
            String link = "[" + owner + "](#" + owner.toLowerCase(Locale.ROOT).replace(' ', '-') + ")";
            GeneratedPage.paragraph(
                    page, "* ", SHARED.containsKey(owner) ? link : "As in " + link + ": " + String.join(", ", names));
        });
        page.append(page.length() > before ? "\n" : "");
    }

    private static void explain(StringBuilder page, OptionSpec option) {
        String given = option.arity().min() == 0 ? "[=" + label(option) + "]" : " " + label(option);
        String value = option.arity().max() == 0 ? "" : given;
        String names = Arrays.stream(option.names())
                .map(name -> "`" + name + value + "`")
                .collect(Collectors.joining(", "));
        GeneratedPage.paragraph(page, "* ", names + ": " + text(option.description()));
    }

    /** The name of an option in examples: {@code --ppn}, or the first of several short names. */
    private static String usualName(OptionSpec option) {
        return option.longestName().startsWith("--") ? option.longestName() : option.names()[0];
    }

    private boolean isShared(OptionSpec option) {
        return uses.getOrDefault(key(option), 0) >= MANY;
    }

    private static String part(OptionSpec option) {
        return SHARED.entrySet().stream()
                .filter(part -> part.getValue().contains(option.longestName()))
                .map(Map.Entry::getKey)
                .findFirst()
                .orElseThrow(() -> new AssertionError(
                        option.longestName() + " is an option of many commands: add it to a part of shared()"));
    }

    private static Map<String, List<String>> shared() {
        Map<String, List<String>> parts = new LinkedHashMap<>();
        parts.put(COMMON, List.of("--help", "--version", "--json", "--verbose"));
        parts.put(
                "Azure options",
                List.of(
                        "--subscription",
                        "--cloud",
                        "--endpoint",
                        "--private-addresses",
                        "--managed-images",
                        "--boot-diagnostics"));
        parts.put("HPC Pack options", List.of("--user", "--password-file", "--trust", "--as-user"));
        return parts;
    }

    private static List<OptionSpec> options(CommandLine command) {
        return command.getCommandSpec().options().stream()
                .filter(option -> !option.hidden())
                .toList();
    }

    private static String key(OptionSpec option) {
        return option.longestName() + " " + text(option.description());
    }

    private static String label(ArgSpec argument) {
        return argument.paramLabel();
    }

    /** A quoted pattern becomes code, which Markdown prints as it is typed. */
    private static String text(String... lines) {
        String line =
                String.join(" ", lines).replaceAll(" +", " ").replaceAll("(?<![`\\w])'[^' `]*\\*[^' `]*'", "`$0`");
        return GeneratedPage.escaped(line).strip();
    }
}
