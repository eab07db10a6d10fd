package io.clusterwright.azure;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * An announced change of a virtual machine, as Azure's metadata service reports it. Immutable.
 *
 * <p>Names and meanings are those of <a href="https://learn.microsoft.com/azure/virtual-machines/linux/scheduled-events">Microsoft's
 * description</a> of version 2020-07-01.
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

    /** The effect on the machine. */
    public Kind kind() {
        String type = type().toUpperCase(Locale.ROOT);
        for (Kind kind : Kind.values()) {
            if (kind.name().equals(type)) {
                return kind;
            }
        }
        return Kind.OTHER;
    }

    /** The effect on the machine as Azure names it, which may be a type that this library does not know. */
    public String type() {
        return text("EventType");
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

    /** The effect of an event on a machine, and the least time ahead at which it is announced. */
    public enum Kind {
        /** It pauses for seconds; memory and open files stay. 15 minutes ahead. */
        FREEZE(false, false),
        /** It restarts; memory is lost. 15 minutes ahead. */
        REBOOT(true, false),
        /** It moves to other hardware; memory and temporary disks are lost. 10 minutes ahead. */
        REDEPLOY(true, false),
        /** It is a spot machine and is evicted. 30 seconds ahead, where Azure can announce it at all. */
        PREEMPT(true, true),
        /** It is deleted. 5 to 15 minutes ahead, as its scale set says. */
        TERMINATE(true, true),
        /** A type that this library does not know; see {@link ScheduledEvent#type()}. */
        OTHER(false, false);

        private final boolean endsProcesses;
        private final boolean removes;

        Kind(boolean endsProcesses, boolean removes) {
            this.endsProcesses = endsProcesses;
            this.removes = removes;
        }

        /** Whether processes on the machine do not survive it. */
        public boolean endsProcesses() {
            return endsProcesses;
        }

        /** Whether the machine does not come back by itself. */
        public boolean removesMachine() {
            return removes;
        }
    }
}
