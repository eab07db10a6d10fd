package io.clusterwright.azure.emulator.internal.network;

import static io.clusterwright.azure.emulator.internal.arm.ArmException.refuse;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.clusterwright.azure.emulator.internal.arm.ArmException;
import io.clusterwright.azure.emulator.internal.arm.Bodies;
import io.clusterwright.azure.emulator.internal.arm.Cloud;
import io.clusterwright.azure.emulator.internal.arm.Draft;
import io.clusterwright.azure.emulator.internal.arm.Resource;
import io.clusterwright.azure.emulator.internal.arm.ResourceType;
import io.clusterwright.azure.emulator.internal.arm.Row;
import io.clusterwright.core.internal.text.TextResource;
import io.clusterwright.core.type.AddressRange;
import io.clusterwright.core.type.InvalidValueException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Network security groups with their rules. */
final class SecurityGroups {
    /** The service tags, in lower case. */
    static final Set<String> TAGS = TextResource.read(
                    SecurityGroups.class.getResourceAsStream("service-tags.txt"), "service-tags.txt")
            .lines()
            .filter(line -> !line.isBlank() && !line.startsWith("#"))
            .map(line -> line.trim().toLowerCase(Locale.ROOT))
            .collect(Collectors.toUnmodifiableSet());

    private static final int LONGEST_DESCRIPTION = 140;
    private static final int LOWEST = 100;
    private static final int HIGHEST = 4096;
    private static final int LAST_PORT = 65_535;
    private static final Pattern PORTS = Pattern.compile("(\\d{1,5})(?:-(\\d{1,5}))?");
    private static final int MOST_RULES = 1000;
    private static final Pattern SIX = Pattern.compile("(?=.*:.*:)[0-9A-Fa-f:]{2,39}(/(\\d{1,2}|1[01]\\d|12[0-8]))?");
    private static final Pattern TAG = Pattern.compile("\\*|[A-Za-z][A-Za-z0-9.]*");
    private static final String[][] DEFAULTS = {
        {"AllowVnetInBound", "65000", "Inbound", "Allow", "VirtualNetwork", "VirtualNetwork"},
        {"AllowAzureLoadBalancerInBound", "65001", "Inbound", "Allow", "AzureLoadBalancer", "*"},
        {"DenyAllInBound", "65500", "Inbound", "Deny", "*", "*"},
        {"AllowVnetOutBound", "65000", "Outbound", "Allow", "VirtualNetwork", "VirtualNetwork"},
        {"AllowInternetOutBound", "65001", "Outbound", "Allow", "*", "Internet"},
        {"DenyAllOutBound", "65500", "Outbound", "Deny", "*", "*"},
    };

    private SecurityGroups() {}

    static ResourceType type(Cloud cloud) {
        return NetworkTypes.of(ResourceType.SECURITY_GROUPS)
                .children(
                        "securityRules",
                        needs("protocol"),
                        needs("access"),
                        needs("direction"),
                        Row.refuse(
                                rule -> rule.text("properties.description").length() > LONGEST_DESCRIPTION,
                                "InvalidRequestFormat.description",
                                rule -> rule.text("name"),
                                rule -> LONGEST_DESCRIPTION),
                        notBoth("sourceAddressPrefix", "sourceAddressPrefixes"),
                        notBoth("destinationAddressPrefix", "destinationAddressPrefixes"),
                        notBoth("sourcePortRange", "sourcePortRanges"),
                        notBoth("destinationPortRange", "destinationPortRanges"),
                        needs("sourceAddressPrefix", "sourceAddressPrefixes", "sourceApplicationSecurityGroups"),
                        needs(
                                "destinationAddressPrefix",
                                "destinationAddressPrefixes",
                                "destinationApplicationSecurityGroups"),
                        needs("sourcePortRange", "sourcePortRanges"),
                        needs("destinationPortRange", "destinationPortRanges"),
                        rule -> ports(rule, "sourcePortRange"),
                        rule -> ports(rule, "destinationPortRange"),
                        rule -> addresses(rule, "sourceAddressPrefix"),
                        rule -> addresses(rule, "destinationAddressPrefix"),
                        SecurityGroups::requireOneVersion,
                        Row.refuse(
                                rule -> rule.number("properties.priority", 0) < LOWEST
                                        || rule.number("properties.priority", 0) > HIGHEST,
                                "SecurityRuleInvalidPriority",
                                rule -> rule.text("name"),
                                rule -> rule.number("properties.priority", 0)))
                .shown("defaultSecurityRules")
                .rows(
                        Row.refuse(
                                group -> group.at("properties.securityRules").size() > MOST_RULES,
                                "InvalidRequestFormat.rules",
                                Draft::name,
                                group -> MOST_RULES),
                        Row.unique(
                                "properties.securityRules",
                                rule -> Bodies.text(rule, "properties.direction")
                                        + Bodies.text(rule, "properties.priority"),
                                (first, second) -> ArmException.of(
                                        "SecurityRuleConflict",
                                        Bodies.text(second, "name"),
                                        Bodies.text(first, "name"))),
                        SecurityGroups::addDefaults)
                .deleteCheck(group -> requireUnused(cloud, group));
    }

    /** One of the properties, of which the first stands in the refusal. */
    private static Row needs(String... names) {
        return Row.refuse(
                rule -> Stream.of(names)
                        .map((String name) -> rule.at("properties." + name))
                        .noneMatch(value -> value.isContainerNode()
                                ? !value.isEmpty()
                                : value.asText("").length() > 0),
                "SecurityRuleParameterMissing",
                rule -> rule.text("name"),
                rule -> names[0]);
    }

