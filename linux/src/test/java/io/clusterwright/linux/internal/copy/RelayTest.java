package io.clusterwright.linux.internal.copy;

import static org.assertj.core.api.Assertions.assertThat;

import io.clusterwright.core.NodeSession;
import io.clusterwright.core.RunningCommand;
import io.clusterwright.core.RunningCommand.OutputListener;
import io.clusterwright.core.internal.session.UploadFanOut.SharedUpload.Place;
import io.clusterwright.core.type.Ipv4Address;
import io.clusterwright.core.type.NodeName;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;

/** What the process on a node that passes a file on may claim. */
class RelayTest {
    private final List<OutputListener> listeners = new ArrayList<>();

    @Test
    void aNodeThatClaimsMoreThanItWasSentTakesNoFurtherPart() {
        Relay relay = new Relay(new Place(session(), Ipv4Address.of("10.0.0.1")), "{}", new Object());
        relay.send(new byte[10]);

        print("at 10\n");
        assertThat(relay.hasEnded()).isFalse();
        assertThat(relay.at()).isEqualTo(10);

        print("at 999999999999999999\n");
        assertThat(relay.hasEnded()).isTrue();
        print("done\n");
        assertThat(relay.isComplete()).isFalse();
    }

    private void print(String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        listeners.get(0).onOutput(OutputListener.Stream.STDOUT, bytes, bytes.length);
    }

    private NodeSession session() {
        return proxy(NodeSession.class, (method, arguments) -> switch (method) {
            case "start" -> {
                listeners.add((OutputListener) arguments[1]);
                yield running();
            }
            case "node" -> NodeName.of("demo1");
            default -> throw new IllegalStateException(method);
        });
    }

    /** A command that never ends. */
    private static RunningCommand running() {
        return proxy(RunningCommand.class, (method, arguments) -> OptionalInt.empty());
    }

    private static <T> T proxy(Class<T> type, Calls calls) {
        return type.cast(Proxy.newProxyInstance(
                type.getClassLoader(),
                new Class<?>[] {type},
                (proxy, method, arguments) ->
                        method.getReturnType() == void.class ? null : calls.answer(method.getName(), arguments)));
    }

    private interface Calls {
        Object answer(String method, Object[] arguments);
    }
}
