package io.clusterwright.linux.internal.ssh;

import io.clusterwright.core.Command;
import io.clusterwright.core.internal.text.PosixShell;
import io.clusterwright.core.type.InvalidValueException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Map;

/**
 * The one string that SSH carries for a command, for the login shell to take apart again.
 *
 * <p>The program does not start at once: a few lines of shell first make sure to lead a separate session, and print
 * their process id on both outputs ({@link LeaderMark}), so that the whole session can be ended later and what a start-up file prints is
 * not taken for the answer. The variables of a command come over standard input ({@link #input}), never on the line.
 */
public final class ExecLine {
    /** The words before a command that give it the rights of root, reached without a prompt; end-sessions.sh has the first two as well. */
    static final List<String> SUDO = List.of("sudo", "-n", "--");

    /** The longest argument on Linux (MAX_ARG_STRLEN), without its closing NUL. */
    static final int MAX_BYTES = 128 * 1024 - 1;

    /** $1 is this text itself, $2 the nonce, the rest the command; field 6 of stat is the session, field 22 the start. */
    private static final String LEAD = "read -r" + " cw_x".repeat(5) + " cw_s" + " cw_x".repeat(15) + " cw_t cw_x"
            + " </proc/$$/stat;"
            + " if [ -n \"$cw_s\" ] && [ \"$cw_s\" != $$ ]; then exec setsid /bin/sh -c \"$1\" \"$0\" \"$@\"; fi;"
            + " printf '" + LeaderMark.FORMAT + "' \"$2\" $$ \"$cw_t\"; printf '" + LeaderMark.FORMAT
            + "' \"$2\" $$ \"$cw_t\" >&2; shift 2; exec \"$@\"";

    /**
     * Without input a command reads /dev/null and not the pipe of sshd, whose end comes some time later: Hydra 4.0.2 dies
     * of SIGPIPE when it comes just as the ranks end.
     */
    private static final String LEAD_WITHOUT_INPUT = LEAD + " </dev/null";

    /** Takes variables from the first line of standard input and no byte more: every user of a node can read its command lines. */
    private static final String TAKE_VARIABLES =
            "IFS= read -r cw_e; cw_e=$(printf %s \"$cw_e\" | base64 -d) || exit 126;"
                    + " eval \"unset cw_e; $cw_e\"; exec \"$@\"";

    private ExecLine() {}

    /**
     * The line for a command.
     *
     * @param root whether the account is root already, so that an elevated command needs no sudo
     * @throws InvalidValueException when it cannot be carried: too long, or a text that is not UTF-8
     */
    static String of(Command command, String nonce, boolean root) {
        requireVariables(command);
        boolean input = command.input().length > 0 || command.inputOpen();
        String lead = input || !command.environment().isEmpty() ? LEAD : LEAD_WITHOUT_INPUT;
        List<String> words = new ArrayList<>(List.of("/bin/sh", "-c", lead, "/bin/sh", lead, nonce));
        words.addAll(program(command, root, input));
        return join(command.arguments().get(0), words);
    }

    /**
     * The line for a command that root starts, for any account: it neither asks for rights nor prints its process id.
     *
     * @throws InvalidValueException when it cannot be carried: too long, or a text that is not UTF-8
     */
    public static String ofRoot(Command command) {
        return join(command.arguments().get(0), program(command, true, true));
    }

    /**
     * What standard input of a line must begin with: the variables of the command, if it has some.
     *
     * @throws InvalidValueException when a variable cannot be carried
     */
    static byte[] variables(Command command) {
        if (command.environment().isEmpty()) {
            return new byte[0];
        }
        requireVariables(command);
        byte[] bytes = PosixShell.exports(command.environment()).getBytes(StandardCharsets.UTF_8);
        return (Base64.getEncoder().encodeToString(bytes) + "\n").getBytes(StandardCharsets.US_ASCII);
    }

    /**
     * Checks the variables of a command.
     *
     * @throws InvalidValueException when one cannot be carried
     */
    static void requireVariables(Command command) {
        for (Map.Entry<String, String> variable : command.environment().entrySet()) {
            if (!PosixShell.isVariable(variable.getKey())) {
                throw new InvalidValueException(
                        "environment variable name",
                        variable.getKey(),
                        "letters, digits or '_', not starting with a digit",
                        "OMP_NUM_THREADS");
            }
            if (variable.getValue().indexOf('\0') >= 0
                    || !StandardCharsets.UTF_8.newEncoder().canEncode(variable.getValue())) {
                throw InvalidValueException.of(
                        "the value of " + variable.getKey() + " has a NUL character or is not valid Unicode",
                        "use text without a NUL character");
            }
        }
    }

    /** All of standard input: the variables, and the command's own. */
    static byte[] input(Command command) {
        byte[] first = variables(command);
        byte[] own = command.input();
        byte[] all = Arrays.copyOf(first, first.length + own.length);
        System.arraycopy(own, 0, all, first.length, own.length);
        return all;
    }

    /** The line for a command of our own that needs neither a mark nor an environment. */
    static String plain(List<String> words) {
        return join(words.get(0), words);
    }

    /** The words of a command, with those before it that its rights and its variables need. */
    static List<String> program(Command command, boolean root, boolean input) {
        List<String> words = new ArrayList<>();
        boolean sudo = command.elevated() && !root;
        if (sudo) {
            words.addAll(SUDO);
        }
        if (!command.environment().isEmpty()) {
            words.addAll(List.of("/bin/sh", "-c", input ? TAKE_VARIABLES : TAKE_VARIABLES + " </dev/null", "sh"));
        } else if (sudo) {
            words.add("env");
            if (command.arguments().get(0).contains("=")) {
                words.addAll(List.of("/bin/sh", "-c", "exec \"$0\" \"$@\""));
            }
        }
        words.addAll(command.arguments());
        return words;
    }

    private static String join(String program, List<String> words) {
        StringBuilder line = new StringBuilder("exec");
        for (String word : words) {
            line.append(' ').append(PosixShell.quote(word));
        }
        if (!StandardCharsets.UTF_8.newEncoder().canEncode(line)) {
            throw InvalidValueException.of(
                    "an argument of " + program + " is not valid Unicode: it has half of a surrogate pair",
                    "use text that can be written as UTF-8");
        }
        int bytes = line.toString().getBytes(StandardCharsets.UTF_8).length;
        if (bytes > MAX_BYTES) {
            throw InvalidValueException.of(
                    "the arguments of " + program + " are " + bytes + " bytes long, and Linux accepts " + MAX_BYTES,
                    "put them on standard input or in a file (example: xargs --arg-file=FILE)");
        }
        return line.toString();
    }
}
