package io.clusterwright.azure.emulator.internal.arm;

import io.clusterwright.emulator.internal.http.Call;
import io.clusterwright.emulator.internal.http.Reply;

/** Answers the requests about one type of resource. Called with the cloud's lock held. */
public interface Handler {
    /** The type with its namespace. */
    String name();

    Reply get(Call call, ResourcePath id);

    default Reply put(Call call, ResourcePath id) {
        throw refusal(call);
    }

    default Reply patch(Call call, ResourcePath id) {
        throw refusal(call);
    }

    default Reply delete(Call call, ResourcePath id) {
        throw refusal(call);
    }

    /** Refuses a body of a template that no request could have, before anything is made. */
    default void preflight(Call call, ResourcePath id) {}

    /** The resources of this type inside a parent; the parent of a top-level type is a resource group or a subscription. */
    default Reply list(Call call, ResourcePath parent) {
        throw refusal(call);
    }

    /** A request to do something, such as {@code start}. */
    default Reply act(Call call, ResourcePath id, String action) {
        throw refusal(call);
    }

    /** The refusal of a method that the type does not have. */
    default ArmException refusal(Call call) {
        return ArmException.of("MethodNotAllowed", call.method(), call.path());
    }
}
