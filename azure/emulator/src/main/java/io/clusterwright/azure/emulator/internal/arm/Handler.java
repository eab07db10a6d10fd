package io.clusterwright.azure.emulator.internal.arm;

import io.clusterwright.core.internal.http.Call;
import io.clusterwright.core.internal.http.Reply;

/** Answers the requests about one type of resource. Called with the cloud's lock held. */
public interface Handler {
    Reply put(Call call, ArmId id);

    Reply patch(Call call, ArmId id);

    Reply get(Call call, ArmId id);

    Reply delete(Call call, ArmId id);

    /** The resources of this type inside a parent; the parent of a top-level type is a resource group or a subscription. */
    Reply list(Call call, ArmId parent);

    /** A request to do something, such as {@code start}. */
    Reply act(Call call, ArmId id, String action);
}
