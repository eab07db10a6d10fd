package io.clusterwright.core.internal.state;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import io.clusterwright.core.ClusterSummary.ClusterPhase;
import io.clusterwright.core.ResourceId;
import io.clusterwright.core.internal.json.Json;
import io.clusterwright.core.spec.ClusterSpec;
import io.clusterwright.core.spec.InvalidSpecException;
import io.clusterwright.core.spec.SpecProblem;
import io.clusterwright.core.spi.Machine;
import io.clusterwright.core.type.ClusterId;
import io.clusterwright.core.type.ClusterName;
import io.clusterwright.core.type.ClusterwrightException;
import io.clusterwright.core.type.Interconnect;
import io.clusterwright.core.type.InvalidValueException;
import io.clusterwright.core.type.Ipv4Address;
import io.clusterwright.core.type.NodeName;
import io.clusterwright.core.type.NodeSet;
import io.clusterwright.core.type.SshPublicKey;
import java.nio.file.Path;
import java.time.Instant;
import java.util.HashMap;
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
 * @param since the time of the first entry, or of the latest creation that kept no machine
 * @param resources the resources that were announced and not deleted, in order of announcement
 * @param machines the machines that became ready, by node, in order of creation
 * @param booting the machines that were made and did not become ready, by node, in order of creation
 * @param phase the latest phase
 */
