package io.clusterwright.linux.internal.node;

import io.clusterwright.core.Command;
import io.clusterwright.core.NodeSession;
import io.clusterwright.core.type.ClusterwrightException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/** Some files of a node as they were when they were read, one character for each byte, and how many cores the node has. */
public final class NodeFiles {
    private static final String ABSENT = "-";

    private static final String READ = """
            content() { # sum or text
                if [ ! -f "$path" ]; then
                    echo -
                elif [ ! -r "$path" ]; then
                    echo "$(id -un) may not read $path: give it the file, or move it away" >&2
                    exit 1
                elif [ "$(stat -c %s "$path")" -gt 1048576 ]; then
                    echo "$path is larger than 1 MiB, which no file of settings is: move it away" >&2
                    exit 1
                elif [ "$1" = sum ]; then
                    sum=$(sha256sum <"$path")
                    printf %s "${sum%% *}" | base64 -w 0
                    echo
                else
                    base64 -w 0 "$path"
                    echo
                fi
            }
            """;

    private final Map<NodePath, String> contents;
    private final int cores;

    private NodeFiles(Map<NodePath, String> contents, int cores) {
        this.contents = contents;
        this.cores = cores;
    }

    /** Reads files in one round trip: files of the system as root, files below a home as its account. */
    public static NodeFiles read(NodeSession session, List<NodePath> paths) {
        return read(session, "", paths);
    }

    /** Reads files in one round trip, in which root first runs a script that prints nothing. */
    public static NodeFiles read(NodeSession session, String before, List<NodePath> paths) {
        Map<String, List<NodePath>> byOwner =
                paths.stream().collect(Collectors.groupingBy(NodePath::owner, LinkedHashMap::new, Collectors.toList()));
        StringBuilder script = new StringBuilder(before).append("nproc\n");
        byOwner.forEach((owner, own) -> script.append(NodePath.asOwner(owner, reading(own))));
        String answer = session.run(Command.shell(script.toString()).elevate())
                .orThrow()
                .stdout();
        List<NodePath> ordered = byOwner.values().stream().flatMap(List::stream).toList();
        return parse(session, ordered, answer.lines().toList());
    }

    private static String reading(List<NodePath> paths) {
        StringBuilder script = new StringBuilder(READ);
        for (NodePath path : paths) {
            script.append(path.assignment())
                    .append("content ")
                    .append(path.secret() ? "sum" : "text")
                    .append('\n');
        }
        return script.toString();
    }

    private static NodeFiles parse(NodeSession session, List<NodePath> paths, List<String> lines) {
        if (lines.size() != paths.size() + 1) {
            throw new ClusterwrightException("on " + session.node() + ", reading " + paths.size() + " files gave "
                    + lines.size() + " answers: remove the output of the login scripts of the node");
        }
        try {
            return values(paths, lines);
        } catch (IllegalArgumentException e) {
            throw new ClusterwrightException(
                    "on " + session.node() + ", reading " + paths.size()
                            + " files gave an unexpected answer: "
                            + "base64, nproc and sha256sum of the image are not GNU programs",
                    e);
        }
    }

    private static NodeFiles values(List<NodePath> paths, List<String> lines) {
        Map<NodePath, String> contents = new HashMap<>();
        for (int i = 0; i < paths.size(); i++) {
            String line = lines.get(i + 1);
            if (!line.equals(ABSENT)) {
                byte[] bytes = Base64.getDecoder().decode(line);
                contents.put(paths.get(i), new String(bytes, StandardCharsets.ISO_8859_1));
            }
        }
        return new NodeFiles(contents, Integer.parseInt(lines.get(0).strip()));
    }

    /** The content; empty when there is no such file. */
    public Optional<String> find(NodePath path) {
        return Optional.ofNullable(contents.get(path));
    }

    /** The content; the empty text when there is no such file. */
    public String text(NodePath path) {
        return contents.getOrDefault(path, "");
    }

    /** Whether a file read as secret has this content. */
    public boolean holds(NodePath secret, String content) {
        return text(secret).strip().equals(sha256(content));
    }

    public int cores() {
        return cores;
    }

    /** As {@code sha256sum} tells it, of one byte for each character. */
    public static String sha256(String content) {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(content.getBytes(StandardCharsets.ISO_8859_1));
            return HexFormat.of().formatHex(digest);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }
}
