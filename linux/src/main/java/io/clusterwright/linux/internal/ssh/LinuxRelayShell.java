package io.clusterwright.linux.internal.ssh;

import io.clusterwright.core.Command;
import io.clusterwright.core.internal.relay.RelayShell;
import io.clusterwright.core.internal.text.PosixShell;
import io.clusterwright.core.internal.text.TextResource;
import io.clusterwright.core.spi.ScriptChannel;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Base64;
import java.util.Locale;

/** Commands on Linux: what to do as variables, data as Base64, and then always the same script. */
public final class LinuxRelayShell implements RelayShell {
    private static final String BODY =
            TextResource.read(LinuxRelayShell.class.getResourceAsStream("relay.sh"), "relay.sh");
    private static final int TICKS_PER_SECOND = 20;
    private static final int AFTER_KILL_SECONDS = 5;

    private static final String READ =
            "n=$(wc -c <\"$1\") || exit 1; if [ \"$n\" -gt \"$2\" ]; then echo \"$n\" >&2; exit " + TOO_LARGE
                    + "; fi; exec cat <\"$1\"";
    private static final String WRITE =
            "umask 077; t=\"$1.$$.part\"; cat >\"$t\" && chmod \"$2\" \"$t\" && mv -f \"$t\" \"$1\""
                    + " || { s=$?; rm -f \"$t\"; exit $s; }";

    /** For {@link io.clusterwright.core.internal.relay.RunCommandSession}. */
    public LinuxRelayShell() {}

    @Override
    public ScriptChannel.Language language() {
        return ScriptChannel.Language.POSIX_SHELL;
    }

    @Override
    public String script(Request request) {
        StringBuilder text = new StringBuilder("#!/bin/sh\n");
        if (request instanceof Stage stage) {
            set(text, "verb", "stage");
            input(text, stage.input());
        } else if (request instanceof Launch launch) {
            set(text, "verb", "launch");
            set(text, "user", launch.user().value());
            set(text, "elevated", launch.command().elevated() ? "1" : "0");
            window(text, launch.window());
            data(text, "line", ExecLine.ofRoot(launch.command()).getBytes(StandardCharsets.UTF_8));
            data(text, "variables", ExecLine.variables(launch.command()));
            input(text, launch.input());
        } else if (request instanceof Look look) {
            set(text, "verb", "look");
            window(text, look.window());
        } else if (request instanceof End end) {
            set(text, "verb", "end");
            set(text, "kill_at", ticks(end.grace()));
            set(text, "give_up_at", ticks(end.grace().plusSeconds(AFTER_KILL_SECONDS)));
            window(text, end.window());
            data(text, "end_sessions", ProcessSessionEnder.SCRIPT.getBytes(StandardCharsets.UTF_8));
        }
        set(text, "job", request.job());
        return text.append(BODY).toString();
    }

    private static void input(StringBuilder text, Input input) {
        set(text, "from", Long.toString(input.from()));
        data(text, "input", input.packed());
    }

    private static String ticks(Duration duration) {
        return Long.toString(duration.toMillis() * TICKS_PER_SECOND / 1000);
    }

    private static void window(StringBuilder text, Window window) {
        set(text, "seconds", Long.toString(window.patience().toSeconds()));
        set(text, "out", Long.toString(window.out()));
        set(text, "err", Long.toString(window.err()));
        set(text, "characters", Integer.toString(window.characters()));
    }

    private static void set(StringBuilder text, String name, String value) {
        text.append("cw_")
                .append(name.toLowerCase(Locale.ROOT))
                .append('=')
                .append(PosixShell.quote(value))
                .append('\n');
    }

    private static void data(StringBuilder text, String name, byte[] bytes) {
        text.append("cw_").append(name).append("() {\nbase64 -d <<'CLUSTERWRIGHT'\n");
        text.append(Base64.getMimeEncoder(76, new byte[] {'\n'}).encodeToString(bytes));
        text.append("\nCLUSTERWRIGHT\n}\n");
    }

    @Override
    public Command reading(String path, int most) {
        return Command.of("/bin/sh", "-c", READ, "sh", path, Integer.toString(most));
    }

    @Override
    public Command writing(String path, int mode) {
        return Command.of("/bin/sh", "-c", WRITE, "sh", path, Integer.toOctalString(mode));
    }
}
