package io.clusterwright.azure.internal.machine;

import com.azure.resourcemanager.resources.fluent.models.GenericResourceInner;
import io.clusterwright.azure.AzureException;
import io.clusterwright.azure.AzureException.Reason;
import io.clusterwright.azure.internal.arm.Clients;
import io.clusterwright.azure.internal.arm.Errors;
import io.clusterwright.azure.internal.inspect.AzureFindings;
import io.clusterwright.azure.internal.resource.ClusterResources;
import io.clusterwright.azure.internal.resource.ResourceNames;
import io.clusterwright.azure.internal.resource.Tags;
import io.clusterwright.core.ResourceId;
import io.clusterwright.core.internal.arm.ArmId;
import io.clusterwright.core.internal.arm.ArmResource;
import io.clusterwright.core.internal.arm.ArmText;
import io.clusterwright.core.plan.Finding;
import io.clusterwright.core.spi.MachineProvider.ResourceLog;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;

/**
 * Lets Azure itself end what is billed when the time to live is over. A separate machine is deallocated by its shutdown schedule, which is
 * for a time of day: no machine gets one whose end is more than a day away. The instances of a scale set are deleted by an autoscale
 * setting, at any date. Where Azure refuses either, the cluster is made without, and that is a notice.
 */
public final class AzureExpiry {
    /** A schedule for a time within the next 30 minutes applies from the next day on (Azure documentation, devtest-lab-auto-shutdown). */
    private static final Duration LEAST = Duration.ofMinutes(32);

    private static final Duration LIMIT = Duration.ofMinutes(10);
    private static final int YEARS = 10;
    private static final DateTimeFormatter TIME_OF_DAY = DateTimeFormatter.ofPattern("HHmm");

    private final Clients clients;
    private final ResourceNames names;
    private final ResourceLog log;
    private final Clock clock;
    private final Consumer<Finding> notices;
    private final AtomicBoolean noticed = new AtomicBoolean();
    private final AtomicBoolean made = new AtomicBoolean();
    private final Map<String, Instant> stops = new ConcurrentHashMap<>();

    /** @param notices receives what Azure refused, once */
    public AzureExpiry(Clients clients, ResourceNames names, ResourceLog log, Clock clock, Consumer<Finding> notices) {
        this.clients = clients;
        this.names = names;
        this.log = log;
        this.clock = clock;
        this.notices = notices;
    }

    /**
     * Schedules the shutdown of a machine while Azure still provisions it, so that it holds if this process dies. No source says whether
     * Azure takes a schedule for a machine that is not ready; {@link #stop} repeats what was refused.
     */
    void stopEarly(ArmId machine) {
        stop(machine, refusal -> {});
    }

    /** Schedules the shutdown of a machine that exists, at least half an hour from now, unless it is scheduled already. */
    void stop(ArmId machine) {
        Instant set = stops.remove(machine.plain());
        if (set == null || !set.isAfter(clock.instant())) {
            stop(machine, this::report);
        }
    }

    private void stop(ArmId machine, Consumer<AzureException> refused) {
        Instant now = clock.instant();
        log.expires()
                .filter(end -> !end.isAfter(now.plus(ClusterResources.LONGEST_AHEAD)))
                .ifPresent(end -> {
                    Instant latest = now.plus(ClusterResources.LONGEST_AHEAD).minus(Duration.ofMinutes(2));
                    Instant time = atLeast(now, end.isAfter(latest) ? latest : end);
                    ArmText name = ArmText.plain(machine.name());
                    ArmText timeOfDay = ArmText.plain(TIME_OF_DAY.format(time.atOffset(ZoneOffset.UTC)));
                    if (attempt(
                            "set the shutdown of " + machine.name(),
                            resources().autoShutdown(name, timeOfDay),
                            refused)) {
                        stops.put(machine.plain(), time);
                    }
                });
    }

    /** Sets the end of the instances of the scale set. */
    public void delete(ArmId setting) {
        log.expires().filter(end -> !made.get()).ifPresent(end -> {
            ResourceId resource = ResourceNames.resource(setting);
            Optional<GenericResourceInner> found = clients.find("look for " + setting.name(), setting);
            if (found.filter(other -> !Tags.areOf(other.tags(), log.cluster())).isPresent()) {
                report(Errors.of(
                        Reason.CONFLICT,
                        "set the end of the scale set",
                        setting + " exists and does not belong to cluster " + log.cluster()));
                return;
            }
            Instant time = atLeast(clock.instant(), end);
            if (found.isEmpty()) {
                log.creating(resource);
            }
            made.set(attempt(
                    "set the end of the scale set",
                    resources()
                            .autoscale(
                                    ArmText.plain(time.toString()),
                                    ArmText.plain(time.atOffset(ZoneOffset.UTC)
                                            .plusYears(YEARS)
                                            .toInstant()
                                            .toString())),
                    this::report));
            if (found.isPresent()) {
                return;
            }
            if (made.get()) {
                log.created(resource);
            } else {
                log.deleted(resource);
            }
        });
    }

    /** Deletes the setting of a scale set that is deleted itself. */
    public void forget(ArmId setting) {
        if (made.getAndSet(false)) {
            clients.delete("delete " + setting.name(), setting);
            log.deleted(ResourceNames.resource(setting));
        }
    }

    private static Instant atLeast(Instant now, Instant end) {
        Instant first = now.plus(LEAST);
        return (end.isBefore(first) ? first : end).plusSeconds(59).truncatedTo(ChronoUnit.MINUTES);
    }

    private ClusterResources resources() {
        return ClusterResources.requests(names, log.cluster());
    }

    private boolean attempt(String what, ArmResource resource, Consumer<AzureException> refused) {
        try {
            clients.put(what, LIMIT, resource);
            return true;
        } catch (AzureException e) {
            refused.accept(e);
            return false;
        }
    }

    private void report(AzureException refusal) {
        if (noticed.compareAndSet(false, true)) {
            notices.accept(AzureFindings.noEnd(refusal.getMessage()));
        }
    }
}
