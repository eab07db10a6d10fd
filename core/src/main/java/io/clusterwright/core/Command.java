package io.clusterwright.core;

import io.clusterwright.core.type.InvalidValueException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * A command to run on a node: an argument list, never a shell string.
 *
 * <pre>{@code
 * Command command = Command.of("tee", "/etc/motd")
 *         .input("maintenance at 18:00\n")
 *         .elevate() // as root
 *         .timeout(Duration.ofSeconds(20));
 * }</pre>
 *
 * <p>Immutable. The arguments reach the program unchanged, whatever characters they hold; a session quotes them for the
 * node's own shell. Use {@link #shell(String)} only where a script is meant.
 */
public final class Command {
    /** The time a command may take when none is given: 5 minutes. */
    public static final Duration DEFAULT_TIMEOUT = Duration.ofMinutes(5);

    private final List<String> arguments;
    private final Map<String, String> environment;
    private final byte[] input;
    private final boolean elevated;
    private final Duration timeout;
    private final boolean sensitive;
    private final boolean inputOpen;
    private final boolean outlivesConnection;

    private Command(
            List<String> arguments,
            Map<String, String> environment,
            byte[] input,
            boolean elevated,
            Duration timeout,
            boolean sensitive,
            boolean inputOpen,
            boolean outlivesConnection) {
        this.arguments = arguments;
        this.environment = environment;
        this.input = input;
        this.elevated = elevated;
        this.timeout = timeout;
        this.sensitive = sensitive;
        this.inputOpen = inputOpen;
        this.outlivesConnection = outlivesConnection;
    }

    /**
     * A command of a program and its arguments.
     *
     * @throws InvalidValueException when the program is empty or an argument holds a NUL character
     */
    public static Command of(String program, String... arguments) {
        List<String> all = new ArrayList<>();
        all.add(program);
        all.addAll(List.of(arguments));
        return of(all);
    }

    /**
     * A command of a complete argument list.
     *
     * @throws InvalidValueException when the list is empty or an argument holds a NUL character
     */
    public static Command of(List<String> arguments) {
        List<String> copy = List.copyOf(arguments);
        if (copy.isEmpty()) {
            throw new InvalidValueException("command", "", "a program and its arguments", "/bin/hostname");
        }
        for (String argument : copy) {
            if (argument.indexOf('\0') >= 0) {
                throw new InvalidValueException(
                        "argument of " + copy.get(0), argument, "text without a NUL character", "case.xml");
            }
        }
        return new Command(copy, Map.of(), new byte[0], false, DEFAULT_TIMEOUT, false, false, false);
    }

    /** A script for the node's {@code /bin/sh}, which gets it on standard input and stops at the first failure. */
    public static Command shell(String script) {
        return of("/bin/sh", "-eu", "-s").input(script);
    }

    /** Adds an environment variable. */
    public Command environment(String name, String value) {
        Map<String, String> copy = new LinkedHashMap<>(environment);
        copy.put(Objects.requireNonNull(name, "name"), Objects.requireNonNull(value, "value"));
        return new Command(
                arguments, Map.copyOf(copy), input, elevated, timeout, sensitive, inputOpen, outlivesConnection);
    }

    /** Sets this text (UTF-8) as standard input. */
    public Command input(String text) {
        return input(text.getBytes(StandardCharsets.UTF_8));
    }

    /** Sets these bytes as standard input. Default: empty. */
    public Command input(byte[] bytes) {
        return new Command(
                arguments, environment, bytes.clone(), elevated, timeout, sensitive, inputOpen, outlivesConnection);
    }

    /**
     * Keeps standard input open: {@link RunningCommand#send} adds to it. It ends with
     * {@link RunningCommand#endInput}, with the command, and when the connection to the node breaks, so a program can
     * detect that its caller is gone.
     */
    public Command openInput() {
        return new Command(arguments, environment, input, elevated, timeout, sensitive, true, outlivesConnection);
    }

    /**
     * Lets the command outlive its connection: where the connection to the node breaks, the command runs on, the connection is opened again for
     * 3 minutes, and the output continues at the byte where it was. {@link Cluster#run} and {@link Cluster#start} do so on Linux nodes with Python 3,
     * for a command without {@link #openInput()} whose words and variables have at most 100,000 characters; a {@link NodeSession}, which is one
     * connection, does not. A caller of {@link Cluster#start} must wait in {@link RunningCommand#await} meanwhile, and must close the command: the
     * end of the session does not end it. Costs two processes of Python on the node, and about 30 ms.
     */
    public Command outliveConnection() {
        return new Command(arguments, environment, input, elevated, timeout, sensitive, inputOpen, true);
    }

    /** Runs the command as root, without a prompt ({@code sudo -n} on Linux). */
    public Command elevate() {
        return new Command(arguments, environment, input, true, timeout, sensitive, inputOpen, outlivesConnection);
    }

    /**
     * Sets the time limit; at its end the command is stopped on the node.
     *
     * @throws InvalidValueException when the time is zero or negative
     */
    public Command timeout(Duration limit) {
        if (limit.isZero() || limit.isNegative()) {
            throw new InvalidValueException("command timeout", limit, "a positive duration", "PT5M");
        }
        return new Command(arguments, environment, input, elevated, limit, sensitive, inputOpen, outlivesConnection);
    }

    /** Keeps arguments and output out of every message, because they hold a secret. */
    public Command markSensitive() {
        return new Command(arguments, environment, input, elevated, timeout, true, inputOpen, outlivesConnection);
    }

    /** The program and its arguments; never empty. */
    public List<String> arguments() {
        return arguments;
    }

    /** The environment variables added for this command. */
    public Map<String, String> environment() {
        return environment;
    }

    /** Returns a copy of the standard input; empty for none. */
    public byte[] input() {
        return input.clone();
    }

    /** Whether standard input stays open after {@link #input()}. */
    public boolean inputOpen() {
        return inputOpen;
    }

    /** Whether the command runs with the rights of root. */
    public boolean elevated() {
        return elevated;
    }

    /** Whether the command runs on where the connection to the node breaks. */
    public boolean outlivesConnection() {
        return outlivesConnection;
    }

    /** The limit of the command's time. */
    public Duration timeout() {
        return timeout;
    }

    /** Whether the command's arguments and output must not be shown. */
    public boolean sensitive() {
        return sensitive;
    }

    /** The arguments joined by blanks for people to read; not meant for a shell. A sensitive command shows its program only. */
    @Override
    public String toString() {
        return sensitive ? arguments.get(0) + " ***" : String.join(" ", arguments);
    }
}
