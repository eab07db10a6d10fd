package io.clusterwright.core;

import io.clusterwright.core.internal.render.FileRendering;
import io.clusterwright.core.plan.RenderedFiles;
import io.clusterwright.core.plan.RenderedFiles.WrittenFile;
import io.clusterwright.core.spec.ClusterSpec;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Renders the files of a spec, for people who carry it out with their own tools. Immutable and safe for use by several threads.
 *
 * <p>The same spec always gives the same bytes. No key is made, no process is started, no network is used.
 */
public final class Rendering {
    private static final String AZURE = "azure";

    private final ClusterSpec spec;
    private final String provider;
    private final @Nullable StateStore store;

    private Rendering(ClusterSpec spec, String provider, @Nullable StateStore store) {
        this.spec = spec;
        this.provider = provider;
        this.store = store;
    }

    /** The files of a spec for Azure, without keys. */
    public static Rendering of(ClusterSpec spec) {
        return new Rendering(spec, AZURE, null);
    }

    /**
     * The same for another provider, whose part of {@link ClusterSpec#on()} overrides the rest.
     *
     * @param name such as {@code local}
     */
    public Rendering on(String name) {
        return new Rendering(spec, name, store);
    }

    /** The same with the public keys of the cluster of this name in this store, which is only read. */
    public Rendering knownFrom(StateStore known) {
        return new Rendering(spec, provider, known);
    }

    /**
     * Renders the files; writes none.
     *
     * @throws SpecRefusedException when a rule finds an error in the spec
     * @throws io.clusterwright.core.spec.InvalidSpecException when the provider's part does not fit the rest, or a file that the
     *     spec names cannot be read
     * @throws io.clusterwright.core.type.ClusterwrightException when two renderers make a file of the same name
     */
    public RenderedFiles files() {
        return new FileRendering(spec, provider, store).files();
    }

    /**
     * Renders the files and writes them into a folder.
     *
     * @throws SpecRefusedException as {@link #files()}; nothing was written
     * @throws io.clusterwright.core.type.ClusterwrightException as {@link #files()} and {@link RenderedFiles#writeTo(Path)}
     */
    public List<WrittenFile> writeTo(Path folder) {
        return files().writeTo(folder);
    }
}
