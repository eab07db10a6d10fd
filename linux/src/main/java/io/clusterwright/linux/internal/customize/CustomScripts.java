package io.clusterwright.linux.internal.customize;

import io.clusterwright.core.Command;
import io.clusterwright.core.CommandException;
import io.clusterwright.core.CommandResult;
import io.clusterwright.core.internal.text.InterpreterLine;
import io.clusterwright.core.internal.text.Nonce;
import io.clusterwright.core.internal.text.PosixShell;
import io.clusterwright.core.internal.text.Reason;
import io.clusterwright.core.spec.Customization.Script;
import io.clusterwright.core.type.ClusterwrightException;
import io.clusterwright.linux.internal.node.NodeSetup;
import java.io.IOException;
import java.io.InputStream;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** The user's own scripts, one after another; what they print is progress. */
final class CustomScripts {
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
                InterpreterLine.problem(content).ifPresent(problem -> {
                    throw CloudConfig.refusal(
                            field,
                            "script " + one.name() + " (" + one.path() + ") " + problem.fact(),
                            problem.remedy());
                });
                String seconds = BigDecimal.valueOf(one.timeout().toMillis(), 3)
                        .stripTrailingZeros()
                        .toPlainString();
                String command = "timeout " + seconds + " " + PosixShell.quote(there) + "\n";
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
            InterpreterLine.problem(in.readNBytes(InterpreterLine.LONGEST)).ifPresent(problem -> {
                throw new ClusterwrightException("script " + script.name() + " (" + local + ") " + problem);
            });
        } catch (IOException e) {
            throw new ClusterwrightException(
                    "cannot read script " + script.name() + " (" + local + "): " + Reason.of(e), e);
        }
    }
}
