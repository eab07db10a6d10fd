package io.clusterwright.windows.emulator.internal.api;

import io.clusterwright.core.internal.http.Call;
import io.clusterwright.core.internal.http.HttpRefusalException;
import io.clusterwright.core.internal.http.Reply;
import io.clusterwright.windows.emulator.internal.scheduler.Item.State;
import io.clusterwright.windows.emulator.internal.scheduler.Item;
import io.clusterwright.windows.emulator.internal.scheduler.Nodes;
import io.clusterwright.windows.emulator.internal.scheduler.Scheduler;
import java.util.List;
import java.util.Map;

/** The part of {@code /WindowsHPC} that Microsoft's samples use. */
public final class WindowsHpcApi implements HeadNodeServer.Api {
    private final Scheduler scheduler;
    private final Nodes nodes;
    private final OldNodeCalls oldNodes;

    public WindowsHpcApi(Scheduler scheduler, Nodes nodes) {
        this.scheduler = scheduler;
        this.nodes = nodes;
        this.oldNodes = new OldNodeCalls(nodes);
    }

    @Override
    public Reply answer(Call call, String user) {
        if (call.is("POST", "WindowsHPC", "Jobs")) {
            return Xml.number(
                    scheduler.create(Xml.readProperties(call.text()), user).id());
        }
        if (call.is("POST", "WindowsHPC", "Jobs", "JobFile")) {
            return Xml.number(JobFile.read(call.text()).create(scheduler, user).id());
        }
        if (call.is("GET", "WindowsHPC", "Jobs")) {
            String state = Rows.filters(call).getOrDefault("jobstate", "");
            return rows(
                    call,
                    tell(scheduler.jobs()).stream()
                            .filter(row -> state.isEmpty() || state.equalsIgnoreCase(row.get("State")))
                            .toList());
        }
        if (call.segments().size() > 2
                && call.segments().get(0).equalsIgnoreCase("WindowsHPC")
                && call.segments().get(1).equalsIgnoreCase("Job")) {
            return job(call);
        }
        return nodes(call);
    }

    private Reply job(Call call) {
        int id = call.number(2);
        if (call.is("GET", "WindowsHPC", "Job", "*")) {
            return properties(call, scheduler.job(id));
        }
        if (call.is("POST", "WindowsHPC", "Job", "*", "Tasks")) {
            return Xml.number(scheduler.add(id, Xml.readProperties(call.text())).id());
        }
        if (call.is("GET", "WindowsHPC", "Job", "*", "Tasks")) {
            return rows(call, tell(List.copyOf(scheduler.job(id).tasks())));
        }
        if (call.is("GET", "WindowsHPC", "Job", "*", "Task", "*")) {
            return properties(call, scheduler.task(id, call.number(4)));
        }
        if (call.is("POST", "WindowsHPC", "Job", "*", "Submit")) {
            scheduler.submit(id, Xml.readProperties(call.text()));
            return Reply.empty(200);
        }
        if (call.is("POST", "WindowsHPC", "Job", "*", "Cancel")) {
            String message = call.text().isEmpty() ? "" : Xml.read(call.text()).getTextContent();
            scheduler.end(id, State.CANCELED, "Canceled by user. Message: " + message);
            return Reply.empty(200);
        }
        throw unknown(call);
    }

    private Reply nodes(Call call) {
        if (call.is("GET", "WindowsHPC", "Nodes")) {
            return rows(call, oldNodes.nodeRows(call));
        }
        if (call.is("GET", "WindowsHPC", "Node", "*")) {
            synchronized (nodes) {
                return Xml.reply(
                        200,
                        Xml.properties(OldNodeCalls.properties(
                                nodes.find(call.segments().get(2)))));
            }
        }
        if (call.is("GET", "WindowsHPC", "Nodegroups")) {
            return rows(call, oldNodes.groupRows());
        }
        if (call.is("GET", "WindowsHPC", "Nodegroup", "*")) {
            return Xml.reply(200, Xml.strings(nodes.nodesOf(call.segments().get(2))));
        }
        throw unknown(call);
    }

    private List<Map<String, String>> tell(List<? extends Item> items) {
        synchronized (scheduler) {
            return items.stream().map(Item::properties).toList();
        }
    }

    private Reply properties(Call call, Item item) {
        synchronized (scheduler) {
            return Xml.reply(200, Xml.properties(Rows.chosen(item.properties(), call.query("properties"))));
        }
    }

    private static Reply rows(Call call, List<Map<String, String>> all) {
        Rows.Page<Map<String, String>> page = Rows.page(call, all);
        Reply reply = Xml.reply(
                200,
                Xml.rows(page.rows().stream()
                        .map(row -> Rows.chosen(row, call.query("properties")))
                        .toList()));
        return page.next().isEmpty() ? reply : reply.with("x-ms-continuation-QueryId", page.next());
    }

    private static HttpRefusalException unknown(Call call) {
        return HttpRefusalException.notFound(
                "No resource is emulated at " + call.method() + " /" + String.join("/", call.segments()) + ".");
    }

    @Override
    public Reply error(int status, String message) {
        return Xml.reply(status, Xml.error(message));
    }
}
