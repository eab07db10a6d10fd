package io.clusterwright.azure.emulator.internal.arm;

/** Names of types of resources that refer to each other. */
public final class TypeNames {
    public static final String VIRTUAL_NETWORKS = "Microsoft.Network/virtualNetworks";
    public static final String SECURITY_GROUPS = "Microsoft.Network/networkSecurityGroups";
    public static final String PUBLIC_ADDRESSES = "Microsoft.Network/publicIPAddresses";
    public static final String INTERFACES = "Microsoft.Network/networkInterfaces";
    public static final String LOAD_BALANCERS = "Microsoft.Network/loadBalancers";

    public static final String MACHINES = "Microsoft.Compute/virtualMachines";
    public static final String AVAILABILITY_SETS = "Microsoft.Compute/availabilitySets";
    public static final String PROXIMITY_GROUPS = "Microsoft.Compute/proximityPlacementGroups";
    public static final String DISKS = "Microsoft.Compute/disks";
    public static final String IMAGES = "Microsoft.Compute/images";
    public static final String GALLERIES = "Microsoft.Compute/galleries";
    public static final String GALLERY_IMAGES = GALLERIES + "/images";
    public static final String GALLERY_VERSIONS = GALLERY_IMAGES + "/versions";
    public static final String SCALE_SETS = "Microsoft.Compute/virtualMachineScaleSets";
    public static final String INSTANCES = SCALE_SETS + "/virtualMachines";
    public static final String INSTANCE_INTERFACES = INSTANCES + "/networkInterfaces";

    private TypeNames() {}
}
