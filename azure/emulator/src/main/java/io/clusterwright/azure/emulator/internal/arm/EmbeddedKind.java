package io.clusterwright.azure.emulator.internal.arm;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.clusterwright.core.internal.http.Call;
import io.clusterwright.core.internal.http.Reply;
import java.util.List;
import java.util.Optional;

/** A child that lives in an array of its parent, and can also be written on its own: subnets, rules. */
public final class EmbeddedKind implements Handler {
    /** Refuses to delete a child that is in use. */
    public interface DeleteCheck {
        void check(ArmId child);
    }

    private final Cloud cloud;
    private final ResourceKind parent;
    private final String array;
    private final DeleteCheck check;

    public EmbeddedKind(Cloud cloud, ResourceKind parent, String array, DeleteCheck check) {
        this.cloud = cloud;
        this.parent = parent;
        this.array = array;
        this.check = check;
    }

    @Override
    public Reply put(Call call, ArmId id) {
        ObjectNode body = requireParent(id).body().deepCopy();
        ObjectNode child = call.object().deepCopy().put("name", id.name());
        ArrayNode children = array(body);
        boolean created = !remove(children, id.name());
        children.add(child);
        Reply written = parent.write(call, id.parent(), body);
        return new Reply(created ? 201 : 200, written.headers(), find(call, id).orElseThrow());
    }

    @Override
    public Reply patch(Call call, ArmId id) {
        return put(call, id);
    }

    @Override
    public Reply get(Call call, ArmId id) {
        requireParent(id)
                .runningOperation()
                .ifPresent(operation -> cloud.operations().asked(operation));
        ObjectNode child =
                find(call, id).orElseThrow(() -> ArmException.of(404, "NotFound", "Resource " + id + " not found."));
        String etag = Bodies.text(child, "etag");
        return etag.isEmpty() ? Reply.ok(child) : Reply.ok(child).with("ETag", etag);
    }

    @Override
    public Reply delete(Call call, ArmId id) {
        Optional<Resource> holder = cloud.store().find(id.parent());
        if (holder.isEmpty() || find(call, id).isEmpty()) {
            cloud.store().requireGroup(id);
            return Reply.empty(204);
        }
        check.check(id);
        ObjectNode body = holder.get().body().deepCopy();
        remove(array(body), id.name());
        Reply written = parent.write(call, id.parent(), body);
        if (!written.headers().containsKey("Azure-AsyncOperation")) {
            return Reply.empty(200);
        }
        Operation operation = holder.get().operation().orElseThrow();
        return cloud.linked(Reply.empty(202), call, id.namespace(), holder.get().location(), operation);
    }

    @Override
    public Reply list(Call call, ArmId id) {
        Resource holder = cloud.store().require(id);
        List<ObjectNode> children =
                Bodies.objects(parent.view(call, holder).path("properties").path(array));
        return Pages.of(call, cloud, children);
    }

    @Override
    public Reply act(Call call, ArmId id, String action) {
        throw ArmException.badRequest("InvalidRequest", "A " + array + " entry has no operation '" + action + "'.");
    }

    private Resource requireParent(ArmId id) {
        cloud.store().requireParent(id);
        return cloud.store().require(id.parent());
    }

    private Optional<ObjectNode> find(Call call, ArmId id) {
        Resource holder = cloud.store().require(id.parent());
        return Bodies.objects(parent.view(call, holder).path("properties").path(array)).stream()
                .filter(child -> Bodies.text(child, "name").equalsIgnoreCase(id.name()))
                .findFirst();
    }

    private ArrayNode array(ObjectNode body) {
        ObjectNode properties = Bodies.properties(body);
        return properties.get(array) instanceof ArrayNode there ? there : properties.putArray(array);
    }

    private static boolean remove(ArrayNode children, String name) {
        for (int i = 0; i < children.size(); i++) {
            if (Bodies.text(children.get(i), "name").equalsIgnoreCase(name)) {
                children.remove(i);
                return true;
            }
        }
        return false;
    }
}