    private static Row notBoth(String name, String plural) {
        return Row.refuse(
                rule -> rule.has("properties." + name)
                        && !rule.at("properties." + plural).isEmpty(),
                "InvalidRequestFormat.both",
                rule -> rule.text("name"),
                rule -> name,
                rule -> plural);
    }

    /** The value of a property and of its plural. */
    private static List<String> values(Draft rule, String name, String plural) {
        List<String> values = new ArrayList<>();
        if (!rule.text("properties." + name).isEmpty()) {
            values.add(rule.text("properties." + name));
        }
        rule.properties().path(plural).forEach(each -> values.add(each.asText()));
        return values;
    }

    private static void ports(Draft rule, String name) {
        for (String range : values(rule, name, name + "s")) {
            Matcher matcher = PORTS.matcher(range);
            boolean valid = range.equals("*");
            if (matcher.matches()) {
                int first = Integer.parseInt(matcher.group(1));
                int last = matcher.group(2) == null ? first : Integer.parseInt(matcher.group(2));
                valid = first <= last && last <= LAST_PORT;
            }
            refuse(!valid, "SecurityRuleInvalidPortRange", range);
        }
    }

    /** An address, a range, or the name of a service tag, which stands alone. */
    private static void addresses(Draft rule, String name) {
        for (JsonNode each : rule.properties().path(name + "es")) {
            refuse(
                    TAG.matcher(each.asText()).matches(),
                    "SecurityRuleParameterContainsUnsupportedValue",
                    name,
                    rule.text("name"),
                    each.asText());
        }
        for (String prefix : values(rule, name, name + "es")) {
            boolean valid = isTag(prefix);
            try {
                valid = valid || AddressRange.of(prefix.contains("/") ? prefix : prefix + "/32") != null;
            } catch (InvalidValueException e) {
                valid = SIX.matcher(prefix).matches();
            }
            refuse(!valid, "SecurityRuleInvalidAddressPrefix", rule.text("name"), prefix);
        }
        requireApart(rule, name);
    }

    /** Refuses addresses of both versions in one rule. */
    private static void requireOneVersion(Draft rule) {
        List<String> all = new ArrayList<>();
        for (String name : List.of("sourceAddressPrefix", "destinationAddressPrefix")) {
            all.addAll(values(rule, name, name + "es"));
        }
        boolean six = all.stream().anyMatch(prefix -> prefix.contains(":"));
        all.stream()
                .filter(prefix -> six && Character.isDigit(prefix.charAt(0)) && !prefix.contains(":"))
                .findFirst()
                .ifPresent(prefix -> {
                    throw ArmException.of("InvalidRequestFormat.ruleVersions", rule.text("name"), prefix);
                });
    }

    /** Refuses ranges of a rule that overlap. */
    private static void requireApart(Draft rule, String name) {
        List<AddressRange> seen = new ArrayList<>();
        for (JsonNode each : rule.properties().path(name + "es")) {
            String prefix = each.asText();
            if (prefix.contains(":")) {
                continue;
            }
            AddressRange range = AddressRange.of(prefix.contains("/") ? prefix : prefix + "/32");
            for (AddressRange other : seen) {
                refuse(
                        range.overlaps(other),
                        "OverlappingSubnetsNotPermittedInSecurityRule",
                        name,
                        rule.id().child("securityRules", rule.text("name")),
                        other + ", " + range);
            }
            seen.add(range);
        }
    }

    /** Whether this is {@code *} or a service tag, with or without a region. */
    private static boolean isTag(String text) {
        String name = text.replaceFirst("\\..*", "").toLowerCase(Locale.ROOT);
        String region =
                text.contains(".") ? text.substring(text.indexOf('.') + 1).toLowerCase(Locale.ROOT) : "";
        return text.equals("*") || TAGS.contains(name) && (region.isEmpty() || region.matches("[a-z]+\\d?"));
    }

    private static void addDefaults(Draft group) {
        ArrayNode rules = group.properties().putArray("defaultSecurityRules");
        for (String[] row : DEFAULTS) {
            ObjectNode rule = rules.addObject()
                    .put("name", row[0])
                    .put("id", group.id().child("defaultSecurityRules", row[0]).toString())
                    .put("etag", group.text("etag"))
                    .put("type", ResourceType.SECURITY_GROUPS + "/defaultSecurityRules");
            Bodies.properties(rule)
                    .put("provisioningState", "Succeeded")
                    .put("protocol", "*")
                    .put("sourcePortRange", "*")
                    .put("destinationPortRange", "*")
                    .put("sourceAddressPrefix", row[4])
                    .put("destinationAddressPrefix", row[5])
                    .put("access", row[3])
                    .put("priority", Integer.parseInt(row[1]))
                    .put("direction", row[2]);
        }
    }

    private static void requireUnused(Cloud cloud, Resource group) {
        Stream<ObjectNode> interfaces = Stream.of(ResourceType.INTERFACES, ResourceType.INSTANCE_INTERFACES)
                .flatMap(type -> cloud.store().ofType(type))
                .map(Resource::body);
        Stream<ObjectNode> subnets = cloud.store().parts(ResourceType.VIRTUAL_NETWORKS, "properties.subnets");
        List<String> users = Stream.concat(interfaces, subnets)
                .filter(each -> Bodies.text(each, "properties.networkSecurityGroup.id")
                        .equalsIgnoreCase(group.id().toString()))
                .map(each -> Bodies.text(each, "id"))
                .toList();
        refuse(!users.isEmpty(), "InUseNetworkSecurityGroupCannotBeDeleted", group.id(), String.join(", ", users));
    }
}
