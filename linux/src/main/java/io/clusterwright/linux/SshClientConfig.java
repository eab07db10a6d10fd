package io.clusterwright.linux;

import io.clusterwright.core.SshAccess;
import io.clusterwright.core.type.ClusterName;
import io.clusterwright.core.type.InvalidValueException;
import io.clusterwright.core.type.Ipv4Address;
import io.clusterwright.core.type.UserName;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The part of an SSH client's configuration, ssh_config(5), that is about a cluster's nodes. Use it to log in to
 * nodes with {@code ssh}, {@code scp} and {@code rsync}.
 *
 * <pre>{@code
 * SshAccess access = clusters.sshAccess(cluster.name());
 * SshClientConfig config = SshClientConfig.reaching(access);
 * Files.writeString(folder.resolve("config"), config.text()); // then: ssh -F config demo1
 * }</pre>
 *
 * <p>What {@link #builder()} makes accepts only host keys that are known already. The two forms that accept any key are
 * named as such, and limited to addresses of a private network.
 */
public final class SshClientConfig {
    private static final String OCTET = "(25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9])";
    private static final Pattern RANGE =
            Pattern.compile(OCTET + "\\." + OCTET + "\\.(" + OCTET + "\\.(\\*|" + OCTET + ")|\\*\\.\\*|\\*)");
    private static final Pattern NETWORK =
            Pattern.compile("(" + OCTET + "(\\." + OCTET + "){3})/(1[6-9]|2[0-9]|3[0-2])");

    private static final int LONGEST_LINE = 1000;

    private final List<Block> blocks;

    private SshClientConfig(List<Block> blocks) {
        this.blocks = List.copyOf(blocks);
    }

    /** Starts a configuration that knows the host keys of its nodes. */
    public static Builder builder() {
        return new Builder();
    }

    /**
     * The configuration by which a client on this machine reaches the nodes of a cluster by their names or private
     * addresses, through others
     * where they are reached through others. A node that does not answer for 5 minutes ends its connections.
     *
     * @param access from {@code ClusterManager.sshAccess}
     * @throws InvalidValueException when the path of its key or of its host keys has <code>${</code>, which ssh expands
     */
    public static SshClientConfig reaching(SshAccess access) {
        Builder builder = builder()
                .user(access.user())
                .identityFile(literal(access.identityFile()))
                .knownHostsFile(literal(access.knownHostsFile()))
                .option("GlobalKnownHostsFile", "none")
                .option("ServerAliveInterval", "15")
                .option("ServerAliveCountMax", "20");
        for (SshAccess.Route route : access.routes()) {
            Map<String, String> options = new LinkedHashMap<>();
            options.put("HostName", route.host());
            options.put("Port", Integer.toString(route.port()));
            options.put("HostKeyAlias", route.node().value());
            route.through().ifPresent(node -> options.put("ProxyJump", node.value()));
            List<String> patterns =
                    List.of(route.node().value(), route.address().toString());
            builder.add(new Block("Host", patterns, "    ", options));
        }
        return builder.build();
    }

    /** A path in which ssh finds nothing to expand: it reads {@code %h} and {@code ${HOME}} in the names of files. */
    private static String literal(Path path) {
        if (path.toString().contains("${")) {
            throw new InvalidValueException(
                    "path for ssh", path, "a path without \"${\", which ssh expands", "/var/lib/clusterwright/login");
        }
        return path.toString().replace("%", "%%");
    }

    /**
     * Accepts any host key from addresses of these ranges; any server that answers there is trusted.
     *
     * <p>A range is compared with the host as it was typed: {@code 10.32.0.*} does not stand for {@code cluster11}.
     *
     * @param ranges addresses, networks from {@code /16} on, and patterns whose first two numbers are fixed, such as
     *     {@code 10.32.0.*}
     * @throws InvalidValueException when no range is given or one is wider
     */
    public static SshClientConfig acceptInRange(List<String> ranges) {
        if (ranges.isEmpty()) {
            throw wideRange("");
        }
        List<String> patterns = ranges.stream()
                .flatMap(range -> patterns(range).stream())
                .distinct()
                .toList();
        return new SshClientConfig(
                lines(patterns).stream().map(line -> accept("", line)).toList());
    }

    /** The patterns of ssh_config(5) for a range: ssh compares texts, so a network becomes its parts that end with a dot. */
    private static List<String> patterns(String range) {
        Matcher network = NETWORK.matcher(range);
        if (!network.matches()) {
            if (!RANGE.matcher(range).matches()) {
                throw wideRange(range);
            }
            return List.of(range);
        }
        int length = Integer.parseInt(network.group(network.groupCount()));
        int fixed = (length + 7) / 8;
        int start = Ipv4Address.of(network.group(1)).bits() & -1 << 32 - length;
        List<String> patterns = new ArrayList<>();
        for (int part = 0; part < 1 << 8 * fixed - length; part++) {
            String[] numbers =
                    new Ipv4Address(start + (part << 32 - 8 * fixed)).toString().split("\\.");
            String prefix = String.join(".", List.of(numbers).subList(0, fixed));
            patterns.add(fixed == 4 ? prefix : prefix + ".*");
        }
        return patterns;
    }

    /**
     * Accepts any host key from these addresses; any server that answers there is trusted.
     *
     * @throws InvalidValueException when no address is given
     */
    public static SshClientConfig acceptPerNode(List<Ipv4Address> addresses) {
        if (addresses.isEmpty()) {
            throw wideRange("");
        }
        return new SshClientConfig(addresses.stream()
                .map(address -> accept(" ", List.of(address.toString())))
                .toList());
    }

    /** The configuration as a complete file. */
    public String text() {
        StringBuilder text = new StringBuilder();
        blocks.forEach(block -> text.append(block.text()));
        return text.toString();
    }

    /**
     * Puts the configuration into an existing file, in a marked block that a later edit for the same cluster replaces.
     *
     * <p>The first value found wins in ssh_config(5); so the block comes before every foreign line but comments, and ends
     * with {@code Host *}, so that foreign options after it stay what they were: for every host.
     *
     * @param existing the file's content; may be empty
     * @throws UneditableFileException when the marks of the block are damaged
     */
    public String edit(String existing, ClusterName cluster) {
        return new ManagedBlock(cluster).putFirst(existing, text() + "Host *\n");
    }

    /**
     * An existing file without the block of a cluster.
     *
     * @throws UneditableFileException when the marks of the block are damaged
     */
    public static String remove(String existing, ClusterName cluster) {
        return new ManagedBlock(cluster).remove(existing);
    }

    /** The patterns on lines that clients before OpenSSH 7.8 read, too: they cut off what is longer than 1023 bytes. */
    private static List<List<String>> lines(List<String> patterns) {
        List<List<String>> lines = new ArrayList<>();
        int length = LONGEST_LINE;
        for (String pattern : patterns) {
            length += 1 + pattern.length();
            if (length > LONGEST_LINE) {
                lines.add(new ArrayList<>());
                length = "Host ".length() + pattern.length();
            }
            lines.get(lines.size() - 1).add(pattern);
        }
        return lines;
    }

    private static Block accept(String indent, List<String> patterns) {
        return new Block("host", patterns, indent, Map.of("StrictHostKeyChecking", "no"));
    }

    private static InvalidValueException wideRange(String given) {
        return new InvalidValueException(
                "addresses for StrictHostKeyChecking no",
                given,
                "IPv4 patterns whose first two numbers are fixed, networks from /16 on, or addresses",
                "10.32.0.*");
    }

    /** Collects the nodes and the options that are the same for all of them. */
    public static final class Builder {
        private final List<Block> hosts = new ArrayList<>();
        private final Map<String, String> options = new LinkedHashMap<>();

        private Builder() {
            options.put("StrictHostKeyChecking", "yes");
            options.put("UserKnownHostsFile", "~/.ssh/known_hosts");
            options.put("BatchMode", "yes");
            options.put("ConnectTimeout", "10");
        }

        /** Adds a node. */
        public Builder addHost(SshHost host) {
            return add(host.block());
        }

        private Builder add(Block host) {
            hosts.add(host);
            return this;
        }

        /** The account to log in as; default: the caller's. */
        public Builder user(UserName user) {
            return option("User", user.value());
        }

        /** The only private key to offer; default: the keys of the client. */
        public Builder identityFile(String path) {
            return option("IdentityFile", path).option("IdentitiesOnly", "yes");
        }

        /** Sets the file of known host keys; default {@code ~/.ssh/known_hosts}. */
        public Builder knownHostsFile(String path) {
            return option("UserKnownHostsFile", path);
        }

        /**
         * Sets the time limit of a connection; default 10 s.
         *
         * @throws InvalidValueException when it is below 1 s
         */
        public Builder connectTimeout(Duration limit) {
            if (limit.toSeconds() < 1) {
                throw new InvalidValueException("connect timeout", limit, "1 s or more", "PT10S");
            }
            return option("ConnectTimeout", Long.toString(limit.toSeconds()));
        }

        /**
         * Any other option of ssh_config(5).
         *
         * @throws InvalidValueException when it would run a command, accept unknown host keys or not stay on its line
         */
        public Builder option(String name, String value) {
            Block.requireOption(name, value);
            if (name.toLowerCase(Locale.ROOT).equals("stricthostkeychecking") && !value.equals("yes")) {
                throw new InvalidValueException(
                        name, value, "yes; to accept unknown keys call acceptInRange or acceptPerNode", "yes");
            }
            options.keySet().removeIf(name::equalsIgnoreCase);
            options.put(name, value);
            return this;
        }

        /**
         * The configuration.
         *
         * @throws InvalidValueException when there is no node
         */
        public SshClientConfig build() {
            if (hosts.isEmpty()) {
                throw InvalidValueException.of(
                        "an SSH client configuration needs a host",
                        "call addHost (example: addHost(SshHost.of(name, \"10.32.0.11\")))");
            }
            List<Block> blocks = new ArrayList<>();
            List<String> all = new ArrayList<>();
            for (Block host : hosts) {
                blocks.add(host);
                all.addAll(host.patterns());
            }
            lines(all)
                    .forEach(patterns -> blocks.add(new Block("Host", patterns, "    ", new LinkedHashMap<>(options))));
            return new SshClientConfig(blocks);
        }
    }

    /** A section of ssh_config(5): the hosts it is for and its options. */
    record Block(String keyword, List<String> patterns, String indent, Map<String, String> options) {
        private static final Set<String> SECTIONS = Set.of("host", "match", "include");
        /** Options that run a command or load a library; the last is an older name of the one before. */
        private static final Set<String> COMMANDS = Set.of(
                "proxycommand",
                "localcommand",
                "permitlocalcommand",
                "remotecommand",
                "knownhostscommand",
                "xauthlocation",
                "securitykeyprovider",
                "pkcs11provider",
                "smartcarddevice");

        private static final Set<String> UNKNOWN_KEYS = Set.of("nohostauthenticationforlocalhost", "verifyhostkeydns");

        /** ssh passes a jump host to a shell. */
        private static final String JUMP = "[A-Za-z0-9_.@:,\\[\\]/-]+";

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
                throw new InvalidValueException(
                        "SSH option", name, "a keyword of ssh_config(5)", "ServerAliveInterval");
            }
            if (COMMANDS.contains(lower)) {
                throw InvalidValueException.of(
                        "SSH option " + name + " can run a command or load a library on this machine",
                        "leave it out; ProxyJump sets a way to a node");
            }
            if (UNKNOWN_KEYS.contains(lower) && !value.equals("no")) {
                throw new InvalidValueException(name, value, "no: the host keys of the nodes are known", "no");
            }
            if (lower.equals("proxyjump") && (!value.matches(JUMP) || value.startsWith("-"))) {
                throw new InvalidValueException(
                        name, value, "hosts as user@name:port, separated by commas", "azureuser@head.example.org");
            }
            if (value.isEmpty() || value.contains("\"") || value.chars().anyMatch(Character::isISOControl)) {
                throw new InvalidValueException(
                        "value of " + name, value, "text without quotation marks or control characters", "30");
            }
        }

        private static String quote(String value) {
            return value.matches("[^ #'\\\\]+") ? value : '"' + value.replace("\\", "\\\\") + '"';
        }
    }
}
