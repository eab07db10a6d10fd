package io.clusterwright.core.plan;

import io.clusterwright.core.StateStore;
import io.clusterwright.core.internal.create.DefaultMpi;
import io.clusterwright.core.internal.create.NodePlan;
import io.clusterwright.core.internal.render.FileTable;
import io.clusterwright.core.internal.render.KnownKeys;
import io.clusterwright.core.internal.rules.RuleBook;
import io.clusterwright.core.spec.ClusterSpec;
import io.clusterwright.core.spi.Facts;
import io.clusterwright.core.spi.RenderInput;
import io.clusterwright.core.spi.Renderer;
import io.clusterwright.core.type.ClusterwrightException;
import io.clusterwright.core.type.Ipv4Address;
import io.clusterwright.core.type.NodeName;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.ServiceLoader;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The files of a description, for people who carry it out with tools of their own. Immutable and safe for use by several
 * threads.
 *
 * <p>The same description always gives the same bytes. No key is made, no process is started, nobody is asked over a network.
 */
public final class Rendering {
    private static final String AZURE = "azure";
    private static final String LOCAL = "local";

    private final ClusterSpec spec;
    private final String provider;
    private final @Nullable StateStore store;

    private Rendering(ClusterSpec spec, String provider, @Nullable StateStore store) {
        this.spec = spec;
        this.provider = provider;
        this.store = store;
    }

    /** The files of a description for Azure, where no key is known. */
    public static Rendering of(ClusterSpec spec) {
        return new Rendering(spec, AZURE, null);
    }

    /**
     * The same for another provider: its part of {@link ClusterSpec#on()} is laid over the rest.
     *
     * @param name such as {@code local}
     */
    public Rendering on(String name) {
        return new Rendering(spec, name, store);
    }

    /** The same with the public keys that this store has of a cluster of this name; it is only read, and no key is made. */
    public Rendering knownFrom(StateStore known) {
        return new Rendering(spec, provider, known);
    }

    /**
     * Makes the files; none is written.
     *
     * @throws RenderRefusedException when a rule finds an error in the description
     * @throws io.clusterwright.core.spec.InvalidSpecException when the provider's part does not fit the rest, or a file that the
     *     description names cannot be read
     * @throws ClusterwrightException when two renderers make a file of the same name
     */
    public RenderedFiles files() {
        return files(ServiceLoader.load(Renderer.class));
    }

    /**
     * Makes the files and writes them into a folder.
     *
     * @throws RenderRefusedException as {@link #files()}; nothing was written
     * @throws ClusterwrightException as {@link #files()} and {@link RenderedFiles#writeTo(Path)}
     */
    public List<WrittenFile> writeTo(Path folder) {
        return files().writeTo(folder);
    }

    RenderedFiles files(Iterable<Renderer> renderers) {
        refuse(SpecCheck.offline(spec));
        ClusterSpec merged = spec.forProvider(provider);
        Facts facts = Facts.builder().provider(provider).build();
        refuse(RuleBook.installed().check(merged, facts));
        RenderInput input = input(DefaultMpi.named(merged, facts), facts);
        Map<String, Made> made = new TreeMap<>();
        for (Renderer renderer : renderers) {
            for (RenderedFile file : renderer.render(input)) {
                // Some file systems do not tell Hosts from hosts.
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
            throw new RenderRefusedException(spec, findings);
        }
    }

    private record Made(RenderedFile file, String by) {}
}
