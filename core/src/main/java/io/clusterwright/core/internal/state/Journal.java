package io.clusterwright.core.internal.state;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.clusterwright.core.ClusterSummary.ClusterPhase;
import io.clusterwright.core.ResourceId;
import io.clusterwright.core.StateStore;
import io.clusterwright.core.internal.json.Json;
import io.clusterwright.core.spec.ClusterSpec;
import io.clusterwright.core.spi.Machine;
import io.clusterwright.core.spi.MachineProvider.ResourceLog;
import io.clusterwright.core.type.ClusterId;
import io.clusterwright.core.type.ClusterwrightException;
import java.time.Clock;
import java.time.Instant;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Writes what happens to a cluster, each entry before the next thing is done; {@link ClusterState} replays it. */
public final class Journal implements ResourceLog {
    private static final Logger LOG = LoggerFactory.getLogger(Journal.class);

    private final ClusterId cluster;
    private final StateStore.Writer writer;
    private final Clock clock;
    private final boolean cleaningUp;

    /** The journal of a cluster on an open record. */
    public Journal(ClusterId cluster, StateStore.Writer writer, Clock clock) {
        this(cluster, writer, clock, false);
    }

    private Journal(ClusterId cluster, StateStore.Writer writer, Clock clock, boolean cleaningUp) {
        this.cluster = cluster;
        this.writer = writer;
        this.clock = clock;
        this.cleaningUp = cleaningUp;
    }

    /**
     * This journal for work that deletes, which goes on without the entries that cannot be written: a resource that is gone and still
     * recorded is deleted again without harm.
     */
    public Journal forCleanUp() {
        return new Journal(cluster, writer, clock, true);
    }

    /**
     * A cluster of this spec is about to be created or changed to match the spec, or only its image is built.
     *
     * @param phase {@link ClusterPhase#CREATING} or {@link ClusterPhase#BUILDING}
     * @param again whether a cluster that has a record is created again, so that its time to live begins again
     * @return the time of this entry
     */
    public Instant began(ClusterSpec spec, String provider, ClusterPhase phase, boolean again) {
        ObjectNode entry = whole("began")
                .put("id", cluster.id())
                .put("provider", provider)
                .put("phase", phase.toString())
                .put("folder", spec.baseFolder().toString());
        String at = entry.path("at").asText();
        if (again) {
            entry.put("created", at);
        }
        append(entry.put("spec", spec.toJson()));
        return Instant.parse(at);
    }

    /**
     * The cluster was found at its provider; what was written before does not count.
     *
     * @param created the time at which its creation began; empty where it is not known, and its time to live begins again
     */
    public void adopted(ClusterSpec spec, String provider, Optional<Instant> created) {
        ObjectNode entry = whole("adopted")
                .put("id", cluster.id())
                .put("provider", provider)
                .put("folder", spec.baseFolder().toString());
        created.ifPresent(time -> entry.put("created", time.toString()));
        append(entry.put("spec", spec.toJson()));
    }

    /** A machine was made for a node, and is not ready yet. */
    public void booting(Machine machine) {
        append(machine("booting", machine));
    }

    /** The machine of a node is ready. */
    public void machine(Machine machine) {
        append(machine("machine", machine));
    }

    private ObjectNode machine(String what, Machine machine) {
        return entry(what)
                .put("node", machine.name().value())
                .put("address", machine.address().toString())
                .put("kind", machine.resource().kind())
                .put("name", machine.resource().name())
                .put("hostKey", machine.hostKey().toString())
                .put("interconnect", machine.interconnect().name());
    }

    /** The cluster entered this phase. */
    public void phase(ClusterPhase phase) {
        append(entry(phase.toString()));
    }

    /** The attempt ended with an error. */
    public void failed(String reason) {
        append(entry("failed").put("reason", reason));
    }

    @Override
    public ClusterId cluster() {
        return cluster;
    }

    @Override
    public void creating(ResourceId resource) {
        append(resource("creating", resource));
    }

    @Override
    public void created(ResourceId resource) {
        append(resource("created", resource));
    }

    @Override
    public void deleted(ResourceId resource) {
        append(resource("deleted", resource));
    }

    /** The resource exists, and no longer belongs to this cluster. */
    public void kept(ResourceId resource) {
        append(resource("kept", resource));
    }

    private ObjectNode resource(String what, ResourceId resource) {
        return entry(what).put("kind", resource.kind()).put("name", resource.name());
    }

    /** An entry with a spec, from which a record can be read. */
    private ObjectNode whole(String what) {
        ObjectNode entry = entry(what).put("format", RecordFormat.NUMBER);
        RecordFormat.version().ifPresent(version -> entry.put("by", version));
        return entry;
    }

    private ObjectNode entry(String what) {
        return Json.object().put("at", clock.instant().toString()).put("entry", what);
    }

    private void append(JsonNode entry) {
        try {
            writer.append(Json.write(entry));
        } catch (ClusterwrightException e) {
            if (!cleaningUp) {
                throw e;
            }
            LOG.debug("the clean-up goes on without its journal", e);
        }
    }
}
