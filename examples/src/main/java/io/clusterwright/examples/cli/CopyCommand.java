package io.clusterwright.examples.cli;

import io.clusterwright.core.Cluster;
import io.clusterwright.core.ClusterManager;
import io.clusterwright.core.Node;
import io.clusterwright.core.NodeOutcome;
import io.clusterwright.core.NodeResults;
import io.clusterwright.core.NodeSession;
import io.clusterwright.core.type.NodeName;
import io.clusterwright.core.type.UserName;
import io.clusterwright.examples.console.ExitCodes;
import io.clusterwright.examples.console.ProgressPrinter;
import io.clusterwright.examples.console.RefusedException;
import io.clusterwright.examples.console.ResultJson;
import io.clusterwright.examples.options.NodeChoice;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
        name = "cp",
        description = "Copies files and folders to nodes, or from nodes to this machine.",
        customSynopsis = "clusterwright cp [OPTIONS] NAME SOURCE... TARGET",
        footer = {
            "cluster11:PATH is a path on one node, cluster[11-14]:PATH on several, :PATH on all; ./a:b is local.",
            "What is copied from several nodes goes into a folder of each node's name."
        })
final class CopyCommand extends ClusterCommand {
    @Option(names = "--user", paramLabel = "USER", description = "User account on the nodes; default: the login user.")
    private @Nullable String user;

    @Parameters(
            index = "1..*",
            arity = "2..*",
            paramLabel = "SOURCE TARGET",
            description = "One side is on nodes, the other on this machine.")
    private List<String> words = List.of();

    @Override
    public Integer call() {
        Place target = Place.parse(words.get(words.size() - 1));
        List<Place> sources = sources();
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

    private List<Place> sources() {
        return words.subList(0, words.size() - 1).stream().map(Place::parse).toList();
    }

    @Override
    int run(ClusterManager manager) {
        Place target = Place.parse(words.get(words.size() - 1));
        List<NodeResults> all = new ArrayList<>();
        try (Cluster open = manager.open(name())) {
            UserName account = user == null ? open.loginUser() : UserName.of(user);
            for (Place source : sources()) {
                all.add(
                        target.onNodes()
                                ? open.upload(Path.of(source.path()), target.path(), target.on(open), account)
                                : download(open, source, Path.of(target.path()), account));
            }
        }
        List<NodeOutcome> outcomes =
                all.stream().flatMap(each -> each.outcomes().stream()).toList();
        NodeResults results = new NodeResults(outcomes);
        if (json) {
            print(ResultJson.results(results));
        } else {
            ProgressPrinter notes = new ProgressPrinter();
            results.failures()
                    .forEach(failed -> notes.line(
                            failed.node() + ": " + RunCommand.text(failed).strip()));
        }
        return ExitCodes.ofWork(results.succeeded());
    }

    private static NodeResults download(Cluster open, Place source, Path target, UserName account) {
        List<NodeName> from = source.on(open);
        if (from.size() > 1) {
            return open.download(source.path(), target, from, account);
        }
        NodeSession session = open.session(from.get(0), account);
        session.downloadTree(source.path(), target);
        return new NodeResults(List.of());
    }

    /**
     * A side of a copy.
     *
     * @param nodes the nodes, empty for all; null for this machine
     * @param path the path there
     */
    private record Place(@Nullable String nodes, String path) {

        static Place parse(String text) {
            int colon = text.indexOf(':');
            boolean local = colon < 0 || text.lastIndexOf('/', colon) >= 0;
            return local
                    ? new Place(null, text)
                    : new Place(
                            text.substring(0, colon),
                            text.substring(colon + 1).isEmpty() ? "." : text.substring(colon + 1));
        }

        boolean onNodes() {
            return nodes != null;
        }

        List<NodeName> on(Cluster cluster) {
            return nodes == null || nodes.isEmpty()
                    ? cluster.nodes().stream().map(Node::name).toList()
                    : NodeChoice.of(cluster, nodes);
        }
    }
}
