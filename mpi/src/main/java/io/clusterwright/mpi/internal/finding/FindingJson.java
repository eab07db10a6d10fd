package io.clusterwright.mpi.internal.finding;

import io.clusterwright.core.plan.Finding;
import java.util.LinkedHashMap;
import java.util.Map;

/** Findings and other values as the maps that any JSON library writes. */
public final class FindingJson {
    private FindingJson() {}

    /** A finding. */
    public static Map<String, Object> of(Finding finding) {
        return object(
                "code", finding.code(),
                "severity", finding.severity().name(),
                "path", finding.path(),
                "message", finding.message(),
                "remedy", finding.remedy());
    }

    /** An object of these keys, each followed by its value, to which more may be added. */
    public static Map<String, Object> object(Object... keysAndValues) {
        Map<String, Object> json = new LinkedHashMap<>();
        for (int i = 0; i < keysAndValues.length; i += 2) {
            json.put((String) keysAndValues[i], keysAndValues[i + 1]);
        }
        return json;
    }
}
