package io.clusterwright.windows.internal.jobs;

import io.clusterwright.core.type.InvalidValueException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * A run of a program under {@code mpiexec} of MS-MPI, put together option by option. Not safe for use by several threads.
 *
 * <p>Without a number of ranks it starts one on each core of the job. Source: microsoft/Microsoft-MPI @f2d849f.
 */
public final class MpiExec {
    private static final int MOST_RANKS = 32_768;
    private static final int LONGEST_FOLDER = 260;
    private static final int LONGEST_VALUE = 4096;
    private static final Pattern LAYOUT =
            Pattern.compile("(?:[0-3]|spr|seq|bal)(?::[LPN]){0,2}", Pattern.CASE_INSENSITIVE);
    private static final Pattern VARIABLE = Pattern.compile("[A-Za-z_][A-Za-z0-9_.]*");

    private final List<String> program;
    private final Map<String, List<String>> options = new LinkedHashMap<>();
    private final Map<String, String> environment = new LinkedHashMap<>();

    private MpiExec(List<String> program) {
        this.program = List.copyOf(program);
    }

    /**
     * A run with MS-MPI's own defaults.
     *
     * @param program the name or path of the program and its arguments
     * @throws InvalidValueException when it is empty or begins with something that mpiexec takes for an option
     */
    public static MpiExec of(List<String> program) {
        String first = program.isEmpty() ? "" : program.get(0);
        if (first.isEmpty() || first.startsWith("-") || first.startsWith("/") || program.contains(":")) {
            throw new InvalidValueException(
                    "program for mpiexec",
                    String.join(" ", program),
                    "a program that does not start with '-' or '/', and no lone ':' as an argument",
                    "mpipingpong");
        }
        return new MpiExec(program);
    }

    /** The number of ranks, 1 to 32768. */
    public MpiExec ranks(int ranks) {
        return option("-n", number("number of ranks", ranks));
    }

    /** The number of cores of each node that get a rank: {@code -c}. */
    public MpiExec coresPerNode(int cores) {
        return option("-c", number("number of cores per node", cores));
    }

    /** Binds each rank to a core, spread as far apart as can be. */
    public MpiExec affinity() {
        return option("-affinity");
    }

    /**
     * Binds ranks in another way.
     *
     * @param layout {@code spr}, {@code seq} or {@code bal}, or 0 for none, and up to two of {@code L}, {@code P}, {@code N} after
     *     colons, such as {@code seq:P:L}
     * @throws InvalidValueException when it is another text
     */
    public MpiExec affinityLayout(String layout) {
        if (!LAYOUT.matcher(layout).matches()) {
            throw new InvalidValueException(
                    "affinity layout", layout, "0 to 3, spr, seq or bal, then up to two of :L, :P and :N", "spr:P:L");
        }
        return option("-affinity_layout", layout);
    }

    /**
     * Sets a variable for the ranks; a later one of the same name wins. {@code MPICH_NETMASK} is checked, for MS-MPI
     * would ignore a bad one.
     *
     * @throws InvalidValueException when the name is malformed, the value has more than 4096 characters, or a mask cannot be read
     */
    public MpiExec env(String name, String value) {
        if (!VARIABLE.matcher(name).matches()) {
            throw new InvalidValueException(
                    "variable name",
                    name,
                    "letters, digits, '_' or '.', not starting with a digit",
                    "MSMPI_PRECONNECT");
        }
        if (value.length() > LONGEST_VALUE) {
            throw new InvalidValueException("value of " + name, value, "at most 4096 characters", "1");
        }
        environment.put(name, Netmask.checked(name, value));
        return this;
    }

    /** The folder the program starts in, at most 260 characters. */
    public MpiExec workingDirectory(String folder) {
        if (folder.isEmpty() || folder.chars().anyMatch(c -> c < ' ' || c == '"')) {
            throw new InvalidValueException(
                    "working folder", folder, "text without quotes or control characters", "\\\\hn\\work");
        }
        if (folder.length() > LONGEST_FOLDER) {
            throw new InvalidValueException("working folder", folder, "at most 260 characters", "\\\\hn\\work");
        }
        return option("-wdir", folder);
    }

    /** The words of the command, {@code mpiexec} first. */
    public List<String> command() {
        List<String> words = new ArrayList<>(List.of("mpiexec"));
        options.forEach((name, values) -> {
            words.add(name);
            words.addAll(values);
        });
        environment.forEach((name, value) -> words.addAll(List.of("-env", name, value)));
        words.addAll(program);
        return List.copyOf(words);
    }

    private MpiExec option(String name, String... values) {
        options.put(name, List.of(values));
        return this;
    }

    private static String number(String what, int value) {
        if (value < 1 || value > MOST_RANKS) {
            throw new InvalidValueException(what, value, "1 to " + MOST_RANKS, "1");
        }
        return Integer.toString(value);
    }
}
