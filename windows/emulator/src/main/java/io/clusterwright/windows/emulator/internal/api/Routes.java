package io.clusterwright.windows.emulator.internal.api;

import io.clusterwright.core.internal.http.Call;
import io.clusterwright.core.internal.http.HttpRefusalException;
import io.clusterwright.core.internal.http.Reply;
import java.util.ArrayList;
import java.util.List;

/** The requests of an interface, by method and path. */
final class Routes {
    private final List<Route> routes = new ArrayList<>();

    private record Route(String method, String[] path, Handler handler) {}

    /** Answers requests of a known user. */
    interface Handler {
        Reply answer(Call call, String user);
    }

    /** Adds a request; {@code *} stands for any one part of the path. The first that matches counts. */
    Routes on(String method, String path, Handler handler) {
        routes.add(new Route(method, path.split("/"), handler));
        return this;
    }

    Reply answer(Call call, String user) {
        for (Route route : routes) {
            if (call.is(route.method, route.path)) {
                return route.handler.answer(call, user);
            }
        }
        throw HttpRefusalException.notFound(
                "No resource is emulated at " + call.method() + " /" + String.join("/", call.segments()) + ".");
    }
}
