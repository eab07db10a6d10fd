package io.clusterwright.azure.internal.arm;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * The right that a request needs, as roles name it: {@code Microsoft.Compute/virtualMachines/write}. Types and names alternate in a path
 * of Resource Manager (Azure documentation, "Azure permissions", 2026).
 */
public final class AccessRight {
    private static final String PROVIDERS = "providers";
    private static final String RESOURCES = "Microsoft.Resources";

    private AccessRight() {}

    /**
     * The right for a request.
     *
     * @param method such as {@code GET}
     * @param path without query, such as {@code /subscriptions/S/providers/Microsoft.Compute/skus}
     */
    public static String of(String method, String path) {
        List<String> segments = new ArrayList<>(List.of(path.split("/+", -1)));
        segments.removeIf(String::isEmpty);
        int last = lastProviders(segments);
        boolean inNamespace = last >= 0 && segments.size() > last + 2;
        String namespace = inNamespace ? segments.get(last + 1) : RESOURCES;
        List<String> parts = inNamespace ? segments.subList(last + 2, segments.size()) : segments;
        List<String> types = new ArrayList<>();
        for (int i = 0; i < parts.size(); i += 2) {
            types.add(parts.get(i).equalsIgnoreCase("resourceGroups") ? "resourceGroups" : parts.get(i));
        }
        return namespace + "/" + String.join("/", types) + "/" + verb(method);
    }

    /** A list of all resources of a namespace ends with the namespace, and is of the subscription. */
    private static int lastProviders(List<String> segments) {
        for (int i = segments.size() - 1; i >= 0; i--) {
            if (segments.get(i).toLowerCase(Locale.ROOT).equals(PROVIDERS)) {
                return i;
            }
        }
        return -1;
    }

    private static String verb(String method) {
        return switch (method) {
            case "GET", "HEAD" -> "read";
            case "DELETE" -> "delete";
            case "POST" -> "action";
            default -> "write";
        };
    }
}
