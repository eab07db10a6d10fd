package io.clusterwright.windows.emulator.internal.api;

import io.clusterwright.emulator.internal.http.Call;
import io.clusterwright.emulator.internal.http.HttpRefusalException;
import io.clusterwright.emulator.internal.http.Reply;
import io.clusterwright.windows.emulator.HpcPackEmulator.Generation;
import io.clusterwright.windows.emulator.internal.scheduler.HeadNodeScheduler;
import io.clusterwright.windows.emulator.internal.scheduler.Nodes;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * The requests of one generation of the interface, by method and path: {@code /hpc} of HPC Pack 2016 and 2019, or {@code /WindowsHPC}
 * of 2012 and 2012 R2. One table has the paths as 2016 spells them; the paths of 2012 follow from it.
 */
public final class HeadNodeRoutes {
    private static final String CLUSTER = "HEADNODE";

    private final Generation generation;
    private final Bodies bodies;
    private final List<Route> routes = new ArrayList<>();

    private record Route(String method, String[] path, Handler handler) {}

    /** Answers requests of a known user. */
    interface Handler {
        Reply answer(Call call, String user);
    }

    private HeadNodeRoutes(Generation generation) {
        this.generation = generation;
        this.bodies = generation == Generation.HPC_2012 ? new XmlBodies() : new JsonBodies();
    }

    /** The requests that a generation answers. */
    public static HeadNodeRoutes of(Generation generation, HeadNodeScheduler scheduler, Nodes nodes) {
        HeadNodeRoutes routes = new HeadNodeRoutes(generation);
        routes.since2016("GET cluster/version", (call, user) -> JsonBodies.text(generation.version()))
                .since2016("GET cluster/activeHeadNode", (call, user) -> JsonBodies.text(CLUSTER))
                .since2016("GET cluster/info/dateTimeFormat", (call, user) -> JsonBodies.text("M/d/yyyy h:mm:ss tt"))
                .since2016(
                        "GET cluster/userRoles", (call, user) -> routes.bodies.texts(List.of("User", "Administrator")));
        if (generation == Generation.HPC_2012) {
            routes.on("GET clusters", (call, user) -> routes.bodies.rows(call, List.of(Map.of("Name", CLUSTER)), ""));
        }
        new JobCalls(scheduler, generation, routes.bodies).addTo(routes);
        if (generation == Generation.HPC_2019) {
            new NodeCalls(nodes, generation.version()).addTo(routes);
        } else {
            new NodeRows(nodes, routes.bodies, generation).addTo(routes);
        }
        return routes;
    }

    /** Adds a request, such as {@code GET jobs/*}; {@code *} stands for any one part of the path. The first that matches counts. */
    HeadNodeRoutes on(String request, Handler handler) {
        String[] words = request.split(" ");
        routes.add(new Route(words[0], path(words[1]).split("/"), handler));
        return this;
    }

    /** Adds a request that the interface of 2012 does not have. */
    HeadNodeRoutes since2016(String request, Handler handler) {
        return generation == Generation.HPC_2012 ? this : on(request, handler);
    }

    private String path(String path) {
        if (generation != Generation.HPC_2012) {
            return "hpc/" + path;
        }
        return Arrays.stream(path.replace("nodes/groups", "nodegroups")
                        .replace("jobs/templates", "jobTemplates")
                        .replace("s/*", "/*")
                        .split("/"))
                .map(part -> part.substring(0, 1).toUpperCase(Locale.ROOT) + part.substring(1))
                .collect(Collectors.joining("/", "WindowsHPC/", ""));
    }

    /** The answer to a request of a known user. */
    Reply answer(Call asked, String user) {
        Call call = generation == Generation.HPC_2012 ? inCluster(asked) : asked;
        for (Route route : routes) {
            if (call.is(route.method, route.path)) {
                return route.handler.answer(call, user);
            }
        }
        throw HttpRefusalException.notFound(
                "No resource is emulated at " + call.method() + " /" + String.join("/", call.segments()) + ".");
    }

    /** In 2012 each path but the path of the list of clusters has the name of the cluster, which this leaves out. */
    private static Call inCluster(Call call) {
        List<String> parts = call.segments();
        if (call.is("GET", "WindowsHPC", "Clusters")) {
            return call;
        }
        if (parts.size() < 3 || !parts.get(1).equalsIgnoreCase(CLUSTER)) {
            throw HttpRefusalException.notFound("There is no cluster at /" + String.join("/", parts) + ".");
        }
        return call.at("/" + parts.get(0) + "/" + String.join("/", parts.subList(2, parts.size())));
    }

    Reply error(int status, String message) {
        return bodies.error(status, message);
    }

    /** The bodies of requests and answers: JSON or XML. */
    interface Bodies {
        /** The names and values of a request; an absent body has none. */
        Map<String, String> properties(Call call);

        /** The one text of a request; empty when there is none. */
        String text(Call call);

        /** The job file that is a request. */
        String jobFile(Call call);

        Reply number(int value);

        Reply properties(Map<String, String> values);

        /** A part of a list of rows, with the properties that are asked for, or otherwise these. */
        Reply rows(Call call, List<Map<String, String>> all, String otherwise);

        Reply texts(List<String> values);

        /** The answer to a change. */
        Reply done();

        Reply error(int status, String message);
    }
}
