package io.clusterwright.azure.emulator.internal.resources;

import com.fasterxml.jackson.databind.JsonNode;
import io.clusterwright.azure.emulator.internal.arm.ArmException;
import io.clusterwright.azure.emulator.internal.arm.Bodies;
import io.clusterwright.azure.emulator.internal.arm.Resource;
import io.clusterwright.azure.emulator.internal.arm.ResourcePath;
import io.clusterwright.azure.emulator.internal.expression.ODataFilter;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The {@code $filter} of a list of resources or of groups. A tag is filtered by alone, as Resource Manager has it, and then the entries of a list of
 * resources come without tags.
 *
 * @param test whether the filter lets a resource through
 * @param byTag whether it is a filter by a tag
 */
record ListFilter(Predicate<Resource> test, boolean byTag) {
    private static final String TEXT = "'((?:[^']|'')*)'";
    private static final Pattern TAG = Pattern.compile(
            "tagName\\s+eq\\s+" + TEXT + "(?:\\s+and\\s+tagValue\\s+eq\\s+" + TEXT + ")?", Pattern.CASE_INSENSITIVE);

    private static final Map<String, ODataFilter.Property<Resource>> PROPERTIES = Map.of(
            "name", resource -> resource.id().name(),
            "location", Resource::location,
            "resourcetype", resource -> resource.id().type(),
            "resourcegroup", resource -> resource.id().group(),
            "identity", resource -> Bodies.text(resource.body(), "identity.type"),
            "identity/principalid", resource -> Bodies.text(resource.body(), "identity.principalId"),
            "plan/publisher", resource -> Bodies.text(resource.body(), "plan.publisher"),
            "plan/product", resource -> Bodies.text(resource.body(), "plan.product"),
            "plan/name", resource -> Bodies.text(resource.body(), "plan.name"));

    /** The filter of a list of groups, which knows tags only. */
    static ListFilter ofGroups(String text) {
        return text.isBlank() ? new ListFilter(resource -> true, false) : tag(text);
    }

    /** The filter of a list of resources. */
    static ListFilter ofResources(String text) {
        if (text.isBlank()) {
            return new ListFilter(resource -> true, false);
        }
        return text.toLowerCase(Locale.ROOT).contains("tagname") ? tag(text) : new ListFilter(properties(text), false);
    }

    private static ListFilter tag(String text) {
        Matcher matcher = TAG.matcher(text.trim());
        ArmException.refuse(!matcher.matches(), "InvalidFilterInQueryString", text);
        String name = plain(matcher.group(1));
        String value = matcher.group(2);
        return new ListFilter(
                resource -> resource.body().path("tags").properties().stream()
                        .filter(tag -> tag.getKey().equalsIgnoreCase(name))
                        .map(Map.Entry::getValue)
                        .map(JsonNode::asText)
                        .anyMatch(found -> value == null || found.equals(plain(value))),
                true);
    }

    private static String plain(String quoted) {
        return quoted.replace("''", "'");
    }

    /** A filter by everything but tags. */
    private static Predicate<Resource> properties(String text) {
        return new ODataFilter<Resource>(
                        Set.of("and", "or", "eq", "ne", "substringof"),
                        true,
                        name -> Optional.ofNullable(PROPERTIES.get(name.toLowerCase(Locale.ROOT))),
                        name -> name.equalsIgnoreCase("name") || name.equalsIgnoreCase("resourceGroup"),
                        (name, value, literal) -> value.compareToIgnoreCase(
                                name.equalsIgnoreCase("location") ? literal.replace(" ", "") : literal),
                        reason -> ArmException.of("InvalidFilterInQueryString", text))
                .read(text);
    }

    /** Whether this resource is inside of a container and passes. */
    boolean lists(Resource resource, ResourcePath container) {
        return resource.id().isInside(container) && test.test(resource);
    }
}
