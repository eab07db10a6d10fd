package io.clusterwright.core.internal.state;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.clusterwright.core.internal.json.Json;
import io.clusterwright.core.spec.ClusterSpec;
import io.clusterwright.core.spec.InvalidSpecException;
import io.clusterwright.core.spec.SpecProblem;
import io.clusterwright.core.spec.SpecReader;
import io.clusterwright.core.type.ClusterName;
import java.lang.module.ModuleDescriptor.Version;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The format of the records of clusters: the number in each entry {@code began} and {@code adopted}.
 *
 * <ul>
 *   <li>0: no number; builds before the first release
 *   <li>1: the number, the version that wrote the entry, {@code booting}, and the time of creation in {@code adopted}
 * </ul>
 */
final class RecordFormat {
    /**
     * The format that this version writes. Raise it when an entry or a field of the spec is added, removed, or read otherwise, and keep a
     * journal of the old format among the test data.
     */
    static final int NUMBER = 1;

    private static final Pattern STEP = Pattern.compile("([^.\\[\\]]+)|\\[(\\d{1,9})]");

    private RecordFormat() {}

    /** The version of this program; empty where the build wrote none into its jar. */
    static Optional<String> version() {
        return Optional.ofNullable(RecordFormat.class.getPackage().getImplementationVersion());
    }

    /** Refuses an entry of a newer format. */
    static void requireKnown(JsonNode entry) {
        if (number(entry) > NUMBER) {
            throw new NewerException(
                    "has format " + entry.path("format") + ", and this version reads formats up to " + NUMBER);
        }
    }

    /** The number of the format of an entry; 0 for an entry without it. */
    private static int number(JsonNode entry) {
        JsonNode format = entry.path("format");
        if (!format.isMissingNode()
                && (!format.isIntegralNumber() || format.decimalValue().signum() < 0)) {
            throw new IllegalArgumentException("the format " + format + " is no number of a format");
        }
        return format.isMissingNode() ? 0 : format.canConvertToInt() ? format.intValue() : Integer.MAX_VALUE;
    }

    /** Whether this version of the program may know more than this one: it is another one, and not older. */
    static boolean mayKnowMore(String writer) {
        String own = version().orElse("");
        try {
            return !writer.isEmpty()
                    && !writer.equals(own)
                    && (own.isEmpty() || Version.parse(writer).compareTo(Version.parse(own)) > 0);
        } catch (IllegalArgumentException e) {
            // No version of this program before this one had another form.
            return true;
        }
    }

    /** What a user reads about the record of a newer version. */
    static String newerText(ClusterName cluster, String writer, String reason) {
        String version = writer.isEmpty() ? "a newer version" : "version " + writer;
        return "the record of cluster " + cluster + " was written by " + version
                + ", which knows more than this version"
                + version().map(own -> " (" + own + ")").orElse("") + ": " + reason
                + ". Nothing was changed. Use " + version + " of clusterwright for this cluster, or upgrade this one";
    }

    /**
     * The spec in an entry. Of an entry of an older format, fields that this version does not know or accept are left out.
     *
     * @throws NewerException when an entry of this format has a field that is not known
     */
    static ClusterSpec spec(JsonNode entry, String text) {
        boolean older = number(entry) < NUMBER;
        try {
            return SpecReader.read(text, "journal");
        } catch (InvalidSpecException e) {
            if (older) {
                return withoutProblems(text, e);
            }
            for (SpecProblem problem : e.problems()) {
                if (problem.code().equals(SpecProblem.NAME)) {
                    throw new NewerException("has the field " + problem.path() + " in its spec");
                }
            }
            throw e;
        }
    }

    /** Removing a field may show a problem of another one, so this ends when none is left that can be removed. */
    private static ClusterSpec withoutProblems(String text, InvalidSpecException first) {
        JsonNode tree;
        try {
            tree = Json.MAPPER.readTree(text);
        } catch (JsonProcessingException e) {
            throw first;
        }
        InvalidSpecException left = first;
        while (left.problems().stream()
                .map(problem -> remove(tree, problem.path()))
                .reduce(false, Boolean::logicalOr)) {
            try {
                return SpecReader.read(tree.toString(), "journal");
            } catch (InvalidSpecException e) {
                left = e;
            }
        }
        throw left;
    }

    /** Removes what stands at a path such as {@code image.customize.files[0].mode}; returns whether something did. */
    private static boolean remove(JsonNode tree, String path) {
        JsonNode parent = tree;
        JsonNode at = tree;
        String name = "";
        int index = -1;
        Matcher steps = STEP.matcher(path);
        while (steps.find()) {
            parent = at;
            name = steps.group(1) == null ? "" : steps.group(1);
            index = steps.group(2) == null ? -1 : Integer.parseInt(steps.group(2));
            at = index < 0 ? parent.path(name) : parent.path(index);
        }
        if (at.isMissingNode() || at == tree) {
            return false;
        }
        if (parent instanceof ObjectNode object) {
            object.remove(name);
        } else if (parent instanceof ArrayNode array) {
            array.remove(index);
        }
        return true;
    }

    /** An entry that a newer version wrote. */
    static final class NewerException extends RuntimeException {
        private static final long serialVersionUID = 1;

        NewerException(String message) {
            super(message);
        }
    }
}
