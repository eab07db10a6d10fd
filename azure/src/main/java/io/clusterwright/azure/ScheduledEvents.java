package io.clusterwright.azure;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.clusterwright.core.NodeSession;
import io.clusterwright.core.type.ClusterwrightException;
import io.clusterwright.core.type.NodeName;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.function.Predicate;

/**
 * The announced changes of a node and its neighbours, read on the node itself, because the metadata service answers
 * its own machine only. Use it to save the state of a program before Azure reboots or removes the node. The node
 * needs {@code curl}; every request is a command in a session with the node.
 *
 * <pre>{@code
 * String name = ScheduledEvents.machineName(session);
 * for (ScheduledEvent event : ScheduledEvents.read(session).about(name)) {
 *     if (event.endsProcesses()) { // Reboot, Redeploy, Preempt, Terminate
 *         ScheduledEvents.approve(session, List.of(event));
 *     }
 * }
 * }</pre>
 *
 * <p>Azure turns the service on at the first request for a machine or its set, which may take two minutes to be answered; events come
 * within five minutes then, and stop after a day without requests. Microsoft recommends one request a second.
 *
 * @param incarnation grows whenever the events change
 * @param events the events that are scheduled or under way
 */
public record ScheduledEvents(long incarnation, List<ScheduledEvent> events) {

    /** Copies the list. */
    public ScheduledEvents {
        events = List.copyOf(events);
    }

    /**
     * Reads the events that Azure reports to this node, with the events of other machines of its set.
     *
     * @throws io.clusterwright.core.type.ClusterwrightException when the node has no such service, as outside of
     * Azure, or it answers with an
     *     error, with what to do
     */
    public static ScheduledEvents read(NodeSession session) {
        return read(session, InstanceMetadata.AZURE);
    }

    /** Reads an answer of the metadata service. */
    static ScheduledEvents parse(NodeName node, String text) {
        JsonNode document = InstanceMetadata.json(node, text);
        if (!document.path("Events").isArray()) {
            throw new ClusterwrightException(
                    "on " + node + ", the answer of the metadata service has no list Events: " + text.strip());
        }
        List<ScheduledEvent> events = new ArrayList<>();
        document.path("Events").forEach(event -> events.add(new ScheduledEvent(event)));
        return new ScheduledEvents(document.path("DocumentIncarnation").asLong(), events);
    }

    /** The request that approves these events. */
    static String approval(Collection<ScheduledEvent> events) {
        ObjectNode document = JsonNodeFactory.instance.objectNode();
        ArrayNode requests = document.putArray("StartRequests");
        events.forEach(event -> requests.addObject().put("EventId", event.id()));
        return document.toString();
    }

    static ScheduledEvents read(NodeSession session, InstanceMetadata metadata) {
        return parse(session.node(), metadata.events(session));
    }

    /**
     * The name that Azure knows this node by, which events use.
     *
     * @throws io.clusterwright.core.type.ClusterwrightException as for {@link #read(NodeSession)}
     */
    public static String machineName(NodeSession session) {
        return InstanceMetadata.AZURE.machineName(session);
    }

    /** The events that are about this machine, by its name in Azure. */
    public List<ScheduledEvent> about(String machine) {
        return events.stream().filter(event -> event.isAbout(machine)).toList();
    }

    /**
     * Lets events begin before their time; Azure may still wait for other machines. It holds for all machines of the
     * event, not for this node alone. Does nothing for none.
     *
     * @param session a node that received them
     * @throws io.clusterwright.core.type.ClusterwrightException when the service refuses, such as for an event that is over
     */
    public static void approve(NodeSession session, Collection<ScheduledEvent> events) {
        approve(session, events, InstanceMetadata.AZURE);
    }

    static void approve(NodeSession session, Collection<ScheduledEvent> events, InstanceMetadata metadata) {
        if (!events.isEmpty()) {
            metadata.approve(session, approval(events));
        }
    }

    /**
     * A test whether a node is about to be removed ({@code Preempt}, {@code Terminate}): for {@code JobPolicy.excluding} of the {@code mpi}
     * module, so that a job is not started again on it.
     */
    public static Predicate<NodeSession> aboutToLeave() {
        return aboutToLeave(InstanceMetadata.AZURE);
    }

    static Predicate<NodeSession> aboutToLeave(InstanceMetadata metadata) {
        return session -> {
            List<ScheduledEvent> events = read(session, metadata).events();
            if (events.stream().noneMatch(event -> event.removesMachine())) {
                return false;
            }
            String name = metadata.machineName(session);
            return events.stream().anyMatch(event -> event.removesMachine() && event.isAbout(name));
        };
    }
}
