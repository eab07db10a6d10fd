package io.clusterwright.azure.internal.image;

import com.azure.resourcemanager.compute.fluent.models.VirtualMachineInner;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.clusterwright.azure.internal.arm.Clients;
import io.clusterwright.core.StoredImage;
import io.clusterwright.core.internal.arm.ArmId;
import io.clusterwright.core.spi.MachineProvider.ImageClaim;
import io.clusterwright.core.type.ClusterId;
import java.time.Clock;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A store of captured images. */
public interface ImageTarget {
    /** Finished images of this library, in any order. */
    List<StoredImage> images();

    /** The image that machines boot from; empty when there is none. */
    Optional<Kept> find(String image);

    /**
     * Makes an image of a machine that is generalised.
     *
     * @param machines how many are to boot from it at a time
     */
    void create(ArmId machine, VirtualMachineInner from, String image, Map<String, String> tags, int machines);

    /** Prepares an image for this number of machines of a region that boot from it at a time. */
    void serve(String image, String region, int machines);

    /** Notes that machines are made from an image now, to the day. */
    void used(String image, Instant now);

    /**
     * Tries to become the only builder of an image.
     *
     * @param region where the first claim on an image is written; empty to write no first claim
     * @param group makes the resource group of the images, if it does not exist
     */
    ImageClaim claim(ClusterId builder, String image, String region, Runnable group);

    /** Gives an image these tags instead of those that it has. */
    void tag(String image, Map<String, String> tags);

    /** Deletes an image of this library, finished or not; does nothing when there is none. */
    void delete(String image);

    /**
     * An image.
     *
     * @param generation {@code V1} or {@code V2}; empty where Azure does not say
     * @param tags the tags of its capture
     */
    record Kept(ObjectNode reference, String generation, Map<String, String> tags) {}

    /** The gallery and the managed images of a resource group: new images are kept in the gallery, the managed images are still used. */
    static ImageTarget of(Clients clients, String group, String gallery, boolean managed, Clock clock) {
        ImageTarget versions = new GalleryImages(clients, group, gallery, clock);
        ImageTarget images = new ManagedImages(clients, group);
        return new Stores(managed ? List.of(images, versions) : List.of(versions, images));
    }

    /**
     * Several stores: new images are kept in the first, the images of the others are still used, listed and deleted.
     *
     * @param stores the stores
     */
    record Stores(List<ImageTarget> stores) implements ImageTarget {
        @Override
        public List<StoredImage> images() {
            return stores.stream().flatMap(store -> store.images().stream()).toList();
        }

        @Override
        public Optional<Kept> find(String image) {
            return holder(image).flatMap(store -> store.find(image));
        }

        @Override
        public void create(
                ArmId machine, VirtualMachineInner from, String image, Map<String, String> tags, int machines) {
            stores.get(0).create(machine, from, image, tags, machines);
        }

        @Override
        public void serve(String image, String region, int machines) {
            holder(image).ifPresent(store -> store.serve(image, region, machines));
        }

        @Override
        public void used(String image, Instant now) {
            holder(image).ifPresent(store -> store.used(image, now));
        }

        @Override
        public ImageClaim claim(ClusterId builder, String image, String region, Runnable group) {
            return stores.get(0).claim(builder, image, region, group);
        }

        @Override
        public void tag(String image, Map<String, String> tags) {
            holder(image).ifPresent(store -> store.tag(image, tags));
        }

        @Override
        public void delete(String image) {
            stores.forEach(store -> store.delete(image));
        }

        private Optional<ImageTarget> holder(String image) {
            return stores.stream()
                    .filter(store -> store.find(image).isPresent())
                    .findFirst();
        }
    }
}
