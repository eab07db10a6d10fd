package io.clusterwright.examples.cli;

import io.clusterwright.core.internal.json.JsonFields;
import io.clusterwright.core.plan.Finding;
import java.util.Collection;
import java.util.Map;
import java.util.regex.Pattern;

/** The methods of the library that its messages name, in brackets, beside the options of this program. */
final class MethodNames {
    private static final String TYPE =
            "(?:Cluster|ClusterManager|ClusterSummary|Command|CreateOptions|FabricCheck|Hosts"
                    + "|Images|MpiJob|PlacedMpiJob|Planner|StateStore|VmSizes)";
    private static final String METHOD = TYPE + "\\.[a-z][A-Za-z]*(?:\\(\\))?";
    private static final Pattern IN_BRACKETS =
            Pattern.compile(" \\((?:" + TYPE + "|" + METHOD + "[^()]*|in Java [^()]*)\\)|, " + METHOD + "(?=\\))");

    private MethodNames() {}

    /** A message without the methods. */
    static String removed(String message) {
        return IN_BRACKETS.matcher(message).replaceAll("");
    }

    /** A finding without the methods. */
    static Finding removed(Finding finding) {
        Finding plain = new Finding(
                finding.code(),
                finding.severity(),
                finding.path(),
                removed(finding.message()),
                removed(finding.remedy()));
        return finding.line().isPresent()
                ? plain.at(finding.line().getAsInt(), finding.column().orElse(1))
                : plain;
    }

    /** A JSON object with the output of programs, without the methods in its findings. */
    static Map<String, Object> removedFromFindings(Map<String, Object> json) {
        JsonFields plain = new JsonFields();
        plain.putAll(json);
        plain.computeIfPresent("findings", (name, findings) -> removed(findings));
        return plain;
    }

    /** A JSON value that the library made, without the methods in its texts. */
    static Object removed(Object json) {
        if (json instanceof Map<?, ?> fields) {
            JsonFields plain = new JsonFields();
            fields.forEach((name, value) -> plain.put(name.toString(), removed(value)));
            return plain;
        }
        if (json instanceof Collection<?> values) {
            return JsonFields.list(values, MethodNames::removed);
        }
        return json instanceof String text ? removed(text) : json;
    }
}
