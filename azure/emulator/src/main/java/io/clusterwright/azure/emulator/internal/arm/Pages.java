package io.clusterwright.azure.emulator.internal.arm;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.clusterwright.azure.emulator.Fault;
import io.clusterwright.core.internal.http.Call;
import io.clusterwright.core.internal.http.Reply;
import io.clusterwright.core.internal.json.Json;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** Lists, page by page. */
public final class Pages {
    private Pages() {}

    /** One page of a list, with the way to the next. */
    public static Reply of(Call call, Cloud cloud, List<? extends JsonNode> entries) {
        String top = call.query("top");
        List<? extends JsonNode> all = top.matches("[1-9]\\d{0,8}")
                ? entries.subList(0, Math.min(entries.size(), Integer.parseInt(top)))
                : entries;
        int from = call.parameter("skiptoken").map(Pages::number).orElse(0);
        int to = Math.min(all.size(), from + cloud.settings().pageSize());
        ObjectNode body = Json.object();
        ArrayNode value = body.putArray("value");
        all.subList(Math.min(from, to), to).forEach(value::add);
        if (to < all.size()) {
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

    /** The resources for a list of those that are in no other: those of a while ago, or of longer ago by a fault. */
    public static Stream<Resource> visible(Call call, Cloud cloud) {
        Duration lag = lag(call, cloud)
                .orElseGet(() -> Work.LIST.duration(cloud.settings().realistic()));
        return cloud.store().at(cloud.clock().now().minus(lag));
    }

    /** The resources for a list that shows everything at once, but for a fault: of groups, and of the parts of a resource. */
    static Stream<Resource> consistent(Call call, Cloud cloud) {
        return lag(call, cloud)
                .map(lag -> cloud.store().at(cloud.clock().now().minus(lag)))
                .orElseGet(cloud.store()::all);
    }

    private static Optional<Duration> lag(Call call, Cloud cloud) {
        return cloud.faults().take(call, EnumSet.of(Fault.Kind.LIST_LAG)).map(Fault::delay);
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
