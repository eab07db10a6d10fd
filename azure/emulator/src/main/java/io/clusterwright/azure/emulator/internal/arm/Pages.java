package io.clusterwright.azure.emulator.internal.arm;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.clusterwright.azure.emulator.Fault;
import io.clusterwright.core.internal.http.Call;
import io.clusterwright.core.internal.http.Reply;
import io.clusterwright.core.internal.json.Json;
import java.util.EnumSet;
import java.util.List;
import java.util.stream.Stream;

/** Lists, page by page. */
public final class Pages {
    private Pages() {}

    /** One page of a list, with the way to the next. */
    public static Reply of(Call call, Cloud cloud, List<? extends JsonNode> entries) {
        int from = call.parameter("skiptoken").map(Pages::number).orElse(0);
        int to = Math.min(entries.size(), from + cloud.settings().pageSize());
        ObjectNode body = Json.object();
        ArrayNode value = body.putArray("value");
        entries.subList(Math.min(from, to), to).forEach(value::add);
        if (to < entries.size()) {
            StringBuilder next =
                    new StringBuilder(call.base()).append(encode(call.path())).append('?');
            call.query().forEach((name, text) -> {
                if (!name.equals("skiptoken")) {
                    next.append(name.equals("api-version") ? name : "$" + name)
                            .append('=')
                            .append(encode(text))
                            .append('&');
                }
            });
            body.put("nextLink", next.append("$skiptoken=").append(to).toString());
        }
        return Reply.ok(body);
    }

    /** The resources for a list: those of a while ago, when a fault lets lists lag. */
    public static Stream<Resource> visible(Call call, Cloud cloud) {
        return cloud.faults()
                .take(call, EnumSet.of(Fault.Kind.LIST_LAG))
                .map(fault -> cloud.store().at(cloud.clock().now().minus(fault.delay())))
                .orElseGet(cloud.store()::all);
    }

    private static int number(String token) {
        try {
            return Math.max(0, Integer.parseInt(token));
        } catch (NumberFormatException e) {
            throw ArmException.of("InvalidParameter.skipToken", token);
        }
    }

    private static String encode(String text) {
        return text.replace("%", "%25")
                .replace(" ", "%20")
                .replace("'", "%27")
                .replace("&", "%26")
                .replace("+", "%2B");
    }
}
