package io.clusterwright.linux.internal.customize;

import io.clusterwright.core.Command;
import io.clusterwright.core.CommandException;
import io.clusterwright.core.CommandResult;
import io.clusterwright.core.internal.text.Nonce;
import io.clusterwright.core.internal.text.PosixShell;
import io.clusterwright.core.internal.text.Reason;
import io.clusterwright.core.spec.Customization.Script;
import io.clusterwright.core.type.ClusterwrightException;
import io.clusterwright.linux.internal.node.NodeSetup;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** The user's own scripts, one after another; what they print is progress. */
final class CustomScripts {
    private static final int LONGEST_FIRST_LINE = 256;

    private CustomScripts() {}

    static void run(NodeSetup setup) {
        for (Script script : setup.customization().scripts()) {
            run(setup, script);
        }
    }

    static void write(CloudConfig data) {
        List<Script> scripts = data.customization().scripts();
        for (int i = 0; i < scripts.size(); i++) {
            Script one = scripts.get(i);
            String field = "image.customize.scripts[" + i + "].path";
            String there = CloudConfig.FOLDER + "scripts/" + (i + 1) + "-" + one.name();
            byte[] content = data.put(field, one.path(), there, CloudConfig.PROGRAM);
            if (content.length > 0) {
                interpreterProblem(content).ifPresent(problem -> {
                    throw CloudConfig.refusal(
                            field,
                            "script " + one.name() + " (" + one.path() + ") " + problem,
                            "correct its first line");
                });
                String command =
                        "timeout " + Math.max(1, one.timeout().toSeconds()) + " " + PosixShell.quote(there) + "\n";
                String user = data.input().spec().login().user().value();
                data.step(
                        "script " + one.name(),
                        one.sudo() || user.equals("root")
                                ? command
                                : "su -s /bin/sh " + PosixShell.quote(user) + " -c "
                                        + PosixShell.quote("cd && exec " + command.strip()) + "\n");
            }
        }
    }

    private static void run(NodeSetup setup, Script script) {
        Path local = setup.spec().resolve(script.path());
        requireInterpreter(script, local);
        setup.report("script " + script.name());
        String there = Nonce.temporaryPath();
        try {
            setup.session().upload(local, there, 0700);
            Command command = Command.of(there).timeout(script.timeout());
            CommandResult result = setup.stream(script.sudo() ? command.elevate() : command);
            if (!result.succeeded()) {
                throw new ClusterwrightException(
                        "script " + script.name() + " (" + local + ") failed: "
                                + new CommandException.Failed(result).getMessage(),
                        new CommandException.Failed(result));
            }
        } finally {
            setup.session().run(Command.of("rm", "-f", "--", there));
        }
    }

    private static void requireInterpreter(Script script, Path local) {
        try (InputStream in = Files.newInputStream(local)) {
            interpreterProblem(in.readNBytes(LONGEST_FIRST_LINE)).ifPresent(problem -> {
                throw new ClusterwrightException("script " + script.name() + " (" + local + ") " + problem);
            });
        } catch (IOException e) {
            throw new ClusterwrightException(
                    "cannot read script " + script.name() + " (" + local + "): " + Reason.of(e), e);
        }
    }

    /** The problem of a script's first line, with its remedy; empty for none. */
    private static Optional<String> interpreterProblem(byte[] start) {
        String first = new String(start, 0, Math.min(start.length, LONGEST_FIRST_LINE), StandardCharsets.ISO_8859_1);
        String line = first.substring(0, first.indexOf('\n') < 0 ? first.length() : first.indexOf('\n'));
        if (!line.startsWith("#!")) {
            return Optional.of("has no interpreter: start its first line with #!/bin/sh or #!/usr/bin/env python3");
        }
        return line.endsWith("\r")
                ? Optional.of("has Windows line ends, and Linux reads them as part of the interpreter's name: save it"
                        + " with Linux line ends")
                : Optional.empty();
    }
}
