package io.clusterwright.azure;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What Azure is about to do to a virtual machine, as its metadata service announces it.
 *
 * <p>Names and meanings are those of <a href="https://learn.microsoft.com/azure/virtual-machines/linux/scheduled-events">Microsoft's
 * description</a> of version 2020-07-01.
 *
 * @param id the event's own name, by which it is {@linkplain ScheduledEvents#approve approved}
 * @param kind what it does
 * @param type what it does, in Azure's word, which may be one that this library does not know
 * @param status whether it has begun
 * @param resourceType what {@code resources} are; {@code VirtualMachine} so far
 * @param resources the names in Azure of the machines that it is about; an event is told to all machines of a set, not to these alone
 * @param notBefore it does not begin before this, unless it is approved; null when it has begun
 * @param description for people; may be empty
 * @param source {@code Platform} or {@code User}; empty where Azure does not say
 * @param interruption how long the machine is expected to be interrupted; null where that is not known or means nothing
 */
public record ScheduledEvent(
        String id,
        Kind kind,
        String type,
        Status status,
        String resourceType,
        List<String> resources,
        @Nullable Instant notBefore,
        String description,
        String source,
        @Nullable Duration interruption) {

    /** Copies the list. */
    public ScheduledEvent {
        Objects.requireNonNull(id, "id");
        resources = List.copyOf(resources);
    }

    /** Whether it is about this machine, by its name in Azure: a scale set's instance is named {@code SET_NUMBER}. */
    public boolean isAbout(String machine) {
        return resources.stream().anyMatch(machine::equalsIgnoreCase);
    }

    /** What an event does to a machine, and at least how long ahead it is announced. */
    public enum Kind {
        /** It pauses for seconds; memory and open files stay. 15 minutes ahead. */
        FREEZE(false, false),
        /** It restarts; memory is lost. 15 minutes ahead. */
        REBOOT(true, false),
        /** It moves to other hardware; memory and temporary disks are lost. 10 minutes ahead. */
        REDEPLOY(true, false),
        /** It is a spot machine and is taken away. 30 seconds ahead, where Azure can tell at all. */
        PREEMPT(true, true),
        /** It is deleted. 5 to 15 minutes ahead, as its scale set says. */
        TERMINATE(true, true),
        /** Something that this library does not know; {@link ScheduledEvent#type()} has the word. */
        OTHER(false, false);

        private final boolean endsProcesses;
        private final boolean removes;

        Kind(boolean endsProcesses, boolean removes) {
            this.endsProcesses = endsProcesses;
            this.removes = removes;
        }

        /** Whether what runs on the machine does not survive it. */
        public boolean endsProcesses() {
            return endsProcesses;
        }

        /** Whether the machine does not come back by itself. */
        public boolean removesMachine() {
            return removes;
        }
    }

    /** Whether an event has begun; one that has ended, or was called off, is told no more. */
    public enum Status {
        /** It will begin. */
        SCHEDULED,
        /** It has begun. */
        STARTED,
        /** Something that this library does not know. */
        OTHER
    }
}
