package io.clusterwright.azure.internal.image;

import com.azure.resourcemanager.compute.fluent.models.VirtualMachineInner;
import io.clusterwright.azure.internal.arm.Clients;
import io.clusterwright.core.StoredImage;
import io.clusterwright.core.internal.arm.ArmId;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The stores of captured images: new ones are kept in the first, those of the other are still used, listed and deleted.
 *
 * @param stores the gallery and the managed images
 */
public record ImageStores(List<ImageTarget> stores) implements ImageTarget {
    /** The stores in a resource group. */
    public static ImageTarget of(Clients clients, String group, String gallery, boolean managed) {
        ImageTarget versions = new GalleryImages(clients, group, gallery);
        ImageTarget images = new ManagedImages(clients, group);
        return new ImageStores(managed ? List.of(images, versions) : List.of(versions, images));
    }

    @Override
    public List<StoredImage> images() {
        return stores.stream().flatMap(store -> store.images().stream()).toList();
    }

    @Override
    public Optional<Kept> find(String image) {
        return holder(image).flatMap(store -> store.find(image));
    }

    @Override
    public void create(ArmId machine, VirtualMachineInner from, String image, Map<String, String> tags, int machines) {
        stores.get(0).create(machine, from, image, tags, machines);
    }

    @Override
    public void serve(String image, String region, int machines) {
        holder(image).ifPresent(store -> store.serve(image, region, machines));
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
        return stores.stream().filter(store -> store.find(image).isPresent()).findFirst();
    }
}
