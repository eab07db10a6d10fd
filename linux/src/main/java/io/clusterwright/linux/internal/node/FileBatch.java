package io.clusterwright.linux.internal.node;

import io.clusterwright.core.Command;
import io.clusterwright.core.internal.text.PosixShell;
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
            put() { # mode owner; the content is in $new
                if [ -n "$1" ]; then
                    [ "$1" = created ] || chmod "$1" "$new"
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
    /** The permissions that a file can be created with, so that none need changing afterwards. */
    private static final int CREATED = 0666;

    private static final int MODES = 0777;

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
        boolean created = !mode.isEmpty() && (Integer.parseInt(mode, 8) & ~CREATED) == 0;
        script(path)
                .append(path.assignment())
                .append("new=$path.clusterwright-$$\n")
                .append(created ? "umask %03o\n".formatted(MODES & ~Integer.parseInt(mode, 8)) : "")
                .append(writing(content))
                .append(created ? "umask 077\n" : "")
                .append("put '")
                .append(created ? "created" : mode)
                .append("' '")
                .append(owner)
                .append("'\n");
        return this;
    }

    /** The shell itself writes plain text; other content takes a program. */
    private static String writing(String content) {
        boolean plain = content.chars().allMatch(c -> c == '\n' || c == '\t' || c >= ' ' && c <= '~')
                && !content.contains(NodePath.END_OF_ACCOUNT);
        if (plain) {
            return "printf %s " + PosixShell.quote(content) + " >\"$new\"\n";
        }
        byte[] bytes = content.getBytes(StandardCharsets.ISO_8859_1);
        String text = Base64.getMimeEncoder(LINE, new byte[] {'\n'}).encodeToString(bytes);
        return "base64 -d >\"$new\" <<'END'\n" + text + "\nEND\n";
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
