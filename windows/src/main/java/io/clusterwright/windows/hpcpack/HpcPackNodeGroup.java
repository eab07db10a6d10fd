package io.clusterwright.windows.hpcpack;

/**
 * A node group.
 *
 * @param name its name, at most 64 characters
 * @param description what it is for; may be empty
 * @param managed whether HPC Pack itself keeps it, as {@code HeadNodes} or {@code AzureNodes}
 */
public record HpcPackNodeGroup(String name, String description, boolean managed) {}
