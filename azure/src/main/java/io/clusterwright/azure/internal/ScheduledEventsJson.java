package io.clusterwright.azure.internal;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.clusterwright.azure.ScheduledEvent;
import io.clusterwright.azure.ScheduledEvents;
import io.clusterwright.core.type.ClusterwrightException;
import io.clusterwright.core.type.NodeName;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** The documents of scheduled events, read and written. */
public final class ScheduledEventsJson {
    private static final ObjectMapper JSON = new ObjectMapper();

    private ScheduledEventsJson() {}

    /**
     * Reads what the metadata service of a node answered. Words that are not known are kept.
     *
     * @throws ClusterwrightException when it is no such document
     */
    public static ScheduledEvents parse(NodeName node, String text) {
        try {
            JsonNode document = JSON.readTree(text);
            if (!document.path("Events").isArray()) {
                throw new ClusterwrightException(
                        "on " + node + ", what the metadata service answered has no list Events: " + text.strip());
            }
            List<ScheduledEvent> events = new ArrayList<>();
            document.path("Events").forEach(event -> events.add(event(event)));
            return new ScheduledEvents(document.path("DocumentIncarnation").asLong(), events);
        } catch (JsonProcessingException e) {
            throw new ClusterwrightException(
                    "on " + node + ", what the metadata service answered is no JSON: " + text.strip(), e);
        }
    }

    private static ScheduledEvent event(JsonNode event) {
        String type = event.path("EventType").asText();
        List<String> resources = new ArrayList<>();
        event.path("Resources").forEach(resource -> resources.add(resource.asText()));
        long seconds = event.path("DurationInSeconds").asLong(-1);
        return new ScheduledEvent(
                event.path("EventId").asText(),
                kind(type),
                type,
                status(event.path("EventStatus").asText()),
                event.path("ResourceType").asText(),
                resources,
                time(event.path("NotBefore").asText()),
                event.path("Description").asText(),
                event.path("EventSource").asText(),
                seconds < 0 ? null : Duration.ofSeconds(seconds));
    }

    private static ScheduledEvent.Kind kind(String type) {
        try {
            return ScheduledEvent.Kind.valueOf(type.toUpperCase(Locale.ROOT));
        } catch (IllegalArgumentException e) {
            return ScheduledEvent.Kind.OTHER;
        }
    }

    private static ScheduledEvent.Status status(String status) {
        return switch (status.toLowerCase(Locale.ROOT)) {
            case "scheduled" -> ScheduledEvent.Status.SCHEDULED;
            case "started" -> ScheduledEvent.Status.STARTED;
            default -> ScheduledEvent.Status.OTHER;
        };
    }

    /** {@code Mon, 19 Sep 2016 18:29:47 GMT}; the day of the week is not held against the date, which Azure's own examples get wrong. */
    private static @Nullable Instant time(String text) {
        try {
            String date = text.substring(text.indexOf(',') + 1).strip();
            return date.isEmpty() ? null : DateTimeFormatter.RFC_1123_DATE_TIME.parse(date, Instant::from);
        } catch (DateTimeException e) {
            return null;
        }
    }

    /** What approves these events. */
    public static String approval(Collection<ScheduledEvent> events) {
        ObjectNode document = JSON.createObjectNode();
        ArrayNode requests = document.putArray("StartRequests");
        events.forEach(event -> requests.addObject().put("EventId", event.id()));
        return document.toString();
    }
}
