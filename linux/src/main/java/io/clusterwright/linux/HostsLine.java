package io.clusterwright.linux;

import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Takes names out of a line of hosts(5), leaving what else stands there. */
final class HostsLine {
    private static final Pattern NAME = Pattern.compile("[ \\t]+([^ \\t#]+)");

    private HostsLine() {}

    /** The line without these names (in small letters); empty when no other is left. */
    static String without(String line, Set<String> names) {
        String body = TextLines.body(line);
        int comment = body.indexOf('#');
        String entry = comment < 0 ? body : body.substring(0, comment);
        String address = entry.strip().split("[ \\t]", 2)[0];
        if (address.isEmpty()) {
            return line;
        }
        int start = entry.indexOf(address) + address.length();
        boolean loopback = address.startsWith("127.") || address.equals("::1");
        StringBuilder kept = new StringBuilder(entry.substring(0, start));
        boolean removed = false;
        boolean named = false;
        Matcher name = NAME.matcher(entry).region(start, entry.length());
        int end = start;
        while (name.find()) {
            boolean ours = isOurs(name.group(1).toLowerCase(Locale.ROOT), names, loopback);
            kept.append(ours ? "" : name.group());
            removed |= ours;
            named |= !ours;
            end = name.end();
        }
        if (!removed) {
            return line;
        }
        return named ? kept + line.substring(end) : "";
    }

    private static boolean isOurs(String name, Set<String> names, boolean loopback) {
        return names.contains(name) || (loopback && names.contains(name.split("\\.", 2)[0]));
    }
}
