package io.clusterwright.linux;

import io.clusterwright.core.type.InvalidValueException;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/** A section of ssh_config(5): the hosts it is for and its options. */
record SshConfigBlock(String keyword, List<String> patterns, String indent, Map<String, String> options) {
    private static final Set<String> SECTIONS = Set.of("host", "match", "include");
    private static final Set<String> COMMANDS =
            Set.of("proxycommand", "localcommand", "remotecommand", "knownhostscommand");

    String text() {
        StringBuilder text = new StringBuilder(keyword);
        patterns.forEach(pattern -> text.append(' ').append(pattern));
        text.append('\n');
        options.forEach((name, value) -> text.append(indent)
                .append(name)
                .append(' ')
                .append(quote(value))
                .append('\n'));
        return text.toString();
    }

    static void requireOption(String name, String value) {
        String lower = name.toLowerCase(Locale.ROOT);
        if (!name.matches("[A-Za-z][A-Za-z0-9]{0,63}") || SECTIONS.contains(lower)) {
            throw new InvalidValueException("SSH option", name, "a keyword of ssh_config(5)", "ServerAliveInterval");
        }
        if (COMMANDS.contains(lower)) {
            throw new InvalidValueException("SSH option", name, "any that runs no command", "ProxyJump");
        }
        if (value.isEmpty() || value.contains("\"") || value.chars().anyMatch(Character::isISOControl)) {
            throw new InvalidValueException(
                    "value of " + name, value, "a text without quotation marks and control characters", "30");
        }
    }

    private static String quote(String value) {
        return value.matches("[^ #'\\\\]+") ? value : '"' + value.replace("\\", "\\\\") + '"';
    }
}
