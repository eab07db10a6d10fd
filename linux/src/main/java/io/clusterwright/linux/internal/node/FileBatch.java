package io.clusterwright.linux.internal.node;

import io.clusterwright.core.Command;
import io.clusterwright.linux.NetworkConfigGuard;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Files and folders that are written on a node in one go: each file to a temporary name beside it, then renamed over it. Files of
 * the system are written as root, files below a home as its account. The script goes over standard input, so that no content is
 * on a command line.
 */
public final class FileBatch {
    /** An existing file keeps its permissions and owner where none are given. */
    private static final String FUNCTIONS = """
            folder() { # mode owner
                [ -d "$path" ] || mkdir -p "$path"
                chmod "$1" "$path"
                [ -z "$2" ] || chown "$2" "$path"
            }
            put() { # mode owner, the content in base64 on standard input
                new=$path.clusterwright-$$
                base64 -d >"$new"
                if [ -n "$1" ]; then
                    chmod "$1" "$new"
                elif [ -e "$path" ]; then
                    chmod --reference="$path" "$new"
                else
                    chmod 644 "$new"
                fi
                if [ -n "$2" ]; then
                    [ "$2" = root: ] || chown "$2" "$new"
                elif [ -e "$path" ]; then
                    chown --reference="$path" "$new"
                fi
                mv -fT "$new" "$path"
            }
            """;

    private static final int LINE = 76;

    private final Map<String, StringBuilder> scripts = new LinkedHashMap<>();
    private boolean empty = true;

    private StringBuilder script(NodePath path) {
        return scripts.computeIfAbsent(path.owner(), owner -> new StringBuilder());
    }

    /**
     * Makes a folder, with everything above it.
     *
     * @param owner as chown takes it; empty below a home, where it is the account's
     */
    public FileBatch folder(NodePath path, String mode, String owner) {
        script(path)
                .append(path.assignment())
                .append("folder ")
                .append(mode)
                .append(" '")
                .append(owner)
                .append("'\n");
        return this;
    }

    /** Writes a file that keeps the permissions and the owner it has; new, it is root's and 0644. */
    public FileBatch put(NodePath path, String content) {
        return put(path, content, "", "");
    }

    /**
     * Writes a file.
     *
     * @param content one character for each byte
     * @param mode octal digits
     * @param owner as chown takes it, such as {@code munge:}; empty below a home, where it is the account's
     */
    public FileBatch put(NodePath path, String content, String mode, String owner) {
        NetworkConfigGuard.check(path.path(), content);
        empty = false;
        byte[] bytes = content.getBytes(StandardCharsets.ISO_8859_1);
        String text = Base64.getMimeEncoder(LINE, new byte[] {'\n'}).encodeToString(bytes);
        script(path)
                .append(path.assignment())
                .append("put '")
                .append(mode)
                .append("' '")
                .append(owner)
                .append("' <<'END'\n")
                .append(text)
                .append(text.isEmpty() ? "" : "\n")
                .append("END\n");
        return this;
    }

    /** Removes a file below a home, if it is there. */
    public FileBatch remove(NodePath path) {
        empty = false;
        script(path).append(path.assignment()).append("rm -f \"$path\"\n");
        return this;
    }

    /** Writes a file whose content is another one now. */
    public FileBatch putIfChanged(NodeFiles now, NodePath path, String content, String mode, String owner) {
        return now.find(path).filter(content::equals).isPresent() ? this : put(path, content, mode, owner);
    }

    /** Whether no file is written. */
    public boolean isEmpty() {
        return empty;
    }

    /** The command that writes; what it does is decided by what was put before. */
    public Command command() {
        return Command.shell(script()).elevate();
    }

    public String script() {
        StringBuilder text = new StringBuilder("umask 077\nset -C\n");
        scripts.forEach((owner, lines) -> text.append(NodePath.asOwner(owner, FUNCTIONS + lines)));
        return text.toString();
    }
}
