package io.clusterwright.core.internal.lifecycle;

import io.clusterwright.core.DestroyReport;
import io.clusterwright.core.StateStore;
import io.clusterwright.core.StoredImage;
import io.clusterwright.core.internal.state.ClusterRecord;
import io.clusterwright.core.internal.state.ClusterRecords;
import io.clusterwright.core.internal.state.Journal;
import io.clusterwright.core.internal.text.Reason;
import io.clusterwright.core.plan.Step;
import io.clusterwright.core.spi.Machine;
import io.clusterwright.core.spi.MachineProvider;
import io.clusterwright.core.type.ClusterId;
import io.clusterwright.core.type.ClusterName;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/** The destruction of a cluster that has a record. */
final class ClusterDestruction {
    private final ClusterRecords records;
    private final MachineProvider provider;
    private final Clock clock;
    private final EventEmitter events;

    ClusterDestruction(ClusterRecords records, MachineProvider provider, Clock clock, EventEmitter events) {
        this.records = records;
        this.provider = provider;
        this.clock = clock;
        this.events = events;
    }

    /** Deletes the cluster of this name when its id is wanted, with the contents of others in its resources where asked to. */
    DestroyReport destroy(ClusterName name, Predicate<ClusterId> wanted, boolean withContents) {
        if (!records.store().clusters().contains(name)) {
            return nothing(name, wanted);
        }
        // Without the lock as well: another process may hold it to change its cluster of this name.
        if (isUnwanted(records.readable(name), wanted)) {
            return new DestroyReport(List.of(), Map.of());
        }
        return events.step(Step.DESTROY, "cluster " + name, () -> destroyRecorded(name, wanted, withContents));
    }

    private DestroyReport destroyRecorded(ClusterName name, Predicate<ClusterId> wanted, boolean withContents) {
        try (StateStore.Writer writer = records.store().open(name)) {
            Optional<ClusterRecord> record = records.readable(name);
            record.ifPresent(ClusterRecord::requireReadable);
            if (isUnwanted(record, wanted)) {
                return new DestroyReport(List.of(), Map.of());
            }
            record.ifPresent(records::requireOwn);
            if (record.isEmpty()) {
                // Its first entry was not written, so nothing was made.
                writer.forget();
                return nothing(name, wanted);
            }
            ClusterId id = ClusterRecords.requireId(record.get());
            Journal journal = new Journal(id, writer, clock).forCleanUp();
            List<Machine> known = record.get().allMachines();
            CapturedImages images = new CapturedImages(records, provider, clock);
            Set<String> used = orNone(() -> imagesOf(id, images)).orElse(Set.of());
            ResourceRemoval removal = new ResourceRemoval(id, provider, images, journal::deleted, events, known);
            DestroyReport report = (withContents ? removal.withContents() : removal)
                    .removeAndSweep(List.copyOf(record.get().resources()));
            if (report.left().isEmpty()) {
                writer.forget();
            }
            List<StoredImage> staying = orNone(() -> images.among(used)).orElse(List.of());
            return new DestroyReport(report.deleted(), report.left(), staying);
        }
    }

    private static Set<String> imagesOf(ClusterId cluster, CapturedImages images) {
        return images.users().entrySet().stream()
                .filter(image -> image.getValue().contains(cluster))
                .map(Map.Entry::getKey)
                .collect(Collectors.toSet());
    }

    /** A question about images that cannot be answered does not hinder the deletion. */
    private <T> Optional<T> orNone(Supplier<T> question) {
        try {
            return Optional.of(question.get());
        } catch (RuntimeException e) {
            events.progress(Step.DESTROY, "the images that stay are not listed: " + Reason.of(e));
            return Optional.empty();
        }
    }

    private static boolean isUnwanted(Optional<ClusterRecord> record, Predicate<ClusterId> wanted) {
        return record.flatMap(ClusterRecord::knownId).filter(wanted.negate()).isPresent();
    }

    private DestroyReport nothing(ClusterName name, Predicate<ClusterId> wanted) {
        records.requireUnmarked(
                provider.marked(name).stream()
                        .filter(marked -> wanted.test(marked.id()))
                        .toList(),
                "cluster " + name + " was not destroyed");
        return new DestroyReport(List.of(), Map.of());
    }
}
