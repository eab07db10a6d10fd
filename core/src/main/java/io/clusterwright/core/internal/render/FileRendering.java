package io.clusterwright.core.internal.render;

import io.clusterwright.core.SpecRefusedException;
import io.clusterwright.core.StateStore;
import io.clusterwright.core.StateStore.SecretStore;
import io.clusterwright.core.internal.lifecycle.ClusterKeys;
import io.clusterwright.core.internal.planning.NodePlan;
import io.clusterwright.core.internal.planning.Planning;
import io.clusterwright.core.internal.rules.RuleBook;
import io.clusterwright.core.internal.service.Services;
import io.clusterwright.core.plan.Finding;
import io.clusterwright.core.plan.RenderedFile;
import io.clusterwright.core.plan.RenderedFiles;
import io.clusterwright.core.spec.ClusterSpec;
import io.clusterwright.core.spec.SpecProblem;
import io.clusterwright.core.spi.Facts;
import io.clusterwright.core.spi.RenderInput;
import io.clusterwright.core.spi.Renderer;
import io.clusterwright.core.type.ClusterName;
import io.clusterwright.core.type.ClusterwrightException;
import io.clusterwright.core.type.InvalidValueException;
import io.clusterwright.core.type.Ipv4Address;
import io.clusterwright.core.type.NodeName;
import io.clusterwright.core.type.SshPublicKey;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Renders the files of a spec with all renderers. */
public final class FileRendering {
    private static final String LOCAL = "local";

    private FileRendering() {}

    /**
     * The files of all installed renderers.
     *
     * @param spec as the caller wrote it
     * @param provider the provider whose part of the spec is used
     * @param store holds the public keys of the cluster, or null for none
     */
    public static RenderedFiles render(ClusterSpec spec, String provider, @Nullable StateStore store) {
        return render(spec, provider, store, Services.of(Renderer.class));
    }

    /** The files of these renderers. */
    public static RenderedFiles render(
            ClusterSpec spec, String provider, @Nullable StateStore store, Iterable<Renderer> renderers) {
        RuleBook rules = RuleBook.installed();
        // Local nodes need neither region nor size.
        refuse(
                spec,
                "",
                rules.check(spec, Facts.offline(), List.of()).stream()
                        .filter(finding ->
                                !provider.equals(LOCAL) || !finding.code().equals(SpecProblem.MISSING))
                        .toList());
        ClusterSpec merged = spec.forProvider(provider);
        Facts facts = Facts.offline().provider(provider);
        refuse(spec, provider, rules.check(merged, facts, List.of()));
        try {
            return render(merged, facts, store, renderers);
        } catch (InvalidValueException e) {
            // An error that the spec suppresses may be the reason.
            ClusterSpec all = merged.toBuilder().suppress(List.of()).build();
            refuse(spec, provider, rules.check(all, facts, List.of()));
            throw e;
        }
    }

    private static RenderedFiles render(
            ClusterSpec merged, Facts facts, @Nullable StateStore store, Iterable<Renderer> renderers) {
        RenderInput input = input(Planning.withDefaults(merged, facts), facts, merged.name(), store);
        Map<String, Made> made = new TreeMap<>();
        for (Renderer renderer : renderers) {
            for (RenderedFile file : renderer.render(input)) {
                // Some file systems do not distinguish Hosts from hosts.
                Made other = made.putIfAbsent(file.name().toLowerCase(Locale.ROOT), new Made(file, renderer.name()));
                if (other != null) {
                    throw new ClusterwrightException("two renderers write " + file.name() + ": " + other.by + " and "
                            + renderer.name() + "; remove one of the two modules");
                }
            }
        }
        Map<String, String> missing = FileTable.of(merged, facts);
        missing.keySet().removeIf(name -> made.containsKey(name.toLowerCase(Locale.ROOT)));
        return new RenderedFiles(made.values().stream().map(Made::file).toList(), missing);
    }

    private static RenderInput input(ClusterSpec spec, Facts facts, ClusterName cluster, @Nullable StateStore store) {
        NodePlan plan = NodePlan.of(spec);
        Map<NodeName, Ipv4Address> machines = Collections.unmodifiableMap(plan.machines());
        KnownKeys keys = store == null ? KnownKeys.NONE : KnownKeys.read(store, cluster, machines.keySet());
        return new Input(
                spec,
                facts,
                Collections.unmodifiableMap(plan.nodes()),
                plan.heads(),
                machines,
                facts.local() || spec.network().firstAddress().isPresent(),
                keys.hosts(),
                keys.accounts());
    }

    private static void refuse(ClusterSpec spec, String provider, List<Finding> findings) {
        if (findings.stream().anyMatch(Finding::isError)) {
            throw new SpecRefusedException(
                    "the spec of cluster " + spec.name() + " has errors, so no files are rendered",
                    Planning.located(spec, provider, findings));
        }
    }

    private record Input(
            ClusterSpec spec,
            Facts facts,
            Map<NodeName, Ipv4Address> nodes,
            Map<NodeName, Ipv4Address> heads,
            Map<NodeName, Ipv4Address> machines,
            boolean fixedAddresses,
            Map<NodeName, SshPublicKey> hostKeys,
            List<SshPublicKey> accountKeys)
            implements RenderInput {}

    private record Made(RenderedFile file, String by) {}

    /** The public keys of a cluster that exist; none is made. */
    private record KnownKeys(Map<NodeName, SshPublicKey> hosts, List<SshPublicKey> accounts) {
        static final KnownKeys NONE = new KnownKeys(Map.of(), List.of());

        static KnownKeys read(StateStore store, ClusterName cluster, Iterable<NodeName> nodes) {
            if (store.read(cluster).isEmpty()) {
                return NONE;
            }
            SecretStore secrets = store.secrets(cluster);
            Map<NodeName, SshPublicKey> hosts = new LinkedHashMap<>();
            for (NodeName node : nodes) {
                ClusterKeys.known(secrets, ClusterKeys.hostKeyName(node)).ifPresent(key -> hosts.put(node, key));
            }
            List<SshPublicKey> accounts = Stream.of(ClusterKeys.LOGIN, ClusterKeys.CLUSTER)
                    .flatMap(name -> ClusterKeys.known(secrets, name).stream())
                    .toList();
            return new KnownKeys(Collections.unmodifiableMap(hosts), accounts);
        }
    }
}
