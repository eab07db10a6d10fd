package io.clusterwright.core.internal.rules;

import static io.clusterwright.core.spi.Rule.Where.CLOUD;
import static io.clusterwright.core.spi.Rule.Where.EVERYWHERE;

import io.clusterwright.core.spec.ClusterSpec;
import io.clusterwright.core.spec.HpcPackSpec;
import io.clusterwright.core.spi.Facts;
import io.clusterwright.core.spi.Rule;
import io.clusterwright.core.type.NodeName;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/** Names of machines and accounts, after expansion. */
final class NameRules {
    private static final int NETBIOS = 15;
    private static final String NUMBER = " is a number, so programs take it for an address";
    private static final Set<String> RESERVED_USERS = Set.of(
            "root",
            "admin",
            "administrator",
            "guest",
            "test",
            "user",
            "console",
            "sys",
            "support",
            "owner",
            "backup",
            "server",
            "video",
            "actuser",
            "adm",
            "aspnet",
            "sql",
            "david",
            "john");

    private static final List<String> RESERVED_TAGS = List.of("microsoft", "azure", "windows");

    private NameRules() {}

    static List<Rule> rules() {
        return List.of(
                Rule.error(
                        "CW-NAME-001",
                        EVERYWHERE,
                        "the name of a Windows machine is longer than 15 characters",
                        "shorten headNode.name, nodes.namePattern or nodes.prefix",
                        NameRules::netBios),
                Rule.error(
                        "CW-NAME-002",
                        EVERYWHERE,
                        "two machines have the same name, or names that differ in case only, and name services ignore case",
                        "change headNode.name, nodes.namePattern or hpcPack.linuxNodes.namePattern",
                        NameRules::sameName),
                Rule.error(
                        "CW-NAME-003",
                        EVERYWHERE,
                        "the name of a machine is a number, so programs take it for an address",
                        "start the name with a letter",
                        NameRules::digits),
                Rule.error(
                        "CW-NAME-004",
                        EVERYWHERE,
                        "a node cannot be named localhost: every machine resolves that name to itself",
                        "change headNode.name or nodes.namePattern",
                        NameRules::localhost),
                Rule.error(
                        "CW-NAME-005",
                        CLOUD,
                        "Azure refuses this login user",
                        "write another login.user, such as azureuser",
                        NameRules::login),
                Rule.warning(
                        "CW-NAME-007",
                        CLOUD,
                        "Azure reserves the beginning of a tag's name",
                        "write another name of the tag",
                        NameRules::reservedTags));
    }

    private static void netBios(ClusterSpec spec, Facts facts, Rule.Report report) {
        if (SpecQueries.windows(spec)) {
            NodeName last = spec.nodes().pattern().name(spec.nodes().count() - 1);
            if (last.value().length() > NETBIOS) {
                String path = spec.nodes().namePattern().isPresent() ? "nodes.namePattern" : "nodes.prefix";
                report.add(
                        path,
                        last + " has " + last.value().length()
                                + " characters, and the name of a Windows machine at most " + NETBIOS);
            }
            spec.headNode()
                    .map(head -> head.name().value())
                    .filter(name -> name.length() > NETBIOS)
                    .ifPresent(name -> report.add(
                            "headNode.name",
                            name + " has " + name.length() + " characters, and the name of a Windows machine at most "
                                    + NETBIOS));
        }
    }

    private static void sameName(ClusterSpec spec, Facts facts, Rule.Report report) {
        spec.headNode()
                .map(head -> head.name())
                .ifPresent(head -> spec.nodes().names().stream()
                        .filter(node -> node.value().equalsIgnoreCase(head.value()))
                        .findFirst()
                        .ifPresent(node -> report.add(
                                "headNode.name",
                                "the names of head node " + head + " and node " + node
                                        + " differ in case only, and name services ignore case")));
        Set<String> compute = new HashSet<>();
        spec.nodes().names().forEach(node -> compute.add(node.value().toLowerCase(Locale.ROOT)));
        spec.hpcPack()
                .flatMap(HpcPackSpec::linuxNodes)
                .flatMap(linux -> linux.namePattern().names(linux.count()).stream()
                        .filter(node -> compute.contains(node.value().toLowerCase(Locale.ROOT)))
                        .findFirst())
                .ifPresent(node -> report.add(
                        "hpcPack.linuxNodes.namePattern",
                        "a compute node and a Linux node both have the name " + node
                                + ", and name services ignore case"));
    }

    private static void digits(ClusterSpec spec, Facts facts, Rule.Report report) {
        spec.headNode()
                .map(head -> head.name().value())
                .filter(NameRules::isNumber)
                .ifPresent(name -> report.add("headNode.name", name + NUMBER));
        String first = spec.nodes().pattern().name(0).value();
        if (isNumber(first)) {
            report.add("nodes.namePattern", first + NUMBER);
        }
        spec.hpcPack()
                .flatMap(HpcPackSpec::linuxNodes)
                .map(linux -> linux.namePattern().name(0).value())
                .filter(NameRules::isNumber)
                .ifPresent(name -> report.add("hpcPack.linuxNodes.namePattern", name + NUMBER));
    }

    /** The C library reads such a name as an address, before it asks a name service. */
    private static boolean isNumber(String name) {
        return name.matches("[0-9]+|0[xX][0-9a-fA-F]*");
    }

    private static void localhost(ClusterSpec spec, Facts facts, Rule.Report report) {
        SpecQueries.names(spec).stream()
                .filter(name -> name.value().equalsIgnoreCase("localhost"))
                .findFirst()
                .ifPresent(name -> report.add(
                        "headNode.name",
                        "a node cannot be named " + name + ": every machine resolves that name to itself"));
    }

    private static void reservedTags(ClusterSpec spec, Facts facts, Rule.Report report) {
        spec.tags()
                .keySet()
                .forEach(tag -> RESERVED_TAGS.stream()
                        .filter(tag.toLowerCase(Locale.ROOT)::startsWith)
                        .forEach(start -> report.add(
                                "tags." + tag,
                                "Azure reserves names of tags that begin with " + start + ", as " + tag + " does")));
    }

    private static void login(ClusterSpec spec, Facts facts, Rule.Report report) {
        String user = spec.login().user().value();
        if (RESERVED_USERS.contains(user.toLowerCase(Locale.ROOT))) {
            report.add("login.user", "Azure refuses the login user " + user);
        }
    }
}
