package io.clusterwright.azure.internal.arm;

import com.azure.core.management.polling.PollResult;
import com.azure.core.util.polling.SyncPoller;
import com.azure.json.JsonProviders;
import com.azure.json.JsonReader;
import com.azure.resourcemanager.compute.fluent.ComputeManagementClient;
import com.azure.resourcemanager.network.fluent.NetworkManagementClient;
import com.azure.resourcemanager.resources.fluent.ResourceManagementClient;
import com.azure.resourcemanager.resources.fluent.models.GenericResourceInner;
import com.azure.resourcemanager.resources.fluent.models.ResourceGroupInner;
import com.fasterxml.jackson.databind.JsonNode;
import io.clusterwright.core.internal.arm.ApiVersions;
import io.clusterwright.core.internal.arm.ArmId;
import io.clusterwright.core.internal.arm.ArmResource;
import io.clusterwright.core.internal.json.Json;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * The service clients that this library uses, all of one subscription. Resources of any type are read, created and deleted by id, in the
 * form and with the version of the API that templates have.
 *
 * @param arm how they are called
 */
public record Clients(
        ComputeManagementClient compute,
        NetworkManagementClient network,
        ResourceManagementClient resources,
        ArmClient arm) {
    public String subscription() {
        return compute.getSubscriptionId();
    }

    /** Reads a resource or a resource group; empty when there is none. */
    public Optional<GenericResourceInner> find(String what, ArmId id) {
        return arm.find(what, () -> resources.getResources().getById(path(id.toString()), ApiVersions.of(id.type())));
    }

    /** The properties of a resource that was read. */
    public static JsonNode properties(GenericResourceInner resource) {
        return Json.MAPPER.valueToTree(resource.properties());
    }

    /** The properties of a resource as they are now; no properties when there is none. */
    public JsonNode properties(String what, ArmId id) {
        return find(what, id).map(Clients::properties).orElseGet(Json::object);
    }

    /** The names of the parts that such a property lists. */
    public static List<String> names(JsonNode parts) {
        List<String> names = new ArrayList<>();
        parts.forEach(part -> names.add(part.path("name").asText()));
        return names;
    }

    /** Creates a resource or changes it, and waits for the end. */
    public void put(String what, Duration limit, ArmResource resource) {
        put(what, limit, resource, () -> {});
    }

    /**
     * As {@link #put(String, Duration, ArmResource)}.
     *
     * @param accepted called when Azure has accepted the request, and the resource exists but is not finished; again when it is repeated
     */
    public void put(String what, Duration limit, ArmResource resource, Runnable accepted) {
        String path = path(resource.id().text());
        String version = ApiVersions.of(resource.type());
        arm.write(
                what,
                limit,
                () -> {
                    var poller = resources.getResources().beginCreateOrUpdateById(path, version, body(resource));
                    accepted.run();
                    return poller;
                },
                () -> state(arm.find(what, () -> resources.getResources().getById(path, version))));
    }

    /**
     * Starts a long operation on a resource and waits for its end. Where another operation runs on it, it begins after that: it may be the
     * same one, whose answer was lost.
     */
    public <T> void act(String what, Duration limit, ArmId id, Supplier<SyncPoller<PollResult<T>, T>> begin) {
        arm.write(what, limit, begin, () -> state(find("look for " + id.name(), id)));
    }

    private static String state(Optional<GenericResourceInner> resource) {
        return resource.map(found -> properties(found).path("provisioningState").asText())
                .orElse("");
    }

    /** Creates a resource group. */
    public void putGroup(ArmId group, String region, Map<String, String> tags) {
        ResourceGroupInner body = new ResourceGroupInner().withLocation(region);
        body.withTags(tags);
        arm.write(
                "create resource group " + group.name(),
                () -> resources.getResourceGroups().createOrUpdate(group.name(), body));
    }

    /** Deletes a resource or a resource group and waits for the end; does nothing for an absent one. */
    public void delete(String what, ArmId id) {
        arm.delete(
                what, () -> resources.getResources().beginDeleteById(path(id.toString()), ApiVersions.of(id.type())));
    }

    private static GenericResourceInner body(ArmResource resource) {
        try (JsonReader reader = JsonProviders.createReader(Json.write(resource.request()))) {
            return GenericResourceInner.fromJson(reader);
        } catch (IOException e) {
            throw new IllegalStateException("the SDK does not read " + resource.type(), e);
        }
    }

    /** The SDK puts a slash before an id. */
    private static String path(String id) {
        return id.substring(1);
    }
}
