package io.clusterwright.mpi.internal.command;

import io.clusterwright.core.internal.text.PosixShell;
import io.clusterwright.mpi.internal.data.DataFile;
import io.clusterwright.mpi.internal.data.DataFile.DataRow;
import io.clusterwright.mpi.job.MpiInstallation;
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
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The scripts and modules that come with MPIs, and what they do on a node. */
public final class MpiSetups {
    private static final List<DataRow> SETUPS = List.copyOf(DataFile.read(MpiPresets.class, "presets.yaml").stream()
            .flatMap(preset -> preset.rows("setup").stream())
            .collect(Collectors.toMap(
                    setup -> List.of(
                            setup.texts("scripts"),
                            setup.texts("arguments"),
                            setup.text("call", ""),
                            setup.texts("modules")),
                    setup -> setup,
                    (first, second) -> first,
                    LinkedHashMap::new))
            .values());
    private static final Pattern DONE = Pattern.compile("\\+\\+ (\\d{1,3}) (/\\S*) (\\S+) (\\S+)");
    /** Variables of the shell and of environment modules, which are no part of an MPI's environment. */
    private static final Pattern FOREIGN = Pattern.compile("_.*|PWD|OLDPWD|SHLVL|LOADEDMODULES|MODULE.*|OLD_.*");

    private final List<Effect> effects;

    private MpiSetups(List<Effect> effects) {
        this.effects = effects;
    }

    /** Lines of shell that call {@code set_up} for each way there is on a node: its number, a command, a module, a script, arguments. */
    public static String script() {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < SETUPS.size(); i++) {
            DataRow setup = SETUPS.get(i);
            String call = PosixShell.quote(setup.text("call", ""));
            String arguments = setup.texts("arguments").stream()
                    .map(word -> " " + PosixShell.quote(word))
                    .collect(Collectors.joining());
            text.append("    found=\n");
            for (String pattern : setup.texts("scripts")) {
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
            for (String module : setup.texts("modules")) {
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

    /** The first way to set up a version of the MPI of the presets whose names begin so, those for the version first. */
    public static Optional<DataRow> of(String preset, String version) {
        List<DataRow> named = DataFile.read(MpiPresets.class, "presets.yaml").stream()
                .filter(row -> row.text("name").startsWith(preset))
                .toList();
        return Stream.concat(named.stream().filter(row -> isFor(row, version)), named.stream())
                .flatMap(row -> row.rows("setup").stream())
                .filter(setup -> isFor(setup, version))
                .findFirst();
    }

    private static boolean isFor(DataRow row, String version) {
        return VersionRange.of(row.text("versions")).contains(version);
    }

    /**
     * The first of {@code scripts} that is there is sourced with {@code arguments}, and the command {@code call} that it defines is called;
     * where there is none, the first of {@code modules} that can be loaded is loaded; and where {@code launcher} is then not found by its
     * name, the first of {@code folders} that holds one goes onto the path. Nothing is done where the variable {@code unless} is set.
     *
     * <p>A function has its own arguments, so that the arguments of the caller do not reach the script.
     */
    public static String text(DataRow row) {
        StringBuilder text = new StringBuilder("cw_set_up_mpi() {\n");
        String unless = row.text("unless", "");
        if (!unless.isEmpty()) {
            text.append("    if [ -n \"${" + unless + ":-}\" ]; then\n        return 0\n    fi\n");
        }
        List<String> scripts = row.texts("scripts");
        if (!scripts.isEmpty()) {
            List<String> arguments = row.texts("arguments");
            String call = row.text("call", "");
            text.append("    for cw_script in ")
                    .append(patterns(scripts))
                    .append("; do\n        if [ -r \"$cw_script\" ]; then\n")
                    .append(arguments.isEmpty() ? "" : "            set -- " + PosixShell.quote(arguments) + "\n")
                    .append("            . \"$cw_script\"\n")
                    .append(call.isEmpty() ? "" : "            " + PosixShell.quote(call) + "\n")
                    .append("            return 0\n        fi\n    done\n");
        }
        List<String> modules = row.texts("modules");
        if (!modules.isEmpty()) {
            text.append("    if command -v module > /dev/null 2>&1; then\n        ")
                    .append(modules.stream()
                            .map(module -> "module load " + PosixShell.quote(module) + " 2> /dev/null")
                            .collect(Collectors.joining(" || ")))
                    .append(" || true\n    fi\n");
        }
        String launcher = row.text("launcher", "");
        if (!launcher.isEmpty()) {
            text.append("    if ! command -v ")
                    .append(PosixShell.quote(launcher))
                    .append(" > /dev/null 2>&1; then\n        for cw_folder in ")
                    .append(patterns(row.texts("folders")))
                    .append(
                            "; do\n            if [ -x \"$cw_folder/mpirun\" ] || [ -x \"$cw_folder/mpirun_rsh\" ]; then\n")
                    .append("                export PATH=\"$cw_folder:$PATH\"\n                return 0\n")
                    .append("            fi\n        done\n    fi\n");
        }
        return text.append("}\ncw_set_up_mpi\nunset -f cw_set_up_mpi\nunset cw_script cw_folder\n")
                .toString();
    }

    private static String patterns(List<String> paths) {
        return paths.stream().map(PosixShell::pattern).collect(Collectors.joining(" "));
    }

    /** Lines for bash that set up an installation whose node is not asked first. */
    public static String forJob(MpiInstallation mpi) {
        return of(mpi.flavour() + "/", mpi.version())
                .map(setup -> """
                        if ! command -v module > /dev/null 2>&1 && [ -r /etc/profile.d/modules.sh ]; then . /etc/profile.d/modules.sh; fi
                        """ + text(setup))
                .orElse("");
    }

    /** Reads what that printed. */
    public static MpiSetups read(Stream<String> lines) {
        List<Effect> effects = new ArrayList<>();
        lines.forEach(line -> {
            Matcher done = DONE.matcher(line);
            if (done.matches() && Integer.parseInt(done.group(1)) < SETUPS.size()) {
                effects.add(new Effect(
                        SETUPS.get(Integer.parseInt(done.group(1))),
                        folder(done.group(2)),
                        difference(variables(done.group(3)), variables(done.group(4)))));
            }
        });
        return new MpiSetups(effects);
    }

    /** The variables that a way to an installation sets: that for its version, or else the first that leads to the launcher's folder. */
    public Map<String, String> environment(String launcher, String version) {
        List<Effect> own = effects.stream()
                .filter(effect -> effect.folder.equals(folder(launcher)))
                .toList();
        Optional<Effect> fitting =
                own.stream().filter(effect -> isFor(effect.way, version)).findFirst();
        return fitting.or(() -> own.stream().findFirst())
                .map(effect -> effect.variables)
                .orElse(Map.of());
    }

    public static String folder(String path) {
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
        Map<String, String> changed = new TreeMap<>();
        after.forEach((name, value) -> {
            if (PosixShell.isVariable(name) && !FOREIGN.matcher(name).matches() && !value.equals(before.get(name))) {
                changed.put(name, value);
            }
        });
        return changed;
    }

    /** The effect of one way on a node: the folder of the launcher that comes first then, and the variables that changed. */
    private record Effect(DataRow way, String folder, Map<String, String> variables) {}
}
