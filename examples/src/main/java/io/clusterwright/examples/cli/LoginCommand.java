package io.clusterwright.examples.cli;

import io.clusterwright.core.Cluster;
import io.clusterwright.core.ClusterManager;
import io.clusterwright.core.NodeResults;
import io.clusterwright.core.SshAccess;
import io.clusterwright.core.internal.file.PrivateFiles;
import io.clusterwright.core.internal.text.PosixShell;
import io.clusterwright.core.type.ClusterwrightException;
import io.clusterwright.core.type.NodeName;
import io.clusterwright.core.type.OperationInterruptedException;
import io.clusterwright.core.type.UserName;
import io.clusterwright.linux.SshClientConfig;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

@Command(
        name = "ssh",
        description = "Logs in to a node, or runs one command there, with the ssh of this machine and the pinned host"
                + " keys.",
        customSynopsis = "clusterwright ssh [OPTIONS] NAME [NODE] [-- COMMAND...]",
        footer = "One quoted argument runs as a shell line: -- 'df -h | head'. Several arguments run as one program,"
                + " unchanged. The exit status is the exit status of ssh.")
final class LoginCommand extends ClusterCommand {
    @Option(names = "--user", paramLabel = "USER", description = "User account; default: the login user.")
    private @Nullable String user;

    @Parameters(index = "1..*", arity = "0..*", paramLabel = "NODE COMMAND", description = "Default node: the head.")
    private List<String> words = List.of();

    @Spec
    private @Nullable CommandSpec spec;

    @Override
    int run(ClusterManager manager) {
        List<String> original =
                spec == null ? List.of() : spec.commandLine().getParseResult().originalArgs();
        int dashes = original.indexOf("--");
        int commandWords = dashes < 0 ? Math.max(0, words.size() - 1) : original.size() - dashes - 1;
        List<String> named = words.subList(0, Math.max(0, words.size() - commandWords));
        List<String> command = words.subList(named.size(), words.size());
        if (named.size() > 1) {
            throw new RefusedException(
                    "ssh connects to one node: write -- before the command, or use clusterwright run for several nodes");
        }
        if (json && command.isEmpty()) {
            throw new RefusedException("--json needs a command: write clusterwright ssh NAME NODE --json -- COMMAND");
        }
        if (json) {
            try (Cluster open = manager.open(name())) {
                return withJson(open, chosen(open, named), command);
            }
        }
        SshAccess access = manager.sshAccess(name());
        NodeName node = node(manager, access, named);
        Path config = config(SshClientConfig.reaching(access).text());
        List<String> line = new ArrayList<>(List.of("ssh", "-F", config.toString()));
        if (user != null) {
            line.addAll(List.of("-l", UserName.of(user).value()));
        }
        line.add(node.value());
        if (!command.isEmpty()) {
            line.addAll(List.of("--", command.size() == 1 ? command.get(0) : PosixShell.quote(command)));
        }
        return start(line, config);
    }

    /** The node of exactly this name, which may not be ready, or else the node that the word means. */
    private NodeName node(ClusterManager manager, SshAccess access, List<String> named) {
        return access.routes().stream()
                .map(SshAccess.Route::node)
                .filter(node -> named.contains(node.value()))
                .findFirst()
                .orElseGet(() -> {
                    try (Cluster open = manager.open(name())) {
                        return chosen(open, named);
                    }
                });
    }

    private static NodeName chosen(Cluster open, List<String> named) {
        return named.isEmpty()
                ? open.head().name()
                : NodeChoice.of(open, named.get(0)).get(0);
    }

    private int withJson(Cluster open, NodeName node, List<String> command) {
        List<String> argv = command.size() == 1 ? List.of("/bin/sh", "-c", command.get(0)) : command;
        NodeResults results = open.run(
                io.clusterwright.core.Command.of(argv).outliveConnection(),
                List.of(node),
                RunOnNodesCommand.account(open, user));
        print(results.outcomes().get(0).toMap());
        return ExitCodes.ofWork(results.succeeded());
    }

    /** A file that only its owner reads, since ssh refuses a configuration that others may write. */
    private static Path config(String text) {
        try {
            Path file = Files.createTempDirectory("clusterwright-ssh").resolve("config");
            PrivateFiles.write(file, text.getBytes(StandardCharsets.UTF_8));
            return file;
        } catch (IOException e) {
            throw new ClusterwrightException("cannot write the configuration of ssh: " + e.getMessage(), e);
        }
    }

    private static int start(List<String> line, Path config) {
        try {
            Process ssh = new ProcessBuilder(line).inheritIO().start();
            try {
                return ssh.waitFor();
            } catch (InterruptedException e) {
                ssh.destroy();
                Thread.currentThread().interrupt();
                throw new OperationInterruptedException("interrupted while ssh was running", e);
            }
        } catch (IOException e) {
            throw new ClusterwrightException(
                    "cannot start ssh: " + e.getMessage() + "; install ssh (Debian: apt-get install openssh-client)",
                    e);
        } finally {
            remove(config);
        }
    }

    private static void remove(Path config) {
        try {
            Files.deleteIfExists(config);
            Path folder = config.getParent();
            if (folder != null) {
                Files.deleteIfExists(folder);
            }
        } catch (IOException e) {
            throw new ClusterwrightException("cannot remove " + config + ": " + e.getMessage(), e);
        }
    }
}
