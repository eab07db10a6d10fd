package io.clusterwright.examples.cli;

import io.clusterwright.core.Cluster;
import io.clusterwright.core.ClusterManager;
import io.clusterwright.core.NodeOutcome;
import io.clusterwright.core.NodeResults;
import io.clusterwright.core.internal.json.JsonFields;
import io.clusterwright.core.internal.text.PosixShell;
import io.clusterwright.core.type.ClusterwrightException;
import io.clusterwright.core.type.NodeName;
import io.clusterwright.core.type.UserName;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
        name = "cp",
        description = "Copies files and folders to nodes, or from nodes to this machine.",
        customSynopsis = "clusterwright cp [OPTIONS] NAME SOURCE... TARGET",
        footer = {
            "demo1:PATH is a path on one node, 'demo[1-4]:PATH' on several, :PATH on all; ./a:b is local.",
            "A relative PATH and ~ start at the home folder of the account; jobs run as another: --user hpcuser.",
            "From several nodes, each node's files go into a folder named after the node."
        })
final class CopyCommand extends ClusterCommand.OnNodes {
    @Option(names = "--user", paramLabel = "USER", description = "User account on the nodes; default: the login user.")
    private @Nullable String user;

    @Parameters(
            index = "1..*",
            arity = "2..*",
            paramLabel = "SOURCE TARGET",
            description = "One side is on nodes, the other side on this machine.")
    private List<String> words = List.of();

    @Override
    public Integer call() {
        Side target = Side.parse(words.get(words.size() - 1));
        List<Side> sources = sources();
        boolean toNodes = target.onNodes();
        if (sources.stream().anyMatch(source -> source.onNodes() == toNodes)) {
            throw new RefusedException("cp copies between this machine and nodes: write "
                    + (toNodes ? "local paths" : "NODE:PATH or :PATH") + " before " + words.get(words.size() - 1));
        }
        if (toNodes) {
            sources.stream()
                    .filter(source -> !Files.exists(Path.of(source.path())))
                    .findFirst()
                    .ifPresent(missing -> {
                        throw new RefusedException("there is no file or folder " + missing.path() + " on this machine");
                    });
        }
        return super.call();
    }

    private List<Side> sources() {
        return words.subList(0, words.size() - 1).stream().map(Side::parse).toList();
    }

    @Override
    int run(ClusterManager manager, Cluster open) {
        Side target = Side.parse(words.get(words.size() - 1));
        UserName account = RunOnNodesCommand.account(open, user);
        List<NodeOutcome> outcomes = new ArrayList<>();
        for (Side source : sources()) {
            NodeResults copied = target.onNodes()
                    ? open.upload(Path.of(source.path()), target.path(), target.on(open), account)
                    : download(open, source, Path.of(target.path()), account);
            outcomes.addAll(copied.outcomes());
        }
        NodeResults results = new NodeResults(outcomes);
        ProgressPrinter notes = new ProgressPrinter();
        print(() -> JsonFields.list(outcomes, NodeOutcome::toMap), () -> {
            results.failures()
                    .forEach(failed ->
                            notes.line(failed.node() + ": " + text(failed).strip()));
            if (results.failures().stream().anyMatch(failed -> refused(text(failed), account))) {
                RunOnNodesCommand.ofJobs(open, user).ifPresent(notes::line);
            }
        });
        return ExitCodes.ofWork(results.succeeded());
    }

    /** Copies from nodes; {@code SftpDownload} copies nothing out of the target. */
    private NodeResults download(Cluster open, Side source, Path target, UserName account) {
        List<NodeName> from = source.on(open);
        if (from.size() > 1) {
            return open.download(source.path(), target, from, account);
        }
        try {
            open.session(from.get(0), account).downloadTree(source.path(), target);
        } catch (ClusterwrightException e) {
            String problem = String.valueOf(e.getMessage());
            Optional<String> hint = RunOnNodesCommand.ofJobs(open, user).filter(text -> refused(problem, account));
            throw hint.isEmpty() ? e : new ClusterwrightException(problem + "\n" + hint.get(), e);
        }
        return new NodeResults(List.of());
    }

    /** Whether the node refused a copy to this account, or has no such file. */
    private static boolean refused(String problem, UserName account) {
        return problem.contains(" as " + account + " failed: ");
    }

    /**
     * A side of a copy.
     *
     * @param nodes the nodes, empty for all; null for this machine
     * @param path the path there
     */
    record Side(@Nullable String nodes, String path) {

        static Side parse(String text) {
            return parse(text, FileSystems.getDefault());
        }

        static Side parse(String text, FileSystem system) {
            int colon = text.indexOf(':');
            boolean local = colon < 0 || text.lastIndexOf('/', colon) >= 0 || JobOptions.endOfDrive(text, system) > 0;
            return local
                    ? new Side(null, text)
                    : new Side(
                            text.substring(0, colon),
                            text.substring(colon + 1).isEmpty() ? "." : PosixShell.fromHome(text.substring(colon + 1)));
        }

        boolean onNodes() {
            return nodes != null;
        }

        List<NodeName> on(Cluster cluster) {
            return NodeChoice.of(cluster, nodes == null ? "" : nodes);
        }
    }

    private static String text(NodeOutcome outcome) {
        return outcome instanceof NodeOutcome.Completed completed
                ? completed.result().stdout() + completed.result().stderr()
                : outcome.summary();
    }
}
