package io.clusterwright.azure.internal.image;

import com.azure.resourcemanager.compute.fluent.VirtualMachineImagesClient;
import com.azure.resourcemanager.compute.fluent.models.VirtualMachineImageResourceInner;
import io.clusterwright.azure.AzureException;
import io.clusterwright.azure.AzureException.Reason;
import io.clusterwright.azure.AzureImage;
import io.clusterwright.azure.internal.arm.ArmClient;
import io.clusterwright.azure.internal.arm.Clients;
import io.clusterwright.azure.internal.image.BootImages.BootImage;
import io.clusterwright.core.type.ImageReference.Marketplace;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.regex.Pattern;

/** Looks for images of the marketplace, level by level as Azure lists them. */
public final class ImageSearch {
    private static final int PARALLEL = 16;

    private final Clients clients;
    private final BootImages images;
    private final String region;

    public ImageSearch(Clients clients, BootImages images, String region) {
        this.clients = clients;
        this.images = images;
        this.region = region;
    }

    /** The names of all publishers. */
    public List<String> publishers() {
        return names("the publishers", () -> client().listPublishers(region));
    }

    /** The newest version of each sku of a publisher whose {@code offer:sku} the pattern finds. */
    public List<AzureImage> find(String publisher, Pattern pattern) {
        List<AzureImage> found = Collections.synchronizedList(new ArrayList<>());
        List<Runnable> skus = new ArrayList<>();
        for (String offer : names("the offers of " + publisher, () -> client().listOffers(region, publisher))) {
            for (String sku : names("the skus of " + offer, () -> client().listSkus(region, publisher, offer))) {
                if (pattern.matcher(offer + ":" + sku).find()) {
                    skus.add(() -> newest(new Marketplace(publisher, offer, sku, "latest"))
                            .ifPresent(found::add));
                }
            }
        }
        ArmClient.runAll("images", PARALLEL, skus);
        return found.stream()
                .sorted((a, b) ->
                        a.reference().toString().compareTo(b.reference().toString()))
                .toList();
    }

    /** A sku may have no version in this region. */
    private Optional<AzureImage> newest(Marketplace image) {
        BootImage boot;
        try {
            boot = images.exact(region, image);
        } catch (AzureException e) {
            if (e.reason() == Reason.NOT_FOUND) {
                return Optional.empty();
            }
            throw e;
        }
        String plan = boot.plan() == null
                ? ""
                : String.join(
                        ":",
                        boot.plan().path("publisher").asText(),
                        boot.plan().path("product").asText(),
                        boot.plan().path("name").asText());
        return Optional.of(new AzureImage(
                new Marketplace(
                        image.publisher(),
                        image.offer(),
                        image.sku(),
                        boot.reference().path("version").asText()),
                plan,
                boot.generation()));
    }

    private List<String> names(String what, Supplier<List<VirtualMachineImageResourceInner>> list) {
        return clients.arm().find("list " + what + " in " + region, list).orElse(List.of()).stream()
                .map(VirtualMachineImageResourceInner::name)
                .toList();
    }

    private VirtualMachineImagesClient client() {
        return clients.compute().getVirtualMachineImages();
    }
}
