package io.clusterwright.azure.emulator.internal.arm;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.clusterwright.azure.emulator.Fault;
import io.clusterwright.core.internal.json.Json;
import io.clusterwright.emulator.internal.http.Call;
import io.clusterwright.emulator.internal.http.Reply;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Lists, page by page; the later pages are of the same moment as the first, so that none hides an entry that another one left behind. */
public final class Pages {
    /** How many entries came before, and when the first page was asked for, in nanoseconds of the epoch. */
    private static final Pattern TOKEN = Pattern.compile("(\\d{1,9})-([1-8]?\\d{1,18})");

    private Pages() {}

    /** One page of a list, with the way to the next. */
    public static Reply of(Call call, Cloud cloud, List<? extends JsonNode> entries) {
        String top = call.query("top");
        List<? extends JsonNode> all = top.matches("[1-9]\\d{0,8}")
                ? entries.subList(0, Math.min(entries.size(), Integer.parseInt(top)))
                : entries;
        int from = token(call).map(token -> Integer.parseInt(token.group(1))).orElse(0);
        int to = Math.min(all.size(), from + cloud.settings().pageSize());
        ObjectNode body = Json.object();
        ArrayNode value = body.putArray("value");
        all.subList(Math.min(from, to), to).forEach(value::add);
        if (to < all.size()) {
            Set<String> dollars = new HashSet<>(call.query().keySet());
            dollars.remove("api-version");
            long moment = ChronoUnit.NANOS.between(Instant.EPOCH, asked(call, cloud));
            body.put("nextLink", next(call, dollars, to + "-" + moment));
        }
        return Reply.ok(body);
    }

    /**
     * The link to the next page of a list.
     *
     * @param dollars the parameters whose names begin with a dollar
     */
    public static String next(Call call, Set<String> dollars, String token) {
        StringBuilder next =
                new StringBuilder(call.base()).append(encode(call.path())).append('?');
        call.query().forEach((name, text) -> {
            if (!name.equals("skiptoken")) {
                next.append(dollars.contains(name) ? "$" + name : name)
                        .append('=')
                        .append(URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20"))
                        .append('&');
            }
        });
        return next.append("$skiptoken=").append(token).toString();
    }

    /** The resources for a list of the resources that are in no other: as they were a while ago, or longer ago by a fault. */
    public static Stream<Resource> visible(Call call, Cloud cloud) {
        Duration lag = lag(call, cloud)
                .orElseGet(() -> Work.LIST.duration(cloud.settings().realistic()));
        return cloud.store().at(asked(call, cloud).minus(lag));
    }

    /** The resources for a list that shows everything at once, but for a fault: of groups, and of the parts of a resource. */
    static Stream<Resource> consistent(Call call, Cloud cloud) {
        Instant asked = asked(call, cloud);
        // What was made at that very moment is there.
        return cloud.store().at(lag(call, cloud).map(asked::minus).orElseGet(() -> asked.plusNanos(1)));
    }

    private static Optional<Duration> lag(Call call, Cloud cloud) {
        return cloud.faults().take(call, EnumSet.of(Fault.Kind.LIST_LAG)).map(Fault::delay);
    }

    /** When the first page of the list was asked for. */
    private static Instant asked(Call call, Cloud cloud) {
        return token(call)
                .map(token -> Instant.EPOCH.plusNanos(Long.parseLong(token.group(2))))
                .orElseGet(cloud.clock()::now);
    }

    private static Optional<Matcher> token(Call call) {
        return call.parameter("skiptoken").map(text -> {
            Matcher token = TOKEN.matcher(text);
            ArmException.refuse(!token.matches(), "InvalidParameter.skipToken", text);
            return token;
        });
    }

    private static String encode(String text) {
        return text.replace("%", "%25")
                .replace(" ", "%20")
                .replace("'", "%27")
                .replace("&", "%26")
                .replace("+", "%2B");
    }
}
