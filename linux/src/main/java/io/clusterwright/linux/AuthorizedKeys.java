package io.clusterwright.linux;

import io.clusterwright.core.type.InvalidValueException;
import io.clusterwright.core.type.SshPublicKey;
import java.util.List;
import java.util.Optional;

/**
 * Keys that may log in, in the form of an authorized_keys file, sshd(8). Use it to let a key log in to a node, and to
 * remove it again.
 *
 * <pre>{@code
 * String keys = new AuthorizedKeys(List.of(key)).addTo(""); // a key that is there stays as it is
 * }</pre>
 *
 * @param keys the keys, without options
 */
public record AuthorizedKeys(List<SshPublicKey> keys) {

    /** Keeps a copy of the list. */
    public AuthorizedKeys {
        keys = List.copyOf(keys);
    }

    /** One line for each key. */
    public String text() {
        return addTo("");
    }

    /**
     * Appends the keys that an existing file does not have; a key that it has with options counts as there.
     *
     * @param existing the file's content; may be empty
     * @return the new content, which a second call leaves as it is
     */
    public String addTo(String existing) {
        String text = existing;
        for (SshPublicKey key : keys) {
            boolean present = TextLines.split(text).stream().anyMatch(line -> holds(line, key));
            text = present ? text : TextLines.append(text, List.of(key.toString()));
        }
        return text;
    }

    /**
     * Removes every line with one of the keys, whatever its options and comment.
     *
     * @param existing the file's content
     */
    public String removeFrom(String existing) {
        return String.join(
                "",
                TextLines.split(existing).stream()
                        .filter(line -> keys.stream().noneMatch(key -> holds(line, key)))
                        .toList());
    }

    private static boolean holds(String line, SshPublicKey key) {
        return keyOf(line).filter(key::sameKey).isPresent();
    }

    /** The key of a line; empty for comments, blank lines and what is not understood. */
    private static Optional<SshPublicKey> keyOf(String line) {
        String body = line.strip();
        if (TextLines.isBlankOrComment(body)) {
            return Optional.empty();
        }
        return parse(body).or(() -> parse(body.substring(endOfOptions(body))));
    }

    private static Optional<SshPublicKey> parse(String text) {
        try {
            return Optional.of(SshPublicKey.of(text));
        } catch (InvalidValueException e) {
            return Optional.empty();
        }
    }

    /** Options end at the first blank outside of quotation marks. */
    private static int endOfOptions(String body) {
        boolean quoted = false;
        for (int i = 0; i < body.length(); i++) {
            char c = body.charAt(i);
            if (c == '\\' && quoted) {
                i++;
            } else if (c == '"') {
                quoted = !quoted;
            } else if ((c == ' ' || c == '\t') && !quoted) {
                return i;
            }
        }
        return body.length();
    }
}
