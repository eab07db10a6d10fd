package io.clusterwright.azure.emulator.internal.resources;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.clusterwright.azure.emulator.internal.arm.ArmException;
import io.clusterwright.azure.emulator.internal.arm.Cloud;
import io.clusterwright.azure.emulator.internal.arm.Pages;
import io.clusterwright.azure.emulator.internal.arm.Versions;
import io.clusterwright.core.internal.json.Json;
import io.clusterwright.emulator.internal.http.Call;
import io.clusterwright.emulator.internal.http.Reply;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;

/** The subscription, its regions and its resource providers. */
public final class Providers {
    private static final String TENANT = "11111111-1111-1111-1111-111111111111";

    private final Cloud cloud;
    private final Collection<String> types;
    private final Set<String> unregistered = new HashSet<>();

    /** @param types a view of every type of resource that can be had, with its namespace */
    public Providers(Cloud cloud, Collection<String> types) {
        this.cloud = cloud;
        this.types = types;
        cloud.settings().unregistered().forEach(name -> unregistered.add(name.toLowerCase(Locale.ROOT)));
    }

    public ObjectNode subscription() {
        return subscription(cloud.settings().subscription());
    }

    private static ObjectNode subscription(String id) {
        ObjectNode subscription = Json.object()
                .put("id", "/subscriptions/" + id)
                .put("authorizationSource", "RoleBased")
                .put("subscriptionId", id)
                .put("tenantId", TENANT)
                .put("displayName", "Emulated subscription")
                .put("state", "Enabled");
        subscription
                .putObject("subscriptionPolicies")
                .put("locationPlacementId", "Public_2014-09-01")
                .put("quotaId", "PayAsYouGo_2014-09-01")
                .put("spendingLimit", "Off");
        return subscription;
    }

    public Reply subscriptions(Call call) {
        List<ObjectNode> visible =
                cloud.settings().visible().stream().map(Providers::subscription).toList();
        return Pages.of(call, cloud, visible);
    }

    public Reply tenants(Call call) {
        ObjectNode tenant = Json.object().put("id", "/tenants/" + TENANT).put("tenantId", TENANT);
        return Pages.of(call, cloud, List.of(tenant));
    }

    public Reply regions(Call call) {
        List<ObjectNode> regions = cloud.settings().regions().entrySet().stream()
                .map(region -> {
                    ObjectNode entry = Json.object()
                            .put(
                                    "id",
                                    "/subscriptions/" + cloud.settings().subscription() + "/locations/"
                                            + region.getKey())
                            .put("name", region.getKey())
                            .put("displayName", region.getValue());
                    entry.putObject("metadata").put("regionType", "Physical").put("regionCategory", "Recommended");
                    return entry;
                })
                .toList();
        return Pages.of(call, cloud, regions);
    }

    /** Refuses what belongs to a provider that is not registered. */
    public void requireRegistered(String namespace) {
        ArmException.refuse(
                unregistered.contains(namespace.toLowerCase(Locale.ROOT)),
                "MissingSubscriptionRegistration",
                namespace);
    }

    public Reply list(Call call) {
        return Pages.of(call, cloud, namespaces().stream().map(this::provider).toList());
    }

    public Reply get(String namespace) {
        return Reply.ok(provider(known(namespace)));
    }

    /** @param registered whether the subscription is to use it from now on */
    public Reply register(String namespace, boolean registered) {
        String known = known(namespace);
        if (registered) {
            unregistered.remove(known.toLowerCase(Locale.ROOT));
        } else {
            unregistered.add(known.toLowerCase(Locale.ROOT));
        }
        return Reply.ok(provider(known));
    }

    private String known(String namespace) {
        return namespaces().stream()
                .filter(namespace::equalsIgnoreCase)
                .findFirst()
                .orElseThrow(() -> ArmException.of("InvalidResourceNamespace", namespace));
    }

    private Set<String> namespaces() {
        Set<String> namespaces = new TreeSet<>();
        types.forEach(type -> namespaces.add(type.substring(0, type.indexOf('/'))));
        return namespaces;
    }

    private ObjectNode provider(String namespace) {
        ObjectNode provider = Json.object()
                .put("id", "/subscriptions/" + cloud.settings().subscription() + "/providers/" + namespace)
                .put("namespace", namespace)
                .put("registrationPolicy", "RegistrationRequired")
                .put(
                        "registrationState",
                        unregistered.contains(namespace.toLowerCase(Locale.ROOT)) ? "NotRegistered" : "Registered");
        ArrayNode list = provider.putArray("resourceTypes");
        types.stream().filter(type -> type.startsWith(namespace + "/")).forEach(type -> {
            ObjectNode entry = list.addObject().put("resourceType", type.substring(namespace.length() + 1));
            ArrayNode locations = entry.putArray("locations");
            cloud.settings().regions().values().forEach(locations::add);
            ArrayNode versions = entry.putArray("apiVersions");
            Versions.of(type).forEach(version -> versions.insert(0, version));
        });
        return provider;
    }
}
