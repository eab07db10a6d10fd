package io.clusterwright.examples.cli;

import io.clusterwright.core.internal.json.JsonFields;
import io.clusterwright.core.internal.text.NearestName;
import io.clusterwright.core.internal.text.Reason;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

@Command(name = "help", description = "Explains a command, the code of a finding, or a topic of the manual.")
final class HelpCommand extends ProgramCommand {
    private static final String TOPICS = "topics";
    private static final String SUFFIX = ".md";
    private static final int SCREEN = 20;
    private static final Pattern CODE = Pattern.compile("(?i)CW(-.*)?");
    private static final Pattern FAMILY = Pattern.compile("(?i)CW-[A-Z]+");
    private static final Pattern CODE_TITLE = Pattern.compile("(?m)^### (CW-[A-Z]+-[0-9]{3})$");
    private static final List<String> CODE_PAGES = List.of("findings.md", "failures.md");

    @Parameters(
            arity = "0..*",
            paramLabel = "COMMAND|CODE|TOPIC",
            description = "A command, such as batch create; a code, such as CW-NET-001; a family of codes, such as"
                    + " CW-NET; a page of the manual, such as slurm; or topics, which lists the pages.")
    private List<String> words = List.of();

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Override
    public Integer call() {
        CommandLine command = spec.root().commandLine();
        for (String word : words) {
            CommandLine next = command.getSubcommands().get(word);
            if (next == null) {
                return about(word);
            }
            command = next;
        }
        return text(String.join(" ", words), command.getUsageMessage().stripTrailing(), "");
    }

    private int about(String word) {
        Path folder = manual().orElseThrow(() -> new RefusedException("there is no command " + word
                + ", and this copy of the program comes without its manual: read the folder docs of the sources"));
        SortedMap<String, Path> pages = pages(folder);
        if (word.equals(TOPICS)) {
            return print(
                    pages.entrySet(),
                    page -> JsonFields.of("topic", page.getKey())
                            .and("page", page.getValue().toString()),
                    List.of("TOPIC", "ABOUT"),
                    page -> List.of(page.getKey(), title(page.getValue())));
        }
        if (FAMILY.matcher(word).matches()) {
            return family(folder, word.toUpperCase(Locale.ROOT));
        }
        if (CODE.matcher(word).matches()) {
            return code(folder, word.toUpperCase(Locale.ROOT));
        }
        Path page = pages.get(word);
        if (page == null) {
            List<String> known = new ArrayList<>(pages.keySet());
            known.addAll(spec.root().subcommands().keySet());
            throw new RefusedException("there is no command or topic " + word + "; "
                    + NearestName.question(word, known).orElse("clusterwright help topics lists the topics"));
        }
        return text(word, title(page) + "\n\n" + opening(page), page.toString());
    }

    private int code(Path folder, String code) {
        List<String> known = new ArrayList<>();
        for (String name : CODE_PAGES) {
            Path page = folder.resolve(name);
            CODE_TITLE.matcher(read(page)).results().forEach(title -> known.add(title.group(1)));
            Matcher section = Pattern.compile("(?ms)^### " + Pattern.quote(code) + "\n\n(.*?)(?=^##|\\z)")
                    .matcher(read(page));
            if (section.find()) {
                return text(code, plain(section.group(1)), page + "#" + code.toLowerCase(Locale.ROOT));
            }
        }
        throw new RefusedException("no finding has the code " + code
                + NearestName.of(code, known)
                        .map(near -> "; did you mean " + near + "?")
                        .orElse("") + "; the codes are in " + folder.resolve(CODE_PAGES.get(0)));
    }

    /** Lists the codes of a family, each with its first sentence. */
    private int family(Path folder, String family) {
        Pattern section = Pattern.compile("(?ms)^### (" + family
                + "-[0-9]{3})\n\n(?:\\* \\*\\*Line\\*\\*.*?\\*\\*Means\\*\\*: )?(.*?\\.)(?=\\s)");
        SortedMap<String, String> codes = new TreeMap<>();
        for (String name : CODE_PAGES) {
            Matcher found = section.matcher(read(folder.resolve(name)));
            while (found.find()) {
                codes.put(found.group(1), plain(found.group(2)).replaceAll("\\s+", " "));
            }
        }
        if (codes.isEmpty()) {
            throw new RefusedException(
                    "no code begins with " + family + "; the families are in " + folder.resolve(CODE_PAGES.get(0)));
        }
        return print(
                codes.entrySet(),
                code -> JsonFields.of("code", code.getKey()).and("text", code.getValue()),
                List.of("CODE", "ABOUT"),
                code -> List.of(code.getKey(), code.getValue()));
    }

    private int text(String topic, String text, String page) {
        return print(() -> JsonFields.of("topic", topic).and("text", text).and("page", page), () -> {
            out.println(text);
            if (!page.isEmpty()) {
                out.println("\nMore: " + page);
            }
        });
    }

    /** The folder of the manual, in the sources that this program was built from. */
    private static Optional<Path> manual() {
        try {
            Path folder = Path.of(HelpCommand.class
                    .getProtectionDomain()
                    .getCodeSource()
                    .getLocation()
                    .toURI());
            while (folder != null && !Files.isRegularFile(folder.resolve("docs").resolve(CODE_PAGES.get(0)))) {
                folder = folder.getParent();
            }
            return Optional.ofNullable(folder).map(found -> found.resolve("docs"));
        } catch (URISyntaxException e) {
            return Optional.empty();
        }
    }

    private static SortedMap<String, Path> pages(Path folder) {
        SortedMap<String, Path> pages = new TreeMap<>();
        try (Stream<Path> files = Files.list(folder)) {
            files.forEach(file -> {
                String name = String.valueOf(file.getFileName());
                if (name.endsWith(SUFFIX)) {
                    pages.put(name.substring(0, name.length() - SUFFIX.length()), file);
                }
            });
        } catch (IOException e) {
            throw new RefusedException("cannot read the folder " + folder + ": " + Reason.of(e));
        }
        return pages;
    }

    private static String title(Path page) {
        return read(page).lines().findFirst().orElse("").replaceFirst("^# *", "");
    }

    /** The text of a page from its title to its first part, at most a screen of it. */
    private static String opening(Path page) {
        String text = read(page).replaceFirst("^# .*\n+", "");
        return plain(text.split("(?m)^##", 2)[0])
                .lines()
                .limit(SCREEN)
                .collect(Collectors.joining("\n"))
                .strip();
    }

    /** Text for a terminal: without the marks of Markdown. */
    private static String plain(String text) {
        return text.replaceAll("\\[([^]]*)]\\([^)]*\\)", "$1")
                .replace("**", "")
                .replaceAll("\\\\([*<])", "$1")
                .strip();
    }

    private static String read(Path page) {
        try {
            return Files.readString(page);
        } catch (IOException e) {
            throw new RefusedException("cannot read " + page + ": " + Reason.of(e));
        }
    }
}
