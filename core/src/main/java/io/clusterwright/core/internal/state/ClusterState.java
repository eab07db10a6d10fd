package io.clusterwright.core.internal.state;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import io.clusterwright.core.ClusterSummary;
import io.clusterwright.core.ClusterSummary.ClusterPhase;
import io.clusterwright.core.Node;
import io.clusterwright.core.ResourceId;
import io.clusterwright.core.internal.json.Json;
import io.clusterwright.core.spec.ClusterSpec;
import io.clusterwright.core.spec.SpecReader;
import io.clusterwright.core.spi.Machine;
import io.clusterwright.core.type.ClusterId;
import io.clusterwright.core.type.ClusterName;
import io.clusterwright.core.type.ClusterwrightException;
import io.clusterwright.core.type.Interconnect;
import io.clusterwright.core.type.InvalidValueException;
import io.clusterwright.core.type.Ipv4Address;
import io.clusterwright.core.type.NodeName;
import io.clusterwright.core.type.SshPublicKey;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The state of a cluster: its journal, read from the beginning.
 *
 * @param id its name and random id
 * @param spec the latest spec
 * @param provider the name of the provider that made it
 * @param created the time of the first entry
 * @param resources the resources that were announced and not deleted, in order of announcement
 * @param machines the machines that were made, by node, in order of creation
 * @param phase the latest phase
 */
public record ClusterState(
        ClusterId id,
        ClusterSpec spec,
        String provider,
        Instant created,
        Set<ResourceId> resources,
        Map<NodeName, Machine> machines,
        ClusterPhase phase)
        implements ClusterSummary {

    @Override
    public ClusterName name() {
        return id.name();
    }

    @Override
    public Optional<Instant> expires() {
        return spec.timeToLive().map(created::plus);
    }

    @Override
    public List<Node> nodes() {
        return machines.values().stream()
                .map(machine -> new Node(machine.name(), machine.address(), machine.hostKey(), machine.interconnect()))
                .sorted(Comparator.comparing(Node::name))
                .toList();
    }

    /** Replays a journal of at least one entry. */
    public static ClusterState replay(ClusterName cluster, List<String> entries) {
        Replay replay = new Replay(cluster);
        int line = 0;
        for (String entry : entries) {
            line++;
            try {
                replay.apply(Json.MAPPER.readTree(entry));
            } catch (JsonProcessingException | IllegalArgumentException | InvalidValueException e) {
                throw new ClusterwrightException(
                        "the journal of cluster " + cluster + " cannot be read at line " + line + ": " + e.getMessage()
                                + "; remove that line, or destroy the cluster, which also finds what the journal does"
                                + " not know",
                        e);
            }
        }
        return replay.state();
    }

    /** The id in the first entry that can be read and tells it. */
    static ClusterId id(ClusterName cluster, List<String> entries) {
        for (String entry : entries) {
            try {
                return new ClusterId(cluster, Replay.text(Json.MAPPER.readTree(entry), "id"));
            } catch (JsonProcessingException | IllegalArgumentException | InvalidValueException e) {
                // Another entry may tell it.
            }
        }
        throw new ClusterwrightException("the journal of cluster " + cluster + " does not tell the cluster's id");
    }

    private static final class Replay {
        private final ClusterName cluster;
        private @Nullable ClusterId id;
        private @Nullable ClusterSpec spec;
        private String provider = "";
        private Instant created = Instant.EPOCH;
        private final Set<ResourceId> resources = new LinkedHashSet<>();
        private final Map<NodeName, Machine> machines = new LinkedHashMap<>();
        private ClusterPhase phase = ClusterPhase.CREATING;
        private boolean building;

        Replay(ClusterName cluster) {
            this.cluster = cluster;
        }

        void apply(JsonNode entry) {
            switch (text(entry, "entry")) {
                case "began" -> {
                    if (spec == null) {
                        created = Instant.parse(text(entry, "at"));
                    }
                    id = new ClusterId(cluster, text(entry, "id"));
                    spec = SpecReader.read(text(entry, "spec"), "journal").toBuilder()
                            .baseFolder(Path.of(text(entry, "folder")))
                            .build();
                    provider = text(entry, "provider");
                    phase = phase(entry.path("phase").asText(ClusterPhase.CREATING.toString()));
                    building = phase == ClusterPhase.BUILDING;
                }
                case "creating", "created" -> resources.add(resource(entry));
                case "deleted", "kept" -> {
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
                default -> phase = building ? ClusterPhase.BUILDING : phase(text(entry, "entry"));
            }
        }

        private static ClusterPhase phase(String name) {
            return Stream.of(ClusterPhase.values())
                    .filter(one -> one.toString().equals(name))
                    .findFirst()
                    .orElseThrow(() -> new IllegalArgumentException("unknown entry " + name));
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

        ClusterState state() {
            if (id == null || spec == null) {
                throw new ClusterwrightException("the journal of cluster " + cluster + " holds no description");
            }
            return new ClusterState(id, spec, provider, created, resources, machines, phase);
        }
    }
}
