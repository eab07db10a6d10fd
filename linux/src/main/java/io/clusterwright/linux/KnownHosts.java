package io.clusterwright.linux;

import io.clusterwright.core.type.InvalidValueException;
import io.clusterwright.core.type.SshPublicKey;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Host keys in the form of a known_hosts file, sshd(8). Use it to let OpenSSH check the keys of nodes. {@code
 * NodeMembership} writes it to nodes, {@code AccessRoutes} of the core beside the login keys of a cluster.
 *
 * <pre>{@code
 * KnownHosts known =
 *         new KnownHosts(List.of(KnownHost.of(NodeName.of("demo1"), Ipv4Address.of("10.32.0.4"), key)));
 * String lines = known.text(); // demo1,10.32.0.4 ssh-ed25519 AAAA…
 * }</pre>
 *
 * @param hosts the hosts and their keys; a host may have keys of several types
 */
public record KnownHosts(List<KnownHost> hosts) {

    /** Keeps a copy of the list. */
    public KnownHosts {
        hosts = List.copyOf(hosts);
    }

    /** One line for each key. */
    public String text() {
        return TextLines.append(
                "", hosts.stream().map(host -> host.line(host.hosts())).toList());
    }

    /**
     * Updates an existing file: our hosts keep no other key, of whatever type, and missing lines are appended.
     *
     * <p>A line that is shared with other hosts keeps them. Comments, hashed names, patterns and lines marked
     * {@code @revoked} or {@code @cert-authority} stay as they are.
     *
     * @param existing the file's content; may be empty
     * @return the new content, which a second edit leaves as it is
     */
    public String edit(String existing) {
        Map<String, Set<String>> ours = new HashMap<>();
        for (KnownHost host : hosts) {
            host.hosts()
                    .forEach(name -> ours.computeIfAbsent(plain(name), key -> new HashSet<>())
                            .add(text(host.key())));
        }
        StringBuilder kept = new StringBuilder();
        Map<String, Set<String>> known = new HashMap<>();
        for (String text : TextLines.split(existing)) {
            Optional<Line> parsed = Line.parse(text);
            if (parsed.isEmpty()) {
                kept.append(text);
                continue;
            }
            Line line = parsed.get();
            String key = text(line.key);
            List<String> remaining = line.hosts.stream()
                    .filter(host -> ours.getOrDefault(plain(host), Set.of(key)).contains(key))
                    .toList();
            if (!remaining.isEmpty()) {
                kept.append(remaining.equals(line.hosts) ? text : line.withHosts(remaining));
                remaining.forEach(host -> known.computeIfAbsent(plain(host), name -> new HashSet<>())
                        .add(key));
            }
        }
        return TextLines.append(kept.toString(), missing(known));
    }

    private List<String> missing(Map<String, Set<String>> known) {
        List<String> lines = new ArrayList<>();
        for (KnownHost ours : hosts) {
            List<String> absent = ours.hosts().stream()
                    .filter(host -> !known.getOrDefault(plain(host), Set.of()).contains(text(ours.key())))
                    .toList();
            if (!absent.isEmpty()) {
                lines.add(ours.line(absent));
            }
        }
        return lines.stream().distinct().toList();
    }

    private static String plain(String host) {
        return host.toLowerCase(Locale.ROOT);
    }

    private static String text(SshPublicKey key) {
        return key.type() + " " + key.base64();
    }

    /** A plain line: names in the clear and a key. */
    private record Line(List<String> hosts, SshPublicKey key, String text) {

        static Optional<Line> parse(String text) {
            String[] fields = TextLines.body(text).strip().split("\\s+", 2);
            if (fields.length < 2 || fields[0].matches("[#@|].*")) {
                return Optional.empty();
            }
            try {
                return Optional.of(new Line(Arrays.asList(fields[0].split(",")), SshPublicKey.of(fields[1]), text));
            } catch (InvalidValueException e) {
                return Optional.empty();
            }
        }

        String withHosts(List<String> remaining) {
            int start = text.indexOf(text.strip());
            int end = start + text.strip().split("\\s", 2)[0].length();
            return text.substring(0, start) + String.join(",", remaining) + text.substring(end);
        }
    }
}
