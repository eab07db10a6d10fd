package io.clusterwright.azure.emulator.internal.arm;

/** Answers the requests about one type of resource. Called with the cloud's lock held. */
public interface Handler {
    Answer put(Call call, ArmId id);

    Answer patch(Call call, ArmId id);

    Answer get(Call call, ArmId id);

    Answer delete(Call call, ArmId id);

    /** What is of this type inside a parent; the parent of a top-level type is a resource group or a subscription. */
    Answer list(Call call, ArmId parent);

    /** A request to do something, such as {@code start}. */
    Answer act(Call call, ArmId id, String action);
}
