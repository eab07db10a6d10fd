package io.clusterwright.core.internal.arm;

import io.clusterwright.core.type.ClusterwrightException;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The id of a resource of Resource Manager.
 *
 * @param type such as {@code Microsoft.Compute/virtualMachines}; empty for a resource group
 * @param name of the resource, or of the group
 */
public record ArmId(String subscription, String group, String type, String name) {
    public static final String VM = "Microsoft.Compute/virtualMachines";
    public static final String DISK = "Microsoft.Compute/disks";
    public static final String AVAILABILITY_SET = "Microsoft.Compute/availabilitySets";
    public static final String SCALE_SET = "Microsoft.Compute/virtualMachineScaleSets";
    public static final String PROXIMITY_GROUP = "Microsoft.Compute/proximityPlacementGroups";
    public static final String NIC = "Microsoft.Network/networkInterfaces";
    public static final String NETWORK = "Microsoft.Network/virtualNetworks";
    public static final String SECURITY_GROUP = "Microsoft.Network/networkSecurityGroups";
    public static final String ADDRESS = "Microsoft.Network/publicIPAddresses";
    public static final String LOAD_BALANCER = "Microsoft.Network/loadBalancers";
    public static final String AUTO_SHUTDOWN = "Microsoft.DevTestLab/schedules";
    public static final String AUTOSCALE = "Microsoft.Insights/autoscaleSettings";
    public static final String IMAGE = "Microsoft.Compute/images";

    private static final Pattern FORM = Pattern.compile(
            "/subscriptions/([^/]+)/resourceGroups/([^/]+)(?:/providers/([^/]+/[^/]+)/([^/]+))?",
            Pattern.CASE_INSENSITIVE);

    /** The id of a resource group. */
    public static ArmId group(String subscription, String group) {
        return new ArmId(subscription, group, "", group);
    }

    /** Another resource of the same group. */
    public ArmId sibling(String type, String name) {
        return new ArmId(subscription, group, type, name);
    }

    /** Reads an id as Azure writes it; upper and lower case do not matter. */
    public static ArmId of(String text) {
        Matcher matcher = FORM.matcher(text);
        if (!matcher.matches()) {
            throw new ClusterwrightException("invalid resource id \"" + text
                    + "\" in the cluster's record: another provider wrote the record"
                    + " (an id of Azure: /subscriptions/ID/resourceGroups/GROUP/providers/TYPE/NAME)");
        }
        boolean group = matcher.group(3) == null;
        return new ArmId(
                matcher.group(1),
                matcher.group(2),
                group ? "" : matcher.group(3),
                group ? matcher.group(2) : matcher.group(4));
    }

    public boolean isType(String other) {
        return type.equalsIgnoreCase(other);
    }

    /** Returns equal texts for ids that Azure treats as equal. */
    public String plain() {
        return toString().toLowerCase(Locale.ROOT);
    }

    @Override
    public String toString() {
        String start = "/subscriptions/" + subscription + "/resourceGroups/" + group;
        return type.isEmpty() ? start : start + "/providers/" + type + "/" + name;
    }
}
