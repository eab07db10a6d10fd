package io.clusterwright.azure;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * An announced change of a virtual machine, as Azure's metadata service reports it. Immutable. Use it to save the
 * state of a program before Azure reboots or removes its machine.
 *
 * <p>Names and meanings come from <a
 * href="https://learn.microsoft.com/azure/virtual-machines/linux/scheduled-events">Microsoft's description</a> of
 * version 2020-07-01.
 *
 * @see ScheduledEvents
 */
public final class ScheduledEvent {
    private final JsonNode event;

    ScheduledEvent(JsonNode event) {
        this.event = event;
    }

    /** The event's id, by which it is {@linkplain ScheduledEvents#approve approved}. */
    public String id() {
        return text("EventId");
    }

    /**
     * The effect on the machine as Azure names it, which may be one that this library does not know. Azure announces {@code Freeze}, which
     * pauses the machine for seconds, and {@code Reboot} 15 minutes ahead; {@code Redeploy}, by which memory and temporary disks are lost,
     * 10 minutes; {@code Preempt}, the eviction of a spot machine, 30 seconds where it can at all; {@code Terminate}, its deletion, 5 to 15
     * minutes, as its scale set says.
     */
    public String type() {
        return text("EventType");
    }

    /** Whether processes on the machine do not survive it; false for a type that this library does not know. */
    public boolean endsProcesses() {
        return removesMachine() || isOf("Reboot") || isOf("Redeploy");
    }

    /** Whether the machine does not come back by itself; false for a type that this library does not know. */
    public boolean removesMachine() {
        return isOf("Preempt") || isOf("Terminate");
    }

    private boolean isOf(String type) {
        return type.equalsIgnoreCase(type());
    }

    /** Azure's status of the event: {@code Scheduled} before it begins, {@code Started} after. Ended and cancelled events are not listed. */
    public String status() {
        return text("EventStatus");
    }

    /** The type of {@link #resources()}; {@code VirtualMachine} so far. */
    public String resourceType() {
        return text("ResourceType");
    }

    /** The names in Azure of the affected machines. All machines of a set see the event, not these alone. */
    public List<String> resources() {
        List<String> resources = new ArrayList<>();
        event.path("Resources").forEach(resource -> resources.add(resource.asText()));
        return List.copyOf(resources);
    }

    /** The time before which it does not begin, unless it is approved; empty when it has begun. */
    public Optional<Instant> notBefore() {
        // Azure's own examples name a wrong day of the week, so that only the date after the comma is read.
        String text = text("NotBefore");
        String date = text.substring(text.indexOf(',') + 1).strip();
        try {
            return date.isEmpty()
                    ? Optional.empty()
                    : Optional.of(DateTimeFormatter.RFC_1123_DATE_TIME.parse(date, Instant::from));
        } catch (DateTimeException e) {
            return Optional.empty();
        }
    }

    /** A text for people; may be empty. */
    public String description() {
        return text("Description");
    }

    /** {@code Platform} or {@code User}; empty where Azure does not say. */
    public String source() {
        return text("EventSource");
    }

    /** The expected length of the interruption; empty where it is not known or has no meaning. */
    public Optional<Duration> interruption() {
        long seconds = event.path("DurationInSeconds").asLong(-1);
        return seconds < 0 ? Optional.empty() : Optional.of(Duration.ofSeconds(seconds));
    }

    /** Whether it affects this machine, by its name in Azure: a scale set's instance is named {@code SET_NUMBER}. */
    public boolean isAbout(String machine) {
        return resources().stream().anyMatch(machine::equalsIgnoreCase);
    }

    private String text(String field) {
        return event.path(field).asText();
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof ScheduledEvent same && event.equals(same.event);
    }

    @Override
    public int hashCode() {
        return event.hashCode();
    }

    @Override
    public String toString() {
        return event.toString();
    }
}
