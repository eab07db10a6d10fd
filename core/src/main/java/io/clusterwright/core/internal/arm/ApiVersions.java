package io.clusterwright.core.internal.arm;

/** The versions of Azure's APIs that templates name. Requests have the versions of the SDK. */
public final class ApiVersions {
    /** Microsoft.Storage. */
    public static final String STORAGE = "2023-01-01";

    private static final String COMPUTE = "2024-07-01";
    private static final String NETWORK = "2024-05-01";

    private ApiVersions() {}

    /** The version for a type of resources, such as {@code Microsoft.Network/virtualNetworks}. */
    public static String of(String type) {
        return switch (type.substring(0, type.indexOf('/'))) {
            case "Microsoft.Network" -> NETWORK;
            case "Microsoft.Storage" -> STORAGE;
            default -> COMPUTE;
        };
    }
}
