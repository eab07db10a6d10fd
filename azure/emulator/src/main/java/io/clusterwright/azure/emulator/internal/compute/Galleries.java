package io.clusterwright.azure.emulator.internal.compute;

import static io.clusterwright.azure.emulator.internal.arm.ArmException.refuse;
import static io.clusterwright.azure.emulator.internal.arm.ArmException.refuseValue;
import static io.clusterwright.azure.emulator.internal.arm.ArmException.requireRange;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.clusterwright.azure.emulator.internal.arm.ArmException;
import io.clusterwright.azure.emulator.internal.arm.BackingMachines;
import io.clusterwright.azure.emulator.internal.arm.Bodies;
import io.clusterwright.azure.emulator.internal.arm.Cloud;
import io.clusterwright.azure.emulator.internal.arm.Draft;
import io.clusterwright.azure.emulator.internal.arm.Resource;
import io.clusterwright.azure.emulator.internal.arm.ResourceBody;
import io.clusterwright.azure.emulator.internal.arm.ResourceType;
import io.clusterwright.azure.emulator.internal.arm.Row;
import io.clusterwright.azure.emulator.internal.arm.Work;
import io.clusterwright.emulator.internal.http.Call;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;

/** Compute galleries, their image definitions and versions. */
final class Galleries {
    private static final int MOST_REPLICAS = 100;
    private static final Set<String> FEATURES = Set.of(
            "securitytype",
            "isacceleratednetworksupported",
            "diskcontrollertypes",
            "ishibernatesupported",
            "isquickdeployable");
    private static final Set<String> SECURITY_TYPES = Set.of(
            "standard",
            "trustedlaunch",
            "trustedlaunchsupported",
            "confidentialvm",
            "confidentialvmsupported",
            "trustedlaunchandconfidentialvmsupported");
    private static final List<String> SOURCES = List.of(
            "properties.storageProfile.source.virtualMachineId",
            "properties.storageProfile.source.id",
            "properties.publishingProfile.source.managedImage.id");
    private static final List<String> IDENTIFIER = List.of("publisher", "offer", "sku");
    private static final String FEATURE = "galleryImage.properties.features";
    private static final String TARGETS = "properties.publishingProfile.targetRegions";

    private final Cloud cloud;
    private final BackingMachines machines;
    private final StorageProfiles storage;

    Galleries(Cloud cloud, BackingMachines machines) {
        this.cloud = cloud;
        this.machines = machines;
        this.storage = new StorageProfiles(cloud);
    }

    private ResourceType of(String name, Work work) {
        return ResourceType.of(name).takes(work, work, Work.GALLERY).deleteCheck(this::requireEmpty);
    }

    private void requireEmpty(Resource gallery) {
        cloud.store().inside(gallery.id()).stream().findFirst().ifPresent(nested -> {
            throw ArmException.of("CannotDeleteResource", nested.id());
        });
    }

    ResourceType type() {
        return of(ResourceType.GALLERIES, Work.GALLERY)
                .rows(
                        ComputeRows.name("^[^_\\W][\\w._]{0,79}(?<![-.])$"),
                        Row.refuse(
                                gallery -> gallery.others()
                                        .anyMatch(other -> other.name().equalsIgnoreCase(gallery.name())),
                                "Conflict.galleryName",
                                Draft::name,
                                gallery -> gallery.id().subscription()),
                        draft -> draft.make("properties.identifier")
                                .put(
                                        "uniqueName",
                                        draft.id().subscription() + "-"
                                                + draft.name().toUpperCase(Locale.ROOT)));
    }

    ResourceType images() {
        return of(ResourceType.GALLERY_IMAGES, Work.GALLERY)
                .rows(
                        ComputeRows.name(ComputeRows.NAME),
                        required("osType", "osType"),
                        required("osState", "osState"),
                        required("identifier.publisher", "identifier"),
                        required("identifier.offer", "identifier"),
                        required("identifier.sku", "identifier"),
                        Row.standard("properties.hyperVGeneration", "V1"),
                        Row.standard("properties.architecture", "x64"),
                        Row.unchanged(
                                "properties.osType",
                                "properties.osState",
                                "properties.hyperVGeneration",
                                "properties.architecture",
                                "properties.identifier",
                                "properties.purchasePlan",
                                "properties.features"),
                        Galleries::requireIdentifier,
                        Galleries::requireRecommended,
                        Galleries::requireFeatures,
                        draft -> requireLife(draft, "properties.endOfLifeDate"));
    }

    private static Row required(String path, String parameter) {
        return Row.required(
                "properties." + path, path.substring(path.indexOf('.') + 1), "galleryImage.properties." + parameter);
    }

