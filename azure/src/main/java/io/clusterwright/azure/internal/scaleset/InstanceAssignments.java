package io.clusterwright.azure.internal.scaleset;

import io.clusterwright.core.type.NodeName;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The assignment of nodes to instances of a scale set, as tags of the set: {@code cluster11=0 cluster12=1}, on as many tags as needed.
 * An instance without a node never got an identity.
 */
public final class InstanceAssignments {
    private static final String TAG = "clusterwright-nodes-";
    private static final int LONGEST_VALUE = 256;

    private InstanceAssignments() {}

    /** The instances by node. */
    static Map<NodeName, String> read(@Nullable Map<String, String> tags) {
        Map<NodeName, String> claims = new TreeMap<>();
        if (tags == null) {
            return claims;
        }
        tags.forEach((tag, value) -> {
            if (tag.startsWith(TAG)) {
                for (String claim : value.split(" ", -1)) {
                    int equals = claim.indexOf('=');
                    if (equals > 0) {
                        claims.put(NodeName.parse(claim.substring(0, equals)), claim.substring(equals + 1));
                    }
                }
            }
        });
        return claims;
    }

    /** These tags and those that hold the claims. */
    static Map<String, String> write(Map<String, String> tags, Map<NodeName, String> claims) {
        Map<String, String> all = new LinkedHashMap<>(tags);
        all.keySet().removeIf(tag -> tag.startsWith(TAG));
        StringBuilder value = new StringBuilder();
        int number = 1;
        for (Map.Entry<NodeName, String> claim : new TreeMap<>(claims).entrySet()) {
            String text = claim.getKey() + "=" + claim.getValue();
            if (!value.isEmpty() && value.length() + 1 + text.length() > LONGEST_VALUE) {
                all.put(TAG + number++, value.toString());
                value.setLength(0);
            }
            value.append(value.isEmpty() ? "" : " ").append(text);
        }
        if (!value.isEmpty()) {
            all.put(TAG + number, value.toString());
        }
        return all;
    }
}
