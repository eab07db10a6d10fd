package io.clusterwright.azure.emulator.internal.arm;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.clusterwright.emulator.internal.http.Call;
import io.clusterwright.emulator.internal.http.Reply;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Consumer;

/** Answers the requests about resources that live in an array of their parent, such as subnets and rules. */
public final class ChildHandler implements Handler {
    private final Cloud cloud;
    private final ResourceHandler parent;
    private final String array;
    private final String path;
    private final Consumer<ResourcePath> deleteCheck;

    private ChildHandler(Cloud cloud, ResourceHandler parent, String array, Consumer<ResourcePath> deleteCheck) {
        this.cloud = cloud;
        this.parent = parent;
        this.array = array;
        this.path = parent.type().places.getOrDefault(array, "properties." + array);
        this.deleteCheck = deleteCheck;
    }

    /** The handlers of all children of a type. */
    public static List<ChildHandler> of(Cloud cloud, ResourceHandler parent) {
        return parent.type().shown.stream()
                .map(array -> new ChildHandler(
                        cloud, parent, array, parent.type().children.getOrDefault(array, child -> {})))
                .toList();
    }

    @Override
    public String name() {
        return parent.name() + "/" + array;
    }

    /** Refuses to write an entry that can only be read on its own. */
    private void requireWritten(Call call) {
        if (!parent.type().children.containsKey(array)) {
            throw refusal(call);
        }
    }

    @Override
    public Reply put(Call call, ResourcePath id) {
        requireWritten(call);
        Resource holder = requireParent(id);
        requireIdle(holder);
        ObjectNode body = holder.body().deepCopy();
        ObjectNode child = ResourceHandler.checked(call, id, cloud, true).put("name", id.name());
        boolean created = !remove(body, id);
        Bodies.array(body, path).add(child);
        Reply written = parent.write(call, id.parent(), body);
        return new Reply(created ? 201 : 200, written.headers(), find(call, id).orElseThrow());
    }

    @Override
    public Reply patch(Call call, ResourcePath id) {
        if (!parent.type().places.containsKey(array)) {
            return put(call, id);
        }
        requireWritten(call);
        requireIdle(requireParent(id));
        ObjectNode body = cloud.store().require(id.parent()).body().deepCopy();
        ObjectNode child = Bodies.objects(body, path).stream()
                .filter(each -> Bodies.text(each, "name").equalsIgnoreCase(id.name()))
                .findFirst()
                .orElseThrow(() -> ArmException.of("NotFound", id));
        Bodies.merge(child, ResourceHandler.checked(call, id, cloud, false));
        Reply written = parent.write(call, id.parent(), body);
        return new Reply(200, written.headers(), find(call, id).orElseThrow());
    }

    @Override
    public Reply get(Call call, ResourcePath id) {
        cloud.operations().asked(requireParent(id));
        ObjectNode child = find(call, id).orElseThrow(() -> ArmException.of("NotFound", id));
        return Reply.ok(child).with("ETag", Bodies.text(child, "etag"));
    }

    @Override
    public Reply delete(Call call, ResourcePath id) {
        requireWritten(call);
        Optional<Resource> holder = cloud.store().find(id.parent());
        if (holder.isEmpty() || find(call, id).isEmpty()) {
            cloud.store().require(id.groupId());
            return Reply.empty(204);
        }
        requireIdle(holder.get());
        deleteCheck.accept(id);
        ObjectNode body = holder.get().body().deepCopy();
        remove(body, id);
        parent.write(call, id.parent(), body);
        return cloud.linked(Reply.empty(202), call, id, holder.get().operation().orElseThrow());
    }

    @Override
    public Reply list(Call call, ResourcePath id) {
        return Pages.of(call, cloud, children(call, id));
    }

    @Override
    public Reply act(Call call, ResourcePath id, String action) {
        ResourceType.PartAction known = parent.type().partActions.get((array + "/" + action).toLowerCase(Locale.ROOT));
        if (known != null && call.method().equals("POST")) {
            Resource holder = requireParent(id);
            ArmException.refuse(find(call, id).isEmpty(), "NotFound", id);
            return known.answer(call, holder, id);
        }
        throw ArmException.of("NotImplemented.action", action, name());
    }

    /** Refuses a change while the resource, or another of its parts, is changed. */
    private void requireIdle(Resource holder) {
        holder.runningOperation().ifPresent(running -> {
            if (!parent.type().retryable) {
                throw ArmException.busy(holder.id());
            }
            throw ArmException.of("AnotherOperationInProgress", holder.id())
                    .retryAfter(cloud.operations().retryAfter());
        });
    }

    private Resource requireParent(ResourcePath id) {
        cloud.store().requireParent(id);
        return cloud.store().require(id.parent());
    }

    private List<ObjectNode> children(Call call, ResourcePath id) {
        List<ObjectNode> children =
                Bodies.objects(parent.view(call, cloud.store().require(id)), path);
        if (parent.type().places.containsKey(array)) {
            children.forEach(child -> child.put(
                            "id", id.child(array, Bodies.text(child, "name")).toString())
                    .put("type", id.type() + "/" + array));
        }
        return children;
    }

    private Optional<ObjectNode> find(Call call, ResourcePath id) {
        return children(call, id.parent()).stream()
                .filter(child -> Bodies.text(child, "name").equalsIgnoreCase(id.name()))
                .findFirst();
    }

    private boolean remove(ObjectNode body, ResourcePath id) {
        ArrayNode children = Bodies.array(body, path);
        int before = children.size();
        return children.removeIf(child -> Bodies.text(child, "name").equalsIgnoreCase(id.name()))
                        .size()
                < before;
    }
}
