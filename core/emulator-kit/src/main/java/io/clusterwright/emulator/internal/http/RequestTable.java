package io.clusterwright.emulator.internal.http;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The requests that a service answers, by method and path.
 *
 * @param <C> what the service knows of a request beside it
 */
public final class RequestTable<C> {
    private static final String REST = "**";

    private final List<Row<C>> rows = new ArrayList<>();

    /** Answers the requests of one row. */
    @FunctionalInterface
    public interface Handler<C> {
        Reply answer(Call call, C context);
    }

    private record Row<C>(List<String> methods, List<String> path, Handler<C> handler) {
        boolean hasPath(List<String> words) {
            boolean starts = path.get(path.size() - 1).equals(REST);
            boolean ends = path.get(0).equals(REST);
            List<String> wanted = path.subList(ends ? 1 : 0, starts ? path.size() - 1 : path.size());
            int from = ends ? words.size() - wanted.size() : 0;
            if (from < 0 || (starts ? words.size() < wanted.size() : words.size() != from + wanted.size())) {
                return false;
            }
            for (int i = 0; i < wanted.size(); i++) {
                if (!wanted.get(i).equals("*") && !wanted.get(i).equalsIgnoreCase(words.get(from + i))) {
                    return false;
                }
            }
            return true;
        }
    }

    /**
     * Adds a row; of several that match, the first counts.
     *
     * @param request methods and a path, such as {@code GET|HEAD jobs/*}: the case of words does not matter, {@code *} is any one word, and
     *     {@code **} at the end or at the start any number of them
     */
    public RequestTable<C> on(String request, Handler<C> handler) {
        String[] parts = request.split(" ", 2);
        rows.add(new Row<>(List.of(parts[0].split("\\|")), List.of(parts[1].split("/")), handler));
        return this;
    }

    /** The answer; empty where no row has the method and the path. */
    public Optional<Reply> answer(Call call, C context) {
        List<String> words = call.segments();
        return rows.stream()
                .filter(row -> row.methods().contains(call.method()) && row.hasPath(words))
                .findFirst()
                .map(row -> row.handler().answer(call, context));
    }

    /** Whether a row has the path, for whatever method. */
    public boolean hasPath(Call call) {
        List<String> words = call.segments();
        return rows.stream().anyMatch(row -> row.hasPath(words));
    }
}
