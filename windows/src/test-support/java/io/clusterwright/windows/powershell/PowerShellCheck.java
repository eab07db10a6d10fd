package io.clusterwright.windows.powershell;

import static org.assertj.core.api.Assertions.assertThat;

import io.clusterwright.windows.powershell.ParsedScript.Command;
import io.clusterwright.windows.powershell.ParsedScript.Element;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Comparator;
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
 * Checks that generated scripts are PowerShell and call nothing but published cmdlets, each in one of its published parameter sets:
 * names, types, mandatory parameters, allowed words.
 *
 * <p>The sets are in {@code cmdlets.txt} beside this class, which names their sources.
 */
public final class PowerShellCheck {
    private static final Map<String, List<ParameterSet>> CMDLETS = new HashMap<>();
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
            if (own.contains(name) || PROGRAMS.contains(name)) {
                continue;
            }
            List<ParameterSet> sets = CMDLETS.getOrDefault(name, List.of());
            if (sets.isEmpty()) {
                problems.add(command.at() + ": there is no " + command.name());
                continue;
            }
            problems(sets, command).forEach(problem -> problems.add(command.at() + ": " + problem));
        }
        return problems;
    }

    /** Of the sets of a cmdlet, that counts which comes nearest to the call. */
    private static List<String> problems(List<ParameterSet> sets, Command command) {
        List<String> names = command.elements().stream()
                .filter(Element::parameter)
                .map(Element::text)
                .toList();
        boolean known = names.stream().allMatch(name -> sets.stream().anyMatch(set -> set.has(name)));
        List<ParameterSet> meant =
                sets.stream().filter(set -> names.stream().allMatch(set::has)).toList();
        if (known && meant.isEmpty()) {
            return List.of("no parameter set of " + command.name() + " has all of " + String.join(" ", names));
        }
        return (known ? meant : sets)
                .stream()
                        .map(set -> set.problems(command))
                        .min(Comparator.comparingInt(List::size))
                        .orElseThrow();
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
        ParameterSet set = ParameterSet.parse(line);
        CMDLETS.computeIfAbsent(lower(set.cmdlet()), name -> new ArrayList<>()).add(set);
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
