package io.clusterwright.azure;

import io.clusterwright.core.type.ImageReference;

/**
 * An image of the marketplace. Use it to find the exact name of an image for {@code image.base} of a spec.
 *
 * <pre>{@code
 * List<AzureImage> images = machines.searchImages("westeurope", "almalinux", ".*hpc.*");
 * for (AzureImage image : images) {
 *     System.out.println(image.reference() + " " + image.generation());
 *     if (!image.plan().isEmpty()) {
 *         System.out.println(image.acceptTerms()); // the command of az
 *     }
 * }
 * }</pre>
 *
 * @param reference its exact name, with the version that is newest in the region
 * @param plan the purchase plan whose terms must be accepted once for a subscription before a machine boots from it, as
 *     {@code publisher:product:name}; empty where it needs none
 * @param generation {@code V1} or {@code V2}; empty where Azure does not say
 */
public record AzureImage(ImageReference.Marketplace reference, String plan, String generation) {

    /** The command that accepts the terms of the plan; empty where the image has no plan. */
    public String acceptTerms() {
        return plan.isEmpty() ? "" : "az vm image terms accept --urn " + reference;
    }
}
