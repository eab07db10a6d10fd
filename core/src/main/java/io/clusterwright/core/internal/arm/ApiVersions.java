package io.clusterwright.core.internal.arm;

import java.util.Locale;

/** The versions of Azure's APIs, in templates and in requests for a resource by its id. */
public final class ApiVersions {
    /** Microsoft.Storage. */
    public static final String STORAGE = "2023-01-01";

    /** The first version in which the security type {@code Standard} needs no feature of the subscription (Azure/azure-cli#33280). */
    private static final String MACHINES = "2025-11-01";

    private static final String COMPUTE = "2024-07-01";
    private static final String DISKS = "2024-03-02";
    private static final String NETWORK = "2024-05-01";
    private static final String DEV_TEST_LAB = "2018-09-15";
    private static final String INSIGHTS = "2022-10-01";
    private static final String GROUPS = "2021-04-01";

    private ApiVersions() {}

    /** The version for a type of resources, such as {@code Microsoft.Network/virtualNetworks}; for groups where it is empty. */
    public static String of(String type) {
        if (type.isEmpty()) {
            return GROUPS;
        }
        if (type.equalsIgnoreCase(ArmId.DISK)) {
            return DISKS;
        }
        if (type.equalsIgnoreCase(ArmId.VM) || type.equalsIgnoreCase(ArmId.SCALE_SET)) {
            return MACHINES;
        }
        return switch (type.substring(0, type.indexOf('/')).toLowerCase(Locale.ROOT)) {
            case "microsoft.network" -> NETWORK;
            case "microsoft.storage" -> STORAGE;
            case "microsoft.devtestlab" -> DEV_TEST_LAB;
            case "microsoft.insights" -> INSIGHTS;
            default -> COMPUTE;
        };
    }
}