    /** Refuses an invalid publisher, offer or sku, and all three of another definition of the gallery. */
    private static void requireIdentifier(Draft definition) {
        List<String> own = identifier(definition);
        for (int i = 0; i < own.size(); i++) {
            String part = IDENTIFIER.get(i);
            int most = part.equals("publisher") ? 128 : 64;
            if (own.get(i).length() > most || !own.get(i).matches("[\\w.-]*[\\w-]")) {
                throw ArmException.of("InvalidParameter.assetName", part, most)
                        .at("galleryImage.properties.identifier." + part);
            }
        }
        definition
                .others()
                .filter(other -> other.id()
                        .parent()
                        .key()
                        .equals(definition.id().parent().key()))
                .filter(other -> String.join(":", identifier(other)).equalsIgnoreCase(String.join(":", own)))
                .findFirst()
                .ifPresent(other -> {
                    throw ArmException.of("Conflict.identifier", other.name(), own.get(0), own.get(1), own.get(2));
                });
    }

    private static List<String> identifier(ResourceBody definition) {
        return IDENTIFIER.stream()
                .map(part -> definition.text("properties.identifier." + part))
                .toList();
    }

    private static void requireRecommended(Draft definition) {
        for (String range : List.of("vCPUs", "memory")) {
            JsonNode limits = definition.at("properties.recommended." + range);
            String parameter = "galleryImage.properties.recommended." + range;
            int least = limits.path("min").asInt(1);
            int most = limits.path("max").asInt(Integer.MAX_VALUE);
            refuseValue(least < 1 || most < 1, parameter);
            refuse(least > most, "InvalidParameter.recommended", parameter);
        }
    }

    /** Refuses unknown features, two of one name, and Arm64 and Trusted Launch with generation 1. */
    private static void requireFeatures(Draft definition) {
        List<ObjectNode> features = definition.objects("properties.features");
        for (ObjectNode feature : features) {
            String name = Bodies.text(feature, "name").toLowerCase(Locale.ROOT);
            String value = Bodies.text(feature, "value").toLowerCase(Locale.ROOT);
            boolean security = name.equals("securitytype");
            refuseValue(!FEATURES.contains(name) || security && !SECURITY_TYPES.contains(value), FEATURE);
        }
        Bodies.requireUnique(
                features,
                feature -> Bodies.text(feature, "name"),
                (first, second) -> ArmException.of("InvalidParameter.value", FEATURE));
        String security = StorageProfiles.security(definition);
        boolean secure = !security.isEmpty() && !security.equalsIgnoreCase("Standard");
        boolean arm = definition.is("properties.architecture", "Arm64");
        refuse(
                !definition.is("properties.hyperVGeneration", "V2") && (arm || secure),
                "InvalidParameter.secondGeneration",
                arm ? "Arm64" : "SecurityType");
    }

    /** Refuses an end that is past. */
    private static void requireLife(Draft draft, String path) {
        String end = draft.text(path);
        if (end.isEmpty() || end.equals(draft.textBefore(path))) {
            return;
        }
        try {
            String whole = end.contains("T") ? end : end + "T00:00:00Z";
            Instant last = Instant.parse(whole.matches(".*(Z|[+-]\\d\\d:\\d\\d)$") ? whole : whole + "Z");
            refuse(last.isBefore(draft.cloud().clock().now()), "InvalidParameter.endOfLife");
        } catch (DateTimeException e) {
            throw ArmException.of(
                    400, "BadRequest", "Could not convert string to DateTimeOffset: " + end + ". Path '" + path + "'");
        }
    }

    ResourceType versions() {
        return of(ResourceType.GALLERY_VERSIONS, Work.GALLERY_VERSION)
                .rows(
                        Row.fixed(SOURCES.get(0)),
                        Row.unchanged(SOURCES.get(1), SOURCES.get(2)),
                        Row.range("properties.publishingProfile.replicaCount", "replicaCount", 1, MOST_REPLICAS),
                        Row.onCreate(Row.refuse(
                                version -> SOURCES.stream().filter(version::has).count() > 1,
                                "InvalidParameter.value",
                                "galleryImageVersion.properties.storageProfile.source")),
                        this::requireRegions,
                        draft -> requireLife(draft, "properties.publishingProfile.endOfLifeDate"),
                        Row.onCreate(this::checkSource, this::publish))
                .machines((call, version, created) -> created ? capture(version) : ResourceType.NO_MACHINES)
                .view((call, version, body) -> showReplication(call, body));
    }

    /** Refuses unknown regions, two of one name, too many replicas in one, and a list without the region of the version. */
    private void requireRegions(Draft version) {
        String path = "galleryArtifactVersion." + TARGETS;
        Set<String> regions = cloud.settings().regions().keySet();
        Set<String> names = new TreeSet<>();
        for (ObjectNode target : version.objects(TARGETS)) {
            String name = Bodies.text(target, "name").replace(" ", "").toLowerCase(Locale.ROOT);
            refuse(
                    !regions.contains(name),
                    "LocationNotAvailableForResourceType",
                    name,
                    version.id().type(),
                    String.join(",", regions));
            refuse(!names.add(name), "InvalidParameter.regionTwice");
            requireRange(
                    target.path("regionalReplicaCount").asInt(1), path + ".regionalReplicaCount", 1, MOST_REPLICAS);
        }
        boolean missing = !names.isEmpty() && !names.contains(version.region());
        refuse(missing, "InvalidParameter.noRegion", String.join(",", names), version.region());
    }

