package io.clusterwright.azure.emulator.internal.arm;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;

/** The limits of tags, which are the same for groups and for all types of resources here. */
public final class TagRules {
    private static final int MOST = 50;
    private static final int LONGEST_NAME = 512;
    private static final int LONGEST_VALUE = 256;
    private static final Pattern RESERVED = Pattern.compile("[<>%&\\\\?/\\p{Cntrl}]");

    private TagRules() {}

    /** Refuses tags that a resource cannot have; no tags at all are allowed. */
    public static void check(JsonNode tags) {
        if (tags.isMissingNode() || tags.isNull()) {
            return;
        }
        ArmException.refuse(
                !tags.isObject(), "InvalidRequestContent", "the tags are not an object of names and values");
        ArmException.refuse(tags.size() > MOST, "InvalidTagCount", tags.size());
        Set<String> names = new HashSet<>();
        tags.properties().forEach(tag -> {
            name(tag.getKey());
            ArmException.refuse(
                    !names.add(tag.getKey().toLowerCase(Locale.ROOT)),
                    "InvalidRequestContent",
                    "the tag '" + tag.getKey() + "' is given twice");
            ArmException.refuse(
                    !tag.getValue().isTextual() && !tag.getValue().isNull(),
                    "InvalidRequestContent",
                    "the value of the tag '" + tag.getKey() + "' is not a string");
            ArmException.refuse(
                    tag.getValue().asText("").length() > LONGEST_VALUE,
                    "InvalidTagValueLength",
                    tag.getValue().asText());
        });
        List<String> reserved = tags.properties().stream()
                .map(tag -> tag.getKey())
                .filter(name -> RESERVED.matcher(name).find())
                .toList();
        ArmException.refuse(!reserved.isEmpty(), "InvalidTagNameCharacters", String.join(", ", reserved));
    }

    private static void name(String name) {
        ArmException.refuse(name.isBlank(), "InvalidTagName.empty");
        ArmException.refuse(name.length() > LONGEST_NAME, "InvalidTagName.length", name);
    }
}
