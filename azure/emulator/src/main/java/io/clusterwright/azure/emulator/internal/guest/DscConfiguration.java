package io.clusterwright.azure.emulator.internal.guest;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.clusterwright.azure.emulator.internal.arm.Bodies;
import io.clusterwright.core.internal.json.Json;
import io.clusterwright.core.internal.text.TextResource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * A published DSC configuration with its parameters, as PowerShell reads them: without regard to case.
 *
 * @param disks the number of disks it waits for, including the disk of the system and the disk for temporary files
 * @param required the names it cannot do without
 * @param credentials for each name whether it is a credential
 */
record DscConfiguration(String name, int disks, List<String> required, Map<String, Boolean> credentials) {
    private static final String BASE =
            "https://raw.githubusercontent.com/Azure/hpcpack-template/master/SharedResources/Generated/";
    private static final String FILE = "dsc-configurations.txt";
    private static final List<DscConfiguration> ALL = TextResource.read(
                    DscConfiguration.class.getResourceAsStream(FILE), FILE)
            .lines()
            .filter(line -> !line.isBlank() && !line.startsWith("#"))
            .map(DscConfiguration::parse)
            .toList();

    private static DscConfiguration parse(String line) {
        String[] words = line.split(" ");
        Map<String, Boolean> credentials = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
        Stream.of(words)
                .skip(2)
                .forEach(word -> credentials.put(word.replaceAll("\\*|=.*", ""), word.endsWith("=credential")));
        return new DscConfiguration(
                words[0],
                Integer.parseInt(words[1]),
                Stream.of(words)
                        .filter(word -> word.startsWith("*"))
                        .map(word -> word.replaceAll("\\*|=.*", ""))
                        .toList(),
                credentials);
    }

    /** The configuration that the settings of the DSC extension name; empty for an archive that is not known. */
    static Optional<DscConfiguration> of(JsonNode settings) {
        String url = Bodies.text(settings, "configuration.url");
        return ALL.stream()
                .filter(each -> url.equals(BASE + each.name() + ".ps1.zip"))
                .findFirst();
    }

    /** The arguments that a configuration gets, from both kinds of settings. */
    static ObjectNode arguments(JsonNode extension) {
        ObjectNode all = Json.object();
        for (String settings : List.of("settings", "protectedSettings")) {
            if (Bodies.at(extension, settings + ".configurationArguments") instanceof ObjectNode given) {
                all.setAll(given);
            }
        }
        return all;
    }

    /** The first reason why PowerShell cannot call it; empty without one. */
    Optional<String> problem(JsonNode settings, ObjectNode arguments) {
        String script = Bodies.text(settings, "configuration.script");
        String function = Bodies.text(settings, "configuration.function");
        if (!script.equalsIgnoreCase(name + ".ps1")) {
            return Optional.of("The configuration archive has no script '" + script + "'");
        }
        if (!function.equalsIgnoreCase(name)) {
            return Optional.of("The script '" + script + "' has no configuration '" + function + "'");
        }
        Map<String, JsonNode> given = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
        arguments.properties().forEach(entry -> given.put(entry.getKey(), entry.getValue()));
        Optional<String> unknown = given.keySet().stream()
                .filter(name -> !credentials.containsKey(name))
                .findFirst()
                .map(name -> "A parameter cannot be found that matches parameter name '" + name + "'");
        Optional<String> missing = required.stream()
                .filter(name -> !given.containsKey(name)
                        || given.get(name).isTextual()
                                && given.get(name).textValue().isEmpty())
                .findFirst()
                .map(name -> "Cannot process command because of one or more missing mandatory parameters: " + name);
        Optional<String> wrong = given.entrySet().stream()
                .filter(entry -> credentials.getOrDefault(entry.getKey(), false) != isCredential(entry.getValue()))
                .findFirst()
                .map(entry -> "Cannot process argument transformation on parameter '" + entry.getKey() + "'");
        return unknown.or(() -> missing).or(() -> wrong);
    }

    private static boolean isCredential(JsonNode value) {
        return !Bodies.text(value, "UserName").isEmpty()
                && !Bodies.text(value, "Password").isEmpty();
    }
}
