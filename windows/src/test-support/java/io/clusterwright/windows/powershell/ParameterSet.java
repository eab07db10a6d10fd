package io.clusterwright.windows.powershell;

import io.clusterwright.windows.powershell.ParsedScript.Command;
import io.clusterwright.windows.powershell.ParsedScript.Element;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * One way of calling a cmdlet, as its published syntax says.
 *
 * @param cmdlet the name
 * @param parameters the parameters in the order of the syntax, by their names in lower case
 */
record ParameterSet(String cmdlet, Map<String, Parameter> parameters) {
    private static final Pattern PARAMETER =
            Pattern.compile("(\\+?)([A-Za-z]+)(?::([A-Za-z0-9]+(?:\\[])?))?(?:\\{([^}]*)})?(@?)(<?)");
    private static final Pattern LITERAL = Pattern.compile("'((?:[^']++|'')*+)'");
    private static final Parameter COMMON = new Parameter("common", "Any", Set.of(), false, false, false);
    private static final Set<String> COMMON_NAMES = Set.of(
            "erroraction",
            "errorvariable",
            "warningaction",
            "warningvariable",
            "outvariable",
            "outbuffer",
            "pipelinevariable");
    private static final Parameter SWITCH = new Parameter("common", "", Set.of(), false, false, false);
    private static final Set<String> COMMON_SWITCHES = Set.of("verbose", "debug");
    private static final Parameter CLUSTER = new Parameter("cluster", "String[]", Set.of(), false, false, false);
    private static final Set<String> CLUSTER_NAMES = Set.of("scheduler", "clusterconnectionstring");

    /**
     * A parameter.
     *
     * @param type the type, such as {@code String[]}; empty for a switch, which takes no value
     * @param words the words that are allowed, in lower case; empty where any value of the type is
     */
    record Parameter(
            String name, String type, Set<String> words, boolean mandatory, boolean positional, boolean piped) {
        private boolean isSwitch() {
            return type.isEmpty();
        }
    }

    /** Reads a line: the name, then {@code +Mandatory:Type{word,word}@<}, with {@code @} for a positional one and {@code <} for one that a pipeline may give. */
    static ParameterSet parse(String line) {
        String[] words = line.split(" ");
        Map<String, Parameter> parameters = new LinkedHashMap<>();
        for (int i = 1; i < words.length; i++) {
            Matcher parts = PARAMETER.matcher(words[i]);
            if (!parts.matches()) {
                throw new IllegalArgumentException(words[i] + " in: " + line);
            }
            Set<String> allowed = parts.group(4) == null
                    ? Set.of()
                    : Stream.of(parts.group(4).split(","))
                            .map(ParameterSet::lower)
                            .collect(Collectors.toCollection(TreeSet::new));
            parameters.put(
                    lower(parts.group(2)),
                    new Parameter(
                            parts.group(2),
                            parts.group(3) == null ? "" : parts.group(3),
                            allowed,
                            !parts.group(1).isEmpty(),
                            !parts.group(5).isEmpty(),
                            !parts.group(6).isEmpty()));
        }
        return new ParameterSet(words[0], parameters);
    }

    /** What is wrong with a call when it is meant in this way; the fewest of all sets of a cmdlet are those that count. */
    List<String> problems(Command call) {
        List<String> problems = new ArrayList<>();
        Map<String, String> given = new HashMap<>();
        List<String> loose = new ArrayList<>();
        List<Element> elements = call.elements();
        for (int i = 0; i < elements.size(); i++) {
            Element element = elements.get(i);
            if (!element.parameter()) {
                loose.add(element.text());
                continue;
            }
            String name = lower(element.text().substring(1));
            Parameter parameter = find(name).orElse(null);
            boolean joined = i + 1 < elements.size() && elements.get(i + 1).joined();
            if (parameter == null) {
                problems.add(cmdlet + " has no " + element.text());
                i += i + 1 < elements.size() && !elements.get(i + 1).parameter() ? 1 : 0;
            } else if (given.put(name, "") != null) {
                problems.add(element.text() + " of " + cmdlet + " stands twice");
            } else if (parameter.isSwitch()) {
                i += joined ? 1 : 0;
            } else if (i + 1 == elements.size() || elements.get(i + 1).parameter()) {
                problems.add(element.text() + " of " + cmdlet + " has no value");
            } else {
                value(element.text(), parameter, elements.get(++i).text()).ifPresent(problems::add);
            }
        }
        positional(given, loose, problems);
        for (Parameter parameter : parameters.values()) {
            boolean piped = call.piped() && parameter.piped();
            if (parameter.mandatory() && !piped && !given.containsKey(lower(parameter.name()))) {
                problems.add(cmdlet + " needs -" + parameter.name());
            }
        }
        return problems;
    }