public record ClusterState(
        ClusterId id,
        ClusterSpec spec,
        String provider,
        Instant since,
        Set<ResourceId> resources,
        Map<NodeName, Machine> machines,
        Map<NodeName, Machine> booting,
        ClusterPhase phase)
        implements ClusterRecord {

    @Override
    public ClusterName name() {
        return id.name();
    }

    @Override
    public Optional<Instant> created() {
        return Optional.of(since);
    }

    @Override
    public Optional<Instant> expires() {
        return TimeToLive.end(spec, since);
    }

    /** In one line, without the spec: {@code demo on local, ready, with demo[1-2]}. */
    @Override
    public String toString() {
        return name() + " on " + provider + ", " + phase
                + (machines.isEmpty() ? "" : ", with " + NodeSet.fold(machines.keySet()));
    }

    /**
     * Replays a journal of at least one entry.
     *
     * @param place the place of the journal
     * @throws ClusterwrightException when it is damaged, or a newer version wrote it
     */
    static ClusterState replay(ClusterName cluster, String place, List<String> entries) {
        ClusterRecord record = read(cluster, place, entries);
        if (record instanceof ClusterState state) {
            return state;
        }
        record.requireReadable();
        throw new ClusterwrightException("the record of cluster " + cluster + " is damaged: "
                + record.damage().orElse("") + "; run: clusterwright adopt " + cluster
                + " --on WHERE, which writes the record again, or: clusterwright destroy " + cluster);
    }

    /**
     * Reads all entries of a journal that can be read: a state; the record of a newer version where an entry is of such a version; or a
     * damaged record where an entry cannot be read.
     */
    static ClusterRecord read(ClusterName cluster, String place, List<String> entries) {
        Replay replay = new Replay(cluster);
        String damage = null;
        String newer = null;
        String writer = "";
        int line = 0;
        for (String entry : entries) {
            line++;
            JsonNode read = MissingNode.getInstance();
            try {
                read = Json.MAPPER.readTree(entry);
                writer = read.path("by").asText(writer);
                RecordFormat.requireKnown(read);
                if (read.path("entry").asText().equals("adopted")) {
                    Replay anew = new Replay(cluster);
                    anew.apply(read);
                    replay = anew;
                    damage = null;
                    newer = null;
                } else {
                    replay.apply(read);
                }
            } catch (RecordFormat.NewerException e) {
                replay.identify(read);
                if (newer == null) {
                    newer = "line " + line + " of " + place + " " + e.getMessage();
                }
            } catch (JsonProcessingException | RuntimeException e) {
                // One kind of damage is as bad as another: the entry is no entry. A newer version may have written a
                // value.
                String reason = "line " + line + " of " + place + " cannot be read: " + firstProblem(e);
                if (read.isObject() && RecordFormat.mayKnowMore(writer)) {
                    replay.identify(read);
                    newer = newer == null ? reason : newer;
                } else if (damage == null) {
                    damage = reason;
                }
            }
        }
        ClusterId id = replay.id;
        ClusterSpec spec = replay.spec;
        Instant created = replay.created;
        if (newer != null) {
            return new Newer(
                    cluster,
                    id,
                    replay.provider,
                    created,
                    replay.resources,
                    RecordFormat.newerText(cluster, writer, newer));
        }
        if (damage == null && replay.adopting) {
            damage = place + " ends in the middle of an adoption";
        }
        if (damage == null && id != null && spec != null && created != null) {
            return new ClusterState(
                    id,
                    spec,
                    replay.provider,
                    created,
                    replay.resources,
                    replay.machines,
                    replay.booting,
                    replay.phase);
        }
        return new Damaged(
                cluster,
                id,
                spec,
                replay.provider,
                created,
                replay.resources,
                replay.machines,
                damage == null ? place + " has no spec of the cluster" : damage);
    }

    private static String firstProblem(Exception e) {
        if (e instanceof InvalidSpecException spec) {
            SpecProblem first = spec.problems().get(0);
            return "in its spec, " + first.path() + ": " + first.message();
        }
        return String.valueOf(e.getMessage()).lines().findFirst().orElse("");
    }

    private static final class Replay {
        private final ClusterName cluster;
        private @Nullable ClusterId id;
        private @Nullable ClusterSpec spec;
        private String provider = UNKNOWN;
        private @Nullable Instant created;
        private final Set<ResourceId> resources = new LinkedHashSet<>();
        private final Map<NodeName, Machine> machines = new LinkedHashMap<>();
        private final Map<NodeName, Machine> booting = new LinkedHashMap<>();
        private final Map<ResourceId, NodeName> nodes = new HashMap<>();
        private ClusterPhase phase = ClusterPhase.CREATING;
        private boolean building;
        private boolean adopting;

        Replay(ClusterName cluster) {
            this.cluster = cluster;
        }

        /** Reads what every format has of the id and the provider. */
        void identify(JsonNode entry) {
            if (id == null && entry.hasNonNull("id")) {
                try {
                    id = new ClusterId(cluster, text(entry, "id"));
                } catch (InvalidValueException e) {
                    return;
                }
            }
            provider = entry.path("provider").asText(provider);
        }

        void apply(JsonNode entry) {
            switch (text(entry, "entry")) {
                case "began", "adopted" -> {
                    id = new ClusterId(cluster, text(entry, "id"));
                    Instant at = Instant.parse(entry.path("created").asText(text(entry, "at")));
                    created = created == null || entry.has("created") ? at : created;
                    provider = text(entry, "provider");
                    spec = RecordFormat.spec(entry, text(entry, "spec")).toBuilder()
                            .baseFolder(Path.of(text(entry, "folder")))
                            .build();
                    phase = phase(entry.path("phase").asText(ClusterPhase.CREATING.toString()));
                    building = phase == ClusterPhase.BUILDING;
                    adopting = text(entry, "entry").equals("adopted");
                }
                case "creating", "created" -> resources.add(resource(entry));
                case "deleted", "kept" -> {
                    ResourceId gone = resource(entry);
                    resources.remove(gone);
                    NodeName node = nodes.remove(gone);
                    if (node != null) {
                        machines.computeIfPresent(
                                node, (name, is) -> is.resource().equals(gone) ? null : is);
                        booting.computeIfPresent(
                                node, (name, is) -> is.resource().equals(gone) ? null : is);
                    }
                }
                case "booting" -> {
                    Machine machine = machine(entry);
                    booting.put(machine.name(), machine);
                    nodes.put(machine.resource(), machine.name());
                }
                case "machine" -> {
                    Machine machine = machine(entry);
                    booting.remove(machine.name());
                    machines.put(machine.name(), machine);
                    nodes.put(machine.resource(), machine.name());
                }
                default -> {
                    phase = building ? ClusterPhase.BUILDING : phase(text(entry, "entry"));
                    adopting = false;
                }
            }
        }

        private static Machine machine(JsonNode entry) {
            return new Machine(
                    NodeName.of(text(entry, "node")),
                    Ipv4Address.of(text(entry, "address")),
                    resource(entry),
                    SshPublicKey.of(text(entry, "hostKey")),
                    interconnect(text(entry, "interconnect")));
        }

        private static Interconnect interconnect(String name) {
            return Stream.of(Interconnect.values())
                    .filter(one -> one.name().equals(name))
                    .findFirst()
                    .orElseThrow(() -> new IllegalArgumentException("there is no interconnect \"" + name + "\""));
        }

        private static ClusterPhase phase(String name) {
            return Stream.of(ClusterPhase.values())
                    .filter(one -> one != ClusterPhase.DAMAGED
                            && one != ClusterPhase.NEWER
                            && one.toString().equals(name))
                    .findFirst()
                    .orElseThrow(() -> new RecordFormat.NewerException("has the entry \"" + name + "\""));
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
    }
}
