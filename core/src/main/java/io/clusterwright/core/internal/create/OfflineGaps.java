package io.clusterwright.core.internal.create;

import io.clusterwright.core.spec.ClusterSpec;
import io.clusterwright.core.type.VmSize;
import io.clusterwright.core.type.ImageReference;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** What only a cloud can answer, for a plan that asked none. */
final class OfflineGaps {
    private OfflineGaps() {}

    static List<String> of(ClusterSpec spec) {
        String why = ", because the cloud was not asked";
        List<String> lines = new ArrayList<>();
        String head = spec.headNode()
                .filter(one -> !spec.nodes().size().equals(Optional.of(one.size())))
                .map(one -> " and " + one.size())
                .orElse("");
        lines.add("size: " + spec.nodes().size().map(VmSize::toString).orElse("none") + head + ": offered to this subscription in " + spec.region().orElse("an unknown region") + why);
        if (!(spec.image().base() instanceof ImageReference.Auto)) {
            lines.add("image: whether " + spec.image().base() + " exists there and its terms are accepted" + why);
        } else {
            lines.add("image: whether the default image of the size exists there and its terms are accepted" + why);
        }
        lines.add("image: whether one made from the same recipe is there already" + why);
        lines.add("names: whether " + spec.resourceGroup() + " exists or something else has its names" + why);
        if (spec.network().existing()) {
            lines.add("network: whether " + spec.network().name() + " exists with these ranges" + why);
        }
        return lines;
    }
}