    private void positional(Map<String, String> given, List<String> loose, List<String> problems) {
        List<Parameter> places = parameters.values().stream()
                .filter(Parameter::positional)
                .filter(parameter -> !given.containsKey(lower(parameter.name())))
                .toList();
        for (int i = 0; i < loose.size(); i++) {
            if (i >= places.size()) {
                problems.add(cmdlet + " has no place for " + loose.get(i));
            } else {
                given.put(lower(places.get(i).name()), "");
                value("-" + places.get(i).name(), places.get(i), loose.get(i)).ifPresent(problems::add);
            }
        }
    }

    /** Whether the parameter with this name, which has its dash, is one of this set or of all cmdlets. */
    boolean has(String name) {
        return find(lower(name.substring(1))).isPresent();
    }

    private Optional<Parameter> find(String name) {
        if (parameters.containsKey(name)) {
            return Optional.of(parameters.get(name));
        }
        if (COMMON_NAMES.contains(name)) {
            return Optional.of(COMMON);
        }
        if (COMMON_SWITCHES.contains(name)) {
            return Optional.of(SWITCH);
        }
        boolean cluster = lower(cmdlet).contains("-hpc") && !cmdlet.endsWith(".ps1") && CLUSTER_NAMES.contains(name);
        return cluster ? Optional.of(CLUSTER) : Optional.empty();
    }

    /** What a script computes can be anything; what it says literally must be of the type. */
    private Optional<String> value(String name, Parameter parameter, String text) {
        boolean array = text.startsWith("@(") || text.matches("'[^']*'(,\\s*'[^']*')+");
        List<String> literals =
                LITERAL.matcher(text).results().map(found -> found.group(1)).toList();
        boolean word = text.matches("[A-Za-z][A-Za-z0-9_.:\\\\-]*");
        boolean number = text.matches("-?[0-9]+");
        boolean literal = word || number || text.startsWith("'") || text.startsWith("\"") || array;
        String type = parameter.type();
        String element = type.replace("[]", "");
        if (array && !type.endsWith("[]") && !type.equals("Any")) {
            return wrong(name, "one " + element, text);
        }
        boolean fits = switch (element) {
            case "Any", "String" -> true;
            case "Int32", "UInt32" -> !literal || number;
            case "Boolean" -> !literal && !text.startsWith("{");
            case "ScriptBlock" -> text.startsWith("{") || text.startsWith("$");
            // An enumeration takes its words; an object can only come from a variable or a command.
            default -> !parameter.words().isEmpty() || !literal;
        };
        if (!fits) {
            return wrong(name, type, text);
        }
        List<String> said = word ? List.of(text) : literals;
        boolean allowed = parameter.words().isEmpty()
                || text.startsWith("$")
                || text.startsWith("(")
                || said.stream().allMatch(one -> parameter.words().contains(lower(one)));
        return allowed ? Optional.empty() : wrong(name, parameter.words().toString(), text);
    }

    private Optional<String> wrong(String name, String wanted, String text) {
        return Optional.of(name + " of " + cmdlet + " takes " + wanted + ", not " + text);
    }

    private static String lower(String text) {
        return text.toLowerCase(Locale.ROOT);
    }
}
