package io.clusterwright.azure.emulator.internal.network;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.clusterwright.azure.emulator.internal.arm.ArmException;
import io.clusterwright.azure.emulator.internal.arm.ArmId;
import io.clusterwright.azure.emulator.internal.arm.Bodies;
import io.clusterwright.azure.emulator.internal.arm.Cloud;
import io.clusterwright.azure.emulator.internal.arm.Resource;
import io.clusterwright.azure.emulator.internal.arm.ResourceKind;
import io.clusterwright.azure.emulator.internal.arm.Work;
import io.clusterwright.core.internal.http.Call;
import java.util.HashSet;
import java.util.Locale;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Base of the resource types of Microsoft.Network. */
abstract class NetworkKind extends ResourceKind {
    static final String NETWORKS = "Microsoft.Network/virtualNetworks";
    static final String GROUPS = "Microsoft.Network/networkSecurityGroups";
    static final String ADDRESSES = "Microsoft.Network/publicIPAddresses";
    static final String INTERFACES = "Microsoft.Network/networkInterfaces";
    static final String BALANCERS = "Microsoft.Network/loadBalancers";

    NetworkKind(Cloud cloud, String type) {
        super(cloud, type);
    }

    abstract void fillProperties(ArmId id, ObjectNode properties, ObjectNode body);

    @Override
    protected final void fill(Call call, ArmId id, ObjectNode body, @Nullable Resource before) {
        String etag = cloud.nextEtag();
        body.put("etag", etag);
        ObjectNode properties = Bodies.properties(body);
        String guid = before == null
                ? UUID.randomUUID().toString()
                : Bodies.text(before.body(), "properties", "resourceGuid");
        properties.put("resourceGuid", guid);
        fillProperties(id, properties, body);
    }

    @Override
    protected Work work(ObjectNode body, @Nullable Resource before) {
        return Work.NETWORK_CREATE;
    }

    @Override
    protected @Nullable Work deleteWork(Call call, Resource resource) {
        return Work.NETWORK_DELETE;
    }

    @Override
    protected String stateWhile(boolean creating) {
        return "Updating";
    }

    @Override
    protected void checkIdle(Call call, Resource resource) {
        if (resource.runningOperation().isPresent() && !resource.state().equals("Deleting")) {
            throw ArmException.of(
                            429,
                            "RetryableErrorDueToAnotherOperation",
                            "Operation on resource " + resource.id()
                                    + " cannot be carried out because another operation on it is in progress. It can be"
                                    + " retried after that.")
                    .retryAfter(cloud.operations().retryAfter());
        }
    }

    /** Gives the entries of an array what children have: id, etag, type, state; refuses two of one name. */
    void stamp(ArmId id, ObjectNode properties, String array, ObjectNode body) {
        if (!(properties.get(array) instanceof ArrayNode entries)) {
            return;
        }
        Set<String> names = new HashSet<>();
        for (ObjectNode entry : Bodies.objects(entries)) {
            String name = Bodies.text(entry, "name");
            if (name.isEmpty()) {
                throw ArmException.badRequest(
                        "InvalidRequestFormat", "Cannot parse the request. An entry of " + array + " has no name.");
            }
            if (!names.add(name.toLowerCase(Locale.ROOT))) {
                throw ArmException.badRequest(
                        "InvalidRequestFormat",
                        "Cannot parse the request. " + array + " has more than one entry named " + name + ".");
            }
            entry.put("id", id.child(array, name).toString());
            entry.put("etag", Bodies.text(body, "etag"));
            entry.put("type", type() + "/" + array);
            Bodies.properties(entry).put("provisioningState", "Succeeded");
        }
    }

    /** A resource that is referred to, which must be there and finished. */
    Resource referenced(ArmId by, String reference, String type) {
        Resource resource =
                cloud.store().find(reference, type).orElseThrow(() -> ArmException.badReference(reference, by));
        requireFinished(by, resource);
        return resource;
    }

    static void requireFinished(ArmId by, Resource resource) {
        if (!resource.isSucceeded()) {
            throw ArmException.of(
                    409,
                    "ReferencedResourceNotProvisioned",
                    "Cannot proceed with operation because resource " + resource.id() + " used by resource " + by
                            + " is not in Succeeded state. Resource is in " + resource.state()
                            + " state and the last operation that updated/is updating the resource is"
                            + " PutOperation.");
        }
    }
}
