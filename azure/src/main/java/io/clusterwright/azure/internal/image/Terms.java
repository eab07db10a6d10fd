package io.clusterwright.azure.internal.image;

import com.azure.resourcemanager.resources.fluent.models.GenericResourceInner;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.clusterwright.azure.internal.arm.Clients;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/** The terms of purchase plans, which a subscription must accept once before it makes a machine with one (Microsoft.MarketplaceOrdering). */
public final class Terms {
    private static final String VERSION = "2021-01-01";
    private static final Duration LIMIT = Duration.ofMinutes(5);

    private final Clients clients;

    public Terms(Clients clients) {
        this.clients = clients;
    }

    /**
     * Whether the terms are accepted; empty where there are none of this plan.
     *
     * @param plan with publisher, product and name
     */
    public Optional<Boolean> accepted(ObjectNode plan) {
        return read(plan)
                .map(Clients::properties)
                .map(terms -> terms.path("accepted").asBoolean());
    }

    /** Accepts the terms of a plan in the name of the caller, a legal act; does nothing where there are none. */
    public void accept(ObjectNode plan) {
        Optional<GenericResourceInner> terms = read(plan);
        if (terms.isEmpty()) {
            return;
        }
        Map<String, Object> properties = new LinkedHashMap<>();
        JsonNode shown = Clients.properties(terms.get());
        shown.properties()
                .forEach(
                        entry -> properties.put(entry.getKey(), entry.getValue().asText()));
        properties.put("accepted", true);
        GenericResourceInner body = new GenericResourceInner();
        body.withProperties(properties);
        clients.arm()
                .write(
                        "accept the terms of " + name(plan),
                        LIMIT,
                        () -> clients.resources().getResources().beginCreateOrUpdateById(path(plan), VERSION, body),
                        () -> "Succeeded");
    }

    private Optional<GenericResourceInner> read(ObjectNode plan) {
        return clients.arm()
                .find(
                        "read the terms of " + name(plan),
                        () -> clients.resources().getResources().getById(path(plan), VERSION));
    }

    private String path(ObjectNode plan) {
        return "subscriptions/" + clients.subscription()
                + "/providers/Microsoft.MarketplaceOrdering/offerTypes/virtualmachine/publishers/"
                + plan.path("publisher").asText() + "/offers/"
                + plan.path("product").asText() + "/plans/" + plan.path("name").asText() + "/agreements/current";
    }

    /** A plan as publisher, product and name. */
    public static String name(ObjectNode plan) {
        return String.join(
                ":",
                plan.path("publisher").asText(),
                plan.path("product").asText(),
                plan.path("name").asText());
    }
}
