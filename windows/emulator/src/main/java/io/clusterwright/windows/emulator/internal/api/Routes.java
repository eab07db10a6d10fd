package io.clusterwright.windows.emulator.internal.api;

import io.clusterwright.emulator.internal.http.Call;
import io.clusterwright.emulator.internal.http.HttpRefusalException;
import io.clusterwright.emulator.internal.http.Reply;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiFunction;

/** The requests of one generation of the interface, by method and path, and its form of errors. */
public final class Routes {
    private final BiFunction<Integer, String, Reply> errors;
    private final List<Route> routes = new ArrayList<>();

    /** @param errors the answer that refuses a request, by status and message */
    Routes(BiFunction<Integer, String, Reply> errors) {
        this.errors = errors;
    }

    private record Route(String method, String[] path, Handler handler) {}

    /** Answers requests of a known user. */
    interface Handler {
        Reply answer(Call call, String user);
    }

    /** Adds a request, such as {@code GET hpc/jobs/*}; {@code *} stands for any one part of the path. The first that matches counts. */
    Routes on(String request, Handler handler) {
        String[] words = request.split(" ");
        routes.add(new Route(words[0], words[1].split("/"), handler));
        return this;
    }

    /** The answer to a request of a known user. */
    Reply answer(Call call, String user) {
        for (Route route : routes) {
            if (call.is(route.method, route.path)) {
                return route.handler.answer(call, user);
            }
        }
        throw HttpRefusalException.notFound(
                "No resource is emulated at " + call.method() + " /" + String.join("/", call.segments()) + ".");
    }

    Reply error(int status, String message) {
        return errors.apply(status, message);
    }
}
