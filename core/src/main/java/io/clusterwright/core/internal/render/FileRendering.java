package io.clusterwright.core.internal.render;

import io.clusterwright.core.SpecRefusedException;
import io.clusterwright.core.StateStore;
import io.clusterwright.core.StateStore.SecretStore;
import io.clusterwright.core.internal.lifecycle.Keys;
import io.clusterwright.core.internal.planning.NodePlan;
import io.clusterwright.core.internal.planning.Planning;
import io.clusterwright.core.internal.rules.ReadingKinds;
import io.clusterwright.core.internal.rules.RuleBook;
import io.clusterwright.core.plan.Finding;
import io.clusterwright.core.plan.RenderedFile;
import io.clusterwright.core.plan.RenderedFiles;
import io.clusterwright.core.plan.Severity;
import io.clusterwright.core.spec.ClusterSpec;
import io.clusterwright.core.spi.Facts;
import io.clusterwright.core.spi.RenderInput;
import io.clusterwright.core.spi.Renderer;
import io.clusterwright.core.type.ClusterName;
import io.clusterwright.core.type.ClusterwrightException;
import io.clusterwright.core.type.Ipv4Address;
import io.clusterwright.core.type.NodeName;
import io.clusterwright.core.type.SshPublicKey;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.ServiceLoader;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Renders the files of a spec with all renderers.
 *
 * @param spec as the caller wrote it
 * @param provider the provider whose part of the spec is used
 * @param store holds the public keys of the cluster, or null for none
 */
public record FileRendering(
        ClusterSpec spec, String provider, @Nullable StateStore store) {
    private static final String LOCAL = "local";

    /** The files of all installed renderers. */
    public RenderedFiles files() {
        return files(ServiceLoader.load(Renderer.class));
    }

    /** The files of these renderers. */
    public RenderedFiles files(Iterable<Renderer> renderers) {
        refuse(RuleBook.offline(spec).stream().filter(this::matters).toList());
        ClusterSpec merged = spec.forProvider(provider);
        Facts facts = Facts.builder().provider(provider).build();
        refuse(RuleBook.installed().check(merged, facts));
        RenderInput input = input(Planning.withDefaultMpi(merged, facts), facts);
        Map<String, Made> made = new TreeMap<>();
        for (Renderer renderer : renderers) {
            for (RenderedFile file : renderer.render(input)) {
                // Some file systems do not distinguish Hosts from hosts.
                Made other = made.putIfAbsent(file.name().toLowerCase(Locale.ROOT), new Made(file, renderer.name()));
                if (other != null) {
                    throw new ClusterwrightException("two renderers make " + file.name() + ": " + other.by + " and "
                            + renderer.name() + "; leave one of the two modules out");
                }
            }
        }
        List<RenderedFile> files = made.values().stream().map(Made::file).toList();
        return new RenderedFiles(files, FileTable.missing(merged, facts, made.keySet()));
    }

    /** Whether a finding of the spec as a cloud reads it counts here: local nodes need neither region nor size. */
    private boolean matters(Finding finding) {
        return !provider.equals(LOCAL) || !finding.code().equals(ReadingKinds.MISSING.code());
    }

    private RenderInput input(ClusterSpec merged, Facts facts) {
        NodePlan plan = NodePlan.of(merged);
        boolean local = provider.equals(LOCAL);
        Map<NodeName, Ipv4Address> heads = local ? Map.of() : plan.heads();
        List<NodeName> machines = new ArrayList<>(heads.keySet());
        machines.addAll(plan.nodes().keySet());
        KnownKeys keys = store == null ? KnownKeys.NONE : KnownKeys.read(store, spec.name(), machines);
        return new RenderInput(
                merged,
                facts,
                plan.nodes(),
                heads,
                local || merged.network().firstAddress().isPresent(),
                keys.hosts(),
                keys.accounts());
    }

    private void refuse(List<Finding> findings) {
        if (findings.stream().anyMatch(finding -> finding.severity() == Severity.ERROR)) {
            throw new SpecRefusedException(
                    "no files are rendered for cluster " + spec.name() + ", which has errors", findings);
        }
    }

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
                Keys.known(secrets, Keys.hostKeyName(node)).ifPresent(key -> hosts.put(node, key));
            }
            List<SshPublicKey> accounts = Stream.of(Keys.LOGIN, Keys.CLUSTER)
                    .flatMap(name -> Keys.known(secrets, name).stream())
                    .toList();
            return new KnownKeys(hosts, accounts);
        }
    }
}
