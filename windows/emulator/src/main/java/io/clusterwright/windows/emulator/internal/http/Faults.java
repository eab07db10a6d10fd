package io.clusterwright.windows.emulator.internal.http;

import io.clusterwright.windows.emulator.HeadNodeFault;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;

/** The faults that are in force. */
public final class Faults {
    private final List<HeadNodeFault> lasting = new ArrayList<>();
    private final Deque<HeadNodeFault> requests = new ArrayDeque<>();

    public synchronized void add(HeadNodeFault fault) {
        if (fault instanceof HeadNodeFault.OfRequests some) {
            for (int i = 0; i < some.requests(); i++) {
                requests.add(fault);
            }
        } else {
            lasting.add(fault);
        }
    }

    public synchronized void clear() {
        lasting.clear();
        requests.clear();
    }

    /** The newest lasting fault of this kind. */
    public synchronized <T extends HeadNodeFault> Optional<T> lasting(Class<T> kind) {
        return lasting.stream().filter(kind::isInstance).map(kind::cast).reduce((a, b) -> b);
    }

    /** The fault of this request. */
    synchronized Optional<HeadNodeFault> next() {
        return Optional.ofNullable(requests.poll());
    }
}
