package io.clusterwright.azure.emulator.internal.resources;

import io.clusterwright.core.internal.http.Call;
import com.fasterxml.jackson.databind.JsonNode;
import io.clusterwright.azure.emulator.internal.arm.ArmException;
import io.clusterwright.azure.emulator.internal.arm.Resource;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The filters that lists of resources and groups understand: terms joined by {@code and}. */
final class TagFilter {
    private static final Pattern TERM = Pattern.compile(
            "(tagName|tagValue|resourceType|location|name)\\s+eq\\s+'((?:[^']|'')*)'", Pattern.CASE_INSENSITIVE);

    private final List<Predicate<Resource>> terms = new ArrayList<>();

    private TagFilter() {}

    static TagFilter of(Call call) {
        TagFilter filter = new TagFilter();
        String text = call.parameter("filter").orElse("");
        String tag = "";
        for (String term : text.isBlank() ? new String[0] : text.split("(?i)\\s+and\\s+")) {
            Matcher matcher = TERM.matcher(term.trim());
            if (!matcher.matches()) {
                throw ArmException.badRequest(
                        "InvalidFilterInQueryString", "Invalid $filter '" + text + "' specified in the query string.");
            }
            String value = matcher.group(2).replace("''", "'");
            switch (matcher.group(1)) {
                case "tagName" -> {
                    tag = value;
                    String name = value;
                    filter.terms.add(resource -> !tag(resource, name).isMissingNode());
                }
                case "tagValue" -> {
                    String name = tag;
                    filter.terms.add(resource -> tag(resource, name).asText().equals(value));
                }
                case "resourceType" ->
                    filter.terms.add(resource -> resource.id().isOfType(value));
                case "location" ->
                    filter.terms.add(resource -> resource.location().equalsIgnoreCase(value));
                default -> filter.terms.add(resource -> resource.id().name().equalsIgnoreCase(value));
            }
        }
        return filter;
    }

    private static JsonNode tag(Resource resource, String name) {
        return resource.body().path("tags").path(name);
    }

    boolean matches(Resource resource) {
        return terms.stream().allMatch(term -> term.test(resource));
    }
}
