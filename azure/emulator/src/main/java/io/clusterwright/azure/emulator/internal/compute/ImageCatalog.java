package io.clusterwright.azure.emulator.internal.compute;

import static io.clusterwright.azure.emulator.internal.arm.ArmException.refuse;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.clusterwright.azure.emulator.internal.arm.ArmException;
import io.clusterwright.azure.emulator.internal.arm.Bodies;
import io.clusterwright.azure.emulator.internal.arm.Cloud;
import io.clusterwright.azure.emulator.internal.arm.MarketplaceImage;
import io.clusterwright.core.catalog.ImageFacts;
import io.clusterwright.core.internal.json.Json;
import io.clusterwright.core.spec.OperatingSystem;
import io.clusterwright.core.type.ImageReference.Marketplace;
import io.clusterwright.emulator.internal.http.Reply;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;

/** The marketplace's images, as the catalog knows them, each in one version. */
final class ImageCatalog {
    /** The version that {@code latest} stands for. */
    static final String VERSION = "1.0.20261101";

    /** The words of a path that are names: of a publisher, an offer and a sku. */
    private static final List<Integer> NAMES = List.of(0, 4, 6);

    private static final List<Function<Marketplace, String>> PARTS =
            List.of(Marketplace::publisher, Marketplace::offer, Marketplace::sku);
    private static final List<String> LISTS = List.of("/ArtifactTypes/VMImage/Offers", "/Skus", "/Versions");
    private static final int VERSIONS = 8;

    private final Cloud cloud;

    ImageCatalog(Cloud cloud) {
        this.cloud = cloud;
    }

    /** An image that can be had; its reference gets the exact version. */
    static ImageFacts require(ObjectNode reference) {
        String publisher = Bodies.text(reference, "publisher");
        String offer = Bodies.text(reference, "offer");
        String sku = Bodies.text(reference, "sku");
        String version = Bodies.text(reference, "version");
        Optional<MarketplaceImage> found = find(publisher, offer, sku);
        refuse(
                found.isEmpty() || !version.equalsIgnoreCase("latest") && !version.equals(VERSION),
                "PlatformImageNotFound",
                publisher,
                offer,
                sku,
                version);
        reference.put("exactVersion", version.equals("latest") ? VERSION : version);
        return found.get().facts();
    }

    private static Optional<MarketplaceImage> find(String publisher, String offer, String sku) {
        return MarketplaceImage.all()
                .filter(entry -> entry.urn().publisher().equalsIgnoreCase(publisher)
                        && entry.urn().offer().equalsIgnoreCase(offer)
                        && entry.urn().sku().equalsIgnoreCase(sku))
                .findFirst();
    }

    /** Whether there is an image with this plan. */
    static boolean hasPlan(String publisher, String product, String name) {
        return find(publisher, product, name)
                .filter(entry -> entry.facts().needsPlan())
                .isPresent();
    }

    /**
     * Answers what is below a region's list of publishers.
     *
     * @param path the words after {@code publishers}
     */
    Reply get(String region, List<String> path) {
        String base = "/Subscriptions/" + cloud.settings().subscription() + "/Providers/Microsoft.Compute/Locations/"
                + region + "/Publishers";
        Stream<MarketplaceImage> found = MarketplaceImage.all();
        int level = 0;
        while (level < NAMES.size() && NAMES.get(level) < path.size()) {
            Function<Marketplace, String> part = PARTS.get(level);
            String name = path.get(NAMES.get(level));
            found = found.filter(entry -> part.apply(entry.urn()).equalsIgnoreCase(name));
            base += "/" + name + LISTS.get(level);
            level++;
        }
        if (NAMES.contains(path.size())) {
            Function<Marketplace, String> part = PARTS.get(level);
            return names(base, region, found.map(entry -> part.apply(entry.urn())));
        }
        boolean one = path.size() == VERSIONS + 1 && List.of(VERSION, "latest").contains(path.get(VERSIONS));
        if (!one && path.size() != VERSIONS) {
            throw missing(path);
        }
        MarketplaceImage entry = found.findFirst().orElseThrow(() -> missing(path));
        return one ? Reply.ok(version(entry, base, region)) : names(base, region, Stream.of(VERSION));
    }

    private static ObjectNode version(MarketplaceImage entry, String versions, String region) {
        ObjectNode body =
                Json.object().put("location", region).put("name", VERSION).put("id", versions + "/" + VERSION);
        ObjectNode properties = Bodies.properties(body);
        properties.put("hyperVGeneration", generation(entry.facts()));
        properties.put("architecture", StorageProfiles.name(entry.facts().architecture()));
        properties.putObject("osDiskImage").put("operatingSystem", system(entry.facts()));
        properties.putArray("dataDiskImages");
        if (entry.facts().needsPlan()) {
            properties
                    .putObject("plan")
                    .put("publisher", entry.urn().publisher())
                    .put("product", entry.urn().offer())
                    .put("name", entry.urn().sku());
        }
        return body;
    }

    /** {@code V1} or {@code V2}. */
    static String generation(ImageFacts facts) {
        return facts.generation().orElse(1) == 2 ? "V2" : "V1";
    }

    static String system(ImageFacts facts) {
        return facts.operatingSystem() == OperatingSystem.WINDOWS ? "Windows" : "Linux";
    }

    private static ArmException missing(List<String> path) {
        return ArmException.of("NotFound.marketplaceImage", String.join("/", path));
    }

    private static Reply names(String base, String region, Stream<String> names) {
        ArrayNode list = Json.array();
        names.distinct()
                .sorted()
                .forEach(name -> list.addObject()
                        .put("location", region)
                        .put("name", name)
                        .put("id", base + "/" + name));
        return Reply.ok(list);
    }
}
