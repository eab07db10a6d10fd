package io.clusterwright.core.internal.create;

import io.clusterwright.core.plan.PlannedResource;
import io.clusterwright.core.spec.ClusterSpec;
import io.clusterwright.core.spec.Placement;
import io.clusterwright.core.spec.NetworkSpec.SshAccess;
import java.util.ArrayList;
import java.util.List;

/** What a cloud needs around the machines of a cluster. */
final class CloudParts {
    /** What one availability set holds; source: the limits of the subscription service. */
    private static final int AVAILABILITY_SET_MOST = 200;

    private CloudParts() {}

    /** The way in from outside. */
    static List<PlannedResource> access(ClusterSpec spec) {
        List<PlannedResource> parts = new ArrayList<>();
        parts.add(PlannedResource.free("security group", spec.name() + "-nsg"));
        SshAccess.External external = spec.network().ssh().external();
        if (external == SshAccess.External.NONE) {
            return parts;
        }
        boolean prefix = spec.network().ssh().portPrefix().isPresent();
        int addresses =
                prefix || external == SshAccess.External.HEAD ? 1 : spec.nodes().count();
        parts.add(new PlannedResource("public address", spec.name() + "-ip", addresses, true));
        if (prefix) {
            parts.add(PlannedResource.billed("load balancer", spec.name() + "-lb"));
        }
        return parts;
    }

    /** What keeps the machines on one fabric. */
    static List<PlannedResource> placement(ClusterSpec spec) {
        List<PlannedResource> parts = new ArrayList<>();
        if (spec.placement().proximityGroup()) {
            parts.add(PlannedResource.free("proximity placement group", spec.name() + "-ppg"));
        }
        switch (kind(spec)) {
            case AVAILABILITY_SET -> parts.add(PlannedResource.free("availability set", spec.name() + "-avset"));
            case SCALE_SET -> parts.add(PlannedResource.free("scale set", spec.name() + "-vmss"));
            default -> {}
        }
        return parts;
    }

    /** What {@code auto} means: an availability set for as many as it holds, a scale set for more and for spot machines. */
    private static Placement.Kind kind(ClusterSpec spec) {
        if (spec.placement().kind() != Placement.Kind.AUTO) {
            return spec.placement().kind();
        }
        boolean spot = spec.nodes().spot().enabled();
        return spot || spec.nodes().count() > AVAILABILITY_SET_MOST
                ? Placement.Kind.SCALE_SET
                : Placement.Kind.AVAILABILITY_SET;
    }
}
