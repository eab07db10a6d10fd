package io.clusterwright.mpi.internal.launch;

import io.clusterwright.core.internal.text.PosixShell;
import io.clusterwright.mpi.internal.data.DataFile;
import io.clusterwright.mpi.internal.data.DataFile.DataRow;
import io.clusterwright.mpi.preset.MpiPresets;
import io.clusterwright.mpi.preset.VersionRange;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The scripts and modules that come with MPIs, and what they do on a node. */
public final class MpiSetups {
    private static final List<DataRow> WAYS = List.copyOf(DataFile.read(MpiPresets.class, "presets.yaml").stream()
            .flatMap(preset -> preset.rows("setup").stream())
            .collect(Collectors.toMap(
                    way -> List.of(
                            way.texts("scripts"), way.texts("arguments"), way.text("call", ""), way.texts("modules")),
                    way -> way,
                    (first, second) -> first,
                    LinkedHashMap::new))
            .values());
    private static final Pattern DONE = Pattern.compile("\\+\\+ (\\d{1,3}) (/\\S*) (\\S+) (\\S+)");
    /** Variables of the shell and of environment modules, which are no part of an MPI's environment. */
    private static final Pattern FOREIGN = Pattern.compile("_.*|PWD|OLDPWD|SHLVL|LOADEDMODULES|MODULE.*|OLD_.*");

    private static final Pattern NAME = Pattern.compile("[A-Za-z_][A-Za-z0-9_]*");

    private final List<Effect> effects;

    private MpiSetups(List<Effect> effects) {
        this.effects = effects;
    }

    /** Lines of shell that call {@code set_up} for each way there is on a node: its number, a command, a module, a script, arguments. */
    static String script() {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < WAYS.size(); i++) {
            DataRow way = WAYS.get(i);
            String call = PosixShell.quote(way.text("call", ""));
            String arguments = way.texts("arguments").stream()
                    .map(word -> " " + PosixShell.quote(word))
                    .collect(Collectors.joining());
            text.append("    found=\n");
            for (String pattern : way.texts("scripts")) {
                text.append("    for file in ")
                        .append(PosixShell.pattern(pattern))
                        .append("; do\n        if [ -z \"$found\" ] && [ -r \"$file\" ]; then set_up ")
                        .append(i)
                        .append(' ')
                        .append(call)
                        .append(" '' \"$file\"")
                        .append(arguments)
                        .append("; had=yes; fi\n    done\n    found=$had\n");
            }
            for (String module : way.texts("modules")) {
                text.append("    if [ -z \"$found\" ] && [ -n \"$modules\" ]; then set_up ")
                        .append(i)
                        .append(" '' ")
                        .append(PosixShell.quote(module))
                        .append(" ''; fi\n");
            }
            text.append("    had=\n");
        }
        return text.toString();
    }

    /** Reads what that printed. */
    static MpiSetups read(Stream<String> lines) {
        List<Effect> effects = new ArrayList<>();
        lines.forEach(line -> {
            Matcher done = DONE.matcher(line);
            if (done.matches() && Integer.parseInt(done.group(1)) < WAYS.size()) {
                effects.add(new Effect(
                        WAYS.get(Integer.parseInt(done.group(1))),
                        folder(done.group(2)),
                        difference(variables(done.group(3)), variables(done.group(4)))));
            }
        });
        return new MpiSetups(effects);
    }

    /** The variables that a way to an installation sets: that for its version, or else the first that leads to the launcher's folder. */
    Map<String, String> environment(String launcher, String version) {
        List<Effect> own = effects.stream()
                .filter(effect -> effect.folder.equals(folder(launcher)))
                .toList();
        Optional<Effect> fitting = own.stream()
                .filter(effect ->
                        VersionRange.parse(effect.way.text("versions")).contains(version))
                .findFirst();
        return fitting.or(() -> own.stream().findFirst())
                .map(effect -> effect.variables)
                .orElse(Map.of());
    }

    private static String folder(String path) {
        return path.substring(0, path.lastIndexOf('/') + 1);
    }

    private static Map<String, String> variables(String encoded) {
        Map<String, String> variables = new HashMap<>();
        String text = new String(Base64.getDecoder().decode(encoded), StandardCharsets.UTF_8);
        for (String variable : text.split("\0")) {
            int equals = variable.indexOf('=');
            if (equals > 0) {
                variables.put(variable.substring(0, equals), variable.substring(equals + 1));
            }
        }
        return variables;
    }

    private static Map<String, String> difference(Map<String, String> before, Map<String, String> after) {
        Map<String, String> changed = new LinkedHashMap<>();
        after.keySet().stream()
                .sorted()
                .filter(name -> NAME.matcher(name).matches()
                        && !FOREIGN.matcher(name).matches()
                        && !after.get(name).equals(before.get(name)))
                .forEach(name -> changed.put(name, after.get(name)));
        return changed;
    }

    /** The effect of one way on a node: the folder of the launcher that comes first then, and the variables that changed. */
    private record Effect(DataRow way, String folder, Map<String, String> variables) {}
}
