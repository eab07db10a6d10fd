package io.clusterwright.azure;

import io.clusterwright.azure.internal.Metadata;
import io.clusterwright.azure.internal.ScheduledEventsJson;
import io.clusterwright.core.NodeSession;
import java.util.Collection;
import java.util.List;
import java.util.function.Predicate;

/**
 * What Azure is about to do to a node and its neighbours, read on the node itself: the metadata service answers no one else. The node
 * needs {@code curl}. Nothing here opens a connection of its own; every question is a command over a session with the node.
 *
 * <p>Azure turns the service on at the first question for a machine or its set, which may take two minutes to be answered; events come
 * within five minutes then, and stop when nobody asks for a day. Microsoft recommends to ask once a second.
 *
 * <pre>{@code
 * ScheduledEvents events = ScheduledEvents.read(session);
 * for (ScheduledEvent event : events.about(ScheduledEvents.machineName(session))) {
 *     if (event.kind().endsProcesses()) {
 *         solver.checkpoint();
 *         ScheduledEvents.approve(session, List.of(event));
 *     }
 * }
 * }</pre>
 *
 * @param incarnation grows whenever the events change
 * @param events those that are scheduled or under way
 */
public record ScheduledEvents(long incarnation, List<ScheduledEvent> events) {

    /** Copies the list. */
    public ScheduledEvents {
        events = List.copyOf(events);
    }

    /**
     * Reads the events that this node is told of, those of other machines of its set included.
     *
     * @throws io.clusterwright.core.type.ClusterwrightException when the node has no such service, as outside of Azure, or it answers with an
     *     error, with what to do
     */
    public static ScheduledEvents read(NodeSession session) {
        return read(session, Metadata.AZURE);
    }

    static ScheduledEvents read(NodeSession session, Metadata metadata) {
        return ScheduledEventsJson.parse(session.node(), metadata.events(session));
    }

    /**
     * The name that Azure knows this node by, which events use.
     *
     * @throws io.clusterwright.core.type.ClusterwrightException as for {@link #read(NodeSession)}
     */
    public static String machineName(NodeSession session) {
        return Metadata.AZURE.machineName(session);
    }

    /** The events that are about this machine, by its name in Azure. */
    public List<ScheduledEvent> about(String machine) {
        return events.stream().filter(event -> event.isAbout(machine)).toList();
    }

    /**
     * Lets events begin before their time, since everybody is ready; Azure may still wait for others. It holds for all machines of the
     * event, not for this node alone. Does nothing for none.
     *
     * @param session a node that was told of them
     * @throws io.clusterwright.core.type.ClusterwrightException when the service refuses, such as for an event that is over
     */
    public static void approve(NodeSession session, Collection<ScheduledEvent> events) {
        approve(session, events, Metadata.AZURE);
    }

    static void approve(NodeSession session, Collection<ScheduledEvent> events, Metadata metadata) {
        if (!events.isEmpty()) {
            metadata.approve(session, ScheduledEventsJson.approval(events));
        }
    }

    /**
     * Whether a node is about to be taken away ({@code Preempt}, {@code Terminate}): for {@code JobPolicy.leaving} of the {@code mpi}
     * module, so that a job is not started again on it. A node that cannot be asked is not said to be leaving.
     */
    public static Predicate<NodeSession> leaving() {
        return leaving(Metadata.AZURE);
    }

    static Predicate<NodeSession> leaving(Metadata metadata) {
        return session -> {
            List<ScheduledEvent> events = read(session, metadata).events();
            if (events.stream().noneMatch(event -> event.kind().removesMachine())) {
                return false;
            }
            String name = metadata.machineName(session);
            return events.stream().anyMatch(event -> event.kind().removesMachine() && event.isAbout(name));
        };
    }
}
