package io.clusterwright.core.internal.state;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import io.clusterwright.core.ResourceId;
import io.clusterwright.core.spec.ClusterSpec;
import io.clusterwright.core.spec.SpecReader;
import io.clusterwright.core.spi.Machine;
import io.clusterwright.core.type.ClusterName;
import io.clusterwright.core.type.ClusterwrightException;
import io.clusterwright.core.type.Interconnect;
import io.clusterwright.core.type.Ipv4Address;
import io.clusterwright.core.type.NodeName;
import io.clusterwright.core.type.SshPublicKey;
import java.nio.file.Path;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * What a journal says when it is read from its beginning.
 *
 * @param spec the latest description
 * @param provider the provider that made it
 * @param created when it was first begun
 * @param resources what was announced and not deleted, in order of announcement
 * @param machines the machines that were made, by node, in the order of their making
 * @param phase how far it came
 */
public record ClusterState(
        ClusterSpec spec,
        String provider,
        Instant created,
        Set<ResourceId> resources,
        Map<NodeName, Machine> machines,
        Phase phase) {

    /** How far a cluster came. */
    public enum Phase {
        /** It is being made, or its maker died. */
        CREATING,
        /** It is complete. */
        READY,
        /** Its making failed and something was kept. */
        FAILED,
        /** Its machines are being stopped, or who stopped them died. */
        STOPPING,
        /** Its machines are stopped. */
        STOPPED,
        /** Its machines are being started again, or who started them died. */
        STARTING;

        /** Whether machines of it may be stopped on purpose. */
        public boolean asleep() {
            return this == STOPPING || this == STOPPED || this == STARTING;
        }
    }

    /** Replays a journal of at least one entry. */
    public static ClusterState replay(ClusterName cluster, List<String> entries) {
        Replay replay = new Replay();
        int line = 0;
        for (String entry : entries) {
            line++;
            try {
                replay.apply(Journal.JSON.readTree(entry));
            } catch (JsonProcessingException | IllegalArgumentException e) {
                throw new ClusterwrightException(
                        "the journal of cluster " + cluster + " cannot be read at line " + line + ": " + e.getMessage()
                                + "; remove that line, or destroy the cluster, which also finds what the journal does not know",
                        e);
            }
        }
        return replay.state(cluster);
    }

    private static final class Replay {
        private @org.jspecify.annotations.Nullable ClusterSpec spec;
        private String provider = "";
        private Instant created = Instant.EPOCH;
        private final Set<ResourceId> resources = new LinkedHashSet<>();
        private final Map<NodeName, Machine> machines = new LinkedHashMap<>();
        private Phase phase = Phase.CREATING;

        void apply(JsonNode entry) {
            switch (text(entry, "entry")) {
                case "began" -> {
                    if (spec == null) {
                        created = Instant.parse(text(entry, "at"));
                    }
                    spec = SpecReader.read(text(entry, "spec"), "journal").toBuilder()
                            .baseFolder(Path.of(text(entry, "folder")))
                            .build();
                    provider = text(entry, "provider");
                    phase = Phase.CREATING;
                }
                case "creating", "created" -> resources.add(resource(entry));
                case "deleted" -> {
                    ResourceId gone = resource(entry);
                    resources.remove(gone);
                    machines.values().removeIf(machine -> machine.resource().equals(gone));
                }
                case "machine" -> {
                    NodeName node = NodeName.parse(text(entry, "node"));
                    machines.put(
                            node,
                            new Machine(
                                    node,
                                    Ipv4Address.parse(text(entry, "address")),
                                    resource(entry),
                                    SshPublicKey.parse(text(entry, "hostKey")),
                                    Interconnect.valueOf(text(entry, "interconnect"))));
                }
                case "removed" -> machines.remove(NodeName.parse(text(entry, "node")));
                case "ready" -> phase = Phase.READY;
                case "failed" -> phase = Phase.FAILED;
                case "stopping" -> phase = Phase.STOPPING;
                case "stopped" -> phase = Phase.STOPPED;
                case "starting" -> phase = Phase.STARTING;
                default -> throw new IllegalArgumentException("unknown entry " + text(entry, "entry"));
            }
        }

        private static ResourceId resource(JsonNode entry) {
            return new ResourceId(text(entry, "kind"), text(entry, "name"));
        }

        private static String text(JsonNode entry, String field) {
            JsonNode value = entry.get(field);
            if (value == null) {
                throw new IllegalArgumentException("no \"" + field + "\"");
            }
            return value.asText();
        }

        ClusterState state(ClusterName cluster) {
            if (spec == null) {
                throw new ClusterwrightException("the journal of cluster " + cluster + " holds no description");
            }
            return new ClusterState(spec, provider, created, resources, machines, phase);
        }
    }
}
