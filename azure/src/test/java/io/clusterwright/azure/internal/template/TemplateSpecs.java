package io.clusterwright.azure.internal.template;

import io.clusterwright.core.spec.ClusterSpec;
import io.clusterwright.core.spec.NetworkSpec.SshAccess;
import io.clusterwright.core.spec.Placement;
import io.clusterwright.core.spec.SpecReader;
import java.nio.file.Path;

/** The descriptions whose templates are tested. */
public final class TemplateSpecs {
    private TemplateSpecs() {}

    public static ClusterSpec named(String name) {
        return switch (name) {
            case "article" -> article();
            case "full" -> full();
            default -> scaleSet();
        };
    }

    /** The article's cluster, as the examples have it. */
    public static ClusterSpec article() {
        return SpecReader.read(Path.of("..", "examples", "specs", "quickstart.yaml"));
    }

    /** A head node of its own behind a port of one address, extensions with secrets, tags, an image of the marketplace. */
    public static ClusterSpec full() {
        return SpecReader.read(Path.of("src", "test", "resources", "template", "full.yaml"));
    }

    /** Spot nodes of one scale set, each behind a port, with a head node of its own. */
    static ClusterSpec scaleSet() {
        return full().toBuilder()
                .nodes(n -> n.spot(spot -> spot.enabled(true)))
                .placement(new Placement(Placement.Kind.SCALE_SET, true))
                .network(n -> n.ssh(ssh -> ssh.external(SshAccess.External.ALL)))
                .build();
    }
}
