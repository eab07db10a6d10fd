package io.clusterwright.linux.internal.node;

import io.clusterwright.core.internal.text.PosixShell;
import io.clusterwright.core.type.UserName;

/**
 * A file or folder on a node.
 *
 * @param owner whose home folder the path starts in; empty for an absolute path
 * @param path the path
 * @param secret whether reading it gives the SHA-256 of its content, not the content
 */
public record NodePath(String owner, String path, boolean secret) {

    public static NodePath of(String absolute) {
        return new NodePath("", absolute, false);
    }

    public static NodePath home(UserName user, String relative) {
        return new NodePath(user.value(), relative, false);
    }

    public NodePath asSecret() {
        return new NodePath(owner, path, true);
    }

    /** Sets {@code $path} in a shell that has {@link #LOCATE}; ends the shell where there is no such user. */
    String assignment() {
        return "path=" + (owner.isEmpty() ? "" : "~" + owner + "/") + PosixShell.quote(path) + "\nlocate\n";
    }

    /** The shell itself knows the homes of users, without a process for each. */
    static final String LOCATE = """
            locate() {
                case $path in /*) ;; *) echo "there is no user for $path on this node" >&2; exit 1 ;; esac
            }
            """;

    @Override
    public String toString() {
        return owner.isEmpty() ? path : "~" + owner + "/" + path;
    }
}
