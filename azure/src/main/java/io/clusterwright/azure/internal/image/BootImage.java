package io.clusterwright.azure.internal.image;

import com.azure.resourcemanager.compute.models.ImageReference;
import com.azure.resourcemanager.compute.models.Plan;
import org.jspecify.annotations.Nullable;

/**
 * What a machine boots from, in Azure's terms.
 *
 * @param reference the exact image
 * @param plan the purchase plan that a machine must repeat; null where the image needs none
 * @param generation {@code V1} or {@code V2}; empty where Azure does not say
 * @param fingerprint the same text means the same content
 * @param specialized whether it brings accounts, keys and a name of its own along, so that Azure gives its machines none
 */
public record BootImage(
        ImageReference reference, @Nullable Plan plan, String generation, String fingerprint, boolean specialized) {}
