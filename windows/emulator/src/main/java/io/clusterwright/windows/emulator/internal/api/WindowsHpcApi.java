package io.clusterwright.windows.emulator.internal.api;

import io.clusterwright.emulator.internal.http.Call;
import io.clusterwright.emulator.internal.http.Reply;
import io.clusterwright.windows.emulator.internal.scheduler.Item;
import io.clusterwright.windows.emulator.internal.scheduler.Item.State;
import io.clusterwright.windows.emulator.internal.scheduler.Nodes;
import io.clusterwright.windows.emulator.internal.scheduler.Scheduler;
import java.util.List;
import java.util.Map;

/** The part of {@code /WindowsHPC} that Microsoft's samples use. */
public final class WindowsHpcApi {
    private final Scheduler scheduler;

    private WindowsHpcApi(Scheduler scheduler) {
        this.scheduler = scheduler;
    }

    /** The requests that it answers. */
    public static Routes routes(Scheduler scheduler, Nodes nodes) {
        return new WindowsHpcApi(scheduler).routes(new OldNodeCalls(nodes), nodes);
    }

    private Routes routes(OldNodeCalls old, Nodes nodes) {
        return new Routes((status, message) -> Xml.reply(status, Xml.error(message)))
                .on(
                        "POST WindowsHPC/Jobs",
                        (call, user) -> Xml.number(scheduler
                                .create(Xml.readProperties(call.text()), user)
                                .id()))
                .on(
                        "POST WindowsHPC/Jobs/JobFile",
                        (call, user) -> Xml.number(Xml.createJob(call.text(), scheduler, user)))
                .on("GET WindowsHPC/Jobs", (call, user) -> jobs(call))
                .on("GET WindowsHPC/Job/*", (call, user) -> properties(call, scheduler.job(call.number(2))))
                .on(
                        "POST WindowsHPC/Job/*/Tasks",
                        (call, user) -> Xml.number(scheduler
                                .add(call.number(2), Xml.readProperties(call.text()))
                                .id()))
                .on(
                        "GET WindowsHPC/Job/*/Tasks",
                        (call, user) -> rows(
                                call,
                                scheduler.properties(
                                        scheduler.job(call.number(2)).tasks())))
                .on(
                        "GET WindowsHPC/Job/*/Task/*",
                        (call, user) -> properties(call, scheduler.task(call.number(2), call.number(4))))
                .on("POST WindowsHPC/Job/*/Submit", (call, user) -> submit(call))
                .on("POST WindowsHPC/Job/*/Cancel", (call, user) -> cancel(call))
                .on("GET WindowsHPC/Nodes", (call, user) -> rows(call, old.nodes(call)))
                .on("GET WindowsHPC/Node/*", (call, user) -> Xml.reply(200, Xml.properties(old.node(call))))
                .on("GET WindowsHPC/Nodegroups", (call, user) -> rows(call, old.groups()))
                .on(
                        "GET WindowsHPC/Nodegroup/*",
                        (call, user) -> Xml.reply(
                                200, Xml.strings(nodes.nodesOf(call.segments().get(2)))));
    }

    private Reply jobs(Call call) {
        String state = Rows.filters(call).getOrDefault("jobstate", "");
        return rows(
                call,
                scheduler.properties(scheduler.jobs()).stream()
                        .filter(row -> state.isEmpty() || state.equalsIgnoreCase(row.get("State")))
                        .toList());
    }

    private Reply submit(Call call) {
        scheduler.submit(call.number(2), Xml.readProperties(call.text()));
        return Reply.empty(200);
    }

    private Reply cancel(Call call) {
        String message = call.text().isEmpty() ? "" : Xml.read(call.text()).getTextContent();
        scheduler.end(call.number(2), State.CANCELED, "Canceled by user. Message: " + message);
        return Reply.empty(200);
    }

    private Reply properties(Call call, Item item) {
        Map<String, String> all = scheduler.properties(List.of(item)).get(0);
        return Xml.reply(200, Xml.properties(Rows.chosen(all, call.query("properties"))));
    }

    private static Reply rows(Call call, List<Map<String, String>> all) {
        Rows.Page page = Rows.page(call, all, call.query("properties"));
        Reply reply = Xml.reply(200, Xml.rows(page.rows()));
        return page.next().isEmpty() ? reply : reply.with("x-ms-continuation-QueryId", page.next());
    }
}