    private void checkSource(Draft version) {
        boolean numbers = version.name().matches("\\d{1,10}\\.\\d{1,10}\\.\\d{1,10}")
                && Stream.of(version.name().split("\\.")).allMatch(part -> Long.parseLong(part) <= Integer.MAX_VALUE);
        refuse(!numbers, "InvalidParameter.versionName", version.name());
        Resource source = source(version);
        Resource definition = cloud.store().require(version.id().parent());
        refuse(!source.location().equals(version.region()), "NotFound.gallerySource", source.id());
        requireSame(source, definition);
        boolean generalized = definition.is("properties.osState", "Generalized");
        refuse(
                source.id().isOfType(ResourceType.MACHINES) && generalized != MachineViews.isGeneralized(source),
                "OperationNotAllowed.imageSource",
                source.name(),
                generalized ? "" : "not ",
                generalized ? "Generalized." : "Specialized.");
    }

    /** Refuses a source of another generation, architecture or type of security than the definition says. */
    private void requireSame(Resource source, Resource definition) {
        boolean machine = source.id().isOfType(ResourceType.MACHINES);
        ObjectNode profile = source.make("properties.storageProfile");
        String wanted = definition.text("properties.hyperVGeneration");
        String generation = machine ? storage.generation(profile) : source.text("properties.hyperVGeneration");
        refuse(!generation.equals(wanted), "Conflict.generation", source.id(), generation, wanted);
        wanted = definition.text("properties.architecture");
        String architecture =
                machine ? StorageProfiles.name(storage.architecture(Bodies.make(profile, "imageReference"))) : "x64";
        refuse(!architecture.equals(wanted), "Conflict.architecture", source.id(), architecture, wanted);
        if (!machine) {
            return;
        }
        String has = source.text("properties.securityProfile.securityType");
        String security = StorageProfiles.security(definition);
        boolean supported = security.endsWith("Supported");
        refuse(supported, "InvalidParameter.supportedSource", security, source.id(), security);
        refuse(
                has.equals("TrustedLaunch") != security.equals("TrustedLaunch"),
                "InvalidParameter.security",
                has.isEmpty() ? "Standard" : has,
                source.id(),
                security.isEmpty() ? "Standard" : security);
    }

    private void publish(Draft version) {
        if (!version.has(TARGETS)) {
            version.array(TARGETS).addObject().put("name", version.region()).put("regionalReplicaCount", 1);
        }
        version.standard("properties.publishingProfile.replicaCount", 1);
        version.standard("properties.publishingProfile.excludeFromLatest", false);
        int gib = source(version).number("properties.storageProfile.osDisk.diskSizeGB", 30);
        version.make("properties.storageProfile.osDiskImage")
                .put("hostCaching", "ReadWrite")
                .put("sizeInGB", Math.max(1, gib));
        version.make("properties.publishingProfile")
                .put("publishedDate", cloud.clock().now().toString());
    }

    private Resource source(ResourceBody version) {
        String place = SOURCES.stream()
                .filter(version::has)
                .map(version::text)
                .findFirst()
                .orElseThrow(() -> ArmException.of("InvalidParameter.versionSource"));
        return Optional.<Resource>empty()
                .or(() -> cloud.store().find(place, ResourceType.MACHINES))
                .or(() -> cloud.store().find(place, ResourceType.IMAGES))
                .orElseThrow(() -> ArmException.badReference(place, version.id()));
    }

    private CompletableFuture<?> capture(Resource version) {
        Resource source = source(version);
        if (source.id().isOfType(ResourceType.IMAGES)) {
            version.hide(
                    StorageProfiles.PLAN, source.hidden(StorageProfiles.PLAN).orElse(""));
            version.hide(
                    StorageProfiles.CONTENT, StorageProfiles.captured(source).toString());
            return ResourceType.NO_MACHINES;
        }
        version.hide(StorageProfiles.PLAN, MachineProfile.plan(source.at("plan")));
        return machines.capture(source.id(), version.id());
    }

    private static void showReplication(Call call, ObjectNode version) {
        if (!call.query("expand").equalsIgnoreCase("ReplicationStatus")) {
            return;
        }
        ObjectNode status = Bodies.make(version, "properties.replicationStatus").put("aggregatedState", "Completed");
        ArrayNode regions = status.putArray("summary");
        Bodies.objects(version, TARGETS)
                .forEach(region -> regions.addObject()
                        .put("region", Bodies.text(region, "name"))
                        .put("state", "Completed")
                        .put("progress", 100));
    }
}
