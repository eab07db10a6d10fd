package io.clusterwright.azure.internal.image;

import com.azure.resourcemanager.compute.fluent.VirtualMachineImagesClient;
import com.azure.resourcemanager.compute.fluent.models.VirtualMachineImageResourceInner;
import io.clusterwright.azure.AzureException;
import io.clusterwright.azure.AzureException.Reason;
import io.clusterwright.azure.AzureImage;
import io.clusterwright.azure.internal.arm.ArmClient;
import io.clusterwright.azure.internal.arm.Clients;
import io.clusterwright.azure.internal.image.BootImages.BootImage;
import io.clusterwright.core.catalog.Images;
import io.clusterwright.core.type.ImageReference.Marketplace;
import io.clusterwright.core.type.InvalidValueException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Looks for images of the marketplace, level by level as Azure lists them. */
public final class ImageSearch {
    private static final int PARALLEL = 16;
    private static final int MOST_PUBLISHERS = 40;

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
        return find(
                List.of(publisher),
                offer -> true,
                image -> pattern.matcher(image.offer() + ":" + image.sku()).find());
    }

    /** The newest version of each sku that a pattern of up to three parts, or of one part for all, finds. */
    public List<AzureImage> find(String pattern) {
        List<Pattern> parts = Stream.of(pattern.split(":", 3))
                .map(part -> compiled(pattern, part))
                .toList();
        Pattern first = parts.get(0);
        Set<String> catalog = parts.size() > 1 ? Set.of() : catalog();
        List<String> publishers = publishers().stream()
                .filter(name -> catalog.contains(name.toLowerCase(Locale.ROOT))
                        || first.matcher(name).find())
                .toList();
        if (publishers.size() > Math.max(MOST_PUBLISHERS, catalog.size())) {
            throw new InvalidValueException(
                    "image pattern",
                    pattern,
                    "a pattern that matches at most " + MOST_PUBLISHERS + " publishers (this pattern matches "
                            + publishers.size() + ")",
                    "microsoft-dsvm:ubuntu-hpc");
        }
        if (parts.size() == 1) {
            return find(
                    publishers,
                    offer -> true,
                    image -> first.matcher(image.publisher() + ":" + image.offer() + ":" + image.sku())
                            .find());
        }
        return find(
                publishers,
                offer -> parts.get(1).matcher(offer).find(),
                image -> parts.size() < 3 || parts.get(2).matcher(image.sku()).find());
    }

    private static Pattern compiled(String pattern, String part) {
        try {
            return Pattern.compile(part, Pattern.CASE_INSENSITIVE);
        } catch (PatternSyntaxException e) {
            throw new InvalidValueException(
                    "image pattern", pattern, "valid regular expressions: " + e.getDescription(), "suse:hpc");
        }
    }

    private static Set<String> catalog() {
        return Images.standard().all().stream()
                .filter(image -> image.reference().isPresent())
                .map(image -> image.publisher().toLowerCase(Locale.ROOT))
                .collect(Collectors.toSet());
    }

    private List<AzureImage> find(List<String> publishers, Predicate<String> offers, Predicate<Marketplace> images) {
        List<AzureImage> found = Collections.synchronizedList(new ArrayList<>());
        List<Runnable> skus = Collections.synchronizedList(new ArrayList<>());
        List<Runnable> lists = new ArrayList<>();
        for (String publisher : publishers) {
            lists.add(() -> {
                for (String offer : names("the offers of " + publisher, () -> client().listOffers(region, publisher))) {
                    if (!offers.test(offer)) {
                        continue;
                    }
                    for (String sku :
                            names("the skus of " + offer, () -> client().listSkus(region, publisher, offer))) {
                        Marketplace image = new Marketplace(publisher, offer, sku, "latest");
                        if (images.test(image)) {
                            skus.add(() -> newest(image).ifPresent(found::add));
                        }
                    }
                }
            });
        }
        ArmClient.runAll("publishers", PARALLEL, lists);
        ArmClient.runAll("images", PARALLEL, List.copyOf(skus));
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
        String plan = boot.plan() == null ? "" : Terms.name(boot.plan());
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
