package io.clusterwright.azure.emulator.internal.resources;

import com.fasterxml.jackson.databind.JsonNode;
import io.clusterwright.azure.emulator.internal.arm.ArmException;
import io.clusterwright.azure.emulator.internal.arm.ArmId;
import io.clusterwright.azure.emulator.internal.arm.Bodies;
import io.clusterwright.azure.emulator.internal.arm.Resource;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
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
    private static final Pattern COMPARED =
            Pattern.compile("([A-Za-z/]+)\\s+(eq|ne)\\s+" + TEXT, Pattern.CASE_INSENSITIVE);
    private static final Pattern CONTAINED = Pattern.compile(
            "substringof\\(\\s*" + TEXT + "\\s*,\\s*(name|resourceGroup)\\s*\\)(?:\\s+eq\\s+true)?",
            Pattern.CASE_INSENSITIVE);
    private static final Pattern BETWEEN = Pattern.compile("\\s+(and|or)\\s+", Pattern.CASE_INSENSITIVE);

    private static final Map<String, Function<Resource, String>> PROPERTIES = Map.of(
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
        return text.toLowerCase(Locale.ROOT).contains("tagname") ? tag(text) : new ListFilter(terms(text), false);
    }

    private static ListFilter tag(String text) {
        Matcher matcher = TAG.matcher(text.trim());
        if (!matcher.matches()) {
            throw ArmException.of("InvalidFilterInQueryString", text);
        }
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

    /** Terms from left to right; {@code and} binds more than {@code or}. */
    private static Predicate<Resource> terms(String text) {
        List<Predicate<Resource>> alternatives = new ArrayList<>();
        Predicate<Resource> all = resource -> true;
        Matcher between = BETWEEN.matcher(text);
        int from = 0;
        while (between.find()) {
            all = all.and(term(text, text.substring(from, between.start())));
            if (between.group(1).equalsIgnoreCase("or")) {
                alternatives.add(all);
                all = resource -> true;
            }
            from = between.end();
        }
        alternatives.add(all.and(term(text, text.substring(from))));
        return resource -> alternatives.stream().anyMatch(each -> each.test(resource));
    }

    private static Predicate<Resource> term(String whole, String text) {
        String term = text.trim().replaceFirst("^\\((.*)\\)$", "$1").trim();
        Matcher contained = CONTAINED.matcher(term);
        if (contained.matches()) {
            String part = plain(contained.group(1)).toLowerCase(Locale.ROOT);
            Function<Resource, String> property = property(whole, contained.group(2));
            return resource -> property.apply(resource).toLowerCase(Locale.ROOT).contains(part);
        }
        Matcher compared = COMPARED.matcher(term);
        if (!compared.matches()) {
            throw ArmException.of("InvalidFilterInQueryString", whole);
        }
        Function<Resource, String> property = property(whole, compared.group(1));
        boolean region = compared.group(1).equalsIgnoreCase("location");
        String value = region ? plain(compared.group(3)).replace(" ", "") : plain(compared.group(3));
        boolean equal = compared.group(2).equalsIgnoreCase("eq");
        return resource -> property.apply(resource).equalsIgnoreCase(value) == equal;
    }

    private static Function<Resource, String> property(String whole, String name) {
        Function<Resource, String> property = PROPERTIES.get(name.toLowerCase(Locale.ROOT));
        if (property == null) {
            throw ArmException.of("InvalidFilterInQueryString", whole);
        }
        return property;
    }

    private static String plain(String quoted) {
        return quoted.replace("''", "'");
    }

    /** Whether this resource is inside of a container and passes. */
    boolean lists(Resource resource, ArmId container) {
        return resource.id().isInside(container) && test.test(resource);
    }
}
