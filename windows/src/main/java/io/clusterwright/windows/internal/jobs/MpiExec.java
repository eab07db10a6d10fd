package io.clusterwright.windows.internal.jobs;

import io.clusterwright.core.type.InvalidValueException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * A run of a program under {@code mpiexec} of MS-MPI. Immutable.
 *
 * <p>Without a number of ranks it starts one on each core of the job. Source: microsoft/Microsoft-MPI @f2d849f.
 */
public final class MpiExec {
    private static final int MOST_RANKS = 32_768;
    private static final int LONGEST_FOLDER = 260;
    private static final int LONGEST_VALUE = 4096;
    private static final Pattern LAYOUT =
            Pattern.compile("(?:[0-3]|spr|seq|bal)(?::[LPN]){0,2}", Pattern.CASE_INSENSITIVE);

    private final Builder parts;
    private final Map<String, String> environment;
    private final List<String> program;

    private MpiExec(Builder builder) {
        this.parts = builder;
        this.environment = Collections.unmodifiableMap(builder.environment);
        this.program = List.copyOf(builder.program);
    }

    /**
     * Starts with a program and MS-MPI's own defaults.
     *
     * @param program the name or path of the program and its arguments
     * @throws InvalidValueException when it is empty or begins with something that mpiexec takes for an option
     */
    public static Builder builder(List<String> program) {
        return new Builder(program);
    }

    /** Variables that MS-MPI sets for the ranks, in the order in which they were given. */
    public Map<String, String> environment() {
        return environment;
    }

    /** The words of the command, {@code mpiexec} first. */
    public List<String> command() {
        List<String> words = new ArrayList<>(List.of("mpiexec"));
        words.addAll(parts.options());
        words.addAll(program);
        return List.copyOf(words);
    }

    /** The command as it is typed where it needs no quotes. */
    @Override
    public String toString() {
        return String.join(" ", command());
    }

    /** Collects the parts of a {@link MpiExec}. */
    public static final class Builder {
        private final List<String> program;
        private final Map<String, List<String>> options = new LinkedHashMap<>();
        private final Map<String, String> environment = new LinkedHashMap<>();

        private Builder(List<String> program) {
            String first = program.isEmpty() ? "" : program.get(0);
            if (first.isEmpty() || first.startsWith("-") || first.startsWith("/") || program.contains(":")) {
                throw new InvalidValueException(
                        "program for mpiexec",
                        String.join(" ", program),
                        "a program that begins with neither '-' nor '/', and no argument ':', which begins another program",
                        "mpipingpong");
            }
            this.program = program;
        }

        /** How many ranks, 1 to 32768. */
        public Builder ranks(int ranks) {
            return option("-n", number("number of ranks", ranks, MOST_RANKS));
        }

        /** How many cores of each node, whatever its job has: {@code -c}. */
        public Builder coresPerNode(int cores) {
            return option("-c", number("number of cores per node", cores, MOST_RANKS));
        }

        /** Binds each rank to a core, spread as far apart as can be. */
        public Builder affinity() {
            return option("-affinity");
        }

        /**
         * Binds ranks in another way.
         *
         * @param layout {@code spr}, {@code seq} or {@code bal}, or 0 for none, and up to two of {@code L}, {@code P}, {@code N} after
         *     colons, such as {@code seq:P:L}
         * @throws InvalidValueException when it is none of these
         */
        public Builder affinityLayout(String layout) {
            if (!LAYOUT.matcher(layout).matches()) {
                throw new InvalidValueException(
                        "affinity layout",
                        layout,
                        "0 to 3, spr, seq or bal, then up to two of :L, :P and :N",
                        "spr:P:L");
            }
            return option("-affinity_layout", layout);
        }

        /** Keeps clear of the cores that other jobs on the node are bound to. */
        public Builder affinityAuto() {
            return option("-affinity_auto");
        }

        /**
         * Sets a variable for the ranks; a later one of the same name wins. {@code MPICH_NETMASK} is checked, for MS-MPI would ignore
         * a bad one.
         *
         * @throws InvalidValueException when the name is none, the value has more than 4096 characters, or a mask cannot be read
         */
        public Builder env(String name, String value) {
            if (value.length() > LONGEST_VALUE) {
                throw new InvalidValueException("value of " + name, value, "at most 4096 characters", "1");
            }
            environment.put(JobChecks.variable(name), Netmask.checked(name, value));
            return this;
        }

        /** The folder the program starts in, at most 260 characters. */
        public Builder workingDirectory(String folder) {
            if (folder.length() > LONGEST_FOLDER) {
                throw new InvalidValueException("working folder", folder, "at most 260 characters", "\\\\hn\\work");
            }
            return option("-wdir", JobChecks.text("working folder", folder));
        }

        /** A file with a node and its cores in each line, for jobs whose list of nodes is too long for a variable. */
        public Builder machineFile(String file) {
            return option("-machinefile", JobChecks.text("machine file", file));
        }

        /** Names the rank before each line of output. */
        public Builder lines() {
            return option("-lines");
        }

        /** Prints the exit code of every rank. */
        public Builder exitCodes() {
            return option("-exitcodes");
        }

        /** How long the run may take, in whole seconds from 1; mpiexec then ends with -2. */
        public Builder timeout(Duration timeout) {
            return option(
                    "-timeout", number("timeout in seconds", Math.toIntExact(timeout.toSeconds()), Integer.MAX_VALUE));
        }

        /** The run. */
        public MpiExec build() {
            return new MpiExec(copy());
        }

        private Builder copy() {
            Builder copy = new Builder(List.copyOf(program));
            copy.options.putAll(options);
            copy.environment.putAll(environment);
            return copy;
        }

        private List<String> options() {
            List<String> words = new ArrayList<>();
            options.forEach((name, values) -> {
                words.add(name);
                words.addAll(values);
            });
            environment.forEach((name, value) -> words.addAll(List.of("-env", name, value)));
            return words;
        }

        private Builder option(String name, String... values) {
            options.put(name, List.of(values));
            return this;
        }

        private static String number(String what, int value, int most) {
            if (value < 1 || value > most) {
                throw new InvalidValueException(what, Integer.toString(value), "1 to " + most, "1");
            }
            return Integer.toString(value);
        }
    }
}
