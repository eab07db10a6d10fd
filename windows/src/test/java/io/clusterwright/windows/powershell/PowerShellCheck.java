package io.clusterwright.windows.powershell;

import static org.assertj.core.api.Assertions.assertThat;

import io.clusterwright.windows.powershell.ParsedScript.Command;
import io.clusterwright.windows.powershell.ParsedScript.Parameter;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * Checks that generated scripts are PowerShell and call nothing but cmdlets, parameters and words that exist.
 *
 * <p>What exists is in {@code cmdlets.txt} beside this class.
 */
public final class PowerShellCheck {
    private static final Set<String> COMMON = Set.of(
            "erroraction",
            "errorvariable",
            "warningaction",
            "warningvariable",
            "verbose",
            "debug",
            "outvariable",
            "outbuffer",
            "pipelinevariable");
    private static final Set<String> HPC = Set.of("scheduler", "clusterconnectionstring");
    private static final Map<String, Map<String, Set<String>>> CMDLETS = new HashMap<>();
    private static final Set<String> PROGRAMS = new TreeSet<>();

    static {
        text("cmdlets.txt")
                .lines()
                .filter(line -> !line.isBlank() && !line.startsWith("#"))
                .forEach(PowerShellCheck::learn);
    }

    private PowerShellCheck() {}

    /** Fails with all that is wrong with a script. */
    public static void check(String name, String script) {
        check(Map.of(name, script));
    }

    /** Fails with all that is wrong with these scripts, by their names; one run of the grammar reads them all. */
    public static void check(Map<String, String> scripts) {
        assertThat(problems(scripts)).as("problems of " + scripts.keySet()).isEmpty();
    }

    /** All that is wrong with these scripts. */
    public static List<String> problems(Map<String, String> scripts) {
        Map<String, String> ordered = new LinkedHashMap<>(scripts);
        List<ParsedScript> parsed = PowerShellGrammar.read(List.copyOf(ordered.values()));
        List<String> problems = new ArrayList<>();
        int at = 0;
        for (String name : ordered.keySet()) {
            for (String problem : problems(parsed.get(at++))) {
                problems.add(name + ":" + problem);
            }
        }
        return problems;
    }

    private static List<String> problems(ParsedScript script) {
        List<String> problems = new ArrayList<>();
        script.errors().forEach(error -> problems.add(error + " is no PowerShell"));
        Set<String> own =
                script.functions().stream().map(PowerShellCheck::lower).collect(Collectors.toSet());
        for (Command command : script.commands()) {
            String name = lower(base(command.name()));
            Map<String, Set<String>> known = CMDLETS.get(name);
            if (own.contains(name) || PROGRAMS.contains(name)) {
                continue;
            }
            if (known == null) {
                problems.add(command.at() + ": there is no " + command.name());
                continue;
            }
            for (Parameter parameter : command.parameters()) {
                problem(name, parameter, known).ifPresent(text -> problems.add(command.at() + ": " + text));
            }
        }
        return problems;
    }

    private static java.util.Optional<String> problem(
            String cmdlet, Parameter parameter, Map<String, Set<String>> known) {
        String name = lower(parameter.name().substring(1));
        Set<String> words = known.get(name);
        String value = parameter.value();
        if (words == null) {
            boolean general = COMMON.contains(name) || cmdlet.contains("-hpc") && HPC.contains(name);
            return general ? java.util.Optional.empty() : java.util.Optional.of(cmdlet + " has no " + parameter.name());
        }
        boolean literal = value != null && value.matches("'[^']*'|[A-Za-z]+");
        return words.isEmpty() || !literal || words.contains(lower(value.replace("'", "")))
                ? java.util.Optional.empty()
                : java.util.Optional.of(parameter.name() + " of " + cmdlet + " takes " + words + ", not " + value);
    }

    /** The name without the folder and the quotes that a path to a script has. */
    private static String base(String name) {
        String bare = name.replaceAll("[\"']", "");
        return bare.substring(Math.max(bare.lastIndexOf('\\'), bare.lastIndexOf('/')) + 1);
    }

    private static void learn(String line) {
        String[] words = line.split(" ");
        if (words[0].equals("program")) {
            PROGRAMS.add(lower(words[1]));
            return;
        }
        Map<String, Set<String>> parameters = new HashMap<>();
        for (int i = 1; i < words.length; i++) {
            String[] parts = words[i].split("[{},]");
            parameters.put(
                    lower(parts[0]),
                    java.util.Arrays.stream(parts)
                            .skip(1)
                            .map(PowerShellCheck::lower)
                            .collect(Collectors.toCollection(TreeSet::new)));
        }
        CMDLETS.put(lower(words[0]), parameters);
    }

    private static String text(String resource) {
        try (InputStream in = PowerShellCheck.class.getResourceAsStream(resource)) {
            return new String(Objects.requireNonNull(in, resource).readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String lower(String text) {
        return text.toLowerCase(Locale.ROOT);
    }
}
