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
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Some files of a node as they were when they were read, one character for each byte, and how many cores the node has. */
public final class NodeFiles {
    private static final String ABSENT = "-";

    private final Map<NodePath, String> contents;
    private final int cores;

    private NodeFiles(Map<NodePath, String> contents, int cores) {
        this.contents = contents;
        this.cores = cores;
    }

    /** Reads files as root, in one round trip. */
    public static NodeFiles read(NodeSession session, List<NodePath> paths) {
        String answer =
                session.run(Command.shell(script(paths)).elevate()).orThrow().stdout();
        return parse(session, paths, answer.lines().toList());
    }

    static String script(List<NodePath> paths) {
        StringBuilder script = new StringBuilder(NodePath.LOCATE).append("nproc\n");
        for (NodePath path : paths) {
            script.append(path.assignment())
                    .append("if [ -f \"$path\" ]; then ")
                    .append(
                            path.secret()
                                    ? "sha256sum <\"$path\" | cut -d' ' -f1 | base64 -w 0"
                                    : "base64 -w 0 \"$path\"")
                    .append("; echo; else echo ")
                    .append(ABSENT)
                    .append("; fi\n");
        }
        return script.toString();
    }

    private static NodeFiles parse(NodeSession session, List<NodePath> paths, List<String> lines) {
        if (lines.size() != paths.size() + 1) {
            throw new ClusterwrightException("on " + session.node() + ", reading " + paths.size() + " files gave "
                    + lines.size() + " answers: a login script of the node may print something; it must print nothing");
        }
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
